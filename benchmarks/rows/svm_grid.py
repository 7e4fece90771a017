"""A grid of C and gamma by five-fold cross-validation: shared kernels against one fit after the other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from benchmarks.benchmark import Benchmark, Contender, Data
from benchmarks.regions import labelled_regions
from classica import SVMClassifier, coarse_to_fine

_GRID = {"C": [0.01, 0.1, 1.0, 10.0, 100.0], "gamma": [0.001, 0.01, 0.1, 1.0]}


def make(quick: bool, seed: int) -> Data:
    """Draw two classes in 20 columns."""
    data = labelled_regions(300 if quick else 2_000, 2, n_columns=20, n_classes=2, seed=seed)
    return Data(data.rows.astype(np.float64), data.labels, data.new_rows.astype(np.float64), data.new_labels)


def _ours(data: Data) -> Any:
    return coarse_to_fine(SVMClassifier(), _GRID, data.rows, data.labels, cv=5, max_rounds=0, refit=False)


def _search(data: Data) -> Any:
    return GridSearchCV(SVC(), _GRID, cv=5, refit=False, n_jobs=-1).fit(data.rows, data.labels)


def _our_scores(data: Data, search: Any) -> NDArray[Any]:
    return np.array([point.mean for point in search.points])


def _their_scores(data: Data, search: Any) -> NDArray[Any]:
    scores: NDArray[Any] = search.cv_results_["mean_test_score"]
    return scores


def _close(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
    """Every score is the same but for rows so near the boundary that the tolerance decides."""
    apart = float(np.abs(ours - theirs).max())
    # A few rows in a thousand, and a single one of a small table.
    return None if apart <= 0.002 + 1.5 / len(data.labels) else f"scores up to {apart:.4f} apart"


BENCHMARK = Benchmark(
    slug="svm-grid",
    work="Support vector machine, rbf: cross-validate 20 pairs of C and gamma in five parts",
    make=make,
    contenders=[
        Contender("classica", _ours, _our_scores, requires="classica", ours=True),
        Contender("scikit-learn", _search, _their_scores, requires="sklearn"),
    ],
    agree=_close,
    target=5,
    compared="fit",
)
