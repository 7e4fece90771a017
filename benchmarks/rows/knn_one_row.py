"""Nearest neighbours asked for one row at a time: what a prediction server does."""

from benchmarks.agreement import same_labels
from benchmarks.benchmark import Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator


def make(quick: bool, seed: int) -> Data:
    """Draw two overlapping classes in 8 columns: an odd vote between two has no ties."""
    n_rows, n_new = (20_000, 300) if quick else (50_000, 1_000)
    return gaussian_blobs(n_rows, n_new, n_columns=8, n_classes=2, seed=seed)


BENCHMARK = Benchmark(
    slug="knn-one-row",
    work="Nearest neighbours: predict one row per call, the median call",
    make=make,
    contenders=[
        estimator("classica", "classica:KNeighborsClassifier", ours=True),
        estimator("scikit-learn", "sklearn.neighbors:KNeighborsClassifier"),
    ],
    agree=same_labels,
    target=10,
    compared="predict",
    one_row=True,
)
