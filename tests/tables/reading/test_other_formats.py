"""JSON lines, LIBSVM text, Parquet, Excel and frames."""

import io
import logging

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xlsxwriter

from classica.errors import TableError
from classica.tables import read_table


def rows(source, **options):
    return read_table(source, **options).frame.rows()


def fault(source, **options):
    with pytest.raises(TableError) as caught:
        read_table(source, **options)
    return caught.value


# JSON lines


@pytest.mark.parametrize(
    ("data", "dtype", "values"),
    [
        (b'{"a":1}\n\n{"a":null}\n', pl.Int64, [1, None]),
        (b'{"a":1}\r\n{"a":1.5}', pl.Float64, [1.0, 1.5]),
        (b'{"a":true}\n{"b":1}\n', pl.Boolean, [True, None]),
        (b'{"a":"x"}\n{"a":1}\n', pl.String, ["x", "1"]),
        (b'{"a":true}\n{"a":0}\n', pl.String, ["true", "0"]),
        (b'{"a":9007199254740993}\n{"a":1}\n', pl.Int64, [9007199254740993, 1]),
        (b'{"a":9007199254740993}\n{"a":1.5}\n', pl.String, ["9007199254740993", "1.5"]),
        (b'{"a":12345678901234567890}\n{"a":1}\n', pl.String, ["12345678901234567890", "1"]),
        (b'{"a":"007"}\n{"a":""}\n', pl.String, ["007", ""]),
    ],
)
def test_values_of_json_keep_what_they_are(data, dtype, values):
    column = read_table(data).frame["a"]
    assert column.dtype == dtype
    assert column.to_list() == values


@pytest.mark.parametrize(
    ("data", "kind", "line", "column"),
    [
        (b'{"a":1}\n{"a":2\n', "invalid JSON", 2, None),
        (b'{"a":1}\n[1]\n', "invalid JSON", 2, None),
        (b'{"a":1}\n{"a":1,"a":2}\n', "invalid JSON", 2, None),
        (b'{"a":1}\n{"a":1e400}\n', "invalid JSON", 2, None),
        (b'{"a":1}\n{"a":' + b"[" * 100_000 + b"\n", "invalid JSON", 2, None),
        (b'{"a":1}\n{"a":{"b":1}}\n', "nested value", 2, "a"),
        (b'{"a":1}\n{"a":[1]}\n', "nested value", 2, "a"),
        (b'{"a":"x"}\n{"a":"\\ud800"}\n', "invalid text", 2, "'a'"),
    ],
)
def test_faults_of_json_are_placed(data, kind, line, column):
    error = fault(data)
    assert (error.kind, error.line, error.column) == (kind, line, column)


# LIBSVM


def test_libsvm_is_dense_with_zeros():
    table = read_table(b"1 1:0.5 3:2 # comment\n-1 2:1e-3\n\n1\n", format="libsvm")
    assert table.frame.columns == ["class", "x1", "x2", "x3"]
    assert table.frame.rows() == [(1, 0.5, 0.0, 2.0), (-1, 0.0, 0.001, 0.0), (1, 0.0, 0.0, 0.0)]


def test_libsvm_labels_keep_what_they_are():
    plus = read_table(b"+1 1:1\n-1 1:2\n")
    assert plus.frame["class"].to_list() == [1, -1]
    assert any("+1" in note.text for note in plus.notes)
    assert read_table(b"spam 1:1\nham 1:2\n", format="libsvm").frame["class"].to_list() == ["spam", "ham"]
    assert read_table(b"1.5 1:1\n2 1:2\n").frame["class"].to_list() == [1.5, 2.0]
    assert read_table(b"01 1:1\n02 1:2\n").frame["class"].to_list() == ["01", "02"]


def test_libsvm_may_start_at_zero_and_have_queries():
    table = read_table(b"1 qid:7 0:1 1:2\n0 qid:8 1:3\n", format="libsvm")
    assert table.frame.columns == ["class", "qid", "x0", "x1"]
    assert table.frame.rows() == [(1, 7, 1.0, 2.0), (0, 8, 0.0, 3.0)]


@pytest.mark.parametrize(
    ("line", "kind", "column"),
    [
        (b"1 2:1 1:1", "index order", "x1"),
        (b"1 1:1 1:1", "index order", "x1"),
        (b"1 1:x", "invalid number", "x1"),
        (b"1 1:", "invalid number", "x1"),
        (b"1 1:1_0", "invalid number", "x1"),
        (b"1 1:9007199254740993", "invalid number", "x1"),
        (b"1 a:1", "invalid pair", None),
        (b"1 1", "invalid pair", None),
        (b"1:1", "no label", None),
    ],
)
def test_faults_of_libsvm_are_placed(line, kind, column):
    error = fault(b"1 1:1\n" + line + b"\n", format="libsvm")
    assert (error.kind, error.line, error.column) == (kind, 2, column)


# Parquet


def parquet(frame, **options):
    buffer = io.BytesIO()
    frame.write_parquet(buffer, **options)
    return buffer.getvalue()


def test_parquet_keeps_types(tmp_path):
    frame = pl.DataFrame(
        {"id": ["007"], "n": [2**60], "x": [0.1], "b": [True], "c": ["u"]},
        schema_overrides={"c": pl.Categorical},
    )
    path = tmp_path / "some.parquet"
    frame.write_parquet(path)
    for source in (path, path.read_bytes()):
        read = read_table(source).frame
        assert read.rows() == frame.rows()
        assert read["n"].dtype == pl.Int64


def test_a_folder_or_pattern_of_parquet_files(tmp_path):
    for name in ("b", "a"):
        pl.DataFrame({"x": [name]}).write_parquet(tmp_path / f"{name}.parquet")
    for source in (tmp_path, tmp_path / "*.parquet", str(tmp_path / "[ab].parquet")):
        table = read_table(source)
        assert table.frame.rows() == [("a",), ("b",)]
        assert "2 files" in table.notes[0].text
    assert fault(tmp_path / "z*.parquet").kind == "no file"
    pl.DataFrame({"y": [1]}).write_parquet(tmp_path / "c.parquet")
    assert fault(tmp_path).kind == "damaged file"


def test_lists_in_parquet_are_named():
    error = fault(parquet(pl.DataFrame({"a": [1], "b": [[1, 2]]})))
    assert (error.kind, error.column) == ("nested value", "b")


@pytest.mark.parametrize("cut", [4, 8, 20, 200])
def test_half_a_parquet_file_is_refused(cut):
    assert fault(parquet(pl.DataFrame({"a": range(100)}))[:-cut]).kind == "damaged file"


# Excel


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "some.xlsx"
    with xlsxwriter.Workbook(path) as workbook:
        sheet = workbook.add_worksheet("first")
        for place, row in enumerate([["id", "x", None, "x"], ["007", 1.5, 3, "a"], ["008", None, 4, "b"]]):
            for column, value in enumerate(row):
                if isinstance(value, str):
                    sheet.write_string(place, column, value)
                elif value is not None:
                    sheet.write(place, column, value)
        numbers = workbook.add_worksheet("numbers")
        numbers.write(0, 0, 1)
        numbers.write(1, 0, 2)
        numbers.write_formula(2, 0, "=NA()", None, "#N/A")
        workbook.add_worksheet("empty")
    return path


def test_a_sheet(book):
    table = read_table(book)
    assert table.frame.columns == ["id", "x", "column_3", "x_2"]
    assert table.frame.rows() == [("007", 1.5, 3, "a"), ("008", None, 4, "b")]
    assert any("the sheet 'first', the first of" in note.text for note in table.notes)
    assert table.source.endswith("sheet 'first'")


def test_sheets_by_name_and_number(book):
    for sheet in ("numbers", 2):
        table = read_table(book, sheet=sheet)
        assert table.frame.rows() == [(1.0,), (2.0,), (None,)]
        assert any("#N/A" in note.text and note.text.endswith(": 1") for note in table.notes)
    assert read_table(book, header=False).frame.height == 3
    assert read_table(book.read_bytes()).frame.height == 2


def test_faults_of_workbooks(book):
    assert fault(book, sheet="none").kind == "no such sheet"
    assert fault(book, sheet=9).kind == "no such sheet"
    assert fault(book, sheet="empty").kind == "empty sheet"
    assert fault(book.read_bytes()[:-300]).kind == "damaged file"


# Frames


def test_a_frame_of_pandas_keeps_its_types():
    frame = pd.DataFrame(
        {
            "n": [1, 2],
            "x": [1.5, float("nan")],
            "t": ["a", None],
            "c": pd.Categorical(["u", "v"], categories=["v", "u", "w"]),
            "i": pd.array([1, None], dtype="Int64"),
            "b": [True, False],
            "d": pd.to_datetime(["2020-01-31 12:00:00.123456789", None]),
        }
    )
    table = read_table(frame)
    assert table.frame["n"].to_list() == [1, 2]
    assert table.frame["t"].to_list() == ["a", None]
    assert table.frame["c"].dtype == pl.Enum(["v", "u", "w"])
    assert table.declared["c"].levels == ("v", "u", "w")
    assert table.frame["i"].to_list() == [1, None]
    assert table.frame["b"].dtype == pl.Boolean
    assert table.frame["d"].dt.nanosecond().to_list() == [123456789, None]


def test_frames_of_polars_and_arrow():
    frame = pl.DataFrame({"a": [1, None], "b": ["x", "y"]})
    for source in (frame, frame.lazy(), pa.table({"a": [1, None], "b": ["x", "y"]})):
        assert rows(source) == [(1, "x"), (None, "y")]


@pytest.mark.parametrize(
    ("frame", "kind", "column"),
    [
        (pd.DataFrame({"a": [1, "x"]}), "several types", "a"),
        (pd.DataFrame({"a": [[1], [2]]}), "nested value", "a"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "duplicate name", "a"),
        (pl.DataFrame({"a": [[1]]}), "nested value", "a"),
        (pl.DataFrame({"a": [b"x"]}), "nested value", "a"),
    ],
)
def test_faults_of_frames_are_named(frame, kind, column):
    error = fault(frame)
    assert (error.kind, error.column) == (kind, column)


def test_a_column_without_cells_leaves_no_line_of_a_library_on_the_screen(tmp_path, monkeypatch, capsys):
    path = tmp_path / "empty.xlsx"
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet()
    sheet.write_column(0, 0, ["a", 1, 2])
    sheet.write(0, 1, "nothing")
    book.close()
    monkeypatch.setattr(logging.root, "handlers", [])  # as in a program that has set up no logging
    frame = read_table(path).frame
    assert frame["nothing"].null_count() == 2
    assert capsys.readouterr().err == ""
