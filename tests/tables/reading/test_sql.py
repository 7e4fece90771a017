"""Databases: SQLite read-only and within bounds, others through SQLAlchemy."""

import sqlite3
import time

import polars as pl
import pytest

from classica.errors import ParameterError, TableError
from classica.tables import read_table, scan_table

ENDLESS = "with recursive n(x) as (select 1 union all select x + 1 from n)"


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "some file.db"
    connection = sqlite3.connect(path)
    connection.execute('create table weather (id text, n integer, x real, "odd ""name""")')
    values = [("007", 2**60, 1.5, 1), ("008", None, 2, "two"), (None, -1, None, None)]
    connection.executemany("insert into weather values (?, ?, ?, ?)", values)
    connection.execute(f"create view endless as {ENDLESS} select x from n")
    connection.execute(f"create view silent as {ENDLESS} select x from n where x < 0")
    connection.commit()
    connection.close()
    return path


def fault(source, **options):
    with pytest.raises(TableError) as caught:
        read_table(source, **options)
    return caught.value


@pytest.mark.parametrize("how", ["address", "file", "option", "sqlalchemy"])
def test_a_table(database, how):
    sources = {
        "address": (f"sqlite:///{database}?table=weather", {}),
        "file": (database, {}),
        "option": (f"sqlite:///{database}", {"table": "weather"}),
        "sqlalchemy": (f"sqlite+pysqlite:///{database}?table=weather", {}),
    }
    source, options = sources[how]
    table = read_table(source, **options)
    assert table.frame.schema == {"id": pl.String, "n": pl.Int64, "x": pl.Float64, 'odd "name"': pl.String}
    assert table.frame.rows() == [("007", 2**60, 1.5, "1"), ("008", None, 2.0, "two"), (None, -1, None, None)]
    assert [doubt.kind for doubt in table.doubts['odd "name"']] == ["several types"]


def test_a_query(database):
    table = read_table(f"sqlite:///{database}?query=select id, n, n as id from weather where x > 1")
    assert table.frame.columns == ["id", "n", "id_2"]
    assert table.frame.height == 2
    other = read_table(f"sqlite+pysqlite:///{database}", query="select count(*) as rows from weather")
    assert other.frame.rows() == [(3,)]


@pytest.mark.parametrize(
    "query",
    [
        "delete from weather",
        "insert into weather values (1, 2, 3, 4)",
        "drop table weather",
        "attach 'other.db' as other",
        "pragma journal_mode = wal",
        "select load_extension('x')",
        "select 1; select 2",
        "nonsense",
    ],
)
def test_queries_only_read(database, query):
    before = database.read_bytes()
    assert fault(database, query=query).kind == "database error"
    assert database.read_bytes() == before
    assert not (database.parent / "other.db").exists()


def test_views_without_end_are_refused_within_bounds(database):
    start = time.process_time()
    assert fault(database, table="endless", limit=2_000_000).kind == "too large"
    assert fault(database, table="silent", seconds=0.3).kind == "too slow"
    assert fault(database, query="select zeroblob(900000000)").kind == "database error"
    with pytest.raises(TableError, match="too large"):
        list(scan_table(database, table="endless", limit=2_000_000))
    assert time.process_time() - start < 10


def test_faults_are_named(database, tmp_path):
    assert "'weather'" in str(fault(database, table="none"))
    assert fault(f"sqlite:///{tmp_path}/none.db?table=x").kind == "no file"
    assert fault(database, query="select x'00' as b").kind == "nested value"
    assert fault(database.read_bytes()).kind == "no file"
    assert fault(f"sqlite+pysqlite:///{database}?table=none").kind == "database error"
    connection = sqlite3.connect(database)
    connection.execute("create table other (a)")
    connection.close()
    assert fault(database).kind == "no table named"


def test_addresses_are_checked(database):
    with pytest.raises(ParameterError, match=r"source must be a URL.*klingon"):
        read_table("klingon://somewhere?table=x")
    with pytest.raises(ParameterError, match="query must be left out"):
        read_table(f"sqlite:///{database}?table=weather&query=select 1")
    with pytest.raises(ParameterError, match="table must be given"):
        read_table(f"sqlite+pysqlite:///{database}")


def test_a_damaged_database_is_refused(database):
    data = bytearray(database.read_bytes())
    data[100:140] = b"\xff" * 40
    database.write_bytes(data)
    assert fault(database, table="weather").kind == "database error"
