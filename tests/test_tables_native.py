"""The scan of delimited text against a reader that goes letter by letter."""

import random

import numpy as np
import pytest

from classica.native import tables
from classica.native.tables import CELL_KINDS, Dialect
from classica.tables.reading.spool import as_bytes
from tests.reference import tables as reference

pytestmark = pytest.mark.native

COMMA = Dialect(",", '"')
PIECES = [
    *(
        "a",
        "b c",
        "1",
        "-2",
        "0",
        "007",
        "+5",
        "1.5",
        ".5",
        "5.",
        "1e5",
        "1E-300",
        "1e400",
        "-0",
        "1,5",
        "nan",
    ),
    *("-inf", "?", " ", "\t", ",", ";", '"', '""', "\n", "\r", "\r\n", "\n\n", "é", "9007199254740993"),
    *("12345678901234567890", "0.12345678901234567", "1.0000000000000000000001", "0.1000000000000000055511"),
    *("-0.12345678901234567", "-1.2345678901234567", "2001-02-03", "12:30", "1/2/2001", "123456789.123"),
]


def random_text(generator, pieces):
    return "".join(generator.choice(PIECES) for _ in range(pieces)).encode()


def words(bits):
    return {word for place, word in enumerate(CELL_KINDS) if bits >> place & 1}


def expected(text, dialect, columns):
    """Return what a scan must find, from the reference."""
    delimiter, quote = (letter.encode() for letter in dialect)
    found = {"records": 0, "blank": 0, "ragged": 0, "returns": 0, "faults": [], "kinds": [set()] * columns}
    found["empties"] = [0] * columns
    for start, cells, end, after in reference.records(text, delimiter, quote):
        bare = end == b"\r" and text[after - 2 : after] != b"\r\n"
        found["returns"] += bare
        if columns > 1 and text[start : start + 1] in (b"\n", b"\r"):
            found["blank"] += 1
            continue
        found["records"] += 1
        found["ragged"] += len(cells) != columns
        for place, (_, content, quoted, faults) in enumerate(cells):
            found["faults"] += sorted(faults)
            if place < columns:
                kind = reference.cell_kind(content) | ({"quoted"} if quoted else set())
                kind |= {"quoted empty"} if quoted and not content else set()
                found["kinds"][place] = found["kinds"][place] | kind
                found["empties"][place] += not content
    return found


def seen(text, dialect, columns, threads=1):
    facts = tables.scan_table(as_bytes(text), 0, dialect, columns, threads)
    faults = ["after quote"] * facts.after_quote.count + ["inner quotes"] * facts.inner_quotes.count
    faults += ["open quote"] * facts.open_quote.count
    return {
        "records": facts.records,
        "blank": facts.blank_lines.count,
        "ragged": facts.ragged.count,
        "returns": facts.carriage_returns.count,
        "faults": faults,
        "kinds": [words(int(bits)) for bits in facts.kinds],
        "empties": facts.empties.tolist(),
    }


@pytest.mark.parametrize("dialect", [COMMA, Dialect(";", "'"), Dialect(",", ",")])
@pytest.mark.parametrize("columns", [1, 3])
def test_a_scan_finds_what_a_slow_reader_finds(dialect, columns):
    generator = random.Random(columns)
    for size in [*range(40), *[80] * 150]:
        text = random_text(generator, size)
        wanted = expected(text, dialect, columns)
        wanted["faults"].sort()
        assert seen(text, dialect, columns) == wanted, text


def test_cells_of_every_length_and_place_are_known():
    generator = random.Random(5)
    for _ in range(3000):
        size = generator.choice([1, 2, 5, 15, 16, 17, 18, 19, 25, 31, 32, 40])
        letters = generator.choice(
            ["0123456789", "0123456789.", "0123456789.-e+", "00.1", "0123456789.,E- naif"]
        )
        cell = "".join(generator.choice(letters) for _ in range(size)).encode()
        text = cell + b"\n" + b"0" * generator.choice([0, 40])
        kind = words(int(tables.scan_table(as_bytes(text), 0, Dialect(";", ";"), 1, 1).kinds[0]))
        rest = {"leading zero"} if len(text) > len(cell) + 1 else set()
        assert kind == reference.cell_kind(cell) | rest, cell


@pytest.mark.parametrize("cell", [b"777777777777777771e5", b"77777777777777777e5", b"7.7777777777777777e5"])
def test_digits_before_an_exponent_are_counted(cell):
    kind = words(int(tables.scan_table(as_bytes(cell + b"\n"), 0, Dialect(";", ";"), 1, 1).kinds[0]))
    assert kind == reference.cell_kind(cell)


@pytest.mark.parametrize("quotes", ["paired", "inside"])
def test_stretches_and_threads_change_nothing(quotes):
    generator = random.Random(1)
    cells = ["1.5", "word", '"a ""b"" c"', '"two\nlines"', '"x,y"', "", "007"]
    rows = [",".join(generator.choice(cells) for _ in range(4)) for _ in range(150_000)]
    if quotes == "inside":
        rows[70_000] = '5" disk,1,2,3'
    text = "\n".join(rows).encode()
    assert len(text) > 3 * 2**20
    alone, together = seen(text, COMMA, 4, 1), seen(text, COMMA, 4, 4)
    assert alone == together
    assert alone["records"] == 150_000
    assert alone["ragged"] == 0
    assert alone["faults"] == (["inner quotes"] if quotes == "inside" else [])


def test_the_first_sighting_is_the_first_in_the_text():
    text = b"a,b\n" * 700_000
    text = text[:2_000_000] + b"x\n" + text[2_000_000:2_400_000] + b"y\nz\n" + text[2_400_000:]
    facts = tables.scan_table(as_bytes(text), 0, COMMA, 2, 4)
    assert (facts.ragged.place, facts.ragged.count, facts.ragged.detail) == (2_000_000, 3, 1)
    assert facts.first_text.tolist() == [0, 2]
    assert tables.line_at(as_bytes(text), facts.ragged.place) == 500_001


def first_bad_byte(text):
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return error.start
    return -1


def test_bytes_are_judged_as_python_judges_them():
    generator = random.Random(2)
    pieces = [
        b"abcdefghij",
        "é".encode(),
        "€".encode(),
        "😀".encode(),
        b"\xff",
        b"\xc3",
        b"\xe2\x82",
        b"\xed\xa0\x80",
    ]
    pieces += [b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xf0\x8f\xbf\xbf", b"\0"]
    for _ in range(2000):
        text = b"".join(generator.choice(pieces) for _ in range(generator.randrange(12)))
        facts = tables.scan_bytes(as_bytes(text), 1)
        assert facts.not_utf8.place == first_bad_byte(text)
        if facts.not_utf8.count == 0:
            assert facts.utf8.count == sum(ord(letter) > 127 for letter in text.decode())
        assert facts.nul.count == text.count(b"\0")


def test_sequences_across_stretches_are_whole():
    for shift in range(5):
        text = b"a" * (2**20 - shift) + "😀€é".encode() + b"\xff"
        facts = tables.scan_bytes(as_bytes(text), 4)
        assert (facts.utf8.count, facts.not_utf8.count, facts.not_utf8.place) == (3, 1, len(text) - 1)


@pytest.mark.parametrize("keep_blank", [False, True])
def test_cleaned_records_are_the_same_records(keep_blank):
    generator = random.Random(3)
    for _ in range(300):
        text = random_text(generator, 30)
        kept = [
            [(content.replace(b'""', b'"') if quoted else content) for _, content, quoted, _ in cells]
            for start, cells, _, _ in reference.records(text, b",", b'"')
            if keep_blank or text[start : start + 1] not in (b"\n", b"\r")
        ]
        faults = [
            f for _, cells, _, _ in reference.records(text, b",", b'"') for cell in cells for f in cell[3]
        ]
        if "open quote" in faults or "after quote" in faults:
            continue
        cleaned = tables.clean_records(as_bytes(text), COMMA, keep_blank=keep_blank)
        again = [
            [(content.replace(b'""', b'"') if quoted else content) for _, content, quoted, _ in cells]
            for _, cells, _, _ in reference.records(cleaned, b",", b'"')
        ]
        assert again == kept
        assert seen(cleaned, COMMA, 1)["faults"] == []


def test_skipping_stops_where_a_record_starts():
    generator = random.Random(4)
    for _ in range(300):
        text = random_text(generator, 30)
        ends = [after for *_, after in reference.records(text, b",", b'"')]
        for count, end in enumerate(ends, 1):
            assert tables.skip_records(as_bytes(text), 0, COMMA, count, keep_blank=True)[:2] == (end, count)
    assert tables.skip_records(np.empty(0, dtype=np.uint8), 0, COMMA, 5, keep_blank=True) == (0, 0, 0)


@pytest.mark.parametrize("cell", ['"a, ""b""\nc"', '","', '"\n"', 'x"\ny', '"' + "z\n" * 40_000 + '"'])
@pytest.mark.parametrize("threads", [1, 2])
def test_stretches_begin_where_records_do(cell, threads):
    # Longer than several stretches, whose borders lie anywhere in the cells.
    row = f"1,{cell},2\n".encode()
    count = 3_500_000 // len(row)
    facts = tables.scan_table(as_bytes(row * count), 0, COMMA, 3, threads)
    if cell.startswith('"'):
        assert (facts.records, facts.ragged.count, facts.inner_quotes.count) == (count, 0, 0)
        assert [words(bits) for bits in facts.kinds] == [{"integer"}, {"text", "quoted"}, {"integer"}]
    else:
        assert (facts.records, facts.ragged.count, facts.inner_quotes.count) == (2 * count, 2 * count, count)
