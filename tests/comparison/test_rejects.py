"""A comparison in which models may reject rows: the score is the mean cost, rejects at their price."""

import numpy as np
import pytest

from classica import load
from classica.comparison import comparing
from classica.comparison.plan.settings import Settings
from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.leaderboard_text import board_lines
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.comparison.work.units import answers_path
from classica.errors import ParameterError
from classica.tables import load_table
from tests.comparison.in_process import compared

UNIFORM = (1.0 - np.eye(3)).tolist()
MODELS = ["nearest-mean", "perceptron", "lda", "chance"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rejects")
    iris = load_table("iris")
    found = compared(folder, iris, MODELS, folds=3, metric="cost", costs=UNIFORM, reject_cost=0.1, tune=False)
    return folder, iris, {model.name: model for model in found.models}, found


def test_rejected_rows_cost_their_price(run):
    folder, iris, entries, _ = run
    classes = np.unique(iris.y)
    for name in MODELS:
        scores, rejected = [], 0
        for fold in range(3):
            found = FoldPredictions.load(answers_path(folder, name, fold))
            wrong = classes[found.codes] != iris.y[found.rows]
            scores.append(np.where(found.rejected, 0.1, wrong).mean())
            rejected += int(found.rejected.sum())
        assert entries[name].values("test_score") == pytest.approx(scores)
        assert entries[name].confusion.rejected.sum() == rejected
        assert entries[name].confusion.coverage == pytest.approx(1 - rejected / 150)


def test_what_is_delivered_rejects_as_well(run):
    folder, iris, entries, found = run
    model = load(folder / "models" / "nearest-mean.classica")
    assert model.estimator_.reject_cost == 0.1
    assert 0 < model.rejects(iris).sum() < 150
    assert 0 < entries["nearest-mean"].confusion.coverage < 1
    # Whoever rejects every row pays 0.1, less than any constant prediction.
    assert entries["chance"].confusion.coverage == 0.0
    assert found.metric.baseline == pytest.approx(0.1)
    assert "ejecting every row" in found.answer
    assert "coverage" in board_lines(found)[0]
    # Errors are not what is judged: findings that count them would mislead.
    assert not {"E202", "E301", "E302", "E504", "E505"} & {finding.code for finding in found.findings}


def test_the_confusion_matrix_is_that_of_the_answered_rows(run):
    _, _, entries, _ = run
    found = entries["nearest-mean"].confusion
    assert found.matrix.sum() == 150 - found.rejected.sum()


def test_a_reject_cost_needs_costs_to_be_weighed_against():
    with pytest.raises(ParameterError, match="metric must be 'cost' where there is a reject_cost"):
        Settings(reject_cost=0.1)
    with pytest.raises(ParameterError, match="reject_cost must be"):
        Settings(metric="cost", reject_cost=-1.0)


def test_mistakes_cost_one_unless_told(tmp_path, monkeypatch):
    planned_only = lambda folder, *_, **__: Workspace.load(folder)  # noqa: E731
    monkeypatch.setattr(comparing, "run_comparison", planned_only)
    options = {"metric": "cost", "reject_cost": 0.2, "out": tmp_path / "run"}
    planned = comparing.compare(load_table("iris"), models=["lda"], **options)
    assert (planned.settings.costs, planned.settings.reject_cost) == (UNIFORM, 0.2)
