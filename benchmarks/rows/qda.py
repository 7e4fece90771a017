"""The quadratic discriminant on a long float64 table."""

from benchmarks.agreement import nearly_same_labels
from benchmarks.benchmark import Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator


def make(quick: bool, seed: int) -> Data:
    """Draw ten overlapping classes in 50 columns."""
    n_rows, n_new = (40_000, 10_000) if quick else (400_000, 100_000)
    return gaussian_blobs(n_rows, n_new, n_columns=50, n_classes=10, seed=seed)


BENCHMARK = Benchmark(
    slug="qda",
    work="Quadratic discriminant: learn a long float64 table, predict a quarter as many rows",
    make=make,
    contenders=[
        estimator("classica", "classica:QuadraticDiscriminantClassifier", ours=True),
        estimator("scikit-learn", "sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis"),
    ],
    # scikit-learn divides covariances by n, ours by n - 1.
    agree=nearly_same_labels(1e-3),
    target=15,
)
