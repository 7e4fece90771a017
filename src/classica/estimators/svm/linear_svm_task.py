"""What a linear support vector machine of two classes is learned from, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classica import native
from classica.arrays import Rows
from classica.native import Floats
from classica.native.linear_svm_solvers import Found, Frame

#: Columns that spread less, in any unit, have no part in the decision; their inverse squares would overflow.
_LEAST = 1e-100
#: A variance of less than this share of the squared mean costs a Newton step too many digits.
_FAR_OUT = 1e-6


@dataclass(frozen=True)
class Columns:
    """Where the columns lie and how far they spread: binary classifiers are learned in these units."""

    center: Floats
    spread: Floats
    mean: Floats

    @classmethod
    def of(cls, X: Rows, weights: Floats | None, centered: bool, threads: int) -> Columns:
        """Return mean and standard deviation, or zero and the root mean square if not centered."""
        one_group = np.zeros(X.shape[0], dtype=np.int32)
        sums = native.grouped_moments(X, one_group, 1, weights, True, threads)
        means, variances = native.means_and_variances(*sums)
        assert variances is not None  # squares were asked for
        center = means[0] if centered else np.zeros(X.shape[1])
        spread = np.sqrt(variances[0] + (means[0] - center) ** 2)
        return cls(center, np.where(spread > _LEAST, spread, 1.0), means[0])

    @property
    def lie_far_out(self) -> bool:
        """Whether all rows, seen from the center, look nearly the same."""
        away, squares = np.abs(self.mean - self.center), self.spread**2
        return bool((squares - away**2 < _FAR_OUT * away**2).any())


@dataclass(frozen=True)
class Limits:
    """When to stop."""

    tol: float
    max_iter: int | None
    threads: int

    def for_newton(self) -> tuple[float, int, int]:
        """Return what the interior-point method takes."""
        return self.tol, self.max_iter or 200, self.threads

    def for_sweeps(self) -> tuple[float, int]:
        """Return what coordinate descent takes."""
        return self.tol, self.max_iter or 2000


@dataclass(frozen=True)
class Task:
    """Rows with the sign of their side and their share of the whole, and how long weights are penalised."""

    X: Any
    signs: Floats
    shares: Floats
    alpha: float
    intercept: bool
    columns: Columns

    @property
    def frame(self) -> Frame:
        """How kernels see the columns."""
        return self.columns.center, 1 / self.columns.spread

    def seen(self, rows: Any) -> Floats:
        """Return some rows in the units of the columns."""
        scaled: Floats = (self.X[rows] - self.columns.center) / self.columns.spread
        return scaled


@dataclass(frozen=True)
class Machine:
    """A binary classifier that scores a row by w·(x - center) + offset, and how well it was found."""

    weights: Floats
    offset: float
    found: Found

    def scores(self, task: Task, threads: int) -> Floats:
        """Return the scores of dense rows."""
        linear = task.columns.center, self.weights[None], np.array([self.offset])
        return native.linear_scores(task.X, linear, threads)[:, 0]


def standing_still(task: Task) -> Machine:
    """Return the binary classifier of rows that are all on one side: it scores every row at the margin."""
    found = Found(np.empty(0), np.zeros(len(task.signs)), 0.0, 0.0, 1, True)
    side = float(task.signs[0]) if len(task.signs) else 1.0
    return Machine(np.zeros(task.X.shape[1]), side, found)
