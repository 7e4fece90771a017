"""Where tables come from, in which encoding, and in which format."""

import gzip
import io
import subprocess
import sys

import polars as pl
import pytest

from classica.errors import ParameterError, TableError
from classica.tables import read_table
from classica.tables.reading import file_copy
from classica.tables.reading.formats import delimited
from classica.tables.reading.spool import as_bytes, behind, spooled

TEXT = "größe,b\nä,1\nö,2\n"
ROWS = [("ä", 1), ("ö", 2)]


def notes(table, code):
    return [note.text for note in table.notes if note.code == code]


def fault(source, **options):
    with pytest.raises(TableError) as caught:
        read_table(source, **options)
    return caught.value


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("utf-8", None),
        ("utf-8-sig", "a byte order mark of utf-8"),
        ("utf-16", "a byte order mark of utf-16-le"),
        ("utf-16-le", "encoding utf-16-le"),
        ("utf-16-be", "encoding utf-16-be"),
        ("utf-32", "a byte order mark of utf-32-le"),
        ("cp1252", "encoding cp1252"),
    ],
)
def test_encodings_are_found_and_told(encoding, told):
    table = read_table(TEXT.encode(encoding))
    assert table.frame.columns == ["größe", "b"]
    assert table.frame.rows() == ROWS
    found = notes(table, "encoding")
    assert found == [] if told is None else found[0].startswith(told)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "cp437", "mac-roman"])
def test_an_encoding_can_be_given(encoding):
    assert read_table(TEXT.encode(encoding), encoding=encoding).frame.rows() == ROWS


def test_utf8_with_a_broken_byte_is_not_taken_for_something_else():
    error = fault(TEXT.encode() + b"\xe4,3\n")
    assert (error.kind, error.line) == ("invalid utf-8", 4)


def test_bytes_outside_a_given_encoding_are_named():
    error = fault(b"a,b\nx,1\n\x81,2\n", encoding="cp1252")
    assert (error.kind, error.line) == ("invalid cp1252", 3)
    assert "81" in str(error)


def test_long_text_in_another_encoding(tmp_path):
    data = ("größe,b\n" + "ä,1\n" * 700_000).encode("utf-16")
    frame = read_table(data).frame
    assert frame.shape == (700_000, 2)
    assert frame["größe"].unique().to_list() == ["ä"]


@pytest.mark.parametrize("name", ["some.csv.gz", "some.gz", "some.csv"])
def test_gzip_is_found_by_its_content(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(TEXT.encode()) + gzip.compress(b"\xc3\xbc,3\n"))
    table = read_table(path)
    assert table.frame.rows() == [*ROWS, ("ü", 3)]
    assert notes(table, "compression")


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:20] + b"x" + data[21:]])
def test_damaged_gzip_is_refused(damage):
    assert fault(damage(gzip.compress(TEXT.encode() * 100))).kind == "damaged gzip"


def test_streams_and_standard_input():
    assert read_table(io.BytesIO(TEXT.encode())).frame.rows() == ROWS
    assert fault(io.StringIO(TEXT)).kind == "text stream"
    script = "from classica.tables import read_table; print(read_table('-').frame.rows())"
    done = subprocess.run(
        [sys.executable, "-c", script], input=TEXT.encode(), capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == str(ROWS)


@pytest.mark.parametrize("source", [None, 3, ["a"], object()])
def test_what_is_no_source_is_refused(source):
    with pytest.raises(ParameterError, match="source must be"):
        read_table(source)


@pytest.mark.parametrize(
    ("head", "shown"),
    [
        (b"%PDF-1.7\n", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n....", "a PNG image"),
        (b"\x80\x04\x95pickle", "a Python pickle"),
        (b"PK\x03\x04....", "a zip archive"),
        (b"<!DOCTYPE html><p>", "an HTML page"),
        (b"  <?xml version='1.0'?>", "an XML document"),
        (b"ARROW1\0\0", "an Arrow file"),
        (b"BZh91AY", "bzip2 data"),
        (b"\x93NUMPY\x01\x00", "a NumPy array"),
    ],
)
def test_foreign_content_is_named_whatever_the_extension(tmp_path, head, shown):
    path = tmp_path / "some.csv"
    path.write_bytes(head)
    error = fault(path)
    assert error.kind == "foreign content"
    assert shown in str(error)


def test_content_comes_before_the_extension(tmp_path):
    path = tmp_path / "some.csv"
    pl.DataFrame({"a": [1]}).write_parquet(path)
    assert read_table(path).format == "parquet"
    path.write_bytes(b"@relation r\n@attribute a numeric\n@data\n1\n")
    assert read_table(path).format == "arff"
    path.write_bytes(b'{"a": 1}\n{"a": 2}\n')
    assert read_table(path).format == "jsonl"
    path.write_bytes(b"1 1:0.5 2:1\n-1 2:3\n")
    assert read_table(path).format == "libsvm"


@pytest.mark.parametrize("suffix", [".parquet", ".arff", ".xlsx", ".jsonl", ".libsvm", ".sqlite"])
def test_an_extension_that_promises_something_else_is_an_error(tmp_path, suffix):
    path = tmp_path / f"some{suffix}"
    path.write_bytes(b"a,b\n1,2\n")
    assert fault(path).kind == "wrong content"


@pytest.mark.parametrize("format", ["parquet", "excel", "sql"])
def test_a_format_that_is_asked_for_must_be_there(format):
    assert fault(b"a,b\n1,2\n", format=format).kind == "wrong content"


def test_json_that_is_not_lines_is_named(tmp_path):
    path = tmp_path / "some.json"
    path.write_bytes(b'[{"a": 1}]')
    assert "JSON lines" in str(fault(path))


def test_a_long_first_line_does_not_hide_json():
    record = '{"a": "' + "x" * 10_000 + '"}\n'
    assert read_table((record * 2).encode()).format == "jsonl"


def test_bytes_are_found_behind_the_whole_of_them_alone():
    content = bytes(range(256))
    assert behind(as_bytes(content)) is content
    assert behind(as_bytes(content)[3:]) is None
    assert behind(spooled([content], 2**20, "some", in_memory=10)) is None
    assert spooled([content], 2**20, "some", in_memory=10).tobytes() == content


def test_a_long_text_is_parsed_some_rows_at_a_time(tmp_path, monkeypatch):
    path = tmp_path / "some.csv"
    path.write_bytes(b"a,b\n" + b"".join(b"%d,x%d\n" % (k, k) for k in range(1000)))
    wanted = read_table(path).frame
    monkeypatch.setattr(file_copy, "_WHOLE", 100)
    monkeypatch.setattr(delimited, "_PIECE", 1000)
    assert read_table(path).frame.equals(wanted)
