"""A row and its nearest neighbours: on the plane, as pictures, or cell by cell."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.displays.display import Display
from classica.displays.neighbourhood import neighbour_plot
from classica.displays.planes.table_view import TableView
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer, Nothing, OneOf
from classica.targets import encode_target

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


_LEAST_PICTURE = 49  # columns; fewer are more likely a table than a picture


@dataclass(eq=False)
class NeighbourPanelDisplay(Display):
    """A row beside its nearest neighbours.

    Attributes
    ----------
    names : list of str
        The columns.
    query : ndarray of shape (n_columns,)
        The row, as numbers (indices of levels for categories).
    query_cells : list of str
        Its cells as text.
    neighbours : ndarray of shape (k,)
        The rows of the table that are nearest, nearest first.
    distances : ndarray of shape (k,)
        Their distances.
    rows : ndarray of shape (n_rows, n_columns)
        The table.
    cells : list of list of str
        The cells of each neighbour as text.
    labels : list or None
        The label of each neighbour.
    codes : ndarray or None
        The class of every row of the table.
    classes : ndarray or None
        The class labels.
    view : {"plane", "images", "table"}
        How they are drawn.
    said : str or None
        The prediction of the classifier for the row.
    euclidean : bool
        Whether rows at one distance lie on a circle.
    truth : str or None
        The label of the row, if it is one of the table.
    """

    size: ClassVar[tuple[float, float]] = (6.6, 4.6)

    names: list[str]
    query: Floats = field(repr=False)
    query_cells: list[str] = field(repr=False)
    neighbours: NDArray[np.intp]
    distances: Floats
    rows: Floats = field(repr=False)
    cells: list[list[str]] = field(repr=False)
    labels: list[Any] | None
    codes: NDArray[np.intp] | None = field(repr=False)
    classes: NDArray[Any] | None
    view: str
    said: str | None = None
    euclidean: bool = True
    truth: str | None = None

    @classmethod
    def from_estimator(
        cls,
        knn: BaseEstimator,
        X: MatrixLike,
        row: object,
        *,
        y: VectorLike | None = None,
        n_neighbors: int | None = None,
        view: str | None = None,
    ) -> NeighbourPanelDisplay:
        """Find the neighbours of a row.

        Parameters
        ----------
        knn : classifier
            A nearest-neighbour classifier fitted on `X`.
        X : frame or array
            Its training rows.
        row : int, or a table of one row
            The row: the index of one of `X`, which then is not its own neighbour, or a new row.
        y : array-like of shape (n_rows,), optional
            The labels of `X`.
        n_neighbors : int or None, default=None
            The number of neighbours; None: that of the classifier.
        view : {"plane", "images", "table"} or None, default=None
            How to draw them. None: two columns of numbers as a plane, a square number of 49 or more columns
            of numbers as pictures, anything else as a table.
        """
        _check("view", view, OneOf("plane", "images", "table") | Nothing())
        table = TableView.of(X)
        k = _count(knn, n_neighbors)
        asked, itself = _asked(X, table, row)
        distances, neighbours = _nearest(knn, asked, itself, k, len(table.matrix))
        query, query_cells = _query(table, asked, itself)
        classes = codes = labels = None
        if y is not None:
            classes, class_codes = encode_target(y, len(table.matrix), cls.__name__)
            codes = class_codes.astype(np.intp)
            labels = classes[codes[neighbours]].tolist()
        cells = [[table.shown(j, table.matrix[i, j]) for j in range(len(table.names))] for i in neighbours]
        prediction = str(np.asarray(knn.predict(asked)).tolist()[0]) if itself is None else None
        truth = None if itself is None or classes is None or codes is None else str(classes[codes[itself]])
        drawn = view or _view(table)
        _require_fit(table, drawn)
        return cls(
            table.names,
            query,
            query_cells,
            neighbours,
            distances,
            table.matrix,
            cells,
            labels,
            codes,
            classes,
            drawn,
            prediction,
            _is_euclidean(knn),
            truth,
        )

    def plot(self, ax: Axes | None = None) -> NeighbourPanelDisplay:
        """Draw the row and its neighbours."""
        axes = self._begin(ax)
        draw = {
            "plane": neighbour_plot.draw_plane,
            "images": neighbour_plot.draw_images,
            "table": neighbour_plot.draw_table,
        }
        draw[self.view](self, axes)
        return self

    def _size(self) -> tuple[float, float]:
        k = len(self.neighbours)
        if self.view == "images":
            across = min(k + 1, neighbour_plot.ACROSS)
            return 1.1 + 1.15 * across, 0.8 + 1.45 * math.ceil((k + 1) / across)
        if self.view == "table":
            shown = min(len(self.names), neighbour_plot.MOST_COLUMNS)
            return 2.4 + 0.95 * min(k + 1, neighbour_plot.MOST_ROWS), 1.6 + 0.27 * shown
        return self.size

    def votes(self) -> str:
        """Return how the neighbours vote, in words."""
        if self.labels is None:
            return f"{len(self.neighbours)} nearest rows."
        texts = [str(label) for label in self.labels]
        counts = sorted(
            ((texts.count(label), label) for label in set(texts)), key=lambda pair: (-pair[0], pair[1])
        )
        votes = ", ".join(f"{count} × {label}" for count, label in counts)
        truth = f" The row itself is {self.truth}." if self.truth is not None else ""
        return f"{len(self.neighbours)} nearest rows: {votes}.{truth}"

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        predicted = f" The classifier predicts {self.said}." if self.said is not None else ""
        near, far = self.distances[0], self.distances[-1]
        return f"A row and its {self.votes()} Distances {near:.4g} to {far:.4g}.{predicted}"


def _check(what: str, value: Any, rule: Any) -> None:
    if not rule.accepts(value):
        raise ParameterError(must(what, str(rule), value))


def _count(knn: BaseEstimator, wanted: int | None) -> int:
    if not hasattr(knn, "kneighbors"):
        raise DataError(must("knn", "a nearest-neighbour estimator", knn))
    k = getattr(knn, "n_neighbors_", getattr(knn, "n_neighbors", None)) if wanted is None else wanted
    _check("n_neighbors", k, Integer(at_least=1))
    assert k is not None
    return int(k)


def _asked(X: Rows, table: TableView, row: object) -> tuple[Any, int | None]:
    """Return the row asked about as a table of its own, and its number if it is one of the rows."""
    if not isinstance(row, int | np.integer):
        if len(TableView.of(row).matrix) != 1:
            raise DataError(must("row", "the index of a row or a table of one row", row))
        return row, None
    _check("row", row, Integer(at_least=0, at_most=len(table.matrix) - 1))
    mask = np.arange(len(table.matrix)) == row
    return table.rows(mask).native, int(row)


def _nearest(
    knn: BaseEstimator, asked: object, itself: int | None, k: int, rows: int
) -> tuple[Floats, NDArray[np.intp]]:
    _check("n_neighbors", k, Integer(at_least=1, at_most=rows - (itself is not None)))
    distances, indices = knn.kneighbors(asked, n_neighbors=k + (itself is not None))
    distances, indices = np.asarray(distances, dtype=float)[0], np.asarray(indices, dtype=np.intp)[0]
    if indices.max() >= rows:
        raise DataError(must("X", "the training rows of the classifier", f"{rows} rows"))
    others = indices != itself if itself is not None else np.ones(len(indices), dtype=bool)
    return distances[others][:k], indices[others][:k]


def _query(table: TableView, asked: object, itself: int | None) -> tuple[Floats, list[str]]:
    if itself is not None:
        numbers = table.matrix[itself]
        return numbers, [table.shown(index, value) for index, value in enumerate(numbers)]
    own = TableView.of(asked)
    numbers = own.matrix[0].copy()
    texts = [own.shown(index, value) for index, value in enumerate(numbers)]
    for index, levels in own.levels.items():  # places among the levels of the table, not of this one row
        table_levels = table.levels.get(index, [])
        numbers[index] = table_levels.index(levels[0]) if levels and levels[0] in table_levels else np.nan
    return numbers, texts


def _view(table: TableView) -> str:
    columns = len(table.names)
    if table.levels or np.isnan(table.matrix).any():
        return "table"
    if columns == 2:
        return "plane"
    return "images" if columns >= _LEAST_PICTURE and math.isqrt(columns) ** 2 == columns else "table"


def _require_fit(table: TableView, view: str) -> None:
    columns = len(table.names)
    if view == "plane" and (columns != 2 or table.levels):
        raise ParameterError(
            must("view", "'images' or 'table' unless there are two columns of numbers", view)
        )
    if view == "images" and math.isqrt(columns) ** 2 != columns:
        raise ParameterError(must("view", f"'table' for {columns} columns, which make no square", view))


def _is_euclidean(knn: BaseEstimator) -> bool:
    metric, power = getattr(knn, "metric", None), getattr(knn, "p", 2)
    return bool(metric == "euclidean" or (metric == "minkowski" and power == 2))
