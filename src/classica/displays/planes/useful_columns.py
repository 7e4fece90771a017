"""Which two columns tell the classes apart best, judged by small trees on rows they have not seen."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from classica.displays.planes.table_view import TableView
from classica.native import Floats

_ROWS = 2000  # more do not change which columns are best
_SINGLE = 40  # columns judged one by one
_ALONE = 0.2  # how much the columns by themselves count beside the pair: they settle what is nearly equal
_PAIRED = 7  # columns judged in pairs


def two_useful_columns(view: TableView, codes: NDArray[np.intp]) -> tuple[int, int]:
    """Return the places of the pair of columns by which a small tree tells the classes best.

    The columns that do best alone are tried in pairs; many columns are first sorted by how much of their
    variance lies between the classes. Of equal pairs the first one is taken.
    """
    matrix, codes = _some_rows(_filled(view), codes)
    folds = _folds(codes)
    varied = [place for place in range(matrix.shape[1]) if np.ptp(matrix[:, place]) > 0]
    if not folds or len(varied) < 2:
        first = varied[0] if varied else 0
        return first, next(place for place in range(matrix.shape[1]) if place != first)
    if len(varied) > _SINGLE:
        varied = sorted(varied, key=lambda place: -_between(matrix[:, place], codes))[:_SINGLE]
    alone = {place: _told(matrix[:, [place]], codes, folds) for place in varied}
    best = sorted(varied, key=lambda place: -alone[place])[:_PAIRED]
    pairs = list(combinations(sorted(best), 2))
    return max(
        pairs,
        key=lambda pair: (
            _told(matrix[:, list(pair)], codes, folds) + _ALONE * (alone[pair[0]] + alone[pair[1]])
        ),
    )


Folds = list[tuple[NDArray[np.intp], NDArray[np.intp]]]


def _filled(view: TableView) -> Floats:
    """Return the cells with typical ones in the gaps."""
    usual = np.array([view.typical(place) for place in range(len(view.names))])
    filled: Floats = np.where(np.isnan(view.matrix), np.nan_to_num(usual), view.matrix)
    return filled


def _some_rows(matrix: Floats, codes: NDArray[np.intp]) -> tuple[Floats, NDArray[np.intp]]:
    """Return a sample of the rows of classes that have at least two."""
    rows = np.flatnonzero(np.bincount(codes)[codes] >= 2)
    if len(rows) > _ROWS:
        rows = np.sort(np.random.default_rng(0).choice(rows, _ROWS, replace=False))
        rows = rows[np.bincount(codes[rows])[codes[rows]] >= 2]
    return matrix[rows], codes[rows]


def _folds(codes: NDArray[np.intp]) -> Folds:
    counts = np.unique(codes, return_counts=True)[1]
    if len(counts) < 2:
        return []
    splitter = StratifiedKFold(min(5, int(counts.min())), shuffle=True, random_state=0)
    return list(splitter.split(codes[:, None], codes))


def _told(matrix: Floats, codes: NDArray[np.intp], folds: Folds) -> float:
    leaves = 2 * len(np.unique(codes))
    said = np.empty_like(codes)
    for learned, asked in folds:
        tree = DecisionTreeClassifier(max_leaf_nodes=leaves, class_weight="balanced", random_state=0)
        said[asked] = tree.fit(matrix[learned], codes[learned]).predict(matrix[asked])
    return float(balanced_accuracy_score(codes, said))


def _between(column: Floats, codes: NDArray[np.intp]) -> float:
    """Return the share of the variance that lies between the classes."""
    ranks = column.argsort(kind="stable").argsort(kind="stable").astype(float)  # large values must not decide
    means = np.bincount(codes, ranks)[codes] / np.bincount(codes)[codes]
    return float(means.var() / ranks.var())
