"""Delimited text: odd files, types that keep everything, errors that name the place."""

import csv

import polars as pl
import pytest

from classica.errors import DataError, ParameterError, TableError
from classica.tables import read_table
from tests.tables.reading.slow_reader import require_equal, slow_rows


def cells(data, **options):
    return read_table(data, **options).frame.rows()


def names(data, **options):
    return read_table(data, **options).frame.columns


def notes(data, code, **options):
    return [note.text for note in read_table(data, **options).notes if note.code == code]


def fault(data, **options):
    with pytest.raises(TableError) as caught:
        read_table(data, **options)
    return caught.value


# Types


@pytest.mark.parametrize(
    ("column", "dtype", "values"),
    [
        (["1", "-2", ""], pl.Int64, [1, -2, None]),
        (["1", "2.5", ""], pl.Float64, [1.0, 2.5, None]),
        (["1e3", ".5", "5.", "-0"], pl.Float64, [1000.0, 0.5, 5.0, 0.0]),
        (["9007199254740993", "1"], pl.Int64, [9007199254740993, 1]),
        (["9223372036854775807", "-9223372036854775808"], pl.Int64, [2**63 - 1, -(2**63)]),
        (["1", "nan"], pl.Float64, None),
        (["0.30000000000000004", "1"], pl.Float64, [0.30000000000000004, 1.0]),
        (["1.000000000000000056e-01", "1"], pl.Float64, [0.1, 1.0]),
        (["000651", "1"], pl.String, ["000651", "1"]),
        (["+49", "1"], pl.String, ["+49", "1"]),
        (["9223372036854775808", "1"], pl.String, ["9223372036854775808", "1"]),
        (["9007199254740993", "0.5"], pl.String, ["9007199254740993", "0.5"]),
        (["1.0000000000000000000001", "1"], pl.String, ["1.0000000000000000000001", "1"]),
        (["1e400", "1"], pl.String, ["1e400", "1"]),
        (["1e-400", "1"], pl.String, ["1e-400", "1"]),
        (["NA", "1"], pl.String, ["NA", "1"]),
        (["True", "False"], pl.String, ["True", "False"]),
        (["2020-01-31", "2020-02-01"], pl.String, ["2020-01-31", "2020-02-01"]),
        (["1_000", "1"], pl.String, ["1_000", "1"]),
        (["", ""], pl.String, [None, None]),
        ([" 1", "2 ", "  "], pl.Int64, [1, 2, None]),
        ([" a", "b "], pl.String, [" a", "b "]),
    ],
)
def test_a_column_has_the_type_that_keeps_every_cell(column, dtype, values):
    data = "x,y\n" + "".join(f"{cell},w\n" for cell in column)
    read = read_table(data.encode()).frame["x"]
    assert read.dtype == dtype
    assert values is None or read.to_list() == values


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (["000651", "1"], "leading zero"),
        (["+49", "1"], "plus sign"),
        (["99999999999999999999", "1"], "many digits"),
        (["9007199254740993", "0.5"], "many digits"),
        (["1.0000000000000000000001", "1"], "many digits"),
        (["NA", "1"], "text among numbers"),
    ],
)
def test_it_is_told_why_a_column_of_numbers_is_text(column, kind):
    data = "x,y\n" + "".join(f"{cell},w\n" for cell in column)
    doubts = read_table(data.encode()).doubts
    assert [doubt.kind for doubt in doubts["x"]] == [kind]
    assert "y" not in doubts


def test_text_among_numbers_is_counted_and_placed():
    (doubt,) = read_table(b"x,y\n1,a\n2,b\nNA,c\n?,d\n").doubts["x"]
    assert (doubt.cells, doubt.line) == (2, 4)


def test_quoted_numbers_are_numbers_and_quoted_ids_are_text():
    assert cells(b'a,b\n"1","007"\n"2","008"\n') == [(1, "007"), (2, "008")]


def test_quotes_around_nothing_are_an_empty_text():
    assert cells(b'a,b\n"",1\nx,2\n,3\n') == [("", 1), ("x", 2), (None, 3)]


# Dialect


@pytest.mark.parametrize(("delimiter", "shown"), [(",", "','"), (";", "';'"), ("\t", "tab"), ("|", "'|'")])
def test_the_delimiter_is_found_and_told(delimiter, shown):
    data = f"a{delimiter}b\n1{delimiter}x\n2{delimiter}y\n".encode()
    assert cells(data) == [(1, "x"), (2, "y")]
    assert notes(data, "delimiter") == [f"delimiter {shown}"]


def test_spaces_divide_numbers_only():
    assert cells(b"5.1 3.5 1\n4.9 3.0 0\n") == [(5.1, 3.5, 1), (4.9, 3.0, 0)]
    assert cells(b"hello world\nfoo bar\n") == [("foo bar",)]


def test_a_decimal_comma_is_found_and_told():
    data = b"x;y;z\n1,5;1.5;a\n-2,25;2.5;b\n3;;c\n"
    assert cells(data) == [(1.5, 1.5, "a"), (-2.25, 2.5, "b"), (3.0, None, "c")]
    assert notes(data, "decimal") == ["decimal comma in 'x'"]
    assert cells(data, decimal=".") == [("1,5", 1.5, "a"), ("-2,25", 2.5, "b"), ("3", None, "c")]


def test_a_comma_in_a_quoted_cell_is_a_decimal_comma_only_if_asked_for():
    data = b'n,v\nx,"1,5"\ny,"2"\n'
    assert cells(data) == [("x", "1,5"), ("y", "2")]
    assert cells(data, decimal=",") == [("x", 1.5), ("y", 2.0)]


def test_numbers_with_points_and_commas_stay_text():
    assert cells(b"x;y\n1.234,56;a\n2,5;b\n") == [("1.234,56", "a"), ("2,5", "b")]
    assert cells(b"x;y\n1.5;a\n2,5;b\n") == [("1.5", "a"), ("2,5", "b")]


def test_every_finding_can_be_overridden():
    assert cells(b"a;b\n1;2\n", delimiter=",") == [("1;2",)]
    assert cells(b"a,b\n'x,y',2\n", quote="'") == [("x,y", 2)]
    assert cells(b'a,b\n"x,2\n', quote="") == [('"x', 2)]
    assert cells(b"a,b\n1,2\n", header=False) == [("a", "b"), ("1", "2")]
    assert cells(b"1,2\n3,4\n", header=True) == [(3, 4)]
    assert cells("a,b\né,1\n".encode("latin-1"), encoding="latin-1") == [("é", 1)]


# Header and names


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"a,b\n1,2\n", True),
        (b"1,2\n3,4\n", False),
        (b"id,2019\n7,1\n", True),
        (b"a,b\nx,y\n", True),
        (b"sunny,no\nsunny,yes\nrain,no\n", False),
        (b"a,b\nx,y\na,b\nz,w\n", True),
        (b",b\n1,2\n", True),
        (b"a,b\n", True),
        (b"1,2\n", False),
    ],
)
def test_a_header_is_found_and_told(data, found):
    assert (notes(data, "header") == ["column names in the first row"]) == found
    assert (names(data)[0] == "column_1") == (not found or data.startswith(b","))


def test_names_that_are_missing_or_twice_are_replaced_and_told():
    data = b"a, b ,a,,a_2,column_4\n1,2,3,4,5,6\n"
    assert names(data) == ["a", "b", "a_3", "column_4_2", "a_2", "column_4"]
    told = " / ".join(notes(data, "names"))
    assert "'a' in column 3 is 'a_3'" in told
    assert "position: 4" in told


def test_a_header_may_have_quotes_and_lines():
    assert names(b'"a\nb","c,d"\n1,2\n') == ["a\nb", "c,d"]
    assert cells(b'"a\nb","c,d"\n1,2\n') == [(1, 2)]


# Odd files


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(data):
    assert fault(data).kind == "empty file"


def test_a_header_alone_is_a_table_without_rows():
    frame = read_table(b"a,b\n").frame
    assert (frame.height, frame.columns) == (0, ["a", "b"])


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_of_all_kinds(ends, last):
    data = ends.join(["a,b", "1,x", "2,y"]) + (ends if last else "")
    assert cells(data.encode()) == [(1, "x"), (2, "y")]


def test_mixed_line_ends():
    data = b'a,b\r\n1,x\n2,y\r3,"z\r\nz"\r\n'
    assert cells(data) == [(1, "x"), (2, "y"), (3, "z\r\nz")]
    assert notes(data, "lines") == ["lines that end with only a carriage return: 1"]


def test_empty_lines_are_left_out_and_told():
    data = b"\n\na,b\n\n1,2\n\n\n3,4\n\n"
    assert cells(data) == [(1, 2), (3, 4)]
    assert notes(data, "lines") == ["4 empty lines skipped"]


def test_an_empty_line_of_one_column_is_a_missing_cell():
    assert cells(b"a\n1\n\n2\n") == [(1,), (None,), (2,)]


def test_quotes_in_the_middle_are_letters():
    data = b'a,b\n5" disk,1\n3.5" disk,2\n'
    assert cells(data) == [('5" disk', 1), ('3.5" disk', 2)]
    assert notes(data, "quotes") == ["cells with inner quotes are kept as they are: 2"]


def test_doubled_quotes_delimiters_and_lines_inside_quotes():
    assert cells(b'a,b\n"x ""y"", z\nw",1\n') == [('x "y", z\nw', 1)]


@pytest.mark.parametrize(
    ("data", "kind", "line", "column", "words"),
    [
        (b"a,b\n1,2\n3\n", "ragged row", 3, None, "2 cells, got 1"),
        (b"a,b\n1,2\n3,4,5\n", "ragged row", 3, None, "2 cells, got 3"),
        (b'a,b\n"x\ny",2\n3,4,5\n', "ragged row", 4, None, "got 3"),
        (b'a,b\n1,2\n3,"4\n5,6\n', "unclosed quote", 3, "b", "quote"),
        (b'a,b\n1,2\n"3"4,5\n', "quote in a cell", 3, "a", "closing quote"),
        (b"a,b\n1,2\n3,\x004\n", "binary data", 3, None, "zero bytes"),
        ("a,b\né,1\n".encode() + b"\xff,2\n", "invalid utf-8", 3, None, "0xff"),
    ],
)
def test_errors_name_file_line_column_and_kind(tmp_path, data, kind, line, column, words):
    path = tmp_path / "some.csv"
    path.write_bytes(data)
    error = fault(path)
    assert (error.source, error.kind, error.line, error.column) == (str(path), kind, line, column)
    assert str(error).startswith(f"{path}, line {line}")
    assert words in str(error)
    assert f"({kind})." in str(error)
    assert isinstance(error, DataError)


def test_a_file_that_is_not_there(tmp_path):
    assert fault(tmp_path / "none.csv").kind == "no file"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"delimiter": ",,"}, "delimiter must be one character"),
        ({"delimiter": "x"}, "delimiter must be one character"),
        ({"delimiter": '"'}, "quote must be another character"),
        ({"encoding": "klingon"}, "encoding must be an encoding"),
        ({"encoding": "base64"}, "encoding must be an encoding"),
        ({"header": 1}, "header must be True or False"),
        ({"decimal": "x"}, "decimal must be"),
        ({"limit": 0}, "limit must be"),
        ({"sheet": "x"}, "one of delimiter, quote"),
        ({"format": "exe"}, "format must be"),
    ],
)
def test_options_are_checked(options, words):
    with pytest.raises(ParameterError, match=words):
        read_table(b"a,b\n1,2\n", **options)


def test_a_hundred_thousand_columns():
    width = 100_000
    data = ",".join(f"c{place}" for place in range(width)) + "\n"
    data += (",".join(["1"] * (width - 1)) + ",x\n") * 3
    frame = read_table(data.encode()).frame
    assert frame.shape == (3, width)
    assert frame.row(2)[-2:] == (1, "x")


def test_a_path_with_signs_of_patterns_is_a_file(tmp_path):
    path = tmp_path / "a[1]*.csv"
    path.write_bytes(b"a,b\n1,2\n")
    assert cells(path) == [(1, 2)]
    assert cells(str(path)) == [(1, 2)]


def test_a_file_and_its_bytes_are_the_same_table(tmp_path):
    data = b'x,"y, z",w\n1,2.5,a\n,"3",b\n'
    path = tmp_path / "some.csv"
    path.write_bytes(data)
    assert read_table(path).frame.equals(read_table(data).frame)
    require_equal(read_table(path), slow_rows(data.decode(), ",")[1:])


def test_the_slow_reader_is_strict():
    with pytest.raises(csv.Error):
        slow_rows('a\n"b', ",")
    with pytest.raises(csv.Error):
        slow_rows('a\n"b"c', ",")


def test_a_byte_order_mark_in_the_first_cell_below_the_header_is_kept():
    assert cells("a,b\n\ufeffx,1\n".encode()) == [("\ufeffx", 1)]
    assert cells("\ufeffa,b\n\ufeffx,1\n".encode()) == [("\ufeffx", 1)]
