"""What many dimensions do to distances: exact where there is a formula, simulated elsewhere, and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import ndtri

from classica.displays.canvas import (
    class_color,
    class_marker,
    foreground,
    headline,
    legend_beside,
    quiet_frame,
)
from classica.displays.display import Display
from classica.errors import ParameterError, must
from classica.native import Floats
from classica.params import Integer, Real, Rule

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_QUERIES = 200
_TEST_ROWS = 1000
_SHELL = 0.05  # of the edge, on either side


@dataclass(frozen=True)
class CurseResult:
    """How space behaves as dimensions are added.

    Attributes
    ----------
    dimensions : tuple of int
        The numbers of dimensions.
    edge : ndarray
        The edge of the cube that holds `share` of the unit cube: share^(1/d). Exact.
    shell : ndarray
        The share of the unit cube that lies within 5% of its edge from a face: 1 − 0.9^d. Exact.
    contrast : ndarray
        The distance to the nearest of `rows` points over that to the farthest, mean over 200 points,
        all drawn evenly from the unit cube. Simulated.
    error : ndarray
        The error of 1-NN on two Gaussians that differ in one column alone, all others being noise, learned
        from `rows` rows and asked about 1,000. Simulated.
    bayes_error : float
        The least error there can be: the same for every number of dimensions.
    share : float
        The share of the rows a neighbourhood is to hold.
    rows, seed : int
        Of the simulation.
    """

    dimensions: tuple[int, ...]
    edge: Floats
    shell: Floats
    contrast: Floats
    error: Floats
    bayes_error: float
    share: float
    rows: int
    seed: int

    def table(self) -> str:
        """Return the numbers as text."""
        lines = [f"dimensions   edge for {self.share:.0%}   in the shell   nearest/farthest   error of 1-NN"]
        columns = zip(self.dimensions, self.edge, self.shell, self.contrast, self.error, strict=True)
        lines += [f"{d:>10}{a:>15.3f}{b:>15.1%}{c:>19.3f}{e:>16.1%}" for d, a, b, c, e in columns]
        return "\n".join([*lines, f"The Bayes error is {self.bayes_error:.1%} throughout."])

    def __str__(self) -> str:
        return self.table()

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        arrays = {name: getattr(self, name).tolist() for name in ("edge", "shell", "contrast", "error")}
        plain = {name: getattr(self, name) for name in ("bayes_error", "share", "rows", "seed")}
        return {"dimensions": list(self.dimensions), **arrays, **plain}


def curse_of_dimensionality(
    dimensions: Sequence[int] = (1, 2, 3, 5, 10, 20, 50, 100),
    *,
    rows: int = 1000,
    share: float = 0.1,
    bayes_error: float = 0.05,
    seed: int = 0,
) -> CurseResult:
    r"""Return what becomes of neighbourhoods as dimensions are added.

    A cube with the share s of the volume has the edge :math:`s^{1/d}`; all but :math:`(1 - 2\epsilon)^d` of
    the volume lies within :math:`\epsilon` of a face. Nearest and farthest points come to lie at the same
    distance, and neighbours by noise replace those by what counts.

    Parameters
    ----------
    dimensions : sequence of int
        The numbers of dimensions.
    rows : int, default=1000
        How many rows are drawn, for distances and to learn from.
    share : float, default=0.1
        The share of the rows a neighbourhood is to hold.
    bayes_error : float, default=0.05
        How hard the problem of 1-NN is: the error of the best rule, from above 0 to below 0.5.
    seed : int, default=0
        The seed; every number of dimensions has draws of its own, so that a list may grow.

    Examples
    --------
    To catch a tenth of the rows in 10 dimensions takes 79% of the range of every column:

    >>> result = curse_of_dimensionality([1, 10], rows=200)
    >>> result.edge.round(3)
    array([0.1  , 0.794])
    >>> result.shell.round(3)
    array([0.1  , 0.651])
    """
    _check("rows", rows, Integer(at_least=2))
    _check("share", share, Real(above=0, at_most=1))
    _check("bayes_error", bayes_error, Real(above=0, at_most=0.4999))
    _check("seed", seed, Integer(at_least=0))
    counts = tuple(dimensions) if np.ndim(dimensions) == 1 else ()
    if not counts or not all(Integer(at_least=1).accepts(d) for d in counts):
        raise ParameterError(must("dimensions", "integers of at least 1", dimensions))
    d = np.array(counts, dtype=float)
    return CurseResult(
        tuple(int(count) for count in counts),
        share ** (1 / d),
        1 - (1 - 2 * _SHELL) ** d,
        np.array([_contrast(int(count), rows, seed) for count in counts]),
        np.array([_one_nn_error(int(count), rows, bayes_error, seed) for count in counts]),
        float(bayes_error),
        float(share),
        int(rows),
        int(seed),
    )


def _contrast(dimensions: int, rows: int, seed: int) -> float:
    random = np.random.default_rng([seed, dimensions, 0])
    points = random.random((rows, dimensions))
    distances = cdist(random.random((_QUERIES, dimensions)), points)
    return float((distances.min(axis=1) / distances.max(axis=1)).mean())


def _one_nn_error(dimensions: int, rows: int, bayes_error: float, seed: int) -> float:
    """Return the error on rows whose first column tells the classes, as far as anything does."""
    random = np.random.default_rng([seed, dimensions, 1])
    apart = -ndtri(bayes_error)  # half the distance of the means, in deviations
    tables = []
    for count in (rows, _TEST_ROWS):
        side = np.arange(count) % 2
        points = random.standard_normal((count, dimensions))
        points[:, 0] += apart * (2 * side - 1)
        tables.append((points, side))
    (learned, sides), (asked, truth) = tables
    return float((sides[cdist(asked, learned).argmin(axis=1)] != truth).mean())


def _check(what: str, value: object, rule: Rule) -> None:
    if not rule.accepts(value):
        raise ParameterError(must(what, str(rule), value))


@dataclass(eq=False)
class CurseDisplay(Display):
    """Four shares against the number of dimensions, all of which grow where they should not.

    Attributes
    ----------
    result : CurseResult
        The numbers.
    """

    size: ClassVar[tuple[float, float]] = (8.2, 4.4)

    result: CurseResult

    @classmethod
    def from_dimensions(cls, *arguments: Any, **options: Any) -> CurseDisplay:
        """Work out the numbers: takes what `curse_of_dimensionality` takes."""
        return cls(curse_of_dimensionality(*arguments, **options))

    def plot(self, ax: Axes | None = None) -> CurseDisplay:
        """Draw the four lines; exact ones solid, simulated ones dashed."""
        from matplotlib.ticker import NullFormatter, PercentFormatter, ScalarFormatter

        axes, result = self._begin(ax), self.result
        lines = [
            (result.shell, "volume within 5% of the surface", "-"),
            (result.edge, f"range of each column that holds\n{result.share:.0%} of the rows", "-"),
            (result.contrast, "distance to the nearest row\nover that to the farthest", "--"),
            (result.error, "error of 1-NN, one column\nof which tells the classes", "--"),
        ]
        for code, (values, label, dash) in enumerate(lines):
            style: dict[str, Any] = {
                "color": class_color(code),
                "marker": class_marker(code),
                "ls": dash,
                "ms": 5,
            }
            axes.plot(result.dimensions, values, label=label, **style)
        least = f"Bayes error: {result.bayes_error:.0%}"
        axes.axhline(result.bayes_error, color=foreground(), lw=1, ls=":", label=least)
        axes.set(xscale="log", xlabel="dimensions", ylim=(0, 1.02))
        axes.set_xticks(result.dimensions)
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        quiet_frame(axes)
        legend_beside(axes)
        note = f"Solid: exact. Dashed: simulated with {result.rows:,} rows."
        headline(axes, "Curse of dimensionality", note)
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        result = self.result
        return (
            f"From {result.dimensions[0]} to {result.dimensions[-1]} dimensions the edge of a cube with "
            f"{result.share:.0%} of the volume goes from {result.edge[0]:.2f} to {result.edge[-1]:.2f}, "
            f"nearest over farthest distance from {result.contrast[0]:.2f} to {result.contrast[-1]:.2f}, "
            f"and the error of 1-NN from {result.error[0]:.1%} to {result.error[-1]:.1%}."
        )
