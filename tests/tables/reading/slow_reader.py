"""Delimited text as the standard library reads it, and the comparison of a table with it."""

import csv
import io
import math

import polars as pl


def decoded(data, notes):
    """Return the text that the notes of a table say it was read as."""
    told = [note.text for note in notes if note.code == "encoding"]
    if any(text.startswith("encoding cp1252") for text in told):
        return data.decode("cp1252")
    for text in told:
        if text.startswith("encoding utf-16"):
            return data.decode(text.removeprefix("encoding "))
        if text.startswith("a byte order mark of "):
            return data.decode(text.removeprefix("a byte order mark of ")).removeprefix("\ufeff")
    return data.decode()


def slow_rows(text, delimiter, quote='"'):
    """Return the rows that Python's csv module reads, header and all; raises csv.Error where it does.

    Rows of nothing but delimiters are left out, as empty lines are.
    """
    text = text.lstrip("\r\n")
    quoting = csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE
    lines = list(io.StringIO(text, newline=""))
    options = {"delimiter": delimiter, "quotechar": quote or None, "quoting": quoting}
    reader = csv.reader(lines, **options, strict=True)
    rows = [
        row
        for row in reader
        if any(row) or len(row) < 2 or lines[reader.line_num - 1].strip(delimiter + "\r\n")
    ]
    if rows and len(rows[0]) == 1:
        return [row or [""] for row in rows]
    return [row for row in rows if row]


def delimiter_of(notes):
    shown = next(note.text for note in notes if note.code == "delimiter").removeprefix("delimiter ")
    if shown.endswith("one column"):
        return ","
    return {"tab": "\t", "space": " "}.get(shown, shown.strip("'"))


def has_header(notes):
    return not next(note.text for note in notes if note.code == "header").startswith("no header")


def require_equal(table, rows):
    """Assert that a table has exactly these rows of text."""
    frame = table.frame
    assert frame.height == len(rows)
    assert all(len(row) == frame.width for row in rows)
    for place, column in enumerate(frame.iter_columns()):
        for value, row in zip(column.to_list(), rows, strict=True):
            assert is_same(value, row[place], column.dtype), (value, row[place], column.dtype)


def is_same(value, cell, dtype):
    if dtype == pl.String:
        return value == cell if cell else value in (None, "")
    core = cell.strip(" \t")
    if value is None:
        return core == ""
    if dtype == pl.Int64:
        return str(value) == core
    number = float(core.replace(",", "."))
    return value == number or (math.isnan(value) and math.isnan(number))
