"""The plane that shows classes best: discriminant and principal axes, or the two most useful columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from classica.displays.planes.table_view import TableView
from classica.native import Floats
from classica.threads import one_blas_thread

_DIRECTIONS = 50  # principal directions the discriminant axes are sought in


@dataclass(frozen=True)
class Projection:
    """Rows seen from the side that tells the classes best.

    Attributes
    ----------
    points : ndarray of shape (n_rows, 2)
        The rows on the plane.
    names : list of str
        What the two axes are, with the columns that count most.
    """

    points: Floats
    names: list[str]

    @classmethod
    def of(cls, view: TableView, codes: NDArray[np.intp]) -> Projection:
        """Return the first two discriminant axes; where there is one alone, a principal axis across it."""
        columns, owners = _standardised(view)
        with one_blas_thread():
            white, back = _principal(columns, min(_DIRECTIONS, len(columns) - 1))
            axes = _discriminant(white, codes)
            kinds = ["discriminant axis"] * axes.shape[1]
            while axes.shape[1] < 2:
                axes = np.column_stack([axes, _across(white * np.linalg.norm(back, axis=0), axes)])
                kinds.append("principal axis")
            weights = back @ axes if axes.shape[0] else np.zeros((columns.shape[1], 2))
        points: Floats = columns @ weights
        signs = np.where(weights[np.abs(weights).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
        names = [
            f"{kind} {number}\n{_plane_note(view, owners, weights[:, axis])}"
            for axis, (kind, number) in enumerate(zip(kinds, _numbers(kinds), strict=True))
        ]
        return cls(points * signs, names)


def _standardised(view: TableView) -> tuple[Floats, list[int]]:
    """Return columns of mean 0 and deviation 1, one for each level of a category, and whose they are."""
    parts, owners = [], []
    for index in range(len(view.names)):
        cells = view.matrix[:, [index]]
        present = ~np.isnan(cells)
        if index in view.levels:
            part = (cells == np.arange(len(view.levels[index]))).astype(float)
        else:
            part = np.where(present, cells, cells[present].mean() if present.any() else 0.0)
        spread = part.std(axis=0)
        part = (part - part.mean(axis=0))[:, spread > 0] / spread[spread > 0]
        parts.append(part)
        owners += [index] * part.shape[1]
    return np.column_stack([*parts, np.empty((len(view.matrix), 0))]), owners


def _principal(columns: Floats, most: int) -> tuple[Floats, Floats]:
    """Return the rows along principal directions with unit variance, and the map that leads there."""
    _, values, directions = np.linalg.svd(columns, full_matrices=False)
    kept = np.flatnonzero(values > 1e-9 * values.max(initial=0.0))[: max(most, 0)]
    back: Floats = directions[kept].T / values[kept] * np.sqrt(len(columns))
    return columns @ back, back


def _discriminant(white: Floats, codes: NDArray[np.intp]) -> Floats:
    classes = len(np.unique(codes))
    if classes < 2 or white.shape[1] == 0 or len(white) <= classes:
        return np.empty((white.shape[1], 0))
    model = LinearDiscriminantAnalysis(solver="eigen", shrinkage=1e-6).fit(white, codes)
    axes: Floats = np.asarray(model.scalings_, dtype=np.float64)[:, : min(2, classes - 1, white.shape[1])]
    return axes


def _across(scaled: Floats, axes: Floats) -> Floats:
    """Return the direction of most variance that is not yet an axis."""
    if scaled.shape[1] <= axes.shape[1]:
        return np.zeros(scaled.shape[1])
    base = np.linalg.qr(axes)[0] if axes.size else np.zeros((scaled.shape[1], 1))
    rest = scaled - (scaled @ base) @ base.T
    direction: Floats = np.linalg.svd(rest, full_matrices=False)[2][0]
    return direction


def _numbers(kinds: list[str]) -> list[int]:
    return [kinds[: index + 1].count(kind) for index, kind in enumerate(kinds)]


def _plane_note(view: TableView, owners: list[int], weights: Floats) -> str:
    """Return the two columns that count most on an axis."""
    total = np.bincount(owners, np.abs(weights), minlength=len(view.names)) if owners else np.zeros(1)
    first = [view.names[index] for index in np.argsort(-total, kind="stable")[:2] if total[index] > 0]
    return "mostly " + " and ".join(first) if first else "no column varies"


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
    varied = [index for index in range(matrix.shape[1]) if np.ptp(matrix[:, index]) > 0]
    if not folds or len(varied) < 2:
        first = varied[0] if varied else 0
        return first, next(index for index in range(matrix.shape[1]) if index != first)
    if len(varied) > _SINGLE:
        varied = sorted(varied, key=lambda index: -_between(matrix[:, index], codes))[:_SINGLE]
    alone = {index: _separation(matrix[:, [index]], codes, folds) for index in varied}
    best = sorted(varied, key=lambda index: -alone[index])[:_PAIRED]
    pairs = list(combinations(sorted(best), 2))
    return max(
        pairs,
        key=lambda pair: (
            _separation(matrix[:, list(pair)], codes, folds) + _ALONE * (alone[pair[0]] + alone[pair[1]])
        ),
    )


Folds = list[tuple[NDArray[np.intp], NDArray[np.intp]]]


def _filled(view: TableView) -> Floats:
    """Return the cells with typical ones in the gaps."""
    usual = np.array([view.typical(index) for index in range(len(view.names))])
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


def _separation(matrix: Floats, codes: NDArray[np.intp], folds: Folds) -> float:
    leaves = 2 * len(np.unique(codes))
    predicted = np.empty_like(codes)
    for learned, asked in folds:
        tree = DecisionTreeClassifier(max_leaf_nodes=leaves, class_weight="balanced", random_state=0)
        predicted[asked] = tree.fit(matrix[learned], codes[learned]).predict(matrix[asked])
    return float(balanced_accuracy_score(codes, predicted))


def _between(column: Floats, codes: NDArray[np.intp]) -> float:
    """Return the share of the variance that lies between the classes."""
    ranks = column.argsort(kind="stable").argsort(kind="stable").astype(float)  # large values must not decide
    means = np.bincount(codes, ranks)[codes] / np.bincount(codes)[codes]
    return float(means.var() / ranks.var())
