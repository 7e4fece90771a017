"""Nearest neighbours: how the cost grows with the number of rows, by brute force and by k-d tree."""

from dataclasses import replace
from math import log2

from benchmarks.benchmark import Data
from benchmarks.growth import Cost, Growth, Line
from benchmarks.neighbours import searchers
from benchmarks.uniform import uniform_rows

_ROWS = Cost("n", lambda n: n)


def make(quick: bool, seed: int) -> Data:
    """Draw rows in 3 columns, where a tree is at its best."""
    return uniform_rows(2**17 if quick else 2**20, 1_000, n_columns=3, seed=seed)


GROWTH = Growth(
    slug="knn-growth",
    work="Nearest neighbours: time against the number of rows",
    make=make,
    lines=[
        Line(replace(searchers("brute")[0], name="brute force"), fit=_ROWS, query=_ROWS),
        Line(
            replace(searchers("kd_tree")[0], name="k-d tree"),
            fit=Cost("n log² n", lambda n: n * log2(n) ** 2),
            query=Cost("log n", log2),
        ),
    ],
)
