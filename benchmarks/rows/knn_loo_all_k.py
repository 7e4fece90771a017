"""Leave-one-out errors of every K: one pass against a loop."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.agreement import same_labels
from benchmarks.benchmark import Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator

_LARGEST = 50


def make(quick: bool, seed: int) -> Data:
    """Draw two overlapping classes in 16 columns."""
    return gaussian_blobs(600 if quick else 3_000, 2, n_columns=16, n_classes=2, seed=seed)


def _every_k(data: Data, model: Any) -> NDArray[Any]:
    return _odd(model.leave_one_out_errors(_LARGEST).decrease)


def _loop(data: Data, model: Any) -> NDArray[Any]:
    """Ask for the training rows themselves, each left out, once per K."""
    errors = []
    for k in range(1, _LARGEST + 1):
        model.set_params(n_neighbors=k).fit(data.rows, data.labels)
        errors.append(np.count_nonzero(model.predict(None) != data.labels))
    return _odd(np.array(errors))


def _odd(errors: NDArray[Any]) -> NDArray[Any]:
    """Keep the odd K: between two classes these have no ties, for which the rules differ."""
    return errors[::2]


BENCHMARK = Benchmark(
    slug="knn-loo-all-k",
    work=f"Nearest neighbours: leave-one-out errors of every K up to {_LARGEST}",
    make=make,
    contenders=[
        replace(estimator("classica", "classica:KNeighborsClassifier", ours=True), predict=_every_k),
        replace(estimator("scikit-learn", "sklearn.neighbors:KNeighborsClassifier"), predict=_loop),
    ],
    agree=same_labels,
    target=20,
)
