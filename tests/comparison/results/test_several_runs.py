"""Comparisons side by side: ranks over tables, runs of one table, and what cannot be compared."""

import math
from dataclasses import replace

import numpy as np
import pytest

from classica.comparison.plan.settings import Settings
from classica.comparison.results.several_runs import board_lines, summarise_runs
from classica.errors import DataError
from classica.statistics import friedman_nemenyi
from tests.comparison.summaries import ACCURACY, interval, model, summary, unjudged

NAMES = ("lda", "tree", "knn")


def run_of(number, scores, dropped=None, **more):
    """Return the summary of a table of its own, with these scores."""
    models = [model(name, score) for name, score in scores.items()]
    models.sort(key=lambda each: -each.score.mean)
    if dropped:
        name, score = dropped
        models.append(replace(unjudged(name, "eliminated", "Behind."), provisional=interval(score)))
    made = summary(
        [*models, model("chance", 0.5)], headline=interval(models[0].score.mean, 0.8, 0.99), **more
    )
    table = replace(made.table, source=f"t{number}.csv", fingerprint=str(number) * 64)
    return replace(made, table=table)


def test_average_ranks_are_those_of_friedman_and_nemenyi():
    random = np.random.default_rng(0)
    scores = {name: 0.9 - 0.05 * place + random.normal(0, 0.01, 8) for place, name in enumerate(NAMES)}
    runs = {f"run-{k}": run_of(k, {name: scores[name][k] for name in NAMES}) for k in range(8)}
    found = summarise_runs(runs)
    direct = friedman_nemenyi(scores)
    assert found.friedman.ranks == direct.ranks
    assert found.friedman.p == direct.p < 0.05
    assert [line.name for line in found.models] == [*direct.ranks, "chance"]
    assert found.models[0].rank == direct.ranks["lda"]
    assert found.models[-1].rank is None  # the baseline is no model
    assert "8 tables" in found.answer
    assert "lda" in found.answer
    lines = board_lines(found)
    assert lines[0].split() == ["model", "rank", *(f"t{k}.csv" for k in range(8))]
    assert lines[1].split()[:3] == ["lda", f"{direct.ranks['lda']:.2f}", f"{100 * scores['lda'][0]:.1f}%"]


def test_models_that_do_not_differ_are_not_ranked_against_each_other():
    runs = {f"run-{k}": run_of(k, {"lda": 0.9 + 0.01 * (k % 2), "tree": 0.905}) for k in range(4)}
    found = summarise_runs(runs)
    assert found.friedman.p > 0.05
    assert "not significantly different" in found.answer


def test_a_dropped_model_has_the_score_it_was_dropped_with():
    runs = {f"run-{k}": run_of(k, {"lda": 0.9, "tree": 0.8}, dropped=("knn", 0.6)) for k in range(3)}
    found = summarise_runs(runs)
    line = next(each for each in found.models if each.name == "knn")
    assert line.scores == (0.6, 0.6, 0.6)
    assert line.was_dropped == (True, True, True)
    assert line.rank == 3.0
    assert any("60.0%†" in each for each in board_lines(found))


def test_two_runs_of_one_table_differ_in_their_settings_and_are_not_ranked():
    first = run_of(1, {"lda": 0.9, "tree": 0.8})
    second = replace(first, settings=Settings(folds=5))
    found = summarise_runs({"a": first, "b": second})
    assert found.friedman is None
    assert [run.name for run in found.runs] == ["a", "b"]
    assert [run.settings for run in found.runs] == [{"folds": 10}, {"folds": 5}]
    assert found.answer.startswith("a: use lda (90.0%, 95% CI 80.0%–99.0%); b: use lda")


def test_a_model_that_is_missing_in_one_run_is_left_out_and_one_that_failed_comes_last():
    runs = {f"run-{k}": run_of(k, {"lda": 0.9, "tree": 0.8}) for k in range(3)}
    more = run_of(2, {"lda": 0.9, "tree": 0.8, "knn": 0.95})
    assert {line.name for line in summarise_runs({**runs, "run-2": more}).models} == {"lda", "tree", "chance"}
    failed = replace(
        runs["run-2"], models=(model("lda", 0.9), unjudged("tree", "failed", "No."), model("chance"))
    )
    found = summarise_runs({**runs, "run-2": failed})
    tree = next(line for line in found.models if line.name == "tree")
    assert math.isnan(tree.scores[2])
    assert tree.rank == 2.0


def test_what_cannot_be_compared():
    one = run_of(0, {"lda": 0.9})
    with pytest.raises(DataError, match="at least two comparisons"):
        summarise_runs({"a": one})
    other = replace(one, metric=replace(ACCURACY, name="auc"))
    with pytest.raises(DataError, match="different metrics: accuracy and auc"):
        summarise_runs({"a": one, "b": other})


def test_the_json_form_has_a_version_and_no_nan():
    failed = replace(run_of(1, {"lda": 0.9}), models=(unjudged("lda", "failed", "No."), model("chance", 0.5)))
    record = summarise_runs({"a": run_of(0, {"lda": 0.9}), "b": failed}).record()
    assert record["classica_runs"] == 1
    assert record["models"][0]["scores"] == [0.9, None]
