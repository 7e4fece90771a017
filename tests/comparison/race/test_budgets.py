"""Races against the clock: what there is time for is answered, and slow models stop nobody else."""

import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest

from classica.comparison import ComparisonResult, compare, resume

#: What workers import before they begin.
START = "import classica.catalog, sklearn.pipeline, polars"
SLOW, STUCK = "tests.comparison.race.slow:Slow", "tests.comparison.race.slow:Stuck"


@pytest.fixture(scope="module")
def table():
    """A table of 3,000 rows: two columns tell three classes."""
    random, codes = np.random.default_rng(0), np.arange(3000) % 3
    cells = {f"x{j}": codes * (j < 2) + random.normal(size=3000) for j in range(5)}
    return pl.DataFrame({**cells, "y": [f"c{code}" for code in codes]})


@pytest.fixture(scope="module")
def start():
    """Return the seconds that workers take to start just now, however busy the machine is."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", START], check=True)
    return time.monotonic() - began


def test_a_budget_that_is_too_small_says_so_and_can_be_raised(tmp_path, table):
    about = {"models": ["lda"], "folds": 3, "tune": False}
    found = compare(table, "y", out=tmp_path / "run", budget=0.01, workers=1, **about)
    assert found.best is found.recommended is found.summary.best_file is None
    assert found.answer.startswith("No model could be evaluated")
    assert {model.state for model in found.summary.models} == {"skipped"}
    assert ComparisonResult.load(tmp_path / "run").answer == found.answer
    again = resume(tmp_path / "run", budget=120, workers=1)
    assert again.best == "lda"
    assert again.best_model().predict(table.drop("y")).shape == (3000,)


def test_three_seconds_are_enough_for_all_models(tmp_path, table, start):
    began, budget = time.monotonic(), 3 + 2 * start
    found = compare(table, "y", out=tmp_path / "run", budget=budget)
    # Closing takes as long as it takes, the more on a busy machine; but it is no second comparison.
    assert time.monotonic() - began < budget + 15 + 2 * start
    assert found.recommended not in (None, "chance", "hist-gradient-boosting")
    assert found.summary.best_file == "best.classica"
    assert (found.best_model().predict(table.drop("y")) == table["y"].to_numpy()).mean() > 0.5
    assert not found.is_interrupted


def test_a_slow_model_is_judged_with_fewer_rows_and_stops_nobody(tmp_path, table, start):
    """It takes a second for a thousand rows, and so nearly three for a fold of all."""
    models = ["lda", "naive-bayes", SLOW]
    budget = 6 + 2 * start
    found = compare(table, "y", models=models, folds=5, out=tmp_path / "run", budget=budget, workers=2)
    judged = {model.name: model for model in found.summary.judged}
    assert {"lda", "naive-bayes"} <= set(judged)
    assert {len(judged[name].folds) for name in ("lda", "naive-bayes")} == {5}
    slow = found.summary.model(SLOW)
    assert slow.reason
    assert "\n" not in slow.reason
    assert (slow.learned_rows or 0) < 2400
    assert found.recommended in ("lda", "naive-bayes")


def test_a_model_that_does_not_come_to_an_end_fails_with_the_reason(tmp_path, table):
    about = {"models": ["lda", STUCK], "folds": 5, "limit": 3.0, "workers": 2, "budget": 60}
    found = compare(table, "y", out=tmp_path / "run", **about)
    stuck = found.summary.model(STUCK)
    assert stuck.state == "failed"
    assert "longer than the limit" in stuck.reason
    assert found.recommended == "lda"
    assert len(found.summary.model("lda").folds) == 5
    assert found.summary.best_file == "best.classica"
