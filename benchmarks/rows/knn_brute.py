"""Nearest neighbours by brute force on wide float32 rows."""

import numpy as np

from benchmarks.agreement import same_neighbours
from benchmarks.benchmark import FASTEST, Benchmark, Data
from benchmarks.neighbours import faiss_flat, matrix_product, searchers
from benchmarks.uniform import uniform_rows


def make(quick: bool, seed: int) -> Data:
    """Draw rows in 256 columns, where no tree helps."""
    n_rows, n_new = (5_000, 1_000) if quick else (25_000, 5_000)
    return uniform_rows(n_rows, n_new, n_columns=256, seed=seed, dtype=np.float32)


BENCHMARK = Benchmark(
    slug="knn-brute",
    work="Nearest neighbours, brute force: the 5 nearest of wide float32 rows",
    make=make,
    contenders=[*searchers("brute"), faiss_flat(), matrix_product(within=1.6)],
    agree=same_neighbours(tie=1e-4),
    target=1.5,
    reference=FASTEST,
    compared="predict",
)
