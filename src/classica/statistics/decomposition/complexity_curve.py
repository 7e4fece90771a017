"""Bias² and variance against how complex a model is, or how many rows it learns from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from classica.arrays import MatrixLike, VectorLike
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.recorded import Recorded
from classica.statistics.decomposition.bias_and_variance import bias_variance
from classica.statistics.decomposition.bias_variance_result import BiasVariance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The name of the axis that is no parameter of the estimator.
_SIZE = "training_size"


@dataclass(frozen=True)
class BiasVarianceCurve(Recorded):
    """The parts of the expected loss for several values of a parameter, or several numbers of training rows.

    They are those of the error rate for a classifier (Kohavi and Wolpert), and of the squared loss for a
    regressor.

    Attributes
    ----------
    name : str
        The parameter, or "training_size".
    values : list
        Its values.
    parts : list of BiasVariance
        All there is to know for each of them.
    """

    name: str
    values: list[Any]
    parts: list[BiasVariance]

    @property
    def loss(self) -> str:
        """What the parts add up to: "error rate" or "squared loss"."""
        return "squared loss" if self.parts[0].zero_one is None else "error rate"

    @property
    def noise_known(self) -> bool:
        """Whether noise is told apart from bias."""
        return self.parts[0].noise_known

    @property
    def bias(self) -> Floats:
        """The bias² for each value; with the noise if that is not known."""
        return np.array([each.main.bias for each in self.parts])

    @property
    def variance(self) -> Floats:
        """The variance for each value."""
        return np.array([each.main.variance for each in self.parts])

    @property
    def noise(self) -> Floats:
        """The noise for each value, which is the same for all; NaN if it is not known."""
        return np.array([np.nan if each.main.noise is None else each.main.noise for each in self.parts])

    @property
    def total(self) -> Floats:
        """The expected loss for each value."""
        return np.array([each.main.total for each in self.parts])

    def __str__(self) -> str:
        width = max(len(self.name), *(len(str(value)) for value in self.values))
        bias = "bias²" if self.noise_known else "bias² and noise"
        columns = {bias: self.bias, "variance": self.variance, self.loss: self.total}
        if self.noise_known:
            columns = {"noise": self.noise, **columns}
        lines = [f"{self.name:>{width}}  {'  '.join(f'{name:>8}' for name in columns)}"]
        for place, value in enumerate(self.values):
            cells = "  ".join(f"{column[place]:>{max(len(name), 8)}.4f}" for name, column in columns.items())
            lines.append(f"{value!s:>{width}}  {cells}")
        return "\n".join([*lines, *([] if self.name == _SIZE else [self.parts[0].origin])])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw bias², variance, noise if known, and their sum.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.curves.curve_plot import draw_bias_variance_curve  # only for those who draw

        return draw_bias_variance_curve(self, ax)


def bias_variance_curve(
    estimator: Any,
    X: MatrixLike | None = None,
    y: VectorLike | None = None,
    *,
    name: str,
    values: Sequence[Any],
    **options: Any,
) -> BiasVarianceCurve:
    """Estimate bias and variance for several values of a parameter, or several numbers of training rows.

    Parameters
    ----------
    estimator : classifier or regressor
        What is judged; not changed.
    X, y : table and array-like
        The rows it learns from; left out where tables are generated.
    name : str
        The parameter along the curve, in a pipeline with that of the step, as ``step__parameter``; or
        "training_size" for the number of training rows.
    values : sequence
        What it is set to.
    **options
        What `bias_variance` takes besides. All values are judged on the same rows, those of a parameter from
        the same training sets.

    Returns
    -------
    BiasVarianceCurve

    Examples
    --------
    >>> from classica import KNeighborsClassifier
    >>> from sklearn.datasets import load_iris
    >>> curve = bias_variance_curve(
    ...     KNeighborsClassifier(), *load_iris(return_X_y=True), name="n_neighbors", values=[1, 15, 45]
    ... )
    >>> curve.parts[0].training_size, bool(curve.variance[0] > curve.variance[1])
    (50, True)
    """
    listed = [value.item() if isinstance(value, np.generic) else value for value in values]
    if not listed:
        raise DataError(must("values", "at least one value", listed))
    if name == _SIZE:
        parts = [bias_variance(estimator, X, y, **{**options, _SIZE: value}) for value in listed]
        return BiasVarianceCurve(name, listed, parts)
    if name not in estimator.get_params():
        rule = f"'training_size' or a parameter of {type(estimator).__name__}"
        raise ParameterError(must("name", rule, name))
    models = [clone(estimator).set_params(**{name: value}) for value in listed]
    return BiasVarianceCurve(name, listed, [bias_variance(model, X, y, **options) for model in models])
