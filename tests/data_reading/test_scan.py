"""Tables some rows at a time: the same rows, types and order as all at once."""

import sqlite3
import subprocess
import sys

import polars as pl
import pytest

from classica.data import read_table, scan_table
from classica.errors import ParameterError, TableError

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
        connection.executemany("insert into t values (?, ?)", [(1, "x"), (2.5, "y"), (None, "z"), (4, None), (5, "w")])
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
    assert all((part.source, part.format, part.doubts) == (whole.source, whole.format, whole.doubts) for part in parts)


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


def test_memory_is_bounded_by_the_batch(tmp_path):
    path = tmp_path / "large.csv"
    row = ",".join(f"0.{place}2345678" for place in range(20)) + "\n"
    with path.open("w") as file:
        file.write(",".join(f"c{place}" for place in range(20)) + "\n")
        for _ in range(40):
            file.write(row * 10_000)
    assert path.stat().st_size > 80e6
    script = (
        "import resource, sys\n"
        "from classica.data import read_table, scan_table\n"
        "next(scan_table(b'a,b\\n1,2\\n'))\n"
        "def own(): return int(open('/proc/self/statm').read().split()[1]) - int(open('/proc/self/statm').read().split()[2])\n"
        "before, most, rows = own(), 0, 0\n"
        "for part in scan_table(sys.argv[1], batch_rows=20_000):\n"
        "    rows += part.frame.height\n"
        "    most = max(most, own() - before)\n"
        "print(rows, most * resource.getpagesize())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    rows, most = (int(word) for word in done.stdout.split())
    assert rows == 400_000
    # A batch is 4 MB of text and 3 MB of cells; the table has 64 MB of cells. Pages of the file do not count.
    assert most < 40e6
