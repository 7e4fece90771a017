"""The linear discriminant on a long float64 table."""

from benchmarks.agreement import nearly_same_labels
from benchmarks.benchmark import FASTEST, Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator

_PEER = "sklearn.discriminant_analysis:LinearDiscriminantAnalysis"


def make(quick: bool, seed: int) -> Data:
    """Draw ten overlapping classes in 100 columns."""
    n_rows, n_new = (40_000, 10_000) if quick else (400_000, 100_000)
    return gaussian_blobs(n_rows, n_new, n_columns=100, n_classes=10, seed=seed, spread=0.2)


BENCHMARK = Benchmark(
    slug="lda",
    work="Linear discriminant: learn a long float64 table, predict a quarter as many rows",
    make=make,
    contenders=[
        estimator("classica", "classica:LinearDiscriminantClassifier", ours=True),
        estimator("scikit-learn svd", _PEER),
        estimator("scikit-learn lsqr", _PEER, solver="lsqr"),
        estimator("scikit-learn eigen", _PEER, solver="eigen"),
    ],
    # scikit-learn divides the covariance by n, ours by n - C.
    agree=nearly_same_labels(1e-4),
    target=3,
    reference=FASTEST,
)
