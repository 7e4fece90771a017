"""A whole tree, by the Gini index and by entropy, on a long float32 table."""

from benchmarks.agreement import accuracy_not_lower
from benchmarks.benchmark import Benchmark, Data
from benchmarks.estimator import estimator
from benchmarks.regions import labelled_regions


def make(quick: bool, seed: int) -> Data:
    """Draw five classes that curved regions of 50 columns tell apart, with noise."""
    n_rows, n_new = (10_000, 2_000) if quick else (200_000, 50_000)
    return labelled_regions(n_rows, n_new, n_columns=50, n_classes=5, seed=seed)


def _benchmark(slug: str, criterion: str, words: str) -> Benchmark:
    return Benchmark(
        slug=slug,
        work=f"Decision tree: grow by {words} to the end, predict a quarter as many rows",
        make=make,
        contenders=[
            estimator("classica", "classica:DecisionTreeClassifier", ours=True, criterion=criterion),
            estimator(
                "scikit-learn", "sklearn.tree:DecisionTreeClassifier", criterion=criterion, random_state=0
            ),
        ],
        # Splits that are equally good are many near the leaves; each takes its own.
        agree=accuracy_not_lower(0.01),
        target=10,
    )


BENCHMARKS = [
    _benchmark("tree", "gini", "the Gini index"),
    _benchmark("tree-entropy", "entropy", "entropy"),
]
