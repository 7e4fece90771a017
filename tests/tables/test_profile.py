"""What a profile finds: planted faults are found, clean tables are left alone."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from classica.tables import TableEncoder, load_table, profile
from classica.tables.profiles.column_profile import column_accuracy
from classica.tables.table_finding import table_codes
from tests.tables.tables import EVERYTHING, raw_of, typed


def found(table, **settings):
    return [(finding.code, finding.column) for finding in profile(table, **settings).findings]


def table_of(rows=200, seed=0, **more):
    random = np.random.default_rng(seed)
    columns = {"a": random.normal(size=rows), "b": random.choice(["u", "v", "w"], rows)}
    y = np.where(columns["a"] + random.normal(size=rows) > 0, "yes", "no")
    return typed("y", **columns, y=y, **{name: make(y, random) for name, make in more.items()})


def test_a_clean_table_has_no_findings():
    assert found(table_of()) == []


FAULTS = {
    ("D301", "copy"): lambda y, random: y,
    ("D301", "inverse"): lambda y, random: np.where(y == "yes", -1.5, 2.5),
    ("D301", "after"): lambda y, random: np.where(y == "yes", 5, 0) + random.random(200),
    ("D301", "only_when"): lambda y, random: [
        1.5 + i if label == "yes" else None for i, label in enumerate(y)
    ],
    ("D501", "many"): lambda y, random: random.choice([f"level {i}" for i in range(60)], 200),
    ("D502", "spelling"): lambda y, random: random.choice(["red", "Red", "green "], 200),
    ("D503", "rare"): lambda y, random: [0.5 + i if i < 30 else None for i in range(200)],
    ("D505", "endless"): lambda y, random: np.where(np.arange(200) == 7, np.inf, random.normal(size=200)),
    ("D506", "mark"): lambda y, random: ["x" if i % 3 == 0 else None for i in range(200)],
}


@pytest.mark.parametrize(("code", "name"), FAULTS)
def test_planted_faults_are_found(code, name):
    assert (code, name) in found(table_of(**{name: FAULTS[code, name]}))


def test_a_copy_of_a_column_is_found():
    random = np.random.default_rng(0)
    a = random.normal(size=50)
    assert ("D504", "c") in found(typed("y", a=a, b=a[::-1], c=a, y=[0, 1] * 25))


def test_an_identifier_that_gives_the_class_away_is_found():
    y = ["a", "b"] * 30
    codes = [f"{label}-{i:03d}" for i, label in enumerate(y)]
    table = typed("y", code=codes, x=np.arange(60) * 1.5, y=y)
    assert table.schema["code"].kind == "identifier"
    assert ("D301", "code") not in found(table)  # no value repeats: one column alone tells nothing here


def test_rows_that_repeat_or_contradict():
    table = typed("y", a=[1.5, 1.5, 1.5, 2.5] * 5, b=["u", "u", "u", "v"] * 5, y=["p", "p", "q", "p"] * 5)
    texts = {finding.code: finding.text for finding in profile(table).findings}
    assert texts["D401"].startswith("17 rows repeat an earlier one (85.0%)")
    assert texts["D402"].startswith("15 rows ")


@pytest.mark.parametrize(
    ("y", "code"),
    [
        (["a"] * 40, "D207"),
        (["a"] * 38 + ["b"] * 2, "D203"),
        (["a"] * 38 + ["b"] * 2, "D204"),
        (list(range(40)), "D205"),
        (["a", "b"] * 19 + [None, None], "D202"),
    ],
)
def test_odd_targets_are_told(y, code):
    assert (code, "y") in found(typed("y", x=np.arange(40) * 1.5, y=y))


def test_one_column_against_a_slow_count():
    random = np.random.default_rng(1)
    for _ in range(30):
        rows, classes = int(random.integers(2, 60)), int(random.integers(2, 5))
        labels = random.integers(0, classes, rows)
        cells = [None if random.random() < 0.1 else f"v{random.integers(0, 6)}" for _ in range(rows)]
        right = 0
        for i in range(rows):
            others = [labels[j] for j in range(rows) if j != i and cells[j] == cells[i]]
            votes = np.bincount(others, minlength=classes)
            rest = np.delete(votes, labels[i])
            right += votes[labels[i]] > rest.max() and votes[labels[i]] > 0
        assert column_accuracy(pl.Series(cells, dtype=pl.String), labels, classes) == pytest.approx(
            right / rows
        )


def test_the_best_threshold_against_a_slow_count():
    random = np.random.default_rng(2)
    for _ in range(20):
        rows, classes = int(random.integers(150, 250)), int(random.integers(2, 4))
        x = random.normal(size=rows)
        labels = (x > 0.3).astype(int) + random.integers(0, classes - 1, rows) * (random.random(rows) < 0.1)
        best = max(
            np.bincount(labels[x <= cut]).max() + np.bincount(labels[x > cut]).max()
            for cut in np.sort(x)[:-1]
        )
        assert column_accuracy(pl.Series(x), labels, classes) >= best / rows - 1e-12


def test_a_profile_is_plain_json():
    record = profile(typed("y", **EVERYTHING)).record()
    assert json.loads(json.dumps(record)) == record
    assert {finding["code"] for finding in record["findings"]} <= set(table_codes())
    colour = next(column for column in record["columns"] if column["name"] == "colour")
    assert colour["counts"] == [["blue", 15], ["green", 15], ["red", 15]]
    assert colour["missing"] == 15


def test_infinite_numbers_are_counted_and_not_the_range():
    found = profile(typed("y", x=[-np.inf, 1.5, 2.5, np.inf] * 5, y=list("abab") * 5))
    json.dumps(found.record(), allow_nan=False)
    column = next(column for column in found.columns if column.name == "x")
    assert (column.low, column.mean, column.high, column.infinite) == (1.5, 2.0, 2.5, 10)


def test_another_target_can_be_named():
    seen = profile(load_table("golf"), target="outlook")
    assert seen.target == "outlook"
    assert seen.majority == pytest.approx(5 / 14)
    assert next(column for column in seen.columns if column.name == "y").role == "ignored"


def test_honest_tables_have_no_suspects():
    for name in ("iris", "vote", "soybean", "hepatitis", "credit-approval"):
        assert "D301" not in [code for code, _ in found(load_table(name))]


@pytest.mark.parametrize(
    "name", ["count", "cells", "^a.*$", "*", "", "a b", "c0", "classes", "index", "\0", "len"]
)
def test_names_of_columns_mean_nothing(name):
    random = np.random.default_rng(0)
    columns = {name: random.choice(["u", "v", "NA"], 50), "other": random.normal(size=50), "y": [0, 1] * 25}
    table = typed("y", **columns)
    seen = profile(table)
    assert next(column.counts for column in seen.columns if column.name == name)[0][0] == "u"
    assert TableEncoder(table.schema).fit(table.X).transform(table.X).columns == [
        f"{name}=u",
        f"{name}=v",
        "other",
    ]
    new = table.schema.apply(raw_of(pl.DataFrame(columns).with_columns(pl.lit("w").alias(name)).reverse()))
    assert new.unseen == {name: {"w": 50}}
    assert len(table.labelled()) == 50


def test_rows_that_are_there_twice_do_not_tell_one_another():
    """Noise of 60 values, every row twice: its copy would give each row away."""
    random = np.random.default_rng(0)
    values, labels = np.tile(random.normal(size=60), 2), np.tile(random.integers(0, 2, size=60), 2)
    assert column_accuracy(pl.Series(values), labels, 2) < 0.8
    # A number that stands for a category still tells what it does.
    codes = random.integers(0, 10, size=120)
    assert column_accuracy(pl.Series(codes), codes % 2, 2) == 1


def test_a_profile_of_a_long_table_judges_columns_by_a_sample_and_says_so(monkeypatch):
    random = np.random.default_rng(0)
    y = random.choice(["no", "yes"], 5000)
    table = typed("y", a=random.normal(size=5000), leak=np.where(y == "yes", 1.5, 0.5), y=y)
    exact = profile(table)
    assert exact.sampled_rows is None
    assert exact.record()["sampled_rows"] is None
    monkeypatch.setattr("classica.tables.profiles.profiling._SAMPLED_ROWS", 1000)
    sampled = profile(table)
    assert sampled.sampled_rows == sampled.record()["sampled_rows"] == 1000
    assert sampled == profile(table)  # the seed is fixed
    (leak,) = [finding for finding in sampled.findings if finding.code == "D301"]
    assert leak.column == "leak"
    assert " 1,000 " in leak.text
    # All that is not about single columns and the class is of all rows.
    assert [replace(column, alone=None) for column in sampled.columns] == [
        replace(column, alone=None) for column in exact.columns
    ]
    assert sampled.majority == exact.majority
    assert abs(sampled.columns[0].alone - exact.columns[0].alone) < 0.05


def test_a_sample_is_of_rows_with_a_label(monkeypatch):
    monkeypatch.setattr("classica.tables.profiles.profiling._SAMPLED_ROWS", 100)
    y = ["a" if i % 2 else None for i in range(60)] + ["b"] * 60
    assert profile(typed("y", x=np.arange(120) * 1.5, y=y)).sampled_rows is None
    more = y + ["b"] * 60
    assert profile(typed("y", x=np.arange(180) * 1.5, y=more)).sampled_rows == 100


def test_rows_are_told_as_if_they_were_counted_one_by_one():
    random = np.random.default_rng(0)
    for trial in range(60):
        rows = int(random.integers(1, 200))
        values = random.integers(0, random.choice([2, 5, 300, 10**6]), rows)
        cells = pl.Series(values if trial % 2 else values * 0.5).set(
            pl.Series(random.random(rows) < 0.2), None
        )
        labels = random.integers(0, 3, rows)
        assert column_accuracy(cells, labels, 3) == told_one_by_one(cells.to_list(), labels) / rows


def told_one_by_one(cells, labels):
    """Return how many rows the values or ranges of a column, or its best threshold, tell; by definition."""
    rows, known = len(cells), sorted(cell for cell in cells if cell is not None)
    groups = list(cells)
    if len(set(cells)) > min(100, rows / 3):
        parts = max(min(100, rows // 10), 1)
        groups = [None if cell is None else known.index(cell) * parts // rows for cell in cells]
    by_group = 0
    for row, group in enumerate(groups):
        others = [labels[other] for other in range(rows) if groups[other] == group and other != row]
        counts = [others.count(label) for label in range(3)]
        by_group += sum(count >= counts[labels[row]] for count in counts) == 1
    best = 0
    for cut in sorted(set(known))[1:]:
        sides = [[], [], []]
        for cell, label in zip(cells, labels, strict=True):
            sides[2 if cell is None else int(cell >= cut)].append(int(label))
        best = max(best, sum(max(map(side.count, range(3))) for side in sides))
    return max(by_group, best)
