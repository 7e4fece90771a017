"""The tables that come along are those of the lectures and of their sources."""

import numpy as np
import polars as pl
import pytest

from classica import C45Classifier, LinearSVMClassifier
from classica.errors import ParameterError
from classica.tables import builtin_tables, decide_types, load_table
from tests.tables.tables import raw_of

#: Rows, features, missing cells, and how many rows each class has (from the notes beside the tables).
FACTS = {
    "golf": (14, 4, 0, {0: 5, 1: 9}),
    "shapes": (14, 3, 0, {"square": 9, "triangle": 5}),
    "sail": (10, 3, 0, {"no": 3, "yes": 7}),
    "buys-computer": (14, 4, 0, {"no": 5, "yes": 9}),
    "ten-points": (10, 2, 0, {-1: 5, 1: 5}),
    "ring": (300, 2, 0, {0: 150, 1: 150}),
    "two-gaussians": (200, 1, 0, {1: 100, 2: 100}),
    "iris": (150, 4, 0, {"Iris-setosa": 50, "Iris-versicolor": 50, "Iris-virginica": 50}),
    "vote": (435, 16, 392, {"democrat": 267, "republican": 168}),
    "credit-approval": (690, 15, 67, {"+": 307, "-": 383}),
    "soybean": (683, 35, 2337, None),
    "hepatitis": (155, 19, 167, {"DIE": 32, "LIVE": 123}),
}


def test_all_are_listed_with_source_and_terms():
    assert [entry.name for entry in builtin_tables()] == list(FACTS)
    assert all(entry.title and entry.source and entry.note for entry in builtin_tables())


@pytest.mark.parametrize("name", FACTS)
def test_sizes_gaps_and_classes(name):
    rows, features, missing, classes = FACTS[name]
    table = load_table(name)
    assert table.X.shape == (rows, features)
    assert table.frame.null_count().sum_horizontal().item() == missing
    labels, counts = np.unique(table.y, return_counts=True)
    if classes is None:
        assert len(labels) == 19
    else:
        assert dict(zip(labels.tolist(), counts.tolist(), strict=True)) == classes
    assert table.decisions == []


@pytest.mark.parametrize("name", FACTS)
def test_estimators_take_them_as_they_are(name):
    table = load_table(name)
    assert C45Classifier().fit(table.X, table.y).score(table.X, table.y) > 0.6


@pytest.mark.parametrize("name", FACTS)
def test_their_schema_decides_them_again(name):
    table = load_table(name)
    again = decide_types(raw_of(table.frame.cast(pl.String), name), schema=table.schema)
    assert again.fingerprint() == table.fingerprint()


def test_what_is_drawn_depends_on_the_seed_alone():
    assert load_table("ring").fingerprint() == load_table("ring", rows=300, seed=0).fingerprint()
    assert load_table("ring").fingerprint() != load_table("ring", seed=1).fingerprint()
    assert len(load_table("two-gaussians", rows=7)) == 7


def test_the_rings_are_two_circles_and_no_line_tells_them_apart():
    table = load_table("ring", rows=2000)
    radius = np.hypot(*table.X.to_numpy().T)
    for label, wanted in ((0, 1.0), (1, 0.5)):
        assert radius[table.y == label].mean() == pytest.approx(wanted, abs=0.01)
        assert radius[table.y == label].std() == pytest.approx(0.05, abs=0.005)
    assert LinearSVMClassifier().fit(table.X, table.y).score(table.X, table.y) < 0.75


def test_two_gaussians_are_about_4_and_7():
    table = load_table("two-gaussians", rows=10000)
    x = table.X["x"].to_numpy()
    for label, mean in ((1, 4.0), (2, 7.0)):
        assert x[table.y == label].mean() == pytest.approx(mean, abs=0.05)
        assert x[table.y == label].std() == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("gold", {}, "golf"),
        ("golf", {"rows": 5}, "rows must be left out for 'golf'"),
        ("golf", {"seed": 5}, "seed must be left out for 'golf'"),
        ("ring", {"rows": 1}, "rows must be an integer of at least 2, got 1"),
        ("ring", {"seed": -1}, "seed must be an integer of at least 0, got -1"),
    ],
)
def test_what_cannot_be_loaded_is_one_sentence(name, options, message):
    with pytest.raises(ParameterError, match=message):
        load_table(name, **options)
