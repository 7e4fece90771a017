"""The answer of a comparison: what is said of chance, and of few folds."""

import numpy as np
import polars as pl
import pytest

from classica.comparison.diagnosing import findings
from classica.comparison.floor_scores import floor_scores
from classica.comparison.model_result import model_results
from classica.comparison.sentences import answer
from classica.comparison.summary import standings
from classica.evaluation.runs import Outcome
from tests.comparison.in_process import compared, workspace_of


def summary(models, better, folds=10):
    """Return what the sentence looks at: models as (name, mean, tied), the best first."""
    return {
        "best": models[0][0],
        "metric": {"title": "accuracy", "is_share": True, "chance": 0.5, "higher_is_better": True},
        "better_than_chance": dict.fromkeys(better, 0.01),
        "folds": {"planned": folds, "counted": folds},
        "models": [
            {
                "name": name,
                "title": name,
                "status": "done",
                "tied": tied,
                "score": {"mean": mean, "low": None},
            }
            for name, mean, tied in models
        ],
    }


BOARD = [("tree", 0.8, True), ("lda", 0.75, True), ("chance", 0.5, True)]


def test_nobody_is_tied_with_chance_and_better_than_it():
    said = answer(summary(BOARD, ["tree"]))
    first = "tree comes first with accuracy 80.0 % on new rows; chance has 50.0 %."
    assert said == f"{first} 1 other is tied with it, that is, not shown to be worse: lda."


def test_a_best_model_that_is_not_shown_to_be_better_than_chance_is_told():
    said = answer(summary(BOARD, ["lda"]))
    assert "; chance has 50.0 %, and only lda is shown to be better. 1 other is tied" in said


def test_luck_and_few_folds():
    assert answer(summary(BOARD, [])).endswith("80.0 % on new rows, but that may be luck.")
    assert answer(summary(BOARD, [], folds=2)).endswith("that may be luck: 2 folds show little.")
    assert answer(summary(BOARD, [], folds=1)).endswith("that may be luck: one fold shows nothing.")


def outcomes(scores):
    """Return the outcomes of two models whose folds have these scores; None: not defined."""
    found = []
    for name, values in scores.items():
        for fold, value in enumerate(values):
            result = {"test_score": value, "train_score": None, "inner_score": None, "parameters": {}}
            found.append(Outcome(f"{name} fold {fold + 1}", "done", result=result, seconds=0.0))
        found.append(Outcome(f"{name} all rows", "failed", reason="no", seconds=0.0))
    return found


def table():
    random = np.random.default_rng(0)
    return pl.DataFrame({"x": random.normal(size=40), "t": range(40), "y": ["a", "b"] * 20})


def test_a_fold_on_which_the_metric_is_not_defined_does_not_count():
    workspace = workspace_of(table(), ("lda", "chance"), "y", folds=3, time="t", metric="auc")
    done = outcomes({"lda": [None, 0.8, 0.7], "chance": [None, 0.5, 0.5]})
    results, counted = model_results(workspace, done)
    assert counted == [1, 2]
    assert standings(workspace, results).standings[0].score.mean == 0.75
    assert results[0].mean("train_score") is None
    results, counted = model_results(workspace, outcomes({"lda": [None] * 3, "chance": [None] * 3}))
    assert counted == []
    assert results[0].reason == "The metric is not defined on any fold."


@pytest.mark.parametrize(
    ("metric", "floor", "bar"),
    [
        ("accuracy", [0.0, 0.2], [0.4, 0.6]),
        ("accuracy", [0.5, 0.7], [0.5, 0.7]),
        ("cost", [0.9, 0.7], [0.6, 0.4]),
    ],
)
def test_a_floor_below_chance_is_lifted_to_it(metric, floor, bar):
    """Folds of whole groups: the commonest class of the others is the rarer one here."""
    costs = [[0.0, 1.0], [1.0, 0.0]] if metric == "cost" else None
    workspace = workspace_of(table(), ("lda", "chance"), "y", folds=2, metric=metric, costs=costs)
    results, _ = model_results(workspace, outcomes({"lda": [0.5, 0.5], "chance": floor}))
    assert floor_scores(workspace, results) == pytest.approx(bar)


def test_noise_in_single_groups_is_no_success(tmp_path):
    """Each fold is one group of one class, so that the floor is wrong on nearly all rows."""
    random = np.random.default_rng(0)
    owners = np.repeat(np.arange(12), 10)
    labels = random.permutation(np.arange(12) % 2)[owners]
    cells = {f"x{j}": random.normal(size=120) for j in range(3)}
    frame = pl.DataFrame({**cells, "who": owners, "y": np.array(["a", "b"])[labels]})
    models = ["lda", "naive-bayes", "chance"]
    found = compared(tmp_path, frame, models, "y", folds=12, groups="who", tune=False)
    floor = next(entry for entry in found["models"] if entry["name"] == "chance")
    assert floor["score"]["mean"] < 0.2 < 0.4 < found["models"][0]["score"]["mean"]
    assert not found["better_than_chance"]
    assert "E503" in [finding["code"] for finding in found["findings"]]


def test_where_only_the_floor_finishes_that_is_all_there_is_to_say():
    workspace = workspace_of(table(), ("lda", "chance"), "y", folds=3)
    done = outcomes({"chance": [0.5, 0.5, 0.5]})
    failed = [Outcome(f"lda fold {fold}", "failed", reason="It broke.", seconds=0.0) for fold in (1, 2, 3)]
    failed.append(Outcome("lda all rows", "failed", reason="It broke.", seconds=0.0))
    results, _ = model_results(workspace, [*done, *failed])
    found = findings(workspace, results, {}, {}, {"findings": [], "columns": []})
    assert [finding["code"] for finding in found] == ["E506"]
