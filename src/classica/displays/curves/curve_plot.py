"""The pictures of learning and validation curves, and of bias and variance along them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from classica.displays.canvas import COLORS
from classica.selection.extrapolation import MEASURES

if TYPE_CHECKING:
    from classica.selection.learning_curves import LearningCurve
    from classica.selection.validation_curves import ValidationCurve
    from classica.statistics.decomposition.complexity_curve import BiasVarianceCurve

_FAINT = "#e6e9ec"
#: Bias², variance, the sum, noise: told apart without colours, too.
_PART_STYLES: tuple[dict[str, Any], ...] = (
    {"color": COLORS[0], "marker": "o"},
    {"color": COLORS[1], "marker": "s"},
    {"color": COLORS[4], "marker": "^", "ls": "--"},
    {"color": COLORS[7], "ls": ":"},
)


def draw_learning_curve(curve: LearningCurve, ax: Axes | None) -> Axes:
    """Draw the errors against the rows, and how test errors would go on."""
    ax = _axes(ax, curve.measure)
    _draw_errors(ax, curve.sizes, curve)
    ahead = curve.extrapolate()
    if ahead.known:
        sizes = np.geomspace(curve.sizes[-1], ahead.more_rows, 50)
        factor = (ahead.error - ahead.limit) * ahead.rows**ahead.exponent
        limit = f"{ahead.limit:.1%}" if MEASURES[curve.measure].is_share else f"{ahead.limit:.3g}"
        label = f"power law {limit} + b·n^-{ahead.exponent:.2f}"
        law = ahead.limit + factor * sizes**-ahead.exponent
        ax.plot(sizes, law, ls="--", color=COLORS[1], label=label)
    ax.set(xscale="log", xlabel="training rows")
    marks = [*curve.sizes.tolist(), *([ahead.more_rows] if ahead.known else [])]
    ax.set_xticks(marks, [f"{mark:,}" for mark in marks])
    ax.minorticks_off()
    ax.legend(frameon=False)
    return ax


def draw_validation_curve(curve: ValidationCurve, ax: Axes | None) -> Axes:
    """Draw the errors against the parameter, with the best value marked."""
    ax = _axes(ax, curve.measure)
    positions = _parameter_axis(ax, curve.name, curve.values)
    _draw_errors(ax, positions, curve)
    if curve.best is not None:
        best = positions[curve.values.index(curve.best)]
        ax.axvline(best, color=COLORS[4], ls=":", label=f"best: {curve.best}")
    ax.legend(frameon=False)
    return ax


def draw_bias_variance_curve(curve: BiasVarianceCurve, ax: Axes | None) -> Axes:
    """Draw bias², variance, noise if known, and their sum against the parameter or the training size."""
    if ax is None:
        _, ax = pyplot.subplots(layout="constrained")
    is_size = curve.name == "training_size"
    positions = _parameter_axis(ax, "training rows" if is_size else curve.name, curve.values)
    order = np.argsort(positions, kind="stable")
    lines = {"variance": curve.variance, f"expected {curve.loss}": curve.total}
    lines = {"bias²" if curve.noise_known else "bias² and noise": curve.bias, **lines}
    if curve.noise_known:
        lines["noise"] = curve.noise
    for style, (label, values) in zip(_PART_STYLES, lines.items(), strict=False):
        ax.plot(positions[order], values[order], ms=4, label=label, **style)
    ax.set_ylabel(curve.loss)
    if not is_size:
        ax.set_title(f"With {curve.parts[0].training_size:,} training rows", loc="left", fontsize=10)
    ax.grid(color=_FAINT)
    ax.set_axisbelow(True)
    ax.legend(frameon=False)
    return ax


def _parameter_axis(ax: Axes, name: str, values: list[Any]) -> Any:
    """Return where values lie on the x axis: on a scale of ratios where these are even, or as names."""
    numeric = all(isinstance(value, int | float) and value is not True for value in values)
    positions: Any = np.array(values, dtype=np.float64) if numeric else np.arange(len(values))
    if not numeric:
        ax.set_xticks(positions, [str(value) for value in values])
    elif len(positions) > 2 and positions.min() > 0 and positions.max() >= 20 * positions.min():
        ax.set_xscale("log")
    ax.set_xlabel(name)
    return positions


def _axes(ax: Axes | None, measure: str) -> Axes:
    if ax is None:
        _, ax = pyplot.subplots(layout="constrained")
    ax.set_ylabel(f"{measure} (mean ± standard deviation over folds)")
    if MEASURES[measure].is_share:
        ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.grid(color=_FAINT)
    ax.set_axisbelow(True)
    return ax


def _draw_errors(ax: Axes, positions: Any, curve: LearningCurve | ValidationCurve) -> None:
    order = np.argsort(positions, kind="stable")
    for errors, label, color in (
        (curve.train_errors, f"training {curve.measure}", COLORS[0]),
        (curve.test_errors, f"test {curve.measure}", COLORS[1]),
    ):
        mean, spread = errors.mean(axis=1)[order], errors.std(axis=1)[order]
        low = np.maximum(mean - spread, 0)
        ax.fill_between(positions[order], low, mean + spread, alpha=0.15, lw=0, color=color)
        ax.plot(positions[order], mean, marker="o", ms=4, color=color, label=label)
