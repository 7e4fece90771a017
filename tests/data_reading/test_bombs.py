"""Small files that become large: refused in seconds, within a bound of memory."""

import gzip
import io
import resource
import time
import zipfile

import polars as pl
import pytest
import xlsxwriter

from classica.data import read_table
from classica.errors import TableError

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


HEAD = b"@relation r\n@attribute a numeric\n"
BOMBS = {
    "gzip": lambda: (packed_zeros(2**29), {}),
    "gzip in gzip": lambda: (gzip.compress(packed_zeros(2**26)), {}),
    "parquet": lambda: (constant_parquet(2**26), {"limit": 2**28}),
    "last corner of a sheet": lambda: (last_corner(), {}),
    "full archive": lambda: (full_archive(), {"limit": 2**28}),
    "libsvm": lambda: (b"1 1:1\n-1 99999999999999:1\n", {}),
    "sparse arff": lambda: (
        b"@relation r\n" + b"".join(b"@attribute a%d numeric\n" % k for k in range(50_000)) + b"@data\n" + b"{}\n" * 50_000,
        {},
    ),
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
    assert time.process_time() - start < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before < MEMORY
    assert len(str(caught.value)) < 500


def test_many_categories_are_no_bomb():
    levels = ",".join(f"v{number}" for number in range(200_000))
    data = HEAD + f"@attribute b {{{levels}}}\n@data\n1,v199999\n".encode()
    assert read_table(data).frame.rows() == [(1, "v199999")]


def test_a_limit_can_be_raised():
    data = packed_zeros(2**24)
    with pytest.raises(TableError, match="the option limit"):
        read_table(data, limit=2**20)
    assert read_table(data, limit=2**25).frame.width == 1
