"""Nearest mean on a long float32 table."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.benchmark import Benchmark, Contender, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator

# Means and distances of float32 rows may be rounded in float32, so that a row which lies within
# this relative difference of two means has no one right answer.
_TIE = 1e-5


def make(quick: bool, seed: int) -> Data:
    """Draw ten overlapping classes in 50 columns."""
    n_rows, n_new = (80_000, 20_000) if quick else (800_000, 200_000)
    return gaussian_blobs(n_rows, n_new, n_columns=50, n_classes=10, seed=seed, dtype=np.float32)


def same_but_for_ties(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
    """Labels are the same, except where both means are equally near within float32 rounding."""
    rows = np.flatnonzero(ours != theirs)
    own, other = (_squared_distances(data, rows, answer[rows]) for answer in (ours, theirs))
    wrong = int(np.count_nonzero(np.abs(own - other) > _TIE * np.minimum(own, other)))
    return f"{wrong:,} labels of {ours.size:,} that rounding does not explain" if wrong else None


def _squared_distances(data: Data, rows: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.float64]:
    means = np.zeros((int(data.labels.max()) + 1, data.rows.shape[1]))
    for label in np.unique(labels):
        means[label] = data.rows[data.labels == label].mean(axis=0, dtype=np.float64)
    squares: NDArray[np.float64] = np.sum((data.new_rows[rows] - means[labels]) ** 2, axis=1)
    return squares


def _fit_faiss(data: Data) -> Any:
    """Index the class means: faiss has the search, the means are NumPy's."""
    classes = np.unique(data.labels)
    means = np.stack([data.rows[data.labels == label].mean(axis=0) for label in classes])
    index = import_module("faiss").IndexFlatL2(means.shape[1])
    index.add(means)
    return classes, index


def _predict_faiss(data: Data, model: Any) -> NDArray[Any]:
    classes, index = model
    labels: NDArray[Any] = classes[index.search(data.new_rows, 1)[1][:, 0]]
    return labels


BENCHMARK = Benchmark(
    slug="nearest-mean-float32",
    work="Nearest mean: learn a long float32 table, predict a quarter as many rows",
    make=make,
    contenders=[
        estimator("classica", "classica:NearestMeanClassifier", ours=True),
        estimator("scikit-learn", "sklearn.neighbors:NearestCentroid"),
        Contender("faiss-cpu", _fit_faiss, _predict_faiss, requires="faiss"),
    ],
    agree=same_but_for_ties,
    target=5,
)
