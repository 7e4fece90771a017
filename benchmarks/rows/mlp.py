"""A neural network: ten passes of Adam over 50,000 rows of 30 columns."""

import warnings
from dataclasses import replace
from typing import Any

from benchmarks.agreement import accuracy_within_chance
from benchmarks.benchmark import Benchmark, Contender, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator


def make(quick: bool, seed: int) -> Data:
    """Draw five overlapping classes in 30 columns."""
    n_rows, n_new = (5_000, 5_000) if quick else (50_000, 12_500)
    return gaussian_blobs(n_rows, n_new, n_columns=30, n_classes=5, seed=seed)


def _stopped(contender: Contender) -> Contender:
    """Return the contender without its warning that ten passes are few: all stop there."""

    def fit(data: Data) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*max_iter|.*Maximum iterations")
            return contender.fit(data)

    return replace(contender, fit=fit)


_OPTIONS: dict[str, Any] = {"max_iter": 10, "random_state": 0}

BENCHMARK = Benchmark(
    slug="mlp",
    work="Neural network of 100 neurons: ten passes of Adam in batches of 200, then predict",
    make=make,
    contenders=[
        _stopped(estimator("classica", "classica:MLPClassifier", ours=True, **_OPTIONS)),
        _stopped(estimator("scikit-learn", "sklearn.neural_network:MLPClassifier", **_OPTIONS)),
    ],
    agree=accuracy_within_chance,
    target=2,
)
