"""The pictures of learning and validation curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from classica.native import Floats

if TYPE_CHECKING:
    from classica.evaluation.learning_curve import LearningCurve
    from classica.evaluation.validation_curve import ValidationCurve

_FAINT = "#e6e9ec"


def draw_learning_curve(curve: LearningCurve, ax: Axes | None) -> Axes:
    """Draw the errors against the rows, and how test errors would go on."""
    ax = _axes(ax)
    _draw_errors(ax, curve.sizes, curve.train_errors, curve.test_errors)
    ahead = curve.extrapolate()
    if ahead.known:
        places = np.geomspace(curve.sizes[-1], ahead.more_rows, 50)
        factor = (ahead.error - ahead.limit) * ahead.rows**ahead.exponent
        label = f"by the law {ahead.limit:.1%} + b·n^-{ahead.exponent:.2f}"
        law = ahead.limit + factor * places**-ahead.exponent
        ax.plot(places, law, ls="--", color="tab:orange", label=label)
    ax.set(xscale="log", xlabel="training rows")
    marks = [*curve.sizes.tolist(), *([ahead.more_rows] if ahead.known else [])]
    ax.set_xticks(marks, [f"{mark:,}" for mark in marks])
    ax.minorticks_off()
    ax.legend(frameon=False)
    return ax


def draw_validation_curve(curve: ValidationCurve, ax: Axes | None) -> Axes:
    """Draw the errors against the parameter: on a scale of ratios where these are even, or as names."""
    ax = _axes(ax)
    numeric = all(isinstance(value, int | float) and value is not True for value in curve.values)
    places: Any = np.array(curve.values, dtype=np.float64) if numeric else np.arange(len(curve.values))
    order = np.argsort(places, kind="stable")
    _draw_errors(ax, places[order], curve.train_errors[order], curve.test_errors[order])
    if not numeric:
        ax.set_xticks(places, [str(value) for value in curve.values])
    elif len(places) > 2 and places.min() > 0 and places.max() >= 20 * places.min():
        ax.set_xscale("log")
    if curve.best is not None:
        ax.axvline(
            places[curve.values.index(curve.best)], color="tab:red", ls=":", label=f"best: {curve.best}"
        )
    ax.set_xlabel(curve.name)
    ax.legend(frameon=False)
    return ax


def _axes(ax: Axes | None) -> Axes:
    if ax is None:
        _, ax = pyplot.subplots(layout="constrained")
    ax.set_ylabel("error: mean ± standard deviation over folds")
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    ax.grid(color=_FAINT)
    ax.set_axisbelow(True)
    return ax


def _draw_errors(ax: Axes, places: Any, train: Floats, test: Floats) -> None:
    for errors, label, color in ((train, "training error", "tab:blue"), (test, "test error", "tab:orange")):
        mean, spread = errors.mean(axis=1), errors.std(axis=1)
        ax.fill_between(places, np.maximum(mean - spread, 0), mean + spread, alpha=0.15, lw=0, color=color)
        ax.plot(places, mean, marker="o", ms=4, color=color, label=label)
