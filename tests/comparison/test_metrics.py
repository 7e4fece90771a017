"""Metrics of a comparison: scores, probabilities and costs come from where they should."""

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import log_loss, roc_auc_score

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import grid, tuning_model, with_encoder
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.comparison.work.scoring import Scoring
from classica.comparison.work.units import answers_path, work
from classica.metrics.measures import metric
from classica.selection.point_scores import fresh_scores, point_scores
from tests.comparison.in_process import compared, workspace_of


def two_classes(rows=120, classes=2):
    X, y = make_classification(
        rows, 4, n_informative=3, n_redundant=0, n_classes=classes, flip_y=0.1, random_state=3
    )
    columns = {f"x{j}": X[:, j] for j in range(4)}
    return pl.DataFrame(columns | {"y": [f"c{each}" for each in y]})


def fold_answers(folder, workspace, model):
    workspace.save(folder)
    result = work(folder, {"model": model, "fold": 0})
    return result, FoldPredictions.load(answers_path(folder, model, 0))


@pytest.mark.parametrize("model", ["linear-svm", "lda"])
def test_auc_is_that_of_the_scores_not_of_the_answers(tmp_path, model):
    workspace = workspace_of(two_classes(), (model,), "y", metric="auc", folds=3, tune=False)
    result, said = fold_answers(tmp_path, workspace, model)
    truth = workspace.y[said.rows] == "c1"
    scores = said.scores if said.probabilities is None else said.probabilities
    assert result["test_score"] == pytest.approx(roc_auc_score(truth, scores[:, 1]))
    assert result["test_score"] != pytest.approx(roc_auc_score(truth, said.codes))


def test_a_margin_machine_gets_probabilities_where_they_count(tmp_path):
    workspace = workspace_of(two_classes(classes=3), ("linear-svm",), "y", metric="log_loss", folds=3)
    result, said = fold_answers(tmp_path, workspace, "linear-svm")
    assert said.probabilities.sum(axis=1) == pytest.approx(1)
    truth = workspace.y[said.rows]
    assert result["test_score"] == pytest.approx(
        log_loss(truth, said.probabilities, labels=workspace.classes)
    )
    assert result["inner_score"] > 0  # a loss, not the negative that searches maximise


def test_costs_change_the_answers(tmp_path):
    (tmp_path / "cheap").mkdir()
    dear = [[0.0, 5.0], [1.0, 0.0]]  # to say c0 where c1 is true
    plain = compared(tmp_path, two_classes(), ["naive-bayes", "chance"], "y", folds=3)
    costly = compared(
        tmp_path / "cheap", two_classes(), ["naive-bayes", "chance"], "y", folds=3, metric="cost", costs=dear
    )
    counts = [each.models[0].confusion.matrix for each in (plain, costly)]
    assert counts[1][1, 0] < counts[0][1, 0]  # c1 taken for c0
    assert costly.metric.higher_is_better is False
    assert costly.models[0].name == "naive-bayes"
    assert costly.models[0].score.mean < costly.metric.baseline
    # The baseline is the cheapest constant prediction, in the folds as on all rows.
    assert costly.model("chance").score.mean == pytest.approx(costly.metric.baseline, abs=0.02)
    assert "Always predicting the cheapest class costs" in costly.answer


@pytest.mark.parametrize("metric", ["log_loss", "auc", "balanced_accuracy"])
@pytest.mark.parametrize("model", ["knn", "tree", "lda", "svm", "adaboost", "perceptron", "voting"])
def test_what_points_share_changes_no_score(metric, model):
    workspace = workspace_of(two_classes(), (model,), "y", metric=metric, folds=3)
    contender, settings = Contender(model), workspace.settings
    tried = {name: list(values)[:2] for name, values in grid(contender, settings).items()}
    points = [{name: values[place % len(values)] for name, values in tried.items()} for place in range(2)]
    whole = with_encoder(tuning_model(contender, settings), workspace.table.schema)
    scoring = Scoring(metric, workspace.classes)
    task = workspace.X, workspace.y
    shared = point_scores(whole, *task, points, workspace.splits, scoring)
    alone = [fresh_scores(whole, *task, point, workspace.splits, scoring) for point in points]
    assert shared == pytest.approx(np.array(alone), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "costs", "step"),
    [
        ("accuracy", None, 0.1),
        ("balanced_accuracy", None, 0.1),
        ("log_loss", None, None),
        ("brier", None, None),
        ("auc", None, None),
        ("cost", [[0, 5, 6], [2, 0, 9], [4, 7, 0]], 0.2),  # 6 and 9, 5 and 7, 2 and 4 differ by two at least
        ("cost", [[0, 5, 6], [2, 0, 5], [4, 7, 0]], 0.1),
        ("cost", [[1, 1], [1, 1]], None),  # no answer is better than another
    ],
)
def test_one_row_is_a_step_only_where_answers_are_right_or_wrong(name, costs, step):
    assert metric(name).step(10, costs) == (step if step is None else pytest.approx(step))


def test_the_area_of_many_classes_says_how_it_is_one(tmp_path):
    titles = []
    for classes in (2, 3):
        folder = tmp_path / str(classes)
        folder.mkdir()
        found = compared(folder, two_classes(60, classes), ["chance"], "y", metric="auc", folds=3)
        titles.append(found.metric.title)
    assert titles == ["area under the ROC curve", "area under the ROC curve (one vs. rest)"]
