"""How rows are compared: the metric's kernel, and what is done to rows before they reach it.

Cosine and Mahalanobis distances are Euclidean ones between transformed rows (unit vectors; whitened
rows), so they share its exactness: a row is at distance 0 from itself, and shifts do no harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import Rows
from classica.errors import ParameterError, must
from classica.native import METRICS, Floats

#: The metrics by name: those of the kernel, and those of transformed rows. A callable or "precomputed"
#: goes its own way.
NAMES = (*METRICS, "cosine", "mahalanobis")
MIXED = ("heom", "gower")


@dataclass(frozen=True)
class RowMetric:
    """A metric fixed on training rows."""

    name: str
    kernel: str
    power: float = 2.0
    center: Floats | None = None  # subtracted before ...
    matrix: Floats | None = None  # ... multiplying by it (Mahalanobis)
    ranges: Floats | None = None  # divided by (mixed metrics)
    unit: float = 1.0  # divided by, so that powers do not overflow
    categorical: NDArray[np.uint8] | None = None

    @property
    def structures(self) -> tuple[str, ...]:
        """The search structures that are exact for it."""
        every = ["brute", "partial"]
        if self.name in ("cosine", *MIXED):
            return tuple(every)
        minkowski = self.kernel != "hamming"
        triangle = self.kernel != "minkowski" or self.power >= 1
        if minkowski and self.name != "mahalanobis":
            every += ["kd_tree", "annulus"] if triangle else ["kd_tree"]
        return tuple(every + ["ball_tree"] * triangle)

    def prepare(self, X: Any) -> Any:
        """Return the rows as the kernel compares them."""
        if self.name == "cosine":
            return _unit_rows(np.asarray(X, dtype=np.float64))
        with np.errstate(over="ignore"):  # a cell far outside a tiny range is as far away as can be
            if self.matrix is not None:
                return _product((X - self.center) / self.unit, self.matrix)
            if self.unit != 1.0:
                return np.asarray(X / self.unit, dtype=X.dtype)
            if self.ranges is not None:
                return np.asarray(X, dtype=np.float64) / self.ranges
        return X

    def distances(self, ranks: Floats, columns: int) -> Floats:
        """Return the distances of the kernel's ranks."""
        if self.name == "cosine":
            return ranks / 2
        if self.kernel in ("euclidean", "heom"):
            return np.sqrt(ranks)
        if self.kernel == "minkowski":
            return np.asarray(ranks ** (1 / self.power) * self.unit)
        return ranks / columns if self.kernel == "hamming" else ranks


def make_metric(
    name: str, p: float, parameters: dict[str, Any] | None, X: Rows, categorical: NDArray[np.bool_]
) -> RowMetric:
    """Return the metric fixed on the training rows X."""
    given = dict(parameters or {})
    if name == "minkowski":
        kernel = {1.0: "manhattan", 2.0: "euclidean"}.get(float(p), "minkowski")
        unit = _power_of_two(X) if kernel == "minkowski" else 1.0
        metric = RowMetric(name, kernel, float(p), unit=unit)
    elif name == "mahalanobis":
        metric = _mahalanobis(X, given.pop("V", None), given.pop("VI", None))
    elif name in MIXED:
        metric = RowMetric(
            name, name, ranges=_ranges(X, categorical), categorical=categorical.astype(np.uint8)
        )
    else:
        metric = RowMetric(name, "euclidean" if name == "cosine" else name)
    if given:
        raise ParameterError(must(f"metric_params of {name}", "V or VI, for mahalanobis only", sorted(given)))
    return metric


def _product(X: Floats, matrix: Floats) -> Floats:
    """Return ``X @ matrix``, column by column: a row's result does not depend on the rows around it."""
    total = np.zeros((X.shape[0], matrix.shape[1]))
    for column, row in zip(X.T, matrix, strict=True):
        total += column[:, None] * row
    return total


def _power_of_two(X: Rows) -> float:
    """Return the power of two just above the largest magnitude: dividing by it is exact."""
    return float(np.ldexp(1.0, int(np.frexp(float(np.abs(X).max(initial=0.0)))[1])))


def _unit_rows(X: Floats) -> Floats:
    """Return unit vectors; a row of zeros gets an axis of its own, at cosine distance 1 from all others."""
    largest = np.abs(X).max(axis=1, keepdims=True, initial=0.0)
    scaled = np.zeros(X.shape)
    np.divide(X, largest, out=scaled, where=largest > 0)
    length = np.zeros(X.shape[0])
    for column in scaled.T:  # in column order, whatever the memory order
        length += column * column
    length = np.sqrt(length)[:, None]
    unit = np.divide(scaled, length, out=scaled, where=length > 0)
    return np.hstack([unit, (length == 0).astype(np.float64)])


def _mahalanobis(X: Rows, covariance: Any, inverse: Any) -> RowMetric:
    """Return the metric in units of the data's own magnitude, where no square overflows or vanishes."""
    rows = np.ascontiguousarray(X, dtype=np.float64)  # sums depend on the memory order
    center = rows.mean(axis=0)
    unit = _power_of_two(rows - center)
    if inverse is not None:
        inverse = np.asarray(inverse, dtype=np.float64) * unit * unit
    elif covariance is not None:
        inverse = np.linalg.pinv(np.asarray(covariance, dtype=np.float64) / unit / unit, hermitian=True)
    else:
        spread = np.cov((rows - center) / unit, rowvar=False) if len(rows) > 1 else np.zeros(2 * X.shape[1:])
        inverse = np.linalg.pinv(np.atleast_2d(spread), hermitian=True)
    values, vectors = np.linalg.eigh(inverse)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return RowMetric("mahalanobis", "euclidean", center=center, matrix=root, unit=unit)


def _ranges(X: Rows, categorical: NDArray[np.bool_]) -> Floats:
    rows = np.asarray(X, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        is_supported = (
            np.where(np.isnan(rows), -np.inf, rows).max(axis=0),
            np.where(np.isnan(rows), np.inf, rows).min(axis=0),
        )
        ranges = is_supported[0] - is_supported[1]
    usable = np.isfinite(ranges) & (ranges > 0) & ~categorical
    return np.where(usable, ranges, 1.0)
