"""Small files that become large: refused in seconds, within a bound of memory."""

import gzip
import io
import resource
import sqlite3
import time
import zipfile

import polars as pl
import pytest
import xlsxwriter

from classica.errors import TableError
from classica.tables import read_table

SECONDS, MEMORY = 10, 600e6


def packed_zeros(size):
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9) as file:
        for _ in range(size // 2**24):
            file.write(b"0" * 2**24)
    return buffer.getvalue()


def constant_parquet(rows):
    buffer = io.BytesIO()
    pl.select(a=pl.repeat(1, rows, dtype=pl.Int8)).write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


def last_corner():
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer) as book:
        book.add_worksheet().write(1_048_575, 16_383, 1)
    return buffer.getvalue()


def full_archive():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b"<x/>")
        for number in range(5):
            archive.writestr(f"xl/worksheets/sheet{number}.xml", b" " * 2**26)
    return buffer.getvalue()


def zigzag(number):
    """Return a number as the footers of Parquet write it."""
    number, written = 2 * number, bytearray()
    while number >= 128:
        written.append(number % 128 + 128)
        number //= 128
    return bytes([*written, number])


def declared_parquet(rows):
    """Return a small file whose footer declares more rows than it has."""
    buffer = io.BytesIO()
    pl.DataFrame({"a": pl.repeat(1, 70_003, dtype=pl.Int8, eager=True)}).write_parquet(buffer)
    data = buffer.getvalue()
    size = int.from_bytes(data[-8:-4], "little")
    assert data[-8 - size : -8].count(zigzag(70_003)) >= 2
    footer = data[-8 - size : -8].replace(zigzag(70_003), zigzag(rows))
    return data[: -8 - size] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def database(tmp_path, view):
    path = tmp_path / "some.db"
    connection = sqlite3.connect(path)
    connection.execute(f"create view v as {view}")
    connection.close()
    return path


HEAD = b"@relation r\n@attribute a numeric\n"
COLUMNS = b"".join(b"@attribute a%d numeric\n" % k for k in range(50_000))
BOMBS = {
    "gzip": lambda: (packed_zeros(3 * 2**27), {}),
    "gzip in gzip": lambda: (gzip.compress(packed_zeros(2**26)), {}),
    "parquet": lambda: (constant_parquet(2**26), {"limit": 2**28}),
    "parquet footer": lambda: (declared_parquet(4 * 10**12), {}),
    "json nesting": lambda: (b'{"a":' + b"[" * 2**22 + b"\n", {"format": "jsonl"}),
    "json digits": lambda: (b'{"a":' + b"9" * 2**22 + b"}\n", {"format": "jsonl"}),
    "wide header": lambda: (b"a," * 2**22 + b"\n1\n", {"delimiter": ",", "format": "csv", "limit": 2**28}),
    "last corner of a sheet": lambda: (last_corner(), {}),
    "full archive": lambda: (full_archive(), {"limit": 2**28}),
    "libsvm": lambda: (b"1 1:1\n-1 99999999999999:1\n", {}),
    "sparse arff": lambda: (b"@relation r\n" + COLUMNS + b"@data\n" + b"{}\n" * 50_000, {}),
    "json keys": lambda: (b"".join(b'{"k%d":1}\n' % k for k in range(50_000)), {}),
    "categories without end": lambda: (HEAD + b"@attribute b {" + b"x," * 2**22, {}),
    "quoted categories without end": lambda: (HEAD + b"@attribute b {" + b"'x'," * 2**20, {}),
    "a header without end": lambda: (HEAD + b"% comment\n" * 2**23, {}),
    "backslashes": lambda: (HEAD + b"@attribute b {'" + b"\\" * 2**22, {}),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_in_seconds(name):
    data, options = BOMBS[name]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    start = time.process_time()
    with pytest.raises(TableError) as caught:
        read_table(data, **options)
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    print(f"{name}: {len(data):,} bytes, {caught.value.kind}, {seconds:.2f} s, {memory / 1e6:.0f} MB more")
    assert seconds < SECONDS
    assert memory < MEMORY
    assert len(str(caught.value)) < 500


ENDLESS = "with recursive n(x) as (select 1 union all select x + 1 from n)"


@pytest.mark.parametrize("view", [f"{ENDLESS} select x from n", f"{ENDLESS} select zeroblob(10000) from n"])
def test_views_without_end_are_bombs_too(tmp_path, view):
    start = time.process_time()
    with pytest.raises(TableError):
        read_table(database(tmp_path, view), table="v", limit=2**22)
    assert time.process_time() - start < SECONDS


def test_many_categories_are_no_bomb():
    levels = ",".join(f"v{number}" for number in range(200_000))
    data = HEAD + f"@attribute b {{{levels}}}\n@data\n1,v199999\n".encode()
    assert read_table(data).frame.rows() == [(1, "v199999")]


def test_a_limit_can_be_raised():
    data = packed_zeros(2**24)
    with pytest.raises(TableError, match="the option limit"):
        read_table(data, limit=2**20)
    assert read_table(data, limit=2**25).frame.width == 1
