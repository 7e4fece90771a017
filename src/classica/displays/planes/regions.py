"""The decision regions of a classifier, over two columns or a projection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from classica.arrays import MatrixLike, VectorLike
from classica.decision.class_labels import known_codes
from classica.displays.canvas import MOST_ROWS
from classica.displays.display import Display
from classica.displays.neighbourhood.voronoi import VoronoiDisplay, is_one_nearest_neighbour
from classica.displays.planes import regions_plot
from classica.displays.planes.projection import Projection, two_useful_columns
from classica.displays.planes.table_view import PlaneAxis, TableView
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer, OneOf
from classica.targets import encode_target

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from sklearn.base import BaseEstimator

_MOST_CELLS = 250  # Voronoi cells drawn one by one


@dataclass(eq=False)
class DecisionRegionsDisplay(Display):
    """The decision regions of a classifier, with the rows.

    Made by `from_estimator`; everything that is drawn is here as plain data.

    Attributes
    ----------
    x, y : PlaneAxis
        The two axes.
    classes : ndarray
        The class labels.
    regions : ndarray of shape (len(y.values), len(x.values))
        The code of the class predicted in the middle of each cell.
    probability : ndarray or None
        The probability of that class there; None if the classifier has none.
    rejected : ndarray or None
        Where the classifier rejects; None if it never does.
    points : ndarray of shape (n_rows, 2)
        The rows.
    codes : ndarray of shape (n_rows,)
        Their classes.
    wrong : ndarray of shape (n_rows,)
        Which of them are misclassified.
    note : str
        How the other columns were treated.
    cells : VoronoiDisplay or None
        The exact cells of 1-NN.
    estimator_ : classifier
        The one whose regions these are: the one given, or the same fitted on the two columns.
    """

    size: ClassVar[tuple[float, float]] = (6.6, 4.6)

    x: PlaneAxis
    y: PlaneAxis
    classes: NDArray[Any]
    regions: NDArray[np.intp] = field(repr=False)
    probability: Floats | None = field(repr=False)
    rejected: NDArray[np.bool_] | None = field(repr=False)
    points: Floats = field(repr=False)
    codes: NDArray[np.intp] = field(repr=False)
    wrong: NDArray[np.bool_] = field(repr=False)
    note: str
    cells: VoronoiDisplay | None = field(default=None, repr=False)
    estimator_: Any = field(default=None, repr=False)

    @classmethod
    def from_estimator(
        cls,
        estimator: BaseEstimator,
        X: MatrixLike,
        y: VectorLike,
        *,
        features: MatrixLike | None = None,
        others: str = "refit",
        resolution: int = 240,
    ) -> DecisionRegionsDisplay:
        """Compute the decision regions of a classifier on a plane.

        Parameters
        ----------
        estimator : classifier
            A fitted classifier; one that is to be refitted on the plane need not be fitted.
        X : frame, array or sparse matrix
            The rows to show, as the classifier takes them.
        y : array-like of shape (n_rows,)
            Their labels.
        features : None, "auto", "projection" or two columns, default=None
            The two axes by name or number; "auto": the two columns by which a small tree separates the
            classes best; "projection": the plane that separates the classes best, on which the classifier is
            refitted. None: the two columns of `X` if it has no more, otherwise "auto".
        others : {"refit", "typical"}, default="refit"
            How to treat other columns: refit the classifier on the two columns alone; or keep it, with the
            other columns held at their median or most frequent level. Rows are then marked as misclassified
            by all of their values, so that they may lie in a region of another colour than their prediction.
        resolution : int, default=240
            The number of cells along each numeric axis.

        Returns
        -------
        DecisionRegionsDisplay

        Examples
        --------
        >>> from classica import NearestMeanClassifier
        >>> X, y = [[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]], ["a", "a", "b", "b"]
        >>> model = NearestMeanClassifier().fit(X, y)
        >>> display = DecisionRegionsDisplay.from_estimator(model, X, y, resolution=4)
        >>> display.regions[0]
        array([0, 0, 1, 1])
        """
        _check_options(others, resolution)
        model, view, columns, y, note = _on_plane(estimator, TableView.of(X), y, features, others)
        seen = view.complete(columns)
        shown, labels = view.rows(seen), np.asarray(y)[seen]
        horizontal, vertical = (PlaneAxis.of(shown, column, resolution) for column in columns)
        classes = np.asarray(model.classes_)
        codes = known_codes(labels, classes, len(labels))
        corners = np.stack(np.meshgrid(horizontal.values, vertical.values), axis=-1)
        regions, probability, rejected = _predictions(model, shown, columns, corners, classes)
        wrong = known_codes(np.asarray(model.predict(shown.native)), classes, len(codes)) != codes
        points = shown.matrix[:, list(columns)]
        cells = None
        if is_one_nearest_neighbour(model) and len(view.names) == 2 and not view.levels:
            cells = VoronoiDisplay.from_estimator(model, shown.native, labels)
        return cls(
            horizontal,
            vertical,
            classes,
            regions,
            probability,
            rejected,
            points,
            codes,
            wrong,
            note,
            cells,
            model,
        )

    def plot(self, ax: Axes | None = None, *, most_rows: int | None = MOST_ROWS) -> DecisionRegionsDisplay:
        """Draw regions and rows.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.
        most_rows : int or None, default=600
            The maximum number of rows drawn; None: all.
        """
        axes = self._begin(ax)
        if self.cells is not None and len(self.cells.cells) <= _MOST_CELLS:
            self.cells.draw_cells(axes)
        else:
            regions_plot.draw_regions(self, axes)
        regions_plot.draw_points(self, axes, most_rows)
        regions_plot.finish(self, axes, most_rows)
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        shares = np.bincount(self.regions.ravel(), minlength=len(self.classes)) / self.regions.size
        regions = ", ".join(
            f"{label} on {share:.0%}"
            for label, share in zip(self.classes.tolist(), shares, strict=True)
            if share
        )
        return (
            f"Decision regions over {self.x.title} and {self.y.title}: {regions} of the plane; "
            f"{int(self.wrong.sum())} of {len(self.codes)} rows are misclassified. {self.note}"
        ).strip()


Plane = tuple[Any, TableView, tuple[int, int], Any, str]


def _check_options(others: str, resolution: int) -> None:
    for what, value, rule in (
        ("others", others, OneOf("refit", "typical")),
        ("resolution", resolution, Integer(at_least=2, at_most=2000)),
    ):
        if not rule.accepts(value):
            raise ParameterError(must(what, str(rule), value))


def _on_plane(
    estimator: BaseEstimator, view: TableView, y: VectorLike, features: MatrixLike, others: str
) -> Plane:
    """Return the classifier of the plane, its rows, the two columns, the labels and what was done."""
    columns = len(view.names)
    if columns < 2:
        raise DataError(must("X", "a table of at least two columns", columns))
    codes = encode_target(y, len(view.matrix), type(estimator).__name__)[1].astype(np.intp)
    if isinstance(features, str) and features == "projection":
        projected = Projection.of(view, codes)
        plane = TableView.of(projected.points, projected.names)
        note = f"Projection of {columns} columns, with the classifier refitted on it."
        return _unfitted(estimator, None).fit(plane.native, y), plane, (0, 1), y, note
    axes = _axis_columns(view, codes, features)
    if columns == 2:
        return estimator, view, axes, y, ""
    if others == "typical":
        return estimator, view, axes, y, _typical_note(view, axes)
    plane = view.only(axes)
    complete = plane.complete((0, 1))
    plane, labels = plane.rows(complete), np.asarray(y)[complete]
    note = f"Classifier refitted on these two of {columns} columns."
    return _unfitted(estimator, plane.names).fit(plane.native, labels), plane, (0, 1), labels, note


def _unfitted(estimator: BaseEstimator, names: list[str] | None) -> Any:
    """Return a clone for the plane; one with the schema of a table gets that of two columns, or of none."""
    schema = getattr(estimator, "schema", None)
    if schema is None or not hasattr(schema, "columns"):
        return clone(estimator)
    if names is None:  # a projection has no columns of the table
        return clone(estimator.estimator)
    kept = tuple(column for column in schema.columns if column.role != "feature" or column.name in names)
    return clone(estimator).set_params(schema=replace(schema, columns=kept))


def _axis_columns(view: TableView, codes: NDArray[np.intp], features: Any) -> tuple[int, int]:
    if features is None and len(view.names) == 2:
        return 0, 1
    if features is None or (isinstance(features, str) and features == "auto"):
        return two_useful_columns(view, codes)
    if isinstance(features, str) or np.shape(features) != (2,):
        raise ParameterError(must("features", "None, 'auto', 'projection' or two columns of X", features))
    first, second = (view.place(feature) for feature in features)
    if first == second:
        raise ParameterError(must("features", "two different columns", features))
    return first, second


def _typical_note(view: TableView, columns: tuple[int, int]) -> str:
    held = [index for index in range(len(view.names)) if index not in columns]
    shown = [f"{view.names[index]} = {view.shown(index, view.typical(index))}" for index in held[:4]]
    more = f" and {len(held) - 4} more columns" if len(held) > 4 else ""
    return f"Held at their median or most frequent value: {', '.join(shown)}{more}."


def _predictions(
    model: BaseEstimator, view: TableView, columns: tuple[int, int], corners: Floats, classes: NDArray[Any]
) -> tuple[NDArray[np.intp], Floats | None, NDArray[np.bool_] | None]:
    """Return the predicted class, its probability, and whether it is rejected, at each point of a grid."""
    shape = corners.shape[:2]
    predicted, chosen_probability, rejected = [], [], []
    for rows in _batches(view, columns, corners.reshape(-1, 2)):
        labels = np.asarray(model.predict(rows))
        predicted.append(known_codes(labels, classes, len(labels)))
        if hasattr(model, "predict_proba"):
            chosen = np.asarray(model.predict_proba(rows))[np.arange(len(labels)), predicted[-1]]
            chosen_probability.append(np.asarray(chosen, dtype=np.float64))
        if hasattr(model, "rejects"):
            rejected.append(np.asarray(model.rejects(rows), dtype=bool))
    return (
        np.concatenate(predicted).reshape(shape),
        np.concatenate(chosen_probability).reshape(shape) if chosen_probability else None,
        np.concatenate(rejected).reshape(shape) if rejected and np.concatenate(rejected).any() else None,
    )


def _batches(view: TableView, columns: tuple[int, int], points: Floats) -> Iterator[Any]:
    for start in range(0, len(points), view.rows_at_once):
        yield view.made(columns, points[start : start + view.rows_at_once])
