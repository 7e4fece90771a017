"""Ten epochs of a perceptron on a long float64 table."""

from benchmarks.agreement import accuracy_not_lower
from benchmarks.benchmark import FASTEST, Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator

_EPOCHS = 10


def make(quick: bool, seed: int) -> Data:
    """Draw two classes that overlap a little in 50 columns."""
    n_rows, n_new = (50_000, 10_000) if quick else (250_000, 50_000)
    return gaussian_blobs(n_rows, n_new, n_columns=50, n_classes=2, seed=seed, spread=0.25)


BENCHMARK = Benchmark(
    slug="perceptron",
    work="Perceptron: ten epochs in random order on a long float64 table, predict a fifth as many rows",
    make=make,
    contenders=[
        # Ours averages, which costs more than to keep the last weights; but these are as good as chance has
        # it, and differ between any two orders. The peer that averages too is the one whose answers count;
        # the plain one is there for its time.
        estimator("classica", "classica:PerceptronClassifier", ours=True, max_iter=_EPOCHS, random_state=0),
        estimator(
            "scikit-learn Perceptron",
            "sklearn.linear_model:Perceptron",
            max_iter=_EPOCHS,
            tol=None,
            random_state=0,
        ),
        estimator(
            "scikit-learn SGD averaged",
            "sklearn.linear_model:SGDClassifier",
            loss="perceptron",
            penalty=None,
            learning_rate="constant",
            eta0=1.0,
            average=True,
            max_iter=_EPOCHS,
            tol=None,
            random_state=0,
        ),
    ],
    # Two averages over different orders; of 50,000 rows 0.1 % is less than their difference by chance.
    agree=accuracy_not_lower(1e-3),
    target=5,
    reference=FASTEST,
)
