"""A tree asked for one row at a time: what a prediction server does."""

from benchmarks.agreement import nearly_same_labels
from benchmarks.benchmark import Benchmark, Data
from benchmarks.estimator import estimator
from benchmarks.regions import labelled_regions


def make(quick: bool, seed: int) -> Data:
    """Draw five classes in 20 columns; each new row is one call."""
    n_rows, n_new = (5_000, 500) if quick else (50_000, 2_000)
    return labelled_regions(n_rows, n_new, n_columns=20, n_classes=5, seed=seed)


BENCHMARK = Benchmark(
    slug="tree-one-row",
    work="Decision tree: predict one row per call, the median call",
    make=make,
    contenders=[
        estimator("classica", "classica:DecisionTreeClassifier", ours=True, min_samples_leaf=20),
        estimator("scikit-learn", "sklearn.tree:DecisionTreeClassifier", min_samples_leaf=20, random_state=0),
    ],
    agree=nearly_same_labels(0.01),
    target=20,
    compared="predict",
    one_row=True,
)
