"""Curves over rows or a parameter as scikit-learn's displays are: made from an estimator, drawn at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from classica.arrays import MatrixLike, VectorLike
from classica.selection.learning_curves import LearningCurve, learning_curve
from classica.selection.validation_curves import ValidationCurve, validation_curve
from classica.statistics.decomposition.complexity_curve import BiasVarianceCurve, bias_variance_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


class _CurveDisplay:
    """A curve and where it was drawn."""

    ax_: Axes
    figure_: Figure | SubFigure

    def __init__(self, curve: Any) -> None:
        self.curve = curve

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curve into the axes given, or into a new figure."""
        self.ax_ = self.curve.plot(ax)
        self.figure_ = self.ax_.figure
        return self


class LearningCurveDisplay(_CurveDisplay):
    """The picture of a learning curve.

    Parameters
    ----------
    curve : LearningCurve
        What is drawn.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of these.
    """

    def __init__(self, curve: LearningCurve) -> None:
        super().__init__(curve)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: MatrixLike,
        y: VectorLike,
        cv: Any = 5,
        *,
        ax: Axes | None = None,
        **options: Any,
    ) -> LearningCurveDisplay:
        """Draw the learning curve of an estimator; options are those of `learning_curve`."""
        return cls(learning_curve(estimator, X, y, cv, **options)).plot(ax)


class ValidationCurveDisplay(_CurveDisplay):
    """The picture of a validation curve.

    Parameters
    ----------
    curve : ValidationCurve
        What is drawn.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of these.
    """

    def __init__(self, curve: ValidationCurve) -> None:
        super().__init__(curve)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: MatrixLike,
        y: VectorLike,
        name: str,
        values: Sequence[Any],
        cv: Any = 5,
        *,
        ax: Axes | None = None,
        **options: Any,
    ) -> ValidationCurveDisplay:
        """Draw the validation curve of an estimator; options are those of `validation_curve`."""
        return cls(validation_curve(estimator, X, y, name, values, cv, **options)).plot(ax)


class BiasVarianceCurveDisplay(_CurveDisplay):
    """The picture of bias² and variance over a parameter or the training size.

    Parameters
    ----------
    curve : BiasVarianceCurve
        What is drawn.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of these.
    """

    def __init__(self, curve: BiasVarianceCurve) -> None:
        super().__init__(curve)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: MatrixLike | None = None,
        y: VectorLike | None = None,
        *,
        name: str,
        values: Sequence[Any],
        ax: Axes | None = None,
        **options: Any,
    ) -> BiasVarianceCurveDisplay:
        """Draw bias² and variance of an estimator; options are those of `bias_variance_curve`."""
        return cls(bias_variance_curve(estimator, X, y, name=name, values=values, **options)).plot(ax)
