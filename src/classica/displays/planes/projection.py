"""The plane on which classes lie farthest apart for their spread: discriminant axes, then principal ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

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
            f"{kind} {number}\n{_told(view, owners, weights[:, axis])}"
            for axis, (kind, number) in enumerate(zip(kinds, _numbers(kinds), strict=True))
        ]
        return cls(points * signs, names)


def _standardised(view: TableView) -> tuple[Floats, list[int]]:
    """Return columns of mean 0 and deviation 1, one for each level of a category, and whose they are."""
    parts, owners = [], []
    for place in range(len(view.names)):
        cells = view.matrix[:, [place]]
        known = ~np.isnan(cells)
        if place in view.levels:
            part = (cells == np.arange(len(view.levels[place]))).astype(float)
        else:
            part = np.where(known, cells, cells[known].mean() if known.any() else 0.0)
        spread = part.std(axis=0)
        part = (part - part.mean(axis=0))[:, spread > 0] / spread[spread > 0]
        parts.append(part)
        owners += [place] * part.shape[1]
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
    return [kinds[: place + 1].count(kind) for place, kind in enumerate(kinds)]


def _told(view: TableView, owners: list[int], weights: Floats) -> str:
    """Return the two columns that count most on an axis."""
    total = np.bincount(owners, np.abs(weights), minlength=len(view.names)) if owners else np.zeros(1)
    first = [view.names[place] for place in np.argsort(-total, kind="stable")[:2] if total[place] > 0]
    return "mostly " + " and ".join(first) if first else "no column varies"
