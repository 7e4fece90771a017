"""A whole regression tree on a long float32 table."""

from benchmarks.agreement import error_not_higher
from benchmarks.benchmark import Benchmark, Data
from benchmarks.estimator import estimator
from benchmarks.regions import valued_regions


def make(quick: bool, seed: int) -> Data:
    """Draw a target that curved regions of 30 columns tell, with noise."""
    n_rows, n_new = (10_000, 2_000) if quick else (200_000, 50_000)
    return valued_regions(n_rows, n_new, n_columns=30, seed=seed)


BENCHMARK = Benchmark(
    slug="tree-regressor",
    work="Regression tree: grow by squared error to the end, predict a quarter as many rows",
    make=make,
    contenders=[
        estimator("classica", "classica:DecisionTreeRegressor", ours=True),
        estimator("scikit-learn", "sklearn.tree:DecisionTreeRegressor", random_state=0),
    ],
    agree=error_not_higher(0.02),
    target=10,
)
