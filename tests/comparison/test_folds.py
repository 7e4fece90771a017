"""Who is tested on what: classes, groups, times."""

import numpy as np
import polars as pl
import pytest

from classica import KNeighborsClassifier
from classica.comparison.work.insight import insight_plan
from classica.comparison.work.scoring import Scoring
from classica.errors import DataError, ParameterError
from classica.runs import Limits
from classica.selection.point_scores import point_scores
from tests.comparison.in_process import compared, workspace_of
from tests.comparison.summaries import model


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


def rare(rows, count, classes=("no", "yes")):
    """Return a table whose last class has few rows, and whose columns say nothing."""
    random = np.random.default_rng(1)
    labels = np.array(classes)[np.arange(rows) % (len(classes) - 1)]
    labels[:count] = classes[-1]
    return pl.DataFrame({"x": random.normal(size=rows), "z": random.normal(size=rows), "y": labels})


@pytest.mark.parametrize("metric", ["balanced_accuracy", "f1", "auc"])
def test_every_fold_has_both_classes_where_the_metric_looks_at_each(metric):
    workspace = workspace_of(rare(60, 4), target="y", folds=10, metric=metric)
    assert len(workspace.splits) == 4
    for train, test in parts(workspace):
        assert set(workspace.y[train]) == set(workspace.y[test]) == {"no", "yes"}
    assert len(workspace_of(rare(60, 4), target="y", folds=10).splits) == 10


def test_chance_has_the_balanced_accuracy_of_chance(tmp_path):
    """In a fold without the rare class, to say the other one always is all right."""
    found = compared(tmp_path, rare(60, 4), ["chance"], "y", folds=10, metric="balanced_accuracy")
    assert found.models[0].score.mean == pytest.approx(found.metric.baseline) == 0.5


def test_a_rare_class_of_many_leaves_folds_enough():
    table = rare(90, 2, ("a", "b", "c"))
    assert len(workspace_of(table, target="y", folds=10, metric="f1").splits) == 5


def test_a_class_that_cannot_be_in_two_folds_is_refused_where_it_would_have_to_be():
    with pytest.raises(DataError, match="The class 'yes' must be in more than one row for the metric 'auc'"):
        _ = workspace_of(rare(60, 1), target="y", metric="auc").splits
    table = rare(60, 4).with_columns(site=pl.Series(["s"] * 4 + [f"t{i % 7}" for i in range(56)]))
    with pytest.raises(DataError, match="in more than one value of 'site'"):
        _ = workspace_of(table, target="y", metric="auc", groups="site").splits


def test_two_groups_are_enough(tmp_path):
    """Each side then learns from one group, within which parameters are chosen by rows."""
    halves = table().with_columns(half=pl.Series(["u", "v"] * 30))
    found = compared(tmp_path, halves, ["knn", "chance"], "y", folds=5, groups="half")
    assert (found.folds.planned, found.folds.counted) == (2, (0, 1))
    assert all(model.is_judged for model in found.models)


def test_an_area_that_is_not_defined_within_a_part_leaves_the_choice_to_the_others():
    X, y = np.arange(12.0)[:, None], np.array([0, 1] * 6)
    splits = [(np.arange(6), np.arange(6, 12)), (np.arange(6, 12), np.array([0, 2, 4]))]
    points = [{"n_neighbors": 1}, {"n_neighbors": 3}]
    scoring = Scoring("auc", np.array([0, 1]))
    found = point_scores(KNeighborsClassifier(), X, y, points, splits, scoring)
    assert found.shape == (2, 1)
    assert np.isfinite(found).all()
    assert np.isnan(point_scores(KNeighborsClassifier(), X, y, points, splits[1:], scoring)).all()


def test_no_fold_of_groups_is_empty():
    """Twelve groups, six of each class: dealt out to twelve folds, some would get none."""
    for seed in range(10):
        owners = np.repeat(np.arange(12), 10)
        labels = np.random.default_rng(seed).permutation(np.arange(12) % 2)[owners]
        frame = pl.DataFrame({"x": np.arange(120.0), "who": owners, "y": np.array(["a", "b"])[labels]})
        workspace = workspace_of(frame, target="y", folds=12, groups="who", seed=seed)
        tested = [test for _, test in workspace.splits]
        assert min(map(len, tested)) > 0
        assert sorted(np.concatenate(tested)) == list(range(120))


@pytest.mark.parametrize("labels", ["aaabbbccc", "abcdefghi"])
def test_more_groups_than_rows_of_a_class(labels):
    frame = pl.DataFrame({"x": np.arange(9.0), "who": [f"p{i}" for i in range(9)], "y": list(labels)})
    workspace = workspace_of(frame, target="y", groups="who")
    tested = np.concatenate([test for _, test in workspace.splits])
    assert sorted(tested) == list(range(9))


def test_words_have_no_order_of_time():
    """As words, week 10 comes before week 2."""
    weeks = table().with_columns(week=pl.Series([f"week {number % 20}" for number in range(60)]))
    with pytest.raises(
        DataError, match="The column 'week' must be of numbers or dates to have an order, got"
    ):
        _ = workspace_of(weeks, target="y", folds=4, time="week").splits
    dates = table().with_columns(date=pl.Series([f"{1 + number % 28}.3.2020" for number in range(60)]))
    workspace = workspace_of(dates, target="y", folds=4, time="date")
    days = np.arange(60) % 28
    for train, test in workspace.splits:
        assert days[train].max() < days[test].min()


def test_folds_in_which_the_area_is_not_defined_do_not_count(tmp_path):
    y = ["a"] * 30 + ["a", "b"] * 15
    days = table(60).with_columns(pl.Series("day", range(60)), pl.Series("y", y))
    found = compared(tmp_path, days, ["lda", "chance"], "y", metric="auc", time="day", folds=5, tune=False)
    assert found.folds.planned == 5
    assert 0 < len(found.folds.counted) < 5
    assert found.models[0].is_judged


@pytest.mark.parametrize(("is_by_rows", "looks"), [(True, 3), (False, 1)])
def test_what_leaves_rows_out_by_itself_is_not_looked_at_where_folds_do_otherwise(is_by_rows, looks):
    best = model("lda")
    plan = insight_plan(best, 100, 0.1, Limits(), is_by_rows=is_by_rows)
    assert len(plan.units) == looks
    assert "learning curve" in [unit.key for unit in plan.units]
