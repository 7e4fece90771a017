"""The chance floor: labels drawn by the class shares."""

from benchmarks.agreement import same_shares
from benchmarks.benchmark import Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator


def make(quick: bool, seed: int) -> Data:
    """Draw five classes in 10 columns; both sizes are small."""
    n_rows = 50_000 if quick else 100_000
    return gaussian_blobs(n_rows, n_rows, n_columns=10, n_classes=5, seed=seed)


BENCHMARK = Benchmark(
    slug="chance",
    work="Chance: learn the class shares, draw as many labels by them",
    make=make,
    contenders=[
        estimator("classica", "classica:ChanceClassifier", ours=True, strategy="stratified", random_state=0),
        estimator("scikit-learn", "sklearn.dummy:DummyClassifier", strategy="stratified", random_state=0),
    ],
    agree=same_shares,
    target=1,
)
