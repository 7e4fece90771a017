"""Bagging of 50 whole trees, on every core."""

from typing import Any

from benchmarks.agreement import accuracy_within_chance
from benchmarks.benchmark import Benchmark, Data
from benchmarks.estimator import estimator
from benchmarks.regions import labelled_regions


def make(quick: bool, seed: int) -> Data:
    """Draw five classes that curved regions of 30 columns tell apart, with noise."""
    n_rows, n_new = (2_500, 5_000) if quick else (50_000, 12_500)
    return labelled_regions(n_rows, n_new, n_columns=30, n_classes=5, seed=seed)


_OPTIONS: dict[str, Any] = {"n_estimators": 50, "random_state": 0}

BENCHMARK = Benchmark(
    slug="bagging",
    work="Bagging of 50 trees: grow, predict a quarter as many rows",
    make=make,
    contenders=[
        # Its out-of-bag error is an extra that the peer does not work out by default.
        estimator("classica", "classica:BaggingClassifier", ours=True, oob_score=False, **_OPTIONS),
        estimator("scikit-learn", "sklearn.ensemble:BaggingClassifier", n_jobs=-1, **_OPTIONS),
    ],
    agree=accuracy_within_chance,
    target=10,
)
