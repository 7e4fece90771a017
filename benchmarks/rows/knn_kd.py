"""Nearest neighbours by k-d tree in few columns: build and query."""

from functools import partial

from benchmarks.agreement import same_neighbours
from benchmarks.benchmark import FASTEST, Benchmark, Data
from benchmarks.neighbours import pykdtree, scipy_tree, searchers
from benchmarks.uniform import uniform_rows


def make(quick: bool, seed: int, n_columns: int) -> Data:
    """Draw a long table, and a fifth as many queries."""
    n_rows, n_new = (40_000, 8_000) if quick else (500_000, 100_000)
    return uniform_rows(n_rows, n_new, n_columns, seed=seed)


BENCHMARKS = [
    Benchmark(
        slug=f"knn-kd-{n_columns}",
        work=f"Nearest neighbours, k-d tree: build, then the 5 nearest in {n_columns} columns",
        make=partial(make, n_columns=n_columns),
        contenders=[*searchers("kd_tree"), scipy_tree(), pykdtree()],
        agree=same_neighbours(tie=1e-9),
        target=1.5,
        reference=FASTEST,
    )
    for n_columns in (3, 8)
]
