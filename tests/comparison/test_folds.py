"""Who is tested on what: classes, groups, times."""

import numpy as np
import polars as pl
import pytest

from classica.errors import DataError, ParameterError
from tests.comparison.in_process import workspace_of


def table(rows=60, seed=0):
    random = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "x": random.normal(size=rows),
            "z": random.normal(size=rows),
            "patient": [f"p{number}" for number in random.integers(0, 12, size=rows)],
            "day": random.permutation(rows),
            "y": random.choice(["no", "yes"], size=rows, p=[0.7, 0.3]),
        }
    )


def parts(workspace):
    """Return training and test rows of the outer folds, and of the folds within each."""
    for number, (train, test) in enumerate(workspace.splits):
        yield train, test
        inner = workspace.inner_splitter(number)
        groups = None if workspace.order is None else workspace.order[train]
        for learned, judged in inner.split(np.zeros(len(train)), workspace.y[train], groups=groups):
            yield train[learned], train[judged]


def test_every_row_is_tested_once_and_classes_keep_their_shares():
    workspace = workspace_of(table(), target="y", folds=5)
    tested = np.concatenate([test for _, test in workspace.splits])
    assert sorted(tested) == list(range(60))
    yes = int((workspace.y == "yes").sum())
    for train, test in workspace.splits:
        assert not set(train) & set(test)
        assert abs((workspace.y[test] == "yes").sum() - yes / 5) < 1


def test_repeats_are_drawn_anew():
    workspace = workspace_of(table(), target="y", folds=5, repeats=2)
    assert len(workspace.splits) == 10
    assert not np.array_equal(workspace.splits[0][1], workspace.splits[5][1])


def test_no_group_is_on_both_sides():
    workspace = workspace_of(table(), target="y", folds=4, inner_folds=3, groups="patient")
    patients = workspace.table.frame["patient"].to_numpy()
    found = list(parts(workspace))
    assert len(found) == 4 + 4 * 3
    for train, test in found:
        assert not set(patients[train]) & set(patients[test])


def test_test_rows_come_after_training_rows():
    workspace = workspace_of(table(), target="y", folds=4, inner_folds=3, time="day")
    days = workspace.table.frame["day"].to_numpy()
    found = list(parts(workspace))
    assert len(found) == 4 + 4 * 3
    for train, test in found:
        assert days[train].max() < days[test].min()


def test_rows_of_one_time_are_on_one_side():
    frame = table().with_columns(pl.col("day") // 5)
    workspace = workspace_of(frame, target="y", folds=10, inner_folds=4, time="day")
    days = workspace.table.frame["day"].to_numpy()
    for train, test in parts(workspace):
        assert days[train].max() < days[test].min()


def test_too_few_times_for_the_folds_are_refused():
    frame = table().with_columns(pl.col("day") // 10)
    with pytest.raises(
        DataError, match="folds must be at most 4, two fewer than the different values of 'day'"
    ):
        _ = workspace_of(frame, target="y", folds=5, time="day").splits


def test_a_column_of_hardly_any_times_is_refused():
    frame = table().with_columns(pl.col("day") % 2)
    with pytest.raises(DataError, match="times 'day' must have at least 4 different values, got 2"):
        _ = workspace_of(frame, target="y", folds=5, time="day").splits


def test_the_column_of_groups_or_times_is_no_feature():
    for kind, name in (("groups", "patient"), ("time", "day")):
        workspace = workspace_of(table(), target="y", folds=4, **{kind: name})
        assert name not in workspace.X.columns


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"groups": "patient", "time": "day"}, "groups and time must be given one at a time"),
        ({"folds": 1}, "folds must be"),
        ({"rope": -1.0}, "rope must be"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, text):
    with pytest.raises(ParameterError, match=text):
        workspace_of(table(), target="y", **settings)


def test_gaps_in_the_column_of_groups_are_refused():
    frame = table().with_columns(pl.when(pl.col("x") > 0).then("patient").alias("patient"))
    with pytest.raises(DataError, match="'patient' must be filled in every row"):
        _ = workspace_of(frame, target="y", groups="patient").splits
