"""From outcomes of a thorough comparison to models: which folds count, who is judged, what a stop leaves."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from classica.comparison.results.gathering import gather
from classica.comparison.results.model_evidence import findings
from classica.comparison.results.ranking import baseline_scores, rank
from classica.comparison.results.summary import Insight
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.comparison.work.units import answers_path
from classica.errors import DataError
from classica.runs import Outcome
from classica.tables import profile
from tests.comparison.in_process import compared, workspace_of

RESULT = {
    "train_score": None, "inner_score": None, "parameters": {}, "test_rows": 1,
    "select_seconds": 0.0, "fit_seconds": 0.0, "predict_seconds": 0.0,
}  # fmt: skip


def outcomes(scores):
    """Return the outcomes of models whose folds have these scores; None: not defined, "": not reached."""
    found = []
    for name, values in scores.items():
        for fold, value in enumerate(values):
            key = f"{name} fold {fold + 1}"
            is_reached = value != ""
            result = RESULT | {"test_score": value} if is_reached else None
            found.append(Outcome(key, "done" if is_reached else "skipped", result=result, seconds=0.0))
        found.append(Outcome(f"{name} all rows", "skipped", reason="no", seconds=0.0))
    return found


def gathered(folder, workspace, scores):
    """Return what units come to whose folds have these scores: so many of the rows are right."""
    for name, values in scores.items():
        for fold, value in enumerate(values):
            if value not in ("", None):
                test = workspace.splits[fold][1]
                truth = np.searchsorted(workspace.classes, workspace.y[test])
                codes = np.where(np.arange(len(test)) < round(value * len(test)), truth, 1 - truth)
                answers = FoldPredictions(test, codes.astype(np.int32), np.eye(2)[codes], None)
                answers.save(answers_path(folder, name, fold))
    return gather(folder, workspace, outcomes(scores))


def table():
    random = np.random.default_rng(0)
    return pl.DataFrame({"x": random.normal(size=40), "t": range(40), "y": ["a", "b"] * 20})


def test_a_fold_on_which_the_metric_is_not_defined_does_not_count(tmp_path):
    workspace = workspace_of(table(), ("lda", "chance"), "y", folds=3, time="t", metric="auc")
    found = gathered(tmp_path, workspace, {"lda": [None, 0.8, 0.7], "chance": [None, 0.5, 0.5]})
    assert found.counted == [1, 2]
    tested = np.concatenate([workspace.splits[fold][1] for fold in (1, 2)])
    assert sorted(np.flatnonzero(np.isfinite(found.losses["lda"]))) == sorted(tested)
    assert rank(workspace, found).standings[0].name == "lda"
    assert found.models[0].mean("train_score") is None
    found = gathered(tmp_path, workspace, {"lda": [None] * 3, "chance": [None] * 3})
    assert found.counted == []
    assert found.models[0].reason == "The metric is not defined on any fold."
    assert rank(workspace, found).best is None


def test_a_stopped_run_is_judged_on_the_folds_most_models_have(tmp_path):
    names = ("lda", "c45", "knn", "chance")
    workspace = workspace_of(table(), names, "y", folds=4)
    done = {"lda": [0.8, 0.7, ""], "c45": [0.6, "", ""], "knn": ["", "", ""], "chance": [0.5, 0.5, ""]}
    found = gathered(tmp_path, workspace, {name: [*folds, ""] for name, folds in done.items()})
    assert found.counted == [0, 1]
    states = {model.name: model.state for model in found.models}
    assert states == {"lda": "judged", "c45": "unfinished", "knn": "skipped", "chance": "judged"}
    reasons = {model.name: model.reason for model in found.models}
    assert reasons["c45"] == "Judged on 1 of the 2 folds that count when the run was stopped."
    assert "stopped before its first fold" in reasons["knn"]
    # One slow model does not cost all others their first fold.
    first = {name: [folds[0], "", "", ""] for name, folds in done.items()}
    found = gathered(tmp_path, workspace, first)
    assert found.counted == [0]
    assert [model.name for model in found.models if model.state == "judged"] == ["lda", "c45", "chance"]


def test_a_journal_that_says_nonsense_is_refused(tmp_path):
    workspace = workspace_of(table(), ("lda", "chance"), "y", folds=2)
    done = outcomes({"lda": [0.5, "high"], "chance": [0.5, 0.5]})
    with pytest.raises(DataError, match=r"lda fold 2.test_score must be a number or null, got 'high'"):
        gather(tmp_path, workspace, done)


@pytest.mark.parametrize(
    ("metric", "floor", "bar"),
    [
        ("accuracy", [0.0, 0.2], [0.4, 0.6]),
        ("accuracy", [0.5, 0.7], [0.5, 0.7]),
        ("cost", [0.9, 0.7], [0.6, 0.4]),
    ],
)
def test_a_baseline_below_any_constant_prediction_is_lifted_to_it(tmp_path, metric, floor, bar):
    """Folds of whole groups: the most frequent class of the others is the rarer one here."""
    costs = [[0.0, 1.0], [1.0, 0.0]] if metric == "cost" else None
    workspace = workspace_of(table(), ("lda", "chance"), "y", folds=2, metric=metric, costs=costs)
    found = gathered(tmp_path, workspace, {"lda": [0.5, 0.5], "chance": floor})
    assert baseline_scores(workspace, found.models) == pytest.approx(bar)


def test_noise_in_single_groups_is_no_success(tmp_path):
    """Each fold is one group of one class, so that the baseline is wrong on nearly all rows."""
    random = np.random.default_rng(0)
    owners = np.repeat(np.arange(12), 10)
    labels = random.permutation(np.arange(12) % 2)[owners]
    cells = {f"x{j}": random.normal(size=120) for j in range(3)}
    frame = pl.DataFrame({**cells, "who": owners, "y": np.array(["a", "b"])[labels]})
    models = ["lda", "naive-bayes", "chance"]
    found = compared(tmp_path, frame, models, "y", folds=12, groups="who", tune=False)
    assert found.model("chance").score.mean < 0.2 < 0.3 < found.models[0].score.mean
    assert not any(model.p_baseline for model in found.models)
    assert not found.tied
    assert "E503" in [finding.code for finding in found.findings]


def test_where_only_the_baseline_finishes_that_is_all_there_is_to_say(tmp_path):
    workspace = workspace_of(table(), ("lda", "chance"), "y", folds=3)
    scores = {"chance": [0.5, 0.5, 0.5]}
    gathered(tmp_path, replace(workspace, models=("chance",)), scores)
    failed = [Outcome(f"lda fold {fold}", "failed", reason="It broke.", seconds=0.0) for fold in (1, 2, 3)]
    failed.append(Outcome("lda all rows", "failed", reason="It broke.", seconds=0.0))
    known = gather(tmp_path, workspace, [*outcomes(scores), *failed])
    ranking = rank(workspace, known)
    assert ranking.best == "chance"
    found = findings(workspace, known.models, {}, ranking, Insight(), profile(workspace.table))
    assert [finding.code for finding in found] == ["E506"]


def test_a_model_that_the_run_had_no_time_for_has_not_failed(tmp_path):
    workspace = workspace_of(table(), ("lda", "knn", "chance"), "y", folds=3)
    scores = {"lda": [0.5, 0.6, 0.7], "knn": ["", "", ""], "chance": [0.5, 0.5, 0.5]}
    known = gathered(tmp_path, workspace, scores)
    assert {model.name: model.state for model in known.models}["knn"] == "skipped"
    ranking = rank(workspace, known)
    found = findings(workspace, known.models, {}, ranking, Insight(), profile(workspace.table))
    assert "E506" not in [finding.code for finding in found]
