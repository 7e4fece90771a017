r"""Validate fold scores of a cross-validation and compute the standard error of their mean.

The folds share most of their training rows, so their scores are not independent and :math:`s^2/n` is too
small for the variance of their mean. Nadeau and Bengio (2003) take

.. math:: \left(\frac{1}{n} + \frac{\rho}{1 - \rho}\right) s^2

where ρ is the share of the rows in each test fold: 1/10 for ten folds, with or without repeats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from classica.arrays import VectorLike
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Nothing, Real

_ROUNDING = 1e-14


def read_scores(scores: VectorLike, what: str = "scores") -> Floats:
    """Return the scores as floats, one per fold; NaN for a failed fold."""
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(must(what, "one number for each fold", scores)) from None
    if values.ndim != 1 or not len(values):
        raise DataError(must(what, "one number for each fold", scores))
    if np.isinf(values).any():
        raise DataError(must(what, "finite, or NaN where a fold failed", float(values[np.isinf(values)][0])))
    return values


def read_models(scores: Any) -> dict[str, Floats]:
    """Return the scores of several models by name, all on the same folds."""
    if not isinstance(scores, Mapping) or not scores:
        raise DataError(
            must("scores", "a dict from the names of models to the scores of their folds", scores)
        )
    read = {str(name): read_scores(values, f"scores[{name!r}]") for name, values in scores.items()}
    lengths = {len(values) for values in read.values()}
    if len(lengths) > 1:
        raise DataError(must("scores", "of the same folds for every model", sorted(lengths)))
    return read


def read_pair(a: VectorLike, b: VectorLike) -> Floats:
    """Return the differences of two models' scores on the same folds."""
    first, second = read_scores(a, "a"), read_scores(b, "b")
    if len(first) != len(second):
        raise DataError(must("b", f"{len(first)} scores long, as long as a", len(second)))
    return first - second


def check_between(what: str, value: object, low: float = 0.0, high: float = 1.0) -> None:
    """Raise `ParameterError` unless the value is a number strictly between the bounds."""
    if not Real(above=low, at_most=high).accepts(value) or value == high:
        raise ParameterError(must(what, f"a number above {low:g} and below {high:g}", value))


def deviation(values: Floats) -> float:
    """Return the standard deviation of a sample; NaN for one value, exactly 0 for equal ones."""
    if len(values) < 2:
        return math.nan
    # The mean of equal numbers may be off by rounding, which would look like a tiny spread.
    return float(np.std(values, ddof=1)) if _differ(values) else 0.0


def corrected_error(values: Floats, test_fraction: float, step: float = 0.0) -> float:
    """Return the corrected standard error of the mean of fold scores; NaN for one fold.

    If all scores are equal, the spread is computed as if one of them had differed by one step.
    """
    factor = 1 / len(values) + test_fraction / (1 - test_fraction)
    spread = deviation(values)
    return math.sqrt(factor) * (spread if spread != 0 else step / math.sqrt(len(values)))


def paired_error(differences: Floats, test_fraction: float, resolution: float | None) -> float:
    """Return the corrected standard error of a mean difference: 0 only where there is no difference."""
    return corrected_error(differences, test_fraction, paired_step(differences, resolution))


def paired_step(differences: Floats, resolution: float | None) -> float:
    """Return the step by which one fold is assumed to differ if all differences are equal; 0 for none.

    Without a known resolution it is the difference itself.
    """
    mean = abs(float(np.mean(differences)))
    if mean <= _ROUNDING:
        return 0.0
    return mean if resolution is None else min(mean, resolution)


def check_resolution(resolution: object) -> None:
    """Raise `ParameterError` unless the resolution is None or a positive number."""
    rule = Real(above=0) | Nothing()
    if not rule.accepts(resolution):
        raise ParameterError(must("resolution", str(rule), resolution))


def _differ(values: Floats) -> bool:
    """Return whether values differ by more than the rounding of a subtraction."""
    return float(np.ptp(values)) > _ROUNDING * max(1.0, float(np.abs(values).max()))
