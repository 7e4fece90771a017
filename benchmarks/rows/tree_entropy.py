"""A whole tree by entropy on a long float32 table."""

from benchmarks.agreement import accuracy_not_lower
from benchmarks.benchmark import Benchmark, Data
from benchmarks.estimator import estimator
from benchmarks.regions import labelled_regions


def make(quick: bool, seed: int) -> Data:
    """Draw five classes that curved regions of 50 columns tell apart, with noise."""
    n_rows, n_new = (10_000, 2_000) if quick else (200_000, 50_000)
    return labelled_regions(n_rows, n_new, n_columns=50, n_classes=5, seed=seed)


BENCHMARK = Benchmark(
    slug="tree-entropy",
    work="Decision tree: grow by entropy to the end, predict a quarter as many rows",
    make=make,
    contenders=[
        estimator("classica", "classica:DecisionTreeClassifier", ours=True, criterion="entropy"),
        estimator("scikit-learn", "sklearn.tree:DecisionTreeClassifier", criterion="entropy", random_state=0),
    ],
    # Splits that are equally good are many near the leaves; each takes its own.
    agree=accuracy_not_lower(0.01),
    target=10,
)
