"""Column names that a library could take for something else: they are names, everywhere."""

import io
import time

import pandas as pd
import polars as pl
import pytest

from classica.tables import TableEncoder, decide_types, profile, read_table, scan_table, write_csv

NAMES = ["^a.*$", "*", "", "a", "ab", "^.*$", "count", "cells", "a", "len"]
READ_AS = ["^a.*$", "*", "column_3", "a", "ab", "^.*$", "count", "cells", "a_2", "len"]


def odd_table():
    lines = [",".join(f'"{name}"' for name in NAMES)]
    for k in range(40):
        day = f"2020-01-{k % 28 + 1:02d}"
        cells = [f" {k % 3}", f"w{k % 4}", f" {k}", k / 2, f"t{k % 5}", " 1.5" if k % 2 else 2]
        lines.append(",".join(map(str, [*cells, k * 7 % 11, "yes" if k % 2 else "no", f'"{k % 6},5"', day])))
    return ("\n".join(lines) + "\n").encode()


def test_columns_with_odd_names_have_their_own_cells():
    frame = read_table(odd_table(), header=True).frame
    assert frame.columns == READ_AS
    assert frame["^a.*$"].to_list() == [k % 3 for k in range(40)]
    assert frame["^.*$"].to_list() == [1.5 if k % 2 else 2.0 for k in range(40)]
    assert frame["column_3"].to_list() == list(range(40))
    assert frame["a"].to_list() == [k / 2 for k in range(40)]
    parts = [part.frame for part in scan_table(odd_table(), header=True, batch_rows=7)]
    assert pl.concat(parts).equals(frame)


@pytest.mark.parametrize("target", READ_AS)
def test_odd_names_go_all_the_way(target, tmp_path):
    raw = read_table(odd_table(), header=True)
    table = decide_types(raw, target=target)
    assert len(table.y) == 40
    assert table.schema.apply(raw).frame.equals(table.frame)
    assert len(profile(table).record()["columns"]) == len(READ_AS)
    assert TableEncoder(table.schema).fit(table.X).transform(table.X).height == 40
    write_csv(table.frame, tmp_path / "again.csv")
    assert read_table(tmp_path / "again.csv", header=True).frame.columns == READ_AS


def test_a_hundred_thousand_equal_names_take_no_time():
    data = b",".join([b"a"] * 100_000) + b"\n" + b",".join([b"1"] * 100_000) + b"\n"
    start = time.process_time()
    frame = read_table(data, header=True).frame
    assert time.process_time() - start < 20
    assert (frame.columns[0], frame.columns[1], frame.columns[-1]) == ("a", "a_2", "a_100000")


@pytest.mark.parametrize("format", ["parquet", "jsonl", "arff"])
def test_odd_names_in_other_formats(format):
    frame = pl.DataFrame({name: [f" {k}" for k in range(5)] for name in ("^a.*$", "*", "a", "^.*$")})
    buffer = io.BytesIO()
    if format == "parquet":
        frame.write_parquet(buffer)
    elif format == "jsonl":
        frame.write_ndjson(buffer)
    else:
        buffer.write(b"@relation r\n")
        buffer.writelines(f"@attribute '{name}' {{0,1,2,3,4}}\n".encode() for name in frame.columns)
        buffer.write(b"@data\n" + frame.write_csv(include_header=False).encode())
    found = read_table(buffer.getvalue()).frame
    assert found.columns == frame.columns
    assert [cell.strip() for cell in found["^a.*$"].to_list()] == list("01234")
    assert pl.concat(part.frame for part in scan_table(buffer.getvalue(), batch_rows=2)).equals(found)


def test_columns_of_frames_without_a_name_are_counted_from_1_as_in_files():
    cells = {"a": [1, 2], "": [3, 4]}
    for frame in (pl.DataFrame(cells), pd.DataFrame(cells)):
        table = read_table(frame)
        assert table.frame.columns == ["a", "column_2"]
        assert table.frame["column_2"].to_list() == [3, 4]
        assert table.notes[0].code == "names"
    assert str(table.notes[0]).endswith(": 2")


def test_names_of_frames_that_read_alike_stay_two_columns():
    table = read_table(pd.DataFrame([[1, 2]], columns=pd.Index([1, "1"], dtype=object)))
    assert table.frame.to_dict(as_series=False) == {"1": [1], "1_2": [2]}
