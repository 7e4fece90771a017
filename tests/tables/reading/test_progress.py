"""How far the reading is, told to whoever asks."""

import gzip
import sqlite3

import polars as pl
import pytest

from classica.tables import read_table, scan_table
from classica.tables.reading import reader_options

ROWS = 3000


@pytest.fixture
def sources(tmp_path):
    frame = pl.DataFrame({"a": range(ROWS), "b": ["x", "y"] * (ROWS // 2)})
    text = frame.write_csv().encode()
    frame.write_csv(tmp_path / "some.csv")
    frame.write_parquet(tmp_path / "some.parquet")
    (tmp_path / "some.csv.gz").write_bytes(gzip.compress(text))
    (tmp_path / "some.jsonl").write_text(frame.write_ndjson())
    (tmp_path / "some.arff").write_bytes(
        b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n% c\n" + text.partition(b"\n")[2]
    )
    (tmp_path / "some.libsvm").write_text("".join(f"{k % 2} 1:{k}\n" for k in range(ROWS)))
    with sqlite3.connect(tmp_path / "some.db") as connection:
        connection.execute("create table t (a, b)")
        connection.executemany("insert into t values (?, ?)", frame.rows())
    connection.close()
    return tmp_path


@pytest.mark.parametrize("name", ["csv", "csv.gz", "jsonl", "arff", "libsvm", "parquet", "db"])
@pytest.mark.parametrize("read", ["whole", "batches"])
def test_progress_is_told(sources, name, read, monkeypatch):
    monkeypatch.setattr(reader_options, "_PAUSE", 0)
    told = []

    def tell(done, total, unit):
        assert done >= 0
        assert total is None or done <= total
        assert unit in ("bytes", "rows")
        told.append((done, total, unit))

    path = sources / f"some.{name}"
    if read == "whole":
        assert read_table(path, progress=tell).frame.height == ROWS
    else:
        assert sum(part.frame.height for part in scan_table(path, batch_rows=500, progress=tell)) == ROWS
    assert told
    if name in ("csv", "parquet"):
        assert told[-1][0] == told[-1][1]


def test_nobody_is_told_more_often_than_they_can_look():
    told = []
    progress = reader_options.Progress(lambda *what: told.append(what))
    for done in range(10_000):
        progress(done, 10_000)
    progress(10_000, 10_000)
    assert 2 <= len(told) < 100
    assert told[-1] == (10_000, 10_000, "bytes")
