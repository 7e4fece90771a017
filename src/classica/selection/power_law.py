r"""Fit a power law to errors over the number of rows, by weighted least squares.

.. math:: e(n) = a + b \, n^{-c}, \quad a, b \geq 0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar, nnls

from classica.native import Floats

#: Exponents to try; 1/2 and 1 are those of theory, and below 0.1 a power law is nearly a straight line.
_EXPONENTS = (0.1, 2.0)


@dataclass(frozen=True)
class PowerLaw:
    """A fitted law.

    Attributes
    ----------
    a, b, c : float
        The limit of the error, the scale of the decreasing term, and the exponent.
    misfit : float
        The mean squared residual, in units of the standard errors.
    """

    a: float
    b: float
    c: float
    misfit: float

    def __call__(self, rows: float) -> float:
        """Return the error for a number of rows."""
        return float(self.a + self.b * rows**-self.c)


def fit_power_law(sizes: Floats, errors: Floats, spreads: Floats) -> PowerLaw:
    """Fit the law to errors with their standard errors.

    For a given exponent, a and b follow by non-negative least squares, so only the exponent is searched for,
    first on a grid because there may be several local minima.

    Parameters
    ----------
    sizes, errors, spreads : ndarray of shape (n_sizes,)
        The numbers of rows, the errors and their standard errors.
    """
    scale = float(sizes.max())

    def solve(c: float) -> tuple[Floats, float]:
        design = np.column_stack([np.ones_like(sizes), (sizes / scale) ** -c])
        coefficients, distance = nnls(design / spreads[:, None], errors / spreads)
        return coefficients, float(distance) ** 2

    grid = np.geomspace(*_EXPONENTS, 25)
    start = int(np.argmin([solve(c)[1] for c in grid]))
    bounds = grid[max(0, start - 1)], grid[min(len(grid) - 1, start + 1)]
    best = minimize_scalar(lambda c: solve(c)[1], bounds=bounds, method="bounded", options={"xatol": 1e-4})
    c = float(best.x)
    (a, b), distance = solve(c)
    return PowerLaw(float(a), float(b) * scale**c, c, distance / len(sizes))


def gain_interval(
    points: tuple[Floats, Floats, Floats], law: PowerLaw, rows: float, more: float, reach: float
) -> tuple[float, float]:
    """Return the smallest and the largest gain from more rows that fits the points.

    This is a profile-likelihood interval: a gain is included if the best law with that gain fits nearly as
    well as the best law overall.

    Parameters
    ----------
    points : tuple of ndarray
        Sizes, errors and spreads, as for `fit_power_law`.
    law : PowerLaw
        The best law.
    rows, more : float
        The present number of rows, and the larger one.
    reach : float
        The half-width of the interval in standard deviations.
    """
    sizes, errors, spreads = points
    gains = np.linspace(0.0, law(rows), 401)
    exponents = np.geomspace(*_EXPONENTS, 40)
    falls = rows**-exponents - more**-exponents
    # One law for each gain and exponent; its limit is the weighted mean of the residuals, but not negative.
    left = errors - (gains[:, None] / falls)[:, :, None] * sizes ** -exponents[:, None]
    ends = np.maximum(np.average(left, axis=2, weights=spreads**-2.0), 0.0)
    distances = np.sum(((left - ends[:, :, None]) / spreads) ** 2, axis=2).min(axis=1)
    allowed = gains[distances <= distances.min() + reach**2]
    gain = law(rows) - law(more)
    return min(gain, float(allowed.min())), max(gain, float(allowed.max()))
