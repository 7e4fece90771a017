r"""Platt's curve: the probability of a class as a logistic function of its score.

.. math:: p(s) = \frac{1}{1 + e^{-(a s + b)}}

J. Platt, Probabilistic outputs for support vector machines (1999); the steps are those of H.-T. Lin,
C.-J. Lin and R. C. Weng, A note on Platt's probabilistic outputs for support vector machines (2007).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from classica.native import Floats

_MOST_STEPS = 100
#: Added to the diagonal of the second derivatives, which scores that are all equal make singular.
_RIDGE = 1e-12
#: The derivatives of the mean loss at which it ends, and how much of the expected gain a step must make.
_ENOUGH, _GAIN = 1e-12, 1e-4


@dataclass(frozen=True)
class SigmoidCurve:
    """A fitted curve: from z = score / scale − center to the logistic function of slope · z + offset.

    Scale and center bring the scores of the rows it is learned from between −2 and 2, whatever they are.
    """

    scale: float
    center: float
    slope: float
    offset: float

    @classmethod
    def fitted(cls, scores: Floats, positive: NDArray[np.bool_], weights: Floats) -> SigmoidCurve:
        """Return the curve of the highest likelihood, given finite scores of rows and which are of the class.

        The targets are not 0 and 1, but Platt's: what one row more of either side makes of them. So
        the curve stays finite where a threshold tells the sides apart.
        """
        scale = float(np.abs(scores).max(initial=0.0)) or 1.0
        center = float((scores / scale).mean())
        inside, outside = float(weights[positive].sum()), float(weights[~positive].sum())
        targets = np.where(positive, (inside + 1.0) / (inside + 2.0), 1.0 / (outside + 2.0))
        start = np.array([0.0, np.log((inside + 1.0) / (outside + 1.0))])
        slope, offset = _highest(scores / scale - center, targets, weights / weights.sum(), start)
        return cls(scale, center, slope, offset)

    def __call__(self, scores: Floats) -> Floats:
        """Return the probability of the class for each score; a score may be infinite."""
        if self.slope == 0.0:
            return np.full(len(scores), expit(self.offset))
        with np.errstate(over="ignore"):
            z = self.slope * (scores / self.scale - self.center) + self.offset
        probabilities: Floats = expit(z)
        return probabilities


def _highest(z: Floats, targets: Floats, weights: Floats, start: Floats) -> tuple[float, float]:
    """Return slope and offset of the highest likelihood, by Newton's steps, halved until they help."""
    curve, loss = start, _loss(start, z, targets, weights)
    for _ in range(_MOST_STEPS):
        downhill, step = _newton_step(curve, z, targets, weights)
        if np.abs(downhill).max() < _ENOUGH:
            break
        expected, size = float(downhill @ step), 1.0
        while (tried := _loss(curve + size * step, z, targets, weights)) > loss - _GAIN * size * expected:
            size /= 2.0
            if size < 1e-10:  # rounding is all that is left
                return float(curve[0]), float(curve[1])
        curve, loss = curve + size * step, tried
    return float(curve[0]), float(curve[1])


def _loss(curve: Floats, z: Floats, targets: Floats, weights: Floats) -> float:
    """Return the cross-entropy, in the form that neither overflows nor cancels."""
    margin = curve[0] * z + curve[1]
    losses = np.where(margin >= 0, 1.0 - targets, -targets) * margin + np.log1p(np.exp(-np.abs(margin)))
    return float((weights * losses).sum())


def _newton_step(curve: Floats, z: Floats, targets: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the direction in which the loss falls fastest, and Newton's step."""
    shares = expit(curve[0] * z + curve[1])
    missing = weights * (targets - shares)
    bend = weights * shares * (1.0 - shares)
    downhill = np.array([(missing * z).sum(), missing.sum()])
    mixed = (bend * z).sum()
    second = np.array([[(bend * z * z).sum() + _RIDGE, mixed], [mixed, bend.sum() + _RIDGE]])
    determinant = second[0, 0] * second[1, 1] - mixed * mixed
    step = np.array(
        [
            (second[1, 1] * downhill[0] - mixed * downhill[1]) / determinant,
            (second[0, 0] * downhill[1] - mixed * downhill[0]) / determinant,
        ]
    )
    return downhill, step
