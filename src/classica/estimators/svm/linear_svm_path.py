"""The penalty of a support vector machine, chosen on rows held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.errors import ParameterError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.margins import class_margins
from classica.estimators.svm.linear_svm_fit import Fit, Settings, fit_binary_classifiers
from classica.native import Floats
from classica.params import Real

#: The lecture tries "a few different values": powers of ten.
_ALPHAS = tuple(10.0**power for power in range(0, -7, -1))


@dataclass(frozen=True)
class Path:
    """Which penalties are tried, and on what share of the rows they are judged."""

    alphas: Any
    fraction: float

    def values(self) -> list[float]:
        """Return the penalties, the strongest first: what it finds is where the next one begins."""
        given = _ALPHAS if self.alphas is None else self.alphas
        for value in given:
            if not Real(above=0).accepts(value):
                raise ParameterError(must("alphas", f"{Real(above=0)} each", value))
        if len(given) == 0:
            raise ParameterError(must("alphas", "at least one number", list(given)))
        return sorted({float(value) for value in given}, reverse=True)


def choose_alpha(data: TrainingData, path: Path, settings: Settings) -> tuple[float, dict[float, float]]:
    """Return the penalty that gets most held-out weight right (of equals the strongest), and all shares."""
    held = _held_out(data, path.fraction, settings)
    learned, judged = (data.take(~held), data.take(held)) if held.any() else (data, data)
    shares: dict[float, float] = {}
    near = None
    for alpha in path.values():
        near = fit_binary_classifiers(learned, alpha, settings, near if settings.exact else None)
        shares[alpha] = _right(near, judged, settings)
    return max(shares, key=lambda alpha: shares[alpha]), shares


def _held_out(data: TrainingData, fraction: float, settings: Settings) -> NDArray[np.bool_]:
    """Return which rows are held out: of each class about its share, equal rows together, never all."""
    draws = native.row_draws(data.X, settings.seed, settings.threads)
    weights = np.ones(len(draws)) if data.weights is None else data.weights
    held = np.zeros(len(draws), dtype=bool)
    for code in range(len(data.classes)):
        rows = np.flatnonzero(data.codes == code)
        rows = rows[np.argsort(draws[rows], kind="stable")]
        up_to = np.cumsum(weights[rows])
        before = (up_to - weights[rows])[np.searchsorted(draws[rows], draws[rows])]
        part = before < fraction * up_to[-1]
        held[rows] = part & (not part.all())
    return held


def _right(fit: Fit, data: TrainingData, settings: Settings) -> float:
    """Return the share of the weight of the rows whose class is found."""
    scores = native.linear_scores(data.X, fit.model, settings.threads)
    margins = class_margins(scores, len(data.classes), settings.one_vs_all)
    codes = margins > 0 if margins.ndim == 1 else native.highest_scores(margins, settings.threads)
    weights: Floats = np.ones(len(data.codes)) if data.weights is None else data.weights
    return float(np.sum(weights * (codes == data.codes)) / weights.sum())
