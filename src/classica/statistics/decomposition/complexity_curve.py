"""Bias² and variance as functions of a hyper-parameter or of the number of training rows."""

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

#: The axis that is not a parameter of the estimator.
_SIZE = "training_size"


@dataclass(frozen=True)
class BiasVarianceCurve(Recorded):
    """The components of the expected loss for several values of a parameter or numbers of training rows.

    They decompose the error rate of a classifier (Kohavi and Wolpert) or the squared loss of a regressor.

    Attributes
    ----------
    name : str
        The parameter, or "training_size".
    values : list
        Its values.
    parts : list of BiasVariance
        The decomposition for each value.
    """

    name: str
    values: list[Any]
    parts: list[BiasVariance]

    @property
    def loss(self) -> str:
        """The loss that is decomposed: "error rate" or "squared loss"."""
        return "squared loss" if self.parts[0].zero_one is None else "error rate"

    @property
    def noise_known(self) -> bool:
        """Whether noise is separated from bias."""
        return self.parts[0].noise_known

    @property
    def bias(self) -> Floats:
        """The bias² for each value, including the noise if that is unknown."""
        return np.array([each.main.bias for each in self.parts])

    @property
    def variance(self) -> Floats:
        """The variance for each value."""
        return np.array([each.main.variance for each in self.parts])

    @property
    def noise(self) -> Floats:
        """The noise, which is the same for all values; NaN if it is unknown."""
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
        for index, value in enumerate(self.values):
            cells = "  ".join(f"{column[index]:>{max(len(name), 8)}.4f}" for name, column in columns.items())
            lines.append(f"{value!s:>{width}}  {cells}")
        return "\n".join([*lines, *([] if self.name == _SIZE else [self.parts[0].origin])])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot bias², variance, the noise if it is known, and their sum.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes to draw on; by default a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.curves.curve_plot import draw_bias_variance_curve  # needed for plots only

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
        The estimator; it is cloned, not modified.
    X, y : table and array-like
        The rows and their target; omitted if tables are generated.
    name : str
        The parameter to vary, ``step__parameter`` in a pipeline; or "training_size" for the number of
        training rows.
    values : sequence
        Its values.
    **options
        Further options of `bias_variance`. All values are evaluated on the same test rows; values of a
        parameter also use the same training sets.

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
