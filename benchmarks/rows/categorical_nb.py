"""Naive Bayes on a long table of categories, given as integer codes."""

import numpy as np

from benchmarks.agreement import same_labels
from benchmarks.benchmark import Benchmark, Data
from benchmarks.estimator import estimator

N_COLUMNS, N_LEVELS, N_CLASSES = 20, 8, 5


def make(quick: bool, seed: int) -> Data:
    """Draw levels whose probabilities differ between the classes."""
    n_rows, n_new = (80_000, 20_000) if quick else (800_000, 200_000)
    rng = np.random.default_rng(seed)
    edges = rng.dirichlet(np.full(N_LEVELS, 5.0), size=(N_CLASSES, N_COLUMNS)).cumsum(axis=2)[:, :, :-1]
    labels = rng.integers(N_CLASSES, size=n_rows + n_new)
    draws = rng.random((n_rows + n_new, N_COLUMNS))
    rows = np.empty(draws.shape, dtype=np.int64)
    for column in range(N_COLUMNS):
        rows[:, column] = (edges[labels, column] < draws[:, column, None]).sum(axis=1)
    return Data(rows[:n_rows], labels[:n_rows], rows[n_rows:], labels[n_rows:])


BENCHMARK = Benchmark(
    slug="categorical-nb",
    work="Naive Bayes of categories: learn a long table of integer codes, predict a quarter as many rows",
    make=make,
    contenders=[
        estimator(
            "classica",
            "classica:NaiveBayesClassifier",
            ours=True,
            categorical_features=list(range(N_COLUMNS)),
        ),
        estimator("scikit-learn", "sklearn.naive_bayes:CategoricalNB"),
    ],
    agree=same_labels,
    target=4,
)
