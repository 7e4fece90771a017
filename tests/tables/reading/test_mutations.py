"""Mutated files: rows and cells as an independent reader sees them, or an error that says where.

Plain pytest runs about a thousand files, ``-m full`` twenty thousand. The counts are printed (``-s``).
"""

import csv
import io
import random
import subprocess
import sys

import polars as pl
import pytest

from classica.errors import TableError
from classica.tables import read_table, scan_table
from tests.tables.reading.slow_reader import decoded, delimiter_of, has_header, require_equal, slow_rows

CSV = [
    b"outlook,temp,play\nsunny,85,no\novercast,64.5,yes\nrain,,yes\nsunny,72,no\n",
    b'id;name;x\r\n007;"Miller, A";1,5\r\n008;"B ""C"" D";-2,25\r\n009;;3\r\n',
    "größe\tb\nä\t1\nö\t2\n\tx\n".encode(),
    b"1,2,3\n4,5,6\n7,8,9\n",
    b'a,b\n"two\nlines",1\n"x,y",2\n" z",3\n',
    b"n\n9007199254740993\n12\n\n-0\n+5\n1e5\n",
]
ARFF = [
    b"@relation r\n@attribute a {x,y,'z w'}\n@attribute b numeric\n@attribute c string\n@data\n"
    b"x,1,abc\ny,?,?\n'z w',2.5,d\n",
    b"% c\n@relation 'r r'\n@attribute \"a\" real\n@attribute b {u,v}\n@data\n{0 1.5,1 v}\n{}\n% c\n1,u\n",
]
PIECES = [
    *(b",", b";", b"\t", b'"', b"'", b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\xc3", b"0", b"e", b".", b"-"),
    *(b"+", b" ", b"{", b"}", b"%", b"?", b"\\", b"@data\n", b'""', b"NA", b"\xef\xbb\xbf", "é".encode()),
    b"99999999999999999999",
]
PLACELESS = {
    "empty file",
    "wrong content",
    "foreign content",
    "damaged gzip",
    "damaged file",
    "invalid header",
}


def mutated(generator, files):
    data = bytearray(generator.choice(files))
    for _ in range(generator.choice([1, 1, 2, 3, 8])):
        place, other = (generator.randrange(len(data) + 1) for _ in range(2))
        what = generator.randrange(6)
        if what == 0 and place < len(data):
            data[place] ^= 1 << generator.randrange(8)
        elif what == 1:
            del data[min(place, other) : min(place, other) + generator.choice([1, 2, 10])]
        elif what == 2:
            data[place:place] = generator.choice(PIECES)
        elif what == 3:
            data[place:place] = data[min(place, other) : min(place, other) + generator.choice([1, 5, 20])]
        elif what == 4:
            data[place : place + 1] = generator.choice(PIECES)
        elif generator.random() < 0.3:
            del data[place:]
    return bytes(data)


def require_a_place(error, data):
    assert error.kind
    assert error.source == "bytes"
    assert f"({error.kind})." in str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 500
    assert error.line is None or 1 <= error.line <= data.count(b"\n") + data.count(b"\r") + 2
    assert error.line is not None or error.kind in PLACELESS


def check_csv(data, **options):
    """Read a file; compare with the csv module. Return what happened."""
    try:
        table = read_table(data, **options)
    except TableError as error:
        require_a_place(error, data)
        return error.kind
    if table.format != "csv":
        return "another format"
    delimiter = options.get("delimiter") or delimiter_of(table.notes)
    rows = slow_rows(decoded(data, table.notes), delimiter)
    assert table.frame.columns == list(dict.fromkeys(table.frame.columns))
    require_equal(table, rows[1:] if has_header(table.notes) else rows)
    parts = [part.frame for part in scan_table(data, batch_rows=2, **options)]
    assert pl.concat(parts).equals(table.frame)
    return "read"


def should_be_read(data):
    """Return whether the csv module reads a table with a comma from it without any doubt."""
    try:
        rows = slow_rows(data.decode("utf-8-sig"), ",")
    except (csv.Error, UnicodeDecodeError):
        return False
    return bool(rows) and len({len(row) for row in rows}) == 1 and b"\0" not in data


def campaign(check, count, seed):
    """Run a check on mutated files and print how often each thing happened."""
    counts = {}
    generator = random.Random(seed)
    for _ in range(count):
        what = check(generator)
        counts[what] = counts.get(what, 0) + 1
    print(f"\n{sum(counts.values())} files:", dict(sorted(counts.items(), key=lambda item: -item[1])))
    return counts


def csv_either_way(generator):
    data = mutated(generator, CSV)
    options = generator.choice([{}, {"delimiter": ",", "header": True, "format": "csv"}])
    what = check_csv(data, **options)
    if options and should_be_read(data):
        assert what == "read", (what, data)
    return what


def arff(generator):
    data = generator.choice(ARFF)
    body = data.index(b"@data\n") + 6 if generator.random() < 0.7 else 0
    data = data[:body] + mutated(generator, [data[body:]])
    try:
        table = read_table(data, format="arff")
    except TableError as error:
        require_a_place(error, data)
        return error.kind
    require_same_arff(table, data)
    return "read"


def require_same_arff(table, data):
    """Compare rows with a reader that knows only quotes, commas and lines."""
    text = decoded(data, table.notes)
    lines = [line.strip(" \t") for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    start = next(number for number, line in enumerate(lines) if line.lower().startswith("@data"))
    kept = [line for line in lines[start + 1 :] if line and not line.startswith("%")]
    assert table.frame.height == len(kept)
    for row, line in zip(table.frame.rows(), kept, strict=True):
        if not any(sign in line for sign in "{'\"%\\"):
            cells = [cell.strip(" \t") for cell in line.split(",")]
            assert len(cells) == table.frame.width
            for value, cell in zip(row, cells, strict=True):
                same = value is None if cell == "?" else str(value) == cell or float(cell) == float(value)
                assert same, (value, cell)


@pytest.mark.parametrize("seed", [1])
def test_mutated_csv(seed):
    counts = campaign(csv_either_way, 500, seed)
    assert counts["read"] > 100
    assert len(counts) > 5


@pytest.mark.parametrize("seed", [2])
def test_mutated_arff(seed):
    counts = campaign(arff, 300, seed)
    assert counts["read"] > 50
    assert len(counts) > 5


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10, 20))
def test_many_mutated_csv(seed):
    campaign(csv_either_way, 1000, seed)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(20, 25))
def test_many_mutated_arff(seed):
    campaign(arff, 1000, seed)


def parquet_files():
    numbers = range(50)
    words, thirds = [f"v{k % 7}" for k in numbers], [k / 3 if k % 5 else None for k in numbers]
    frame = pl.DataFrame({"a": numbers, "b": words, "c": thirds})
    for compression in ("uncompressed", "snappy", "zstd", "gzip", "lz4"):
        buffer = io.BytesIO()
        frame.write_parquet(buffer, compression=compression, row_group_size=20)
        yield buffer.getvalue()


def parquet(generator, files):
    data = mutated(generator, files)
    try:
        table = read_table(data, format="parquet")
    except TableError as error:
        require_a_place(error, data)
        return error.kind
    assert table.frame.width <= 4
    return "read"


def run_parquet(count, seed):
    """Run in a process of its own: what ends that process is a failure, not the end of all tests."""
    script = (
        "from tests.tables.reading import test_mutations as m\n"
        f"files = list(m.parquet_files())\nm.campaign(lambda g: m.parquet(g, files), {count}, {seed})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600)
    print(done.stdout)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "'read'" in done.stdout
    assert "'damaged file'" in done.stdout


def test_mutated_parquet():
    run_parquet(60, 3)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(30, 35))
def test_many_mutated_parquet(seed):
    run_parquet(1000, seed)
