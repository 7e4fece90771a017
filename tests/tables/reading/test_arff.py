"""ARFF: headers, plain rows, rows word by word, sparse rows."""

import polars as pl
import pytest

from classica.errors import TableError
from classica.tables import read_table
from classica.tables.reading.raw_table import Declared

HEAD = (
    b"% a comment\n@RELATION 'some weather'\n\n@attribute outlook {sunny, 'over cast', rain}\n"
    b"@ATTRIBUTE 'te mp' numeric % in degrees\n@attribute note string\n"
    b'@attribute day date "yyyy-MM-dd"\n@data\n'
)
SMALL = b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c integer\n@data\n"


def rows(data):
    return read_table(data).frame.rows()


def fault(data):
    with pytest.raises(TableError) as caught:
        read_table(data)
    return caught.value


def test_a_header_declares_columns():
    table = read_table(HEAD + b"rain,1.5,x,2020-01-31\n")
    assert table.frame.columns == ["outlook", "te mp", "note", "day"]
    assert table.declared["outlook"] == Declared("category", ("sunny", "over cast", "rain"))
    assert table.declared["te mp"] == Declared("number")
    assert table.declared["note"] == Declared("text")
    assert table.declared["day"] == Declared("date", pattern="yyyy-MM-dd")
    assert table.frame["outlook"].dtype == pl.Enum(["sunny", "over cast", "rain"])
    assert "ARFF, relation 'some weather'" in [note.text for note in table.notes]


@pytest.mark.parametrize(
    "body",
    [
        b"sunny,1,abc,2020-01-01\n'over cast',?,?,?\n",
        b"'sunny',1,'abc','2020-01-01'\n'over cast',?,?,?\n",
        b'sunny , 1, abc\t,2020-01-01\n"over cast", ?,?,?',
        b"% first\nsunny,1,abc,2020-01-01 % behind\n\n'over cast',?,?,?\n",
        b"sunny,1,\"abc\",2020-01-01\r\n'over cast',?,?,?\r\n",
    ],
)
def test_the_same_rows_in_several_ways(body):
    assert rows(HEAD + body) == [("sunny", 1, "abc", "2020-01-01"), ("over cast", None, None, None)]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (rb"'it\'s'", "it's"),
        (rb'"it\'s"', "it's"),
        (b'"it\'s"', "it's"),
        (rb"'a\tb\\c'", "a\tb\\c"),
        (b"'a,b'", "a,b"),
        (b"'?'", "?"),
        (b"'% no comment'", "% no comment"),
        (b"50%", "50%"),
        (b"''", ""),
        (b"007", "007"),
        (b"'{x}'", "{x}"),
    ],
)
def test_text_cells(written, meant):
    assert rows(HEAD + b"rain,2," + written + b",?\n") == [("rain", 2, meant, None)]


def test_sparse_rows():
    assert rows(SMALL + b"{0 1.5, 1 y}\n{2 ?}\n{}\n{ 1 'y' , 2 -3 }\n") == [
        (1.5, "y", 0),
        (0.0, "x", None),
        (0.0, "x", 0),
        (0.0, "y", -3),
    ]


def test_numbers_that_no_double_keeps_stay_what_they_are():
    assert rows(SMALL + b"9007199254740993,x,007\n1,y,+5\n") == [(9007199254740993, "x", 7), (1, "y", 5)]
    table = read_table(SMALL + b"9007199254740993,x,1\n1.5,y,2\n")
    assert table.frame["a"].to_list() == ["9007199254740993", "1.5"]
    assert [doubt.kind for doubt in table.doubts["a"]] == ["many digits"]


@pytest.mark.parametrize(
    ("body", "kind", "line", "column"),
    [
        (b"1,x\n", "ragged row", 6, None),
        (b"1,x,2\n1,x,2,3\n", "ragged row", 7, None),
        (b"1,x,2\n\n% c\n1,z,2\n", "unknown category", 9, "b"),
        (b"1,x,2\n1.5.2,x,2\n", "no number", 7, "a"),
        (b"1,x,2\nabc,x,2\n", "no number", 7, "a"),
        (b"1,,2\n", "empty cell", 6, None),
        (b"1,'x,2\n", "unclosed quote", 6, None),
        (b"1,'x'y,2\n", "ragged row", 6, None),
        (b"1,x,2,{5}\n", "instance weight", 6, None),
        (b"{5 1}\n", "invalid pair", 6, None),
        (b"{1 x, 0 2}\n", "invalid pair", 6, None),
        (b"{0 1\n", "invalid pair", 6, None),
        (b"{0 1} 5\n", "text after a row", 6, None),
    ],
)
def test_faults_in_rows_are_placed(body, kind, line, column):
    error = fault(SMALL + body)
    assert (error.kind, error.line, error.column) == (kind, line, column)


@pytest.mark.parametrize(
    ("head", "kind", "line"),
    [
        (b"@attribute a foo\n@data\n", "invalid header", 2),
        (b"@attribute a numeric 5\n@data\n", "invalid header", 2),
        (b"@attribute a relational\n@data\n", "invalid header", 2),
        (b"@attribute\n@data\n", "invalid header", 2),
        (b"@attribute a {x,x}\n@data\n", "duplicate category", 2),
        (b"@attribute a {x,,y}\n@data\n", "invalid header", 2),
        (b"@attribute a {x\n@data\n", "invalid header", 2),
        (b"@attribute a {'x}\n@data\n", "unclosed quote", 2),
        (b"@attribute a {x} y\n@data\n", "invalid header", 2),
        (b"nothing\n@data\n", "invalid header", 2),
        (b"@data\n", "no columns", 2),
        (b"@attribute a numeric\n", "invalid header", None),
    ],
)
def test_faults_in_headers_are_placed(head, kind, line):
    error = fault(b"@relation r\n" + head)
    assert (error.kind, error.line) == (kind, line)


def test_text_left_out_of_a_sparse_row_is_refused():
    error = fault(b"@relation r\n@attribute a string\n@attribute b numeric\n@data\n{0 x}\n{1 2}\n")
    assert (error.kind, error.line, error.column) == ("sparse text", 6, "a")


def test_names_that_are_there_twice_get_a_number():
    table = read_table(b"@relation r\n@attribute a numeric\n@attribute a {u,v}\n@data\n1,u\n")
    assert table.frame.columns == ["a", "a_2"]
    assert table.declared["a_2"].levels == ("u", "v")


def test_a_table_without_rows():
    assert read_table(SMALL).frame.shape == (0, 3)


def test_pages_of_comments_come_before_some_headers(tmp_path):
    path = tmp_path / "long.arff"
    path.write_bytes(b"% what this table is about\n" * 10_000 + SMALL + b"1,x,2\n")
    assert read_table(path).frame.rows() == [(1, "x", 2)]


def test_a_range_behind_a_type_is_passed_over():
    data = b"@relation r\n@attribute legs INTEGER [0,9]\n@attribute b real [0, 1.5]\n@data\n12,0.5\n"
    assert rows(data) == [(12, 0.5)]
