"""The fingerprint depends on what is in a table, and on nothing else."""

import sqlite3
import time

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classica.tables import Schema, builtin_tables, decide_types, load_table, read_table
from classica.tables.fingerprint import row_fingerprint
from classica.tables.reading import Declared
from tests.tables.tables import EVERYTHING, raw_of, typed

PLAIN = pl.DataFrame(
    {
        "length": [1.5, -0.25, None, 1e-300, 4.0, 7.125] * 4,
        "count": [3, 1, 4, 1, None, 9] * 4,
        "colour": ["red", "grün", None, 'it\'s, "so"', "blue", "red"] * 4,
        "zip": ["00651", "01234", "99999", "01234", "00651", "00651"] * 4,
        "y": ["b", "a", "c", "a", "b", "a"] * 4,
    }
)


def of(frame, **settings):
    return decide_types(raw_of(frame, **settings), target="y").fingerprint()


def test_copies_of_a_table_in_other_files_have_its_fingerprint(tmp_path):
    wanted = of(PLAIN)
    PLAIN.write_csv(tmp_path / "t.csv")
    text = {"zip": pl.String}
    assert of(pl.read_csv(tmp_path / "t.csv", schema_overrides=text)) == wanted
    # a reader that finds numbers in text, as of a column with words in it
    assert of(pl.read_csv(tmp_path / "t.csv", infer_schema=False)) == wanted
    PLAIN.write_parquet(tmp_path / "t.parquet")
    assert of(pl.read_parquet(tmp_path / "t.parquet")) == wanted
    PLAIN.write_excel(tmp_path / "t.xlsx")
    assert of(pl.read_excel(tmp_path / "t.xlsx", schema_overrides=text)) == wanted
    assert of(_through_sqlite(PLAIN, tmp_path / "t.db")) == wanted


def test_files_that_are_read_have_the_fingerprint_of_the_table(tmp_path):
    wanted = of(PLAIN)
    PLAIN.write_csv(tmp_path / "t.csv")
    PLAIN.write_csv(tmp_path / "semicolon.csv", separator=";", decimal_comma=True)
    PLAIN.write_csv(tmp_path / "na.csv", null_value="NA")
    PLAIN.write_parquet(tmp_path / "t.parquet")
    PLAIN.write_ndjson(tmp_path / "t.jsonl")
    PLAIN.write_excel(tmp_path / "t.xlsx")
    (tmp_path / "t.arff").write_text(_arff(PLAIN), encoding="utf-8")
    _through_sqlite(PLAIN, tmp_path / "t.db")
    sources = [str(path) for path in sorted(tmp_path.iterdir()) if path.suffix != ".db"]
    for source in [*sources, f"sqlite:///{tmp_path / 't.db'}?table=t"]:
        assert decide_types(read_table(source), target="y").fingerprint() == wanted, source


def _arff(frame):
    """Return the table as ARFF, with levels in another order than the alphabet's and one that is not used."""
    kinds = {"length": "real", "count": "integer", "zip": "{99999, 01234, 00651}", "y": "{c, b, a}"}
    kinds["colour"] = '{red, violet, "it\'s, \\"so\\"", blue, grün}'
    head = [f"@attribute {name} {kinds[name]}" for name in frame.columns]
    rows = [",".join("?" if cell is None else _quoted(cell) for cell in row) for row in frame.rows()]
    return "\n".join(["@relation t", *head, "@data", *rows]) + "\n"


def _quoted(cell):
    return '"it\'s, \\"so\\""' if isinstance(cell, str) and "," in cell else str(cell)


def _through_sqlite(frame, path):
    with sqlite3.connect(path) as base:
        base.execute("create table t (length real, count integer, colour text, zip text, y text)")
        base.executemany("insert into t values (?, ?, ?, ?, ?)", frame.rows())
        rows = base.execute("select * from t").fetchall()
    base.close()
    return pl.DataFrame(rows, schema=frame.columns, orient="row")


def test_levels_that_only_some_files_declare_do_not_count():
    levels = ["red", "violet", "blue", "grün", 'it\'s, "so"']
    declared = {
        "colour": Declared("categorical", tuple(levels)),
        "y": Declared("categorical", ("c", "b", "a", "d")),
    }
    assert of(PLAIN, declared=declared) == of(PLAIN)
    assert of(PLAIN.with_columns(pl.col("colour").cast(pl.Enum(levels)))) == of(PLAIN)
    assert of(PLAIN.with_columns(pl.col("colour").cast(pl.Categorical))) == of(PLAIN)


def test_widths_signs_of_zero_and_kinds_of_gaps_do_not_count():
    small = PLAIN.with_columns(pl.col("count").cast(pl.Float32))
    assert of(small) == of(PLAIN)
    zero = pl.DataFrame({"x": [0.0, 1.5, None], "y": [1, 2, 1]})
    other = pl.DataFrame({"x": [-0.0, 1.5, float("nan")], "y": [1, 2, 1]})
    assert of(zero) == of(other)


CHANGES = {
    "a cell": PLAIN.with_columns(pl.col("count").replace(9, 8)),
    "a last digit": PLAIN.with_columns(pl.col("length").replace(1.5, 1.5000000000000002)),
    "a gap": PLAIN.with_columns(pl.col("colour").fill_null("red")),
    "a level's name": PLAIN.with_columns(pl.col("colour").replace("red", "rot")),
    "a label": PLAIN.with_columns(pl.col("y").replace("c", "b")),
    "a column's name": PLAIN.rename({"count": "Count"}),
    "the order of columns": PLAIN.select(sorted(PLAIN.columns)),
    "the order of rows": PLAIN.reverse(),
    "a row more": pl.concat([PLAIN, PLAIN.head(1)]),
    "a column less": PLAIN.drop("zip"),
    "leading zeros": PLAIN.with_columns(pl.col("zip").str.strip_chars_start("0")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_everything_else_counts(change):
    assert of(CHANGES[change]) != of(PLAIN)


cells = st.text("ab|\0é", max_size=3)


@given(st.lists(cells, min_size=2, max_size=6), st.lists(cells, min_size=2, max_size=6))
def test_texts_that_run_together_are_told_apart(first, second):
    told = Schema.from_record({"columns": [{"name": "t", "kind": "text", "role": "ignored"}]})
    prints = [typed(schema=told, t=found).fingerprint() for found in (first, second)]
    assert (prints[0] == prints[1]) == (first == second)


def test_large_integers_count_to_the_last_digit():
    told = Schema.from_record({"columns": [{"name": "k", "kind": "identifier", "role": "id"}]})
    one, two = (typed(schema=told, k=[2**60, 2**60 + i]).fingerprint() for i in (1, 2))
    assert one != two


def test_every_kind_has_a_stable_fingerprint():
    # A change of the byte form must be on purpose: fingerprints are kept in model files.
    assert typed(target="y", **EVERYTHING).fingerprint() == (
        "b682dc14b68677658d5a5bb1859049629c7147de9aed9b8e4b8e5c33bf22a533"
    )
    assert (
        load_table("golf").fingerprint() == "3710ef2de055c8a066df143af5dce59c3de40f90b2c643e784412b4f1e725b11"
    )


def test_rows_have_a_stable_fingerprint():
    assert row_fingerprint(typed(target="y", **EVERYTHING)) == (
        "ff599469568db62c6b6dffa951f760e58146f98c3d5f9efd8c3fca5c1de6078a"
    )
    cells = {"x": [1.5, 2.5] * 10, "c": ["ä", "", None, "b c"] * 5}
    assert row_fingerprint(typed(target="y", **cells, y=[3, 4] * 10)) == (
        "d52b01c5ebe4a7945ce5f0f97244ca357a931bd25d3eb5282305236df80f8b20"
    )


def test_a_million_cells_take_a_moment():
    frame = pl.concat([load_table("soybean").frame] * 41)
    table = load_table("soybean")
    start = time.perf_counter()
    type(table)(frame, table.schema, "large").fingerprint()
    assert time.perf_counter() - start < 2.0


def test_built_in_tables_differ():
    prints = {load_table(entry.name).fingerprint() for entry in builtin_tables()}
    assert len(prints) == len(builtin_tables())
