"""Files that are cut short, hang their readers, or have names that no system takes: typed errors, at once."""

import io
import os
import re
import sqlite3
import subprocess
import sys
import zipfile

import pytest
import xlsxwriter

from classica.errors import TableError
from classica.tables import read_table, scan_table


def fault(source, **options):
    with pytest.raises(TableError) as caught:
        read_table(source, **options)
    assert len(str(caught.value)) < 500
    return caught.value


def workbook():
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["a", "b"])
        sheet.write_row(1, 0, [1, "x"])
        sheet.write_row(2, 0, [2, "y"])
    return buffer.getvalue()


def changed_sheet(change):
    """Return a workbook whose first sheet was changed as text."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook())) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content) if name.endswith("sheet1.xml") else content)
    return buffer.getvalue()


# A reader that hangs does so with the interpreter's lock held: only another process can look on.
READ = """
import sys, time
from classica.tables import read_table
from classica.errors import TableError
sources = sys.argv[1:]
for source in sources:
    try:
        print(read_table(source).frame.shape)
    except TableError as error:
        print(error.kind)
"""


def read_in_a_child(*paths, seconds=10):
    done = subprocess.run(
        [sys.executable, "-c", READ, *map(str, paths)], capture_output=True, text=True, timeout=seconds
    )
    assert done.returncode == 0, done.stderr[-1000:]
    return done.stdout.splitlines()


def test_references_beyond_a_sheet_are_refused(tmp_path):
    references = [
        b'"ZZZZ9"',
        b'"zzzz9"',
        b"'ZZZZ9'",
        b'"AAAAAAAAA2"',
        b'"B99999999999"',
        b'"&#90;ZZZ9"',
        b'""',
    ]
    paths = []
    for number, reference in enumerate(references):
        path = tmp_path / f"{number}.xlsx"
        path.write_bytes(changed_sheet(lambda text, new=reference: text.replace(b'"B2"', new, 1)))
        paths.append(path)
    assert read_in_a_child(*paths) == ["damaged file"] * len(paths)


def test_references_may_be_small_or_left_out():
    plain = changed_sheet(lambda text: text)
    small = changed_sheet(
        lambda text: re.sub(rb'<c r="([A-Z]+[0-9]+)"', lambda m: m[0].replace(b"B", b"b"), text)
    )
    without = changed_sheet(lambda text: re.sub(rb'<c r="[A-Z]+[0-9]+"', b"<c", text))
    wanted = read_table(plain).frame.rows()
    assert wanted == [(1.0, "x"), (2.0, "y")]
    assert read_table(small).frame.rows() == wanted
    assert read_table(without).frame.rows() == wanted


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(b"<v>1</v>", b"<v>1</w>", 1),
        lambda text: text[: len(text) // 2],
        lambda text: text.replace(b' t="s"><v>0<', b' t="s"><v>99999<', 1),
        lambda text: text.replace(b"<v>1</v>", b"<v>&nothing;</v>", 1),
        lambda text: b"",
    ],
)
def test_damaged_sheets_have_no_errors_of_a_library(change):
    assert fault(changed_sheet(change)).kind in ("damaged file", "empty sheet")


CUT = """
import os, sys, threading
from classica.tables import read_table, scan_table
from classica.errors import TableError
path = sys.argv[1]
def cut_when_it_is_looked_at(done, total, unit):
    os.truncate(path, 100)
try:
    if sys.argv[2] == "whole":
        frame = read_table(path, progress=cut_when_it_is_looked_at).frame
        print(frame.height)
    else:
        rows = 0
        for batch in scan_table(path, batch_rows=1000):
            os.truncate(path, 100)
            rows += batch.frame.height
        print(rows)
except TableError as error:
    print(error.kind)
"""


@pytest.mark.parametrize("how", ["whole", "batches"])
def test_a_file_that_is_cut_while_it_is_read_ends_no_process(tmp_path, how):
    path = tmp_path / "some.csv"
    path.write_bytes(b"a,b\n" + b"1,x\n" * 2_000_000)
    done = subprocess.run([sys.executable, "-c", CUT, str(path), how], capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr[-1000:])
    # What was there when it was opened, or a word about it; never a part of it.
    assert done.stdout.strip() in ("2000000", "changed file")


def test_a_file_that_grows_while_it_is_opened_is_told(tmp_path, monkeypatch):
    path = tmp_path / "some.csv"
    path.write_bytes(b"a,b\n1,2\n")
    found = os.fstat

    def grown(descriptor):
        before = found(descriptor)
        with path.open("ab") as file:
            file.write(b"3,4\n")
        return before

    monkeypatch.setattr(os, "fstat", grown)
    assert fault(path).kind == "changed file"


def test_pipes_and_devices_are_refused_at_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert read_in_a_child(pipe, "/dev/null", "/dev/zero") == ["no file"] * 3
    assert "standard input" in str(fault(pipe))


@pytest.mark.parametrize(
    "name",
    ["a\0b", "a" * 5000, "a/" * 3000 + "b", "a" * 300 + "*", "sqlite:///" + "a" * 5000, "sqlite:///a\0b"],
)
def test_names_that_no_system_takes_are_typed_errors(name):
    assert fault(name).kind == "no file"
    with pytest.raises(TableError):
        list(scan_table(name))


def test_text_in_a_database_must_be_utf8(tmp_path):
    for place, statement in enumerate(
        [
            "create table t as select cast(x'ff41' as text) as a",
            "create table t (a); insert into t values (cast(x'41ff' as text))",
            'create table "t" ("aXYZ")',
        ]
    ):
        path = tmp_path / f"{place}.db"
        connection = sqlite3.connect(path)
        connection.executescript(statement)
        connection.commit()
        connection.close()
        path.write_bytes(path.read_bytes().replace(b"aXYZ", b"a\xff\xfeZ"))
        assert fault(path).kind in ("database error", "invalid utf-8")


def test_a_newline_in_a_quoted_header_is_read_by_path_and_from_bytes(tmp_path):
    texts = [
        b'"a\nb",c\n1,2\n3,4\n',
        b'c,"a\r\nb"\r\n1,2\r\n3,4\r\n',
        b'"a\n\nb",c\n1,"x\ny"\n3,4\n',
        b'"a\rb",c\n1,2\n3,4\n',
        b'"a\nb",c',
    ]
    for number, data in enumerate(texts):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(data)
        by_path, by_bytes = read_table(path, header=True), read_table(data, header=True)
        assert by_path.frame.equals(by_bytes.frame)
        assert by_path.frame.height == (0 if data.endswith(b"c") else 2)


@pytest.mark.parametrize("address", ["http://example.com/a.csv", "HTTPS://e.com/a", "s3://a/b", "ftp://a/b"])
def test_addresses_on_the_web_are_named_as_what_they_are(address):
    error = fault(address)
    assert error.kind == "no file"
    assert "download" in str(error)
    assert "SQLAlchemy" not in str(error)
