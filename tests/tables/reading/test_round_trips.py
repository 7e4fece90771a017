"""Any table that is written is read again as it was."""

import csv
import io
import string

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from classica.tables import read_table, scan_table
from tests.tables.reading.slow_reader import require_equal

LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
CELLS = st.one_of(
    st.text(LETTERS, max_size=8),
    st.text(string.digits + "+-.,eE \t", max_size=24),
    st.integers(-(2**70), 2**70).map(str),
    st.floats().map(repr),
    st.sampled_from(["", "NA", "?", "True", "007", "nan", "-0", '"', "\n", "\r\n", "a,b"]),
)


def tables(cells):
    def of_width(width):
        return st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=8)

    return st.integers(1, 4).flatmap(of_width)


@given(tables(CELLS), st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_what_the_csv_module_writes_is_read(rows, delimiter, ends, quote_all):
    buffer = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=ends, quoting=quoting)
    writer.writerow([f"c{place}" for place in range(len(rows[0]))])
    writer.writerows(rows)
    data = buffer.getvalue().encode()
    options = {"delimiter": delimiter, "header": True, "format": "csv"}
    table = read_table(data, **options)
    assert table.frame.columns == [f"c{place}" for place in range(len(rows[0]))]
    # A row without any cell is a blank row.
    require_equal(table, [row for row in rows if any(row) or len(row) < 2 or quote_all])
    parts = [part.frame for part in scan_table(data, batch_rows=3, **options)]
    assert pl.concat(parts).equals(table.frame)


@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)),
            st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
            st.one_of(st.none(), st.text(LETTERS, max_size=8)),
            st.one_of(st.none(), st.booleans()),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_json_lines_and_parquet_of_polars_are_read(rows):
    schema = {"n": pl.Int64, "x": pl.Float64, "t": pl.String, "b": pl.Boolean}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    assert read_table(frame.write_ndjson().encode(), format="jsonl").frame.rows() == frame.rows()
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    assert read_table(buffer.getvalue()).frame.equals(frame)


WORDS = st.text(LETTERS.filter(lambda letter: letter not in "\n\r"), max_size=6)


def quoted(word):
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


@given(
    st.lists(WORDS.filter(lambda word: word != ""), min_size=1, max_size=4, unique=True).flatmap(
        lambda levels: st.tuples(
            st.just(levels),
            st.lists(st.tuples(st.sampled_from([None, *levels]), st.one_of(st.none(), WORDS)), max_size=6),
        )
    )
)
def test_quoted_arff_is_read(written):
    levels, rows = written
    listed = ",".join(map(quoted, levels))
    lines = ["@relation r", f"@attribute 'a b' {{{listed}}}", "@attribute t string", "@data"]
    lines += [",".join("?" if cell is None else quoted(cell) for cell in row) for row in rows]
    table = read_table("\n".join(lines).encode(), encoding="utf-8")
    assert table.declared["a b"].levels == tuple(levels)
    assert table.frame.rows() == rows
