"""Logistic regression asked for one row at a time: what a prediction server does."""

from benchmarks.agreement import nearly_same_labels
from benchmarks.benchmark import Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator


def make(quick: bool, seed: int) -> Data:
    """Draw ten overlapping classes in 50 columns; each new row is one call."""
    n_rows, n_new = (10_000, 500) if quick else (50_000, 2_000)
    return gaussian_blobs(n_rows, n_new, n_columns=50, n_classes=10, seed=seed)


BENCHMARK = Benchmark(
    slug="logistic-one-row",
    work="Logistic regression: predict one row per call, the median call",
    make=make,
    contenders=[
        estimator("classica", "classica:LogisticClassifier", ours=True),
        estimator("scikit-learn", "sklearn.linear_model:LogisticRegression"),
    ],
    # Each stops at its own tolerance.
    agree=nearly_same_labels(1e-3),
    target=10,
    compared="predict",
    one_row=True,
)
