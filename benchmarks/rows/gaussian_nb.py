"""Gaussian naive Bayes on a long float64 table."""

from benchmarks.agreement import same_labels
from benchmarks.benchmark import Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator


def make(quick: bool, seed: int) -> Data:
    """Draw ten overlapping classes in 50 columns."""
    n_rows, n_new = (80_000, 20_000) if quick else (800_000, 200_000)
    return gaussian_blobs(n_rows, n_new, n_columns=50, n_classes=10, seed=seed)


BENCHMARK = Benchmark(
    slug="gaussian-nb",
    work="Gaussian naive Bayes: learn a long float64 table, predict a quarter as many rows",
    make=make,
    contenders=[
        estimator("classica", "classica:NaiveBayesClassifier", ours=True),
        estimator("scikit-learn", "sklearn.naive_bayes:GaussianNB"),
    ],
    agree=same_labels,
    target=4,
)
