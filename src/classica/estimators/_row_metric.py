"""How rows are compared: the metric's kernel, and what is done to rows before they reach it.

Cosine and Mahalanobis distances are Euclidean ones between transformed rows (unit vectors; whitened
rows), so they share its exactness: a row is at distance 0 from itself, and shifts do no harm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import ParameterError, must
from classica.native import Floats

#: The metrics by name; a callable or "precomputed" goes its own way.
NAMES = (
    "minkowski",
    "euclidean",
    "manhattan",
    "chebyshev",
    "cosine",
    "hamming",
    "mahalanobis",
    "heom",
    "gower",
)
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
    categorical: NDArray[np.uint8] | None = None

    @property
    def depends_on_data(self) -> bool:
        """Whether further training rows would change the metric itself."""
        return self.name == "mahalanobis" or self.name in MIXED

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
        if self.matrix is not None:
            return (X - self.center) @ self.matrix
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
            return np.asarray(ranks ** (1 / self.power))
        return ranks / columns if self.kernel == "hamming" else ranks


def make_metric(
    name: str, p: float, parameters: dict[str, Any] | None, X: Any, categorical: Any
) -> RowMetric:
    """Return the metric fixed on the training rows X."""
    given = dict(parameters or {})
    if name == "minkowski":
        kernel = {1.0: "manhattan", 2.0: "euclidean"}.get(float(p), "minkowski")
        metric = RowMetric(name, kernel, float(p))
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


def _unit_rows(X: Floats) -> Floats:
    """Return unit vectors; a row of zeros gets an axis of its own, at cosine distance 1 from all others."""
    largest = np.abs(X).max(axis=1, keepdims=True, initial=0.0)
    scaled = np.divide(X, largest, out=np.zeros_like(X), where=largest > 0)
    length = np.sqrt((scaled**2).sum(axis=1, keepdims=True))
    unit = np.divide(scaled, length, out=scaled, where=length > 0)
    return np.hstack([unit, (length == 0).astype(np.float64)])


def _mahalanobis(X: Any, covariance: Any, inverse: Any) -> RowMetric:
    rows = np.asarray(X, dtype=np.float64)
    if inverse is None:
        V = np.atleast_2d(np.cov(rows, rowvar=False) if covariance is None else np.asarray(covariance))
        inverse = np.linalg.pinv(V, hermitian=True)
    values, vectors = np.linalg.eigh(np.asarray(inverse, dtype=np.float64))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return RowMetric("mahalanobis", "euclidean", center=rows.mean(axis=0), matrix=root)


def _ranges(X: Any, categorical: NDArray[np.bool_]) -> Floats:
    rows = np.asarray(X, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        known = (
            np.where(np.isnan(rows), -np.inf, rows).max(axis=0),
            np.where(np.isnan(rows), np.inf, rows).min(axis=0),
        )
        ranges = known[0] - known[1]
    usable = np.isfinite(ranges) & (ranges > 0) & ~categorical
    return np.where(usable, ranges, 1.0)
