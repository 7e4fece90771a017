"""Tables some rows at a time: the same rows, types and order as all at once."""

import gzip
import sqlite3
import subprocess
import sys

import polars as pl
import pytest

from classica.errors import ParameterError, TableError
from classica.tables import read_table, scan_table

CSV = b'a,b,c\n1,x,\n2,"y\ny",0.5\n\n3,5" z,1\n4,,2\n5,w,3'
ARFF = b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n2,y\n?,x\n4,?\n5,y\n"
LIBSVM = b"1 1:0.5\n-1 2:1\n1 3:2\n1 1:1\n-1 1:3\n"
JSONL = b'{"a":1}\n{"a":2.5,"b":"x"}\n{"a":3}\n\n{"a":null}\n{"b":"y"}\n'


@pytest.fixture
def sources(tmp_path):
    frame = pl.DataFrame({"a": range(5), "b": list("vwxyz")})
    frame.write_parquet(tmp_path / "some.parquet")
    frame.write_excel(tmp_path / "some.xlsx")
    with sqlite3.connect(tmp_path / "some.db") as connection:
        connection.execute("create table t (a, b)")
        values = [(1, "x"), (2.5, "y"), (None, "z"), (4, None), (5, "w")]
        connection.executemany("insert into t values (?, ?)", values)
    connection.close()
    files = {name: tmp_path / f"some.{name}" for name in ("parquet", "xlsx", "db")}
    return {"csv": CSV, "arff": ARFF, "libsvm": LIBSVM, "jsonl": JSONL, "frame": frame, **files}


@pytest.mark.parametrize("name", ["csv", "arff", "libsvm", "jsonl", "frame", "parquet", "xlsx", "db"])
@pytest.mark.parametrize("rows", [1, 2, 5, 100])
def test_batches_are_the_table(sources, name, rows):
    whole = read_table(sources[name])
    parts = list(scan_table(sources[name], batch_rows=rows))
    assert [part.frame.height for part in parts[:-1]] == [rows] * (len(parts) - 1)
    assert all(part.frame.schema == whole.frame.schema for part in parts)
    assert pl.concat([part.frame for part in parts]).equals(whole.frame)
    assert whole.frame.height == 5
    for part in parts:
        assert (part.source, part.format, part.doubts) == (whole.source, whole.format, whole.doubts)


def test_a_table_without_rows_is_one_batch():
    (part,) = scan_table(b"a,b\n", batch_rows=10)
    assert part.frame.shape == (0, 2)


def test_types_are_those_of_the_whole():
    data = b"a\n" + b"1\n" * 10 + b"x\n"
    assert {str(part.frame["a"].dtype) for part in scan_table(data, batch_rows=3)} == {"String"}


def test_types_can_be_given():
    parts = list(scan_table(b"a,b\n1,x\n2,y\n", batch_rows=1, types={"a": pl.Float64}))
    assert [part.frame["a"].to_list() for part in parts] == [[1.0], [2.0]]
    with pytest.raises(TableError, match="row 2 must be of type") as caught:
        list(scan_table(b"a,b\n1,x\nz,y\n", batch_rows=1, types={"a": pl.Int64}))
    assert (caught.value.kind, caught.value.column) == ("changed type", "a")
    with pytest.raises(TableError, match="missing column"):
        list(scan_table(b"a,b\n1,x\n", batch_rows=1, types={"c": pl.Int64}))


@pytest.mark.parametrize("rows", [0, -1, True, 2.5])
def test_batch_rows_are_checked(rows):
    with pytest.raises(ParameterError, match="batch_rows must be"):
        list(scan_table(CSV, batch_rows=rows))


#: Goes over a table in batches; prints the rows and the most memory of its own, in bytes.
SCRIPT = """
import resource, sys
from classica.tables import scan_table
list(scan_table(b"a,b\\n1,2\\n"))
def own():
    words = open("/proc/self/statm").read().split()
    return int(words[1]) - int(words[2])
before, most, rows = own(), 0, 0
for part in scan_table("-" if sys.argv[1] == "-" else sys.argv[1], batch_rows=10_000):
    rows += part.frame.height
    most = max(most, own() - before)
print(rows, most * resource.getpagesize())
"""
COLUMNS = 20
ROW = [f"0.{place}2345678" for place in range(COLUMNS)]


def written(path, rows):
    """Write a table of some rows in the format that the extension says."""
    names = [f"c{place}" for place in range(COLUMNS)]
    if path.suffix == ".parquet":
        columns = {name: pl.repeat(float(cell), rows) for name, cell in zip(names, ROW, strict=True)}
        pl.select(**columns).write_parquet(path, row_group_size=20_000)
        return
    if path.suffix == ".db":
        with sqlite3.connect(path) as connection:
            connection.execute(f"create table t ({', '.join(names)})")
            marks = ", ".join("?" * COLUMNS)
            values = (tuple(map(float, ROW)) for _ in range(rows))
            connection.executemany(f"insert into t values ({marks})", values)
        connection.close()
        return
    heads = {
        ".arff": "@relation r\n" + "".join(f"@attribute {name} numeric\n" for name in names) + "@data\n",
        ".csv": ",".join(names) + "\n",
        ".tsv": "\t".join(names) + "\n",
        ".gz": ",".join(names) + "\n",
    }
    lines = {
        ".jsonl": "{" + ",".join(f'"{name}":{cell}' for name, cell in zip(names, ROW, strict=True)) + "}\n",
        ".libsvm": "1 " + " ".join(f"{place + 1}:{cell}" for place, cell in enumerate(ROW)) + "\n",
        ".tsv": "\t".join(ROW) + "\n",
    }
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wt") as file:
        file.write(heads.get(path.suffix, ""))
        line = lines.get(path.suffix, ",".join(ROW) + "\n")
        for _ in range(rows // 1000):
            file.write(line * 1000)


def most_memory(source, **options):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(source)], capture_output=True, text=True, check=True, **options
    )
    rows, most = (int(word) for word in done.stdout.split())
    print(f"{source}: {rows:,} rows in {most / 1e6:.0f} MB")
    return rows, most


def require_bounded(path, rows, standard_input=False):
    written(path, rows)
    if standard_input:
        with path.open("rb") as file:
            found, most = most_memory("-", stdin=file)
    else:
        found, most = most_memory(path)
    assert found == rows
    return most


def test_memory_is_bounded_by_the_batch(tmp_path):
    # 21 MB of text, of which a batch is 2 MB; pages of the file do not count.
    assert require_bounded(tmp_path / "t.csv", 100_000) < 30e6


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "rows"),
    [
        *(("t.csv", 1_000_000), ("t.tsv", 1_000_000), ("t.csv.gz", 1_000_000), ("t.arff", 1_000_000)),
        *(("t.jsonl", 200_000), ("t.libsvm", 200_000), ("t.parquet", 1_000_000), ("t.db", 300_000)),
    ],
)
def test_memory_is_bounded_in_every_format(tmp_path, name, rows):
    # All cells at once would be 160 MB for a million rows, and more for rows of Python's values.
    assert require_bounded(tmp_path / name, rows) < 100e6


@pytest.mark.full
def test_memory_is_bounded_for_standard_input(tmp_path):
    assert require_bounded(tmp_path / "t.csv", 1_000_000, standard_input=True) < 100e6
