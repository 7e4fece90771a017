"""The error regions of two Gaussians on a line: the Bayes error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy.stats import norm

from classica.displays.canvas import class_color, foreground, headline, legend_beside, quiet_frame, shorten
from classica.displays.display import Display
from classica.errors import ParameterError, must
from classica.native import Floats
from classica.statistics.bayes_errors.gaussian_error import gaussian_bayes_error, two_gaussian_boundary
from classica.statistics.bayes_errors.gaussians import read_gaussians

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from classica.arrays import VectorLike

_FAR = 4.0  # deviations that are drawn
_POINTS = 401


@dataclass(eq=False)
class GaussianErrorDisplay(Display):
    """Two weighted Gaussian densities, where the decision changes, and the mass on the wrong side.

    Attributes
    ----------
    names : tuple of str
        The names of the classes.
    priors : ndarray of shape (2,)
        Their priors.
    values : ndarray
        The points of the line at which densities are drawn, those of the boundary among them.
    densities : ndarray of shape (2, len(values))
        Density times prior of each class.
    boundary : ndarray
        Where the decision changes: one point, two, or none.
    errors : ndarray of shape (2,)
        The probability that a row belongs to this class and is predicted as the other.
    error : float
        Their sum, the Bayes error.
    """

    size: ClassVar[tuple[float, float]] = (8.0, 4.2)

    names: tuple[str, str]
    priors: Floats
    values: Floats = field(repr=False)
    densities: Floats = field(repr=False)
    boundary: Floats
    errors: Floats
    error: float

    @classmethod
    def from_densities(
        cls,
        means: VectorLike,
        variances: VectorLike = 1.0,
        priors: VectorLike | None = None,
        *,
        names: Sequence[str] = ("class 1", "class 2"),
    ) -> GaussianErrorDisplay:
        """Compute the error regions of two Gaussians.

        Parameters
        ----------
        means : sequence of two floats
            The means.
        variances : float or sequence of two floats, default=1
            One variance for both, or one for each.
        priors : None, "uniform" or sequence of two floats, default=None
            The priors, both above 0; None: equal.
        names : sequence of two str
            The names of the classes.

        Examples
        --------
        The lecture's N(4, 1) and N(7, 1), the first three times as likely:

        >>> display = GaussianErrorDisplay.from_densities([4, 7], 1, [3 / 4, 1 / 4])
        >>> display.boundary.round(5), round(display.error, 6)
        (array([5.8662]), 0.055365)
        """
        boundary = two_gaussian_boundary(means, variances, priors)
        classes = read_gaussians(means, variances, priors, "variances")
        if len(classes.priors) != 2:
            raise ParameterError(must("priors", "above 0 for both classes", priors))
        if np.shape(names) != (2,):
            raise ParameterError(must("names", "two names", names))
        centers, deviations = classes.means[:, 0], np.sqrt(classes.covariances[:, 0, 0])
        low, high = (centers - _FAR * deviations).min(), (centers + _FAR * deviations).max()
        inside = boundary[(boundary > low) & (boundary < high)]
        values = np.unique(np.concatenate([np.linspace(low, high, _POINTS), inside]))
        shape = norm(centers[:, None], deviations[:, None])
        densities = classes.priors[:, None] * shape.pdf(values)
        errors = _errors(boundary, centers, deviations, classes.priors)
        error = gaussian_bayes_error(means, variances, priors).error
        first, second = (str(name) for name in names)
        return cls((first, second), classes.priors, values, densities, boundary, errors, error)

    def plot(self, ax: Axes | None = None) -> GaussianErrorDisplay:
        """Draw the densities, the boundary and the areas of error."""
        axes = self._begin(ax)
        predicted = self.densities.argmax(axis=0)
        for code, name in enumerate(self.names):
            color, density = class_color(code), self.densities[code]
            axes.plot(self.values, density, color=color, lw=2, ls=("-", "--")[code], label=self._label(code))
            label = f"{shorten(name)} predicted as {shorten(self.names[1 - code])}: {self.errors[code]:.2%}"
            # Up to the crossing itself, which is one of the points and belongs to both sides.
            wrong = (predicted != code) | np.isin(self.values, self.boundary)
            axes.fill_between(
                self.values, 0, density, where=wrong, color=color, alpha=0.45, lw=0, label=label
            )
        for index, at in enumerate(self.boundary):
            name = "boundary: " + " and ".join(f"{point:.4g}" for point in self.boundary)
            axes.axvline(at, color=foreground(), lw=1, ls=":", label=None if index else name)
        axes.set(xlabel="x", ylabel="density × prior", xlim=(self.values[0], self.values[-1]), ylim=(0, None))
        quiet_frame(axes)
        legend_beside(axes)
        headline(
            axes,
            f"Bayes error: {self.error:.2%}",
            "The error rate of the best possible classifier for two Gaussian classes.",
        )
        return self

    def _label(self, code: int) -> str:
        return f"{shorten(self.names[code])}, prior {self.priors[code]:.3g}"

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        where = " and ".join(f"{point:.6g}" for point in self.boundary) or "nowhere"
        return (
            f"Two Gaussian densities; the decision boundary is at {where}; {self.errors[0]:.4g} of all rows "
            f"are {self.names[0]} predicted as {self.names[1]}, {self.errors[1]:.4g} the reverse; the Bayes "
            f"error is {self.error:.4g}."
        )


def _errors(boundary: Floats, means: Floats, deviations: Floats, priors: Floats) -> Floats:
    """Return the mass of each class where the other one is predicted."""
    ends = np.concatenate([[-np.inf], boundary, [np.inf]])
    middles = _inside(ends, means, deviations)
    logs = np.log(priors) + norm.logpdf(middles[:, None], means, deviations)
    predicted = logs.argmax(axis=1)
    mass = np.diff(norm.cdf(ends[:, None], means, deviations), axis=0)
    # The upper tail by itself: differences of numbers near 1 would lose a small one.
    mass[-1] = norm.sf(ends[-2], means, deviations)
    errors: Floats = np.array([priors[code] * mass[predicted != code, code].sum() for code in (0, 1)])
    return errors


def _inside(ends: Floats, means: Floats, deviations: Floats) -> Floats:
    """Return a point of each interval between ends."""
    wide = 10 * deviations.max()
    low = np.where(np.isinf(ends[:-1]), np.minimum(ends[1:], means.min()) - wide, ends[:-1])
    high = np.where(np.isinf(ends[1:]), np.maximum(ends[:-1], means.max()) + wide, ends[1:])
    middle: Floats = (low + high) / 2
    return middle
