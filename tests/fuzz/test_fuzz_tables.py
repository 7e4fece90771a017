"""Bytes at random into the readers of text: the scan against its slow reference, ARFF word by word.

Plain pytest runs a few thousand texts, ``-m full`` a million. The counts are printed (``-s``).
"""

import os
import random

import pytest

from classica.errors import TableError
from classica.native import tables
from classica.native.tables import Dialect
from classica.tables.reading.column_names import column_names
from classica.tables.reading.formats.arff_parts import read_header, row_groups
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.reader_options import LIMIT, Progress
from classica.tables.reading.spool import as_bytes
from tests.reference import tables as reference
from tests.test_tables_native import expected, seen

DIALECTS = [Dialect(",", '"'), Dialect(";", "'"), Dialect("\t", '"'), Dialect(",", ",")]
SEEDS = [
    b'a,b\n1,"x ""y"""\n-2.5,\n"two\nlines",007\n',
    b"0.5;1,5;+3\r\n1e5;nan;-0\r\r\n 7 ;;.5\n",
    b"12345678901234567,0.12345678901234567,-.5,5.,1..2,-,--1\n" * 2,
    b"\xef\xbb\xbfx\ty\n\xc3\xa9\t'\n",
    b"-1.25,3.5,0.75,10.5,-0.125,2,3,4,-5,60,700,8000,word,2020-01-31,0,00,-00,-0.0\n" * 2,
]
ARFF = [
    b"@relation r\n@attribute a {x,'y z',\"w\"}\n@attribute 'b c' numeric\n@attribute d string\n@data\n"
    b"x,1,abc\n'y z',?,'d\\'e'\n{0 w, 2 '%'}\n% c\n",
    b'@RELATION "q\\"r"\n@attribute t date \'yyyy\'\n@attribute n integer % c\n@data\n1999,-5\n?,007\n',
]
PIECES = [
    b",",
    b";",
    b'"',
    b"'",
    b"\n",
    b"\r",
    b"\r\n",
    b"0",
    b".",
    b"-",
    b"\0",
    b"{",
    b"}",
    b"\\",
    b"@data\n",
]


def mutated(generator, seeds):
    """Return a seed with some bytes changed, cut out, put in or said twice."""
    data = bytearray(generator.choice(seeds))
    for _ in range(generator.choice((1, 2, 4, 8))):
        place = generator.randrange(len(data) + 1)
        what = generator.randrange(5)
        if what == 0 and place < len(data):
            data[place] = generator.randrange(256)
        elif what == 1:
            del data[place : place + generator.choice((1, 3, 30))]
        elif what == 2:
            data[place:place] = generator.choice(PIECES)
        elif what == 3:
            data[place:place] = data[place - 20 : place]
        else:
            data[place:place] = b"7" * generator.choice((1, 14, 40, 64))
    return bytes(data)


def scan_one(generator):
    """Compare the scan of one text with the reference; return whether a record was ragged."""
    text, dialect = mutated(generator, SEEDS), generator.choice(DIALECTS)
    columns = generator.choice((1, 2, 3, 18))
    wanted = expected(text, dialect, columns)
    wanted["faults"].sort()
    assert seen(text, dialect, columns) == wanted, (text, dialect, columns)
    ends = [after for *_, after in reference.records(text, *(sign.encode() for sign in dialect))]
    count = generator.randrange(len(ends) + 2)
    found = tables.skip_records(as_bytes(text), 0, dialect, count, keep_blank=True)[:2]
    assert found == (([0, *ends])[min(count, len(ends))], min(count, len(ends))), (text, dialect, count)
    return wanted["ragged"] > 0


def require_short(error):
    assert error.kind
    assert len(str(error)) < 500
    return True


def arff_one(generator):
    """Read one ARFF text word by word; return whether it was refused."""
    text = mutated(generator, ARFF).decode("utf-8", "replace").replace("\r", "\n").encode()
    opened = OpenSource("bytes", as_bytes(text))
    try:
        header = read_header(opened)
        names, _ = column_names(header.names)
        columns = dict(zip(names, header.declared, strict=True))
        body = OpenSource("bytes", opened.text[header.body :])
        options = {"limit": LIMIT, "progress": Progress()}
        for cells, lines in row_groups(body, header.body_line, columns, options, 2):
            assert all(len(column) == len(lines) for column in cells.values())
            assert all(1 <= line <= text.count(b"\n") + 1 for line in lines)
    except TableError as error:
        return require_short(error)
    return False


def campaign(one, count, seed):
    generator = random.Random(seed)
    odd = sum(one(generator) for _ in range(count))
    print(f"\n{one.__name__}: {count:,} texts, {odd:,} of them ragged or refused, no crash")
    assert 0 < odd < count


@pytest.mark.native
def test_scans_of_mutated_text():
    campaign(scan_one, 1500, 1)


def test_words_of_mutated_arff():
    campaign(arff_one, 1500, 2)


@pytest.mark.full
@pytest.mark.native
@pytest.mark.parametrize("seed", range(10))
def test_a_million_scans(seed):
    campaign(scan_one, int(os.environ.get("FUZZ_RUNS", "100000")), 100 + seed)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10))
def test_a_million_arff_texts(seed):
    campaign(arff_one, int(os.environ.get("FUZZ_RUNS", "100000")), 200 + seed)
