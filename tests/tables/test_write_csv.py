"""Exported tables: no cell of text runs in a spreadsheet, numbers stay, files are whole."""

import csv
import os
import stat

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classica.errors import DataError
from classica.tables import write_csv
from classica.tables.writing.batches_out import neutralised
from classica.whole_file import whole_file

RUNS = ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=", "@", "=cmd|' /C calc'!A0", "+1+1"]
RUNS += ["-1-1", "--", "＝1", "-1;=2", "-5 apples", "+49 30 1"]
HARMLESS = ["-5", "+5", "-5.25", "-1e5", "-", "+", "1", "a=b", "", "a-b", "'=1"]


@pytest.mark.parametrize("text", RUNS)
def test_what_would_run_gets_an_apostrophe(text):
    assert neutralised(pl.DataFrame({"a": [text]}))["a"].to_list() == ["'" + text]


@pytest.mark.parametrize("text", HARMLESS)
def test_numbers_and_plain_text_stay(text):
    assert neutralised(pl.DataFrame({"a": [text]}))["a"].to_list() == [text]


def test_names_of_columns_and_categories_too():
    frame = pl.DataFrame(
        {"=a": pl.Series(["=x", "y"], dtype=pl.Enum(["=x", "y"])), "n": [-1, 2], "f": [-0.5, None]}
    )
    safe = neutralised(frame)
    assert safe.columns == ["'=a", "n", "f"]
    assert safe["'=a"].to_list() == ["'=x", "y"]
    assert safe.select("n", "f").equals(frame.select("n", "f"))


@given(st.lists(st.text("=+-@\t\r\n'\",;a1é", max_size=5), min_size=1, max_size=8))
def test_every_cell_comes_back_with_at_most_an_apostrophe(tmp_path_factory, cells):
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    write_csv(pl.DataFrame({"t": cells, "n": range(len(cells))}), path)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    assert [int(row[1]) for row in rows] == list(range(len(cells)))
    for (text, _), cell in zip(rows, cells, strict=True):
        assert text in (cell, "'" + cell)
        assert text[:1] not in tuple("=@\t\r\n") or text == ""
    write_csv(pl.DataFrame({"t": cells}), path, neutralise=False)
    with path.open(newline="", encoding="utf-8") as file:
        assert [row[0] if row else "" for row in csv.reader(file)][1:] == cells


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path):
    path = tmp_path / "t.csv"
    write_csv(pl.DataFrame({"a": [1]}), path)
    path.chmod(0o640)

    def fail_in_the_middle():
        with whole_file(path, DataError) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_in_the_middle()
    assert path.read_text() == "a\n1\n"
    write_csv(pl.DataFrame({"a": [2]}), path)
    assert path.read_text() == "a\n2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["t.csv"]


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(DataError, match="No such file or directory"):
        write_csv(pl.DataFrame({"a": [1]}), tmp_path / "none" / "t.csv")
