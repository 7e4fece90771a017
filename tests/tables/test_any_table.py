"""Whatever is in a table: it is typed or refused in one sentence, and its schema types it so again."""

import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classica import C45Classifier, LogisticClassifier
from classica.errors import DataError
from classica.tables import Schema, TableEncoder, decide_types, profile
from tests.tables.tables import raw_of

WORDS = [
    "NA",
    "?",
    "a",
    "b",
    "True",
    "false",
    "1",
    "-2.5",
    "007",
    "1,5",
    "2024-02-29",
    "01/02/2024",
    "nan",
    "inf",
    " x ",
    "9007199254740993",
    "A",
    "+1",
    "1e5",
    "=1",
    "\ntwo words here now",
    "é",
    "0",
    "",
]
CELLS = {
    pl.String: st.sampled_from(WORDS) | st.text(max_size=4),
    pl.Int64: st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3),
    pl.Float64: st.floats(width=64) | st.integers(0, 3).map(float),
    pl.Boolean: st.booleans(),
    pl.Date: st.dates(),
    pl.Datetime("us"): st.datetimes(),
    pl.Time: st.times(),
    pl.UInt8: st.integers(0, 255),
    pl.Categorical: st.sampled_from(["u", "v"]),
    pl.List(pl.Int64): st.lists(st.integers(0, 2), max_size=2),
}


@st.composite
def frames(draw):
    rows = draw(st.integers(1, 30))
    columns = {}
    for place in range(draw(st.integers(1, 4))):
        dtype = draw(st.sampled_from(list(CELLS)))
        pool = draw(st.lists(st.none() | CELLS[dtype], min_size=1, max_size=6))
        free = draw(st.booleans())
        cell = (st.none() | CELLS[dtype]) if free else st.sampled_from(pool)
        cells = draw(st.lists(cell, min_size=rows, max_size=rows))
        columns[f"column {place}"] = pl.Series(cells, dtype=dtype, strict=False)
    return pl.DataFrame(columns)


def check(frame, target):
    try:
        table = decide_types(raw_of(frame), target=target)
    except DataError as error:
        pytest.fail(f"several lines: {error}") if "\n" in str(error) else None
        return
    assert table.frame.height == frame.height
    assert table.frame.columns == frame.columns
    schema = Schema.from_record(json.loads(table.schema.to_json()))
    assert schema == table.schema
    again = decide_types(raw_of(frame), schema=schema)
    assert again.schema == table.schema
    assert again.fingerprint() == table.fingerprint() == schema.apply(raw_of(frame)).fingerprint()
    json.dumps(profile(table).record())
    if target is not None:
        assert_labels_are_kept(table, frame, target)
    learn(table.labelled())


def is_blank(text):
    # The separators 1C to 1F are blanks to Python alone, not to Unicode.
    return not text.strip() and not any("\x1c" <= sign <= "\x1f" for sign in text)


def assert_labels_are_kept(table, frame, target):
    for label, cell in zip(table.frame[target], frame[target], strict=True):
        missing = cell is None or cell != cell or (isinstance(cell, str) and is_blank(cell))
        assert label is None if missing else (type(label) is type(cell) and label == cell)


def learn(table):
    """Learn from it, by a tree that takes all of it and by a machine that takes numbers only."""
    X, target = table.X, table.schema.target
    # What no estimator takes: nothing, infinities, one class, quantities.
    if target is None or not X.width or len(table) < 2 or table.schema[target].kind == "numeric":
        return
    if len(set(table.y)) < 2 or any(column.is_infinite().any() for column in X if column.dtype.is_float()):
        return
    for estimator in (C45Classifier(), LogisticClassifier(max_iter=5)):
        encoder = TableEncoder.for_estimator(estimator, table.schema).fit(X)
        encoded = encoder.transform(X)
        if all(
            column.abs().max() <= 1e100 for column in encoded if column.dtype.is_numeric() and column.count()
        ):
            assert len(estimator.fit(encoded, table.y).predict(encoded)) == len(table)


@given(frames(), st.booleans())
@settings(max_examples=150)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_any_table(frame, has_target):
    check(frame, frame.columns[-1] if has_target else None)


@pytest.mark.full
@given(frames(), st.booleans())
@settings(max_examples=10_000)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_any_of_many_tables(frame, has_target):
    check(frame, frame.columns[-1] if has_target else None)
