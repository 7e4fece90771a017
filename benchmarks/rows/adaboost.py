"""A hundred stumps, each learned where those before it were wrong, on a long table in both precisions."""

from collections.abc import Callable

import numpy as np

from benchmarks.agreement import accuracy_not_lower
from benchmarks.benchmark import Benchmark, Data
from benchmarks.estimator import estimator
from benchmarks.regions import labelled_regions


def make(quick: bool, seed: int) -> Data:
    """Draw two classes that curved regions of 30 columns tell apart, with noise."""
    n_rows, n_new = (5_000, 1_000) if quick else (100_000, 25_000)
    return labelled_regions(n_rows, n_new, n_columns=30, n_classes=2, seed=seed)


def make_double(quick: bool, seed: int) -> Data:
    """Draw the same in double precision."""
    data = make(quick, seed)
    rows, new_rows = data.rows.astype(np.float64), data.new_rows.astype(np.float64)
    return Data(rows, data.labels, new_rows, data.new_labels)


def _benchmark(slug: str, words: str, table: Callable[[bool, int], Data]) -> Benchmark:
    return Benchmark(
        slug=slug,
        work=f"AdaBoost: 100 stumps on {words}, predict a quarter as many rows",
        make=table,
        contenders=[
            estimator("classica", "classica:AdaBoostClassifier", ours=True, n_estimators=100),
            estimator(
                "scikit-learn", "sklearn.ensemble:AdaBoostClassifier", n_estimators=100, random_state=0
            ),
        ],
        # It compares in single precision; cuts between numbers that are equal there differ.
        agree=accuracy_not_lower(0.002),
        target=30,
    )


BENCHMARKS = [
    _benchmark("adaboost", "float32", make),
    _benchmark("adaboost-float64", "float64", make_double),
]
