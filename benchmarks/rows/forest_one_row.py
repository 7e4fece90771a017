"""A random forest asked for one row at a time: what a prediction server does."""

from typing import Any

from benchmarks.agreement import accuracy_within_chance
from benchmarks.benchmark import Benchmark, Data
from benchmarks.estimator import estimator
from benchmarks.regions import labelled_regions


def make(quick: bool, seed: int) -> Data:
    """Draw five classes in 20 columns; each new row is one call."""
    n_rows, n_new = (2_000, 200) if quick else (20_000, 1_000)
    return labelled_regions(n_rows, n_new, n_columns=20, n_classes=5, seed=seed)


_OPTIONS: dict[str, Any] = {"n_estimators": 100, "random_state": 0}

BENCHMARK = Benchmark(
    slug="forest-one-row",
    work="Random forest of 100 trees: predict one row per call, the median call",
    make=make,
    contenders=[
        estimator("classica", "classica:RandomForestClassifier", ours=True, oob_score=False, **_OPTIONS),
        # On one core: threads only slow down its single rows.
        estimator("scikit-learn", "sklearn.ensemble:RandomForestClassifier", **_OPTIONS),
    ],
    agree=accuracy_within_chance,
    target=50,
    compared="predict",
    one_row=True,
)
