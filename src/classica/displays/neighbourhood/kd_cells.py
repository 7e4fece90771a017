"""The k-d tree of the lecture, as cells of the plane: cut at the median, again and again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats


@dataclass(frozen=True)
class KDCell:
    """A part of the plane, and how it is cut.

    Attributes
    ----------
    level : int
        How many cuts led to it: 0 for the whole plane.
    low, high : ndarray of shape (2,)
        Its corners.
    rows : ndarray
        The rows in it.
    axis : int
        The axis across which it is cut; -1 if it is not.
    cut : float
        Where; NaN if it is not.
    """

    level: int
    low: Floats
    high: Floats
    rows: NDArray[np.intp]
    axis: int
    cut: float


def kd_cells(points: Floats, low: Floats, high: Floats, *, axis: str, leaf_size: int) -> list[KDCell]:
    """Return the cells of all levels, a parent before its children.

    Parameters
    ----------
    points : ndarray of shape (n_rows, 2)
        The rows.
    low, high : ndarray of shape (2,)
        The corners of the whole.
    axis : {"widest", "alternate"}
        Whether to cut the axis along which the rows of a cell spread most, or one axis after the other.
    leaf_size : int
        Cells with at most so many rows are not cut, nor those whose rows all lie at one place.
    """
    cells = []
    waiting = deque([(0, low, high, np.arange(len(points)))])
    while waiting:
        level, bottom, top, rows = waiting.popleft()
        spreads = np.ptp(points[rows], axis=0)
        across = _axis(spreads, level, axis)
        if len(rows) <= leaf_size or spreads[across] == 0:
            cells.append(KDCell(level, bottom, top, rows, -1, np.nan))
            continue
        # Half of the rows on either side; of rows at the median itself the first ones go below.
        order = rows[np.lexsort([rows, points[rows, across]])]
        below, above = order[: len(order) // 2], order[len(order) // 2 :]
        cut = (points[below[-1], across] + points[above[0], across]) / 2
        cells.append(KDCell(level, bottom, top, rows, across, float(cut)))
        middle_top, middle_bottom = top.copy(), bottom.copy()
        middle_top[across] = middle_bottom[across] = cut
        waiting.append((level + 1, bottom, middle_top, np.sort(below)))
        waiting.append((level + 1, middle_bottom, top, np.sort(above)))
    return cells


def _axis(spreads: Floats, level: int, rule: str) -> int:
    if rule == "widest":
        return int(spreads.argmax())
    turn = level % 2
    return turn if spreads[turn] > 0 else 1 - turn
