"""A shared table gives back what was written, to whoever has its stamp, and copies only what is asked for."""

import datetime
import subprocess
import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from classica.errors import DataError
from classica.tables import load_table, open_table
from classica.tables.shared_table import open_shared_table, write_shared_table


@pytest.fixture
def table():
    random = np.random.default_rng(0)
    rows = 500
    day = datetime.date(2024, 1, 1)
    frame = pl.DataFrame(
        {
            "n": random.normal(size=rows),
            "count": random.integers(-3, 1000, rows),
            "large": random.integers(-(2**40), 2**40, rows),
            "color": random.choice(["red", "green", "blué"], rows),
            "flag": random.random(rows) < 0.3,
            "day": [day + datetime.timedelta(days=int(i)) for i in random.integers(0, 900, rows)],
            "id": [f"käufer {i}" for i in range(rows)],
            "y": random.choice(["no", "yes"], rows),
        }
    )
    gaps = pl.Series(random.random(rows) < 0.1)
    holed = [frame[name].set(gaps, None) for name in ("n", "count", "color", "flag", "day", "id")]
    return open_table(frame.with_columns(holed), "y")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.shared"


def shared(table, path, columns=None):
    return open_shared_table(path, write_shared_table(table, path, columns))


def test_all_columns_come_back_as_they_were(table, path):
    back = shared(table, path, table.frame.columns)
    assert len(back) == len(table)
    assert back.frame().schema == table.frame.schema
    assert back.frame().equals(table.frame)
    assert back.take_rows().fingerprint() == table.fingerprint()
    assert back.schema == table.schema


@pytest.mark.parametrize("rows", [[3, 1, 499, 1], [], list(range(0, 500, 7))])
def test_rows_come_in_the_order_they_are_asked_for(table, path, rows):
    back, rows = shared(table, path, table.frame.columns), np.array(rows, dtype=np.intp)
    assert back.frame(rows).equals(table.frame[rows])
    assert back.X(rows).equals(table.X[rows])
    assert back.X(rows).schema == table.X.schema
    assert back.y(rows).tolist() == table.y[rows].tolist()


def test_only_what_a_learner_uses_is_written_unless_more_is_asked_for(table, path):
    back = shared(table, path)
    assert "id" not in back.columns
    assert back.X().equals(table.X)
    assert back.frame(columns=["color"]).columns == ["color"]


def test_codes_of_classes_are_those_of_the_labels(table, path):
    for which in (table, load_table("golf"), load_table("iris")):
        codes, classes = shared(which, path).class_codes()
        assert classes.tolist() == np.unique(which.y).tolist()
        assert classes[codes].tolist() == which.y.tolist()


def test_another_file_is_refused(table, path):
    stamp = write_shared_table(table, path)
    with pytest.raises(DataError, match="bytes"):
        open_shared_table(path, replace(stamp, size=stamp.size + 1))
    with pytest.raises(DataError, match="content has changed"):
        open_shared_table(path, replace(stamp, footer="0" * 64))
    whole = bytearray(path.read_bytes())
    whole[100] ^= 1
    path.write_bytes(whole)
    open_shared_table(path, stamp)  # a look at size and footer does not find it
    with pytest.raises(DataError, match="content has changed"):
        open_shared_table(path, stamp, is_whole=True)


@pytest.mark.parametrize("length", [0, 10, 100, 5000])
def test_a_file_cut_short_is_refused(table, path, length):
    stamp = write_shared_table(table, path)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(DataError, match="bytes"):
        open_shared_table(path, stamp)


@pytest.mark.parametrize("position", [-1, -8, -9, -40])
def test_a_changed_end_is_refused(table, path, position):
    stamp = write_shared_table(table, path)
    whole = bytearray(path.read_bytes())
    whole[position] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(DataError, match="content has changed"):
        open_shared_table(path, stamp)


def test_no_file_is_an_error_in_a_sentence(table, path):
    stamp = write_shared_table(table, path)
    with pytest.raises(DataError, match="No such file"):
        open_shared_table(path.with_name("none"), stamp)


def test_rows_and_columns_that_are_not_there_are_refused(table, path):
    back = shared(table, path)
    for rows in ([-1], [500]):
        with pytest.raises(DataError, match="rows must be from 0 to 499"):
            back.frame(np.array(rows))
    with pytest.raises(DataError, match="The column must be one of"):
        back.frame(columns=["none"])


def test_cells_that_are_no_single_values_are_refused(path):
    frame = pl.DataFrame({"x": [1.5, 2.5], "wait": [datetime.timedelta(1), None], "y": ["a", "b"]})
    table = replace(open_table(frame, "y"), frame=frame.with_columns(pl.Series("y", ["a", "b"])))
    with pytest.raises(DataError, match="'wait' must be of numbers"):
        write_shared_table(table, path, ["wait"])


def test_rows_outlive_the_file(table, path):
    frame = shared(table, path).frame()
    path.unlink()
    assert frame.equals(table.frame.select(frame.columns))


def test_another_process_reads_the_same_table(table, path):
    stamp = write_shared_table(table, path)
    program = (
        "from classica.tables.shared_table import FileStamp, open_shared_table as o\n"
        f"print(o({str(path)!r}, {stamp!r}).X()['n'].sum())"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(found.stdout) == table.X["n"].sum()
