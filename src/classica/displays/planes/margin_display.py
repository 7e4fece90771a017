"""The boundary of a margin machine, its margins, and the rows it rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError

from classica.arrays import MatrixLike, VectorLike
from classica.decision.class_labels import known_codes
from classica.displays.display import Display
from classica.displays.planes import margin_plot
from classica.displays.planes.table_view import PlaneAxis, TableView
from classica.errors import ClassicaError, DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from sklearn.base import BaseEstimator

from classica.arrays import Label

_ON_MARGIN = 1e-3  # how near to 1 a margin is taken to be 1 where the machine does not name its support


@dataclass(eq=False)
class MarginDisplay(Display):
    """Boundary, both margins, support vectors and slacks; a histogram of margins for more than two columns.

    Attributes
    ----------
    sides : tuple of str
        The names of the two sides: scores below and above 0.
    codes : ndarray of shape (n_rows,)
        The side of each row: 0 or 1.
    margins : ndarray of shape (n_rows,)
        The functional margin of each row: its score, with the sign changed for the first side. Below 0 the
        row is on the wrong side, below 1 within the margin.
    support : ndarray
        The rows the machine rests on.
    points : ndarray of shape (n_rows, 2) or None
        The rows, if they have two columns.
    x, y : PlaneAxis or None
        The two axes.
    scores : ndarray of shape (len(y.values), len(x.values)) or None
        The score in the middle of each cell of the plane.
    width : float or None
        The distance between the margins of a linear machine.
    """

    size: ClassVar[tuple[float, float]] = (6.8, 4.6)

    sides: tuple[str, str]
    codes: NDArray[np.intp] = field(repr=False)
    margins: Floats = field(repr=False)
    support: NDArray[np.intp] = field(repr=False)
    points: Floats | None = field(default=None, repr=False)
    x: PlaneAxis | None = None
    y: PlaneAxis | None = None
    scores: Floats | None = field(default=None, repr=False)
    width: float | None = None

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: MatrixLike, y: VectorLike, *, positive: Any = None, resolution: int = 200
    ) -> MarginDisplay:
        """Work out margins of a fitted machine, linear or with a kernel.

        Parameters
        ----------
        estimator : classifier
            A fitted classifier with ``decision_function``, for two classes; for more, one that scores each
            class against all others.
        X : frame or array
            The rows it has learned.
        y : array-like of shape (n_rows,)
            Their labels.
        positive : label, optional
            With more than two classes: the one that is set against all others.
        resolution : int, default=200
            How many cells each axis is cut into.

        Examples
        --------
        >>> from classica import SVMClassifier
        >>> X, y = [[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]], ["a", "a", "b", "b"]
        >>> model = SVMClassifier(kernel="linear", C=float("inf")).fit(X, y)
        >>> display = MarginDisplay.from_estimator(model, X, y)
        >>> round(display.width, 6), display.margins.round(6).tolist()
        (2.0, [1.0, 1.0, 1.0, 1.0])
        """
        if not Integer(at_least=2, at_most=2000).accepts(resolution):
            raise ParameterError(must("resolution", "an integer from 2 to 2000", resolution))
        view = TableView.of(X)
        score, sides, side_of = _binary_classifier(estimator, positive)
        codes = side_of[known_codes(y, np.asarray(estimator.classes_), len(view.matrix))]
        margins = np.where(codes == 1, 1.0, -1.0) * score(X)
        if np.shape(margins) != codes.shape:
            raise DataError(must("decision_function", "one score for each row", np.shape(margins)))
        display = cls(sides, codes, margins, _support(estimator, margins), width=_width(estimator))
        if len(view.names) == 2 and not view.levels and np.isfinite(view.matrix).all():
            display.points = view.matrix
            display.x, display.y = (PlaneAxis.of(view, index, resolution) for index in (0, 1))
            corners = np.stack(np.meshgrid(display.x.values, display.y.values), axis=-1).reshape(-1, 2)
            display.scores = score(view.made((0, 1), corners)).reshape(resolution, resolution)
        return display

    @property
    def slacks(self) -> Floats:
        """How far each row is from the right side of its margin; 0 there."""
        slack: Floats = np.maximum(1 - self.margins, 0)
        return slack

    def plot(self, ax: Axes | None = None) -> MarginDisplay:
        """Draw the plane, or for more than two columns the histogram of the margins."""
        axes = self._begin(ax)
        if self.scores is None:
            margin_plot.draw_histogram(self, axes)
        else:
            margin_plot.draw_plane(self, axes)
        return self

    def note(self) -> str:
        """Return what there is to say in numbers."""
        inside = int((self.slacks > _ON_MARGIN).sum())
        wrong = int((self.margins < 0).sum())
        wide = f"The margins are {self.width:.3g} apart. " if self.width is not None else ""
        return (
            f"{wide}{len(self.support):,} of {len(self.codes):,} rows are support vectors; {inside:,} lie "
            f"inside their margin, {wrong:,} of them on the wrong side."
        )

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        return f"Margins of {self.sides[0]} against {self.sides[1]}. {self.note()}"


def _binary_classifier(
    estimator: BaseEstimator, positive: Label | None
) -> tuple[Any, tuple[str, str], NDArray[np.intp]]:
    """Return the function that scores rows, the names of its sides, and the side of each class."""
    if not hasattr(estimator, "decision_function"):
        raise DataError(must("estimator", "a classifier with decision_function", estimator))
    if not hasattr(estimator, "classes_"):
        raise NotFittedError(f"This {type(estimator).__name__} is not fitted yet; call fit() first.")
    classes = estimator.classes_.tolist()
    if len(classes) == 2:
        if positive is not None and positive not in classes:
            raise ParameterError(must("positive", f"one of the classes {classes}", positive))
        names = str(classes[0]), str(classes[1])
        return lambda X: np.asarray(estimator.decision_function(X), dtype=float), names, np.array([0, 1])
    if positive not in classes:
        raise ParameterError(must("positive", f"one of the {len(classes)} classes {classes}", positive))
    if getattr(estimator, "multi_class", "one-vs-all") == "all-vs-all":
        rule = "for two classes, or score each class against all others (multi_class='one-vs-all')"
        raise DataError(must("estimator", rule, estimator))
    column = classes.index(positive)
    side_of = (np.arange(len(classes)) == column).astype(np.intp)
    names = "all others", str(positive)
    return lambda X: np.asarray(estimator.decision_function(X), dtype=float)[:, column], names, side_of


def _support(estimator: BaseEstimator, margins: Floats) -> NDArray[np.intp]:
    """Return the support vectors of the classifier; else the rows on their margin or inside it."""
    try:
        named = np.asarray(estimator.support_, dtype=np.intp)
    except (AttributeError, ClassicaError):  # stochastic solvers know of no multipliers
        named = np.empty(0, dtype=np.intp)
    if len(named) and named.max() < len(margins) and len(estimator.classes_) == 2:
        return named
    return np.flatnonzero(margins <= 1 + _ON_MARGIN)


def _width(estimator: BaseEstimator) -> float | None:
    try:
        coef = np.asarray(estimator.coef_, dtype=float)
    except (AttributeError, ClassicaError):  # kernels have no weights
        return None
    length = np.linalg.norm(coef) if len(coef) == 1 else 0.0
    return float(2 / length) if length > 0 else None
