"""The cells of 1-NN: the part of the plane that is nearer to a row than to any other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Voronoi

from classica.arrays import MatrixLike, VectorLike
from classica.decision.class_labels import known_codes
from classica.displays.canvas import (
    class_color,
    class_handle,
    draw_rows,
    foreground,
    headline,
    legend_beside,
    one_path,
)
from classica.displays.display import Display
from classica.displays.planes.table_view import PlaneAxis, TableView
from classica.errors import DataError, must
from classica.native import Floats
from classica.targets import encode_target

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


_MOST_CELLS = 400  # beyond, lines between cells of one class would hide the colours
_ODD_SHAPE = 1e3  # the longer side of the frame over the shorter


@dataclass(eq=False)
class VoronoiDisplay(Display):
    """The plane cut into the cells of its rows, each in the colour of the class 1-NN says there.

    Attributes
    ----------
    x, y : PlaneAxis
        The two axes; cells end where they end.
    classes : ndarray
        The class labels.
    points : ndarray of shape (n_rows, 2)
        The rows.
    codes : ndarray of shape (n_rows,)
        Their classes.
    cells : list of ndarray
        The corners of each cell in order; rows at the same place share one.
    cell_codes : ndarray
        The class said in each cell.
    cell_of_row : ndarray of shape (n_rows,)
        The cell each row lies in.
    """

    size: ClassVar[tuple[float, float]] = (6.6, 4.6)

    x: PlaneAxis
    y: PlaneAxis
    classes: NDArray[Any]
    points: Floats = field(repr=False)
    codes: NDArray[np.intp] = field(repr=False)
    cells: list[Floats] = field(repr=False)
    cell_codes: NDArray[np.intp] = field(repr=False)
    cell_of_row: NDArray[np.intp] = field(repr=False)

    @classmethod
    def from_points(cls, X: MatrixLike, y: VectorLike) -> VoronoiDisplay:
        """Work out the cells of rows with two columns of numbers.

        Where rows of several classes share a place, the most frequent class has the cell, or the first.

        Examples
        --------
        >>> display = VoronoiDisplay.from_points([[0.0, 0.0], [1.0, 0.0]], ["left", "right"])
        >>> display.cells[0][:, 0].max()
        np.float64(0.5)
        """
        view = two_numbers(X)
        classes, codes = encode_target(y, len(view.matrix), cls.__name__)
        sites, cell_of_row = _distinct(view.matrix)
        votes = np.zeros((len(sites), len(classes)), dtype=np.intp)
        np.add.at(votes, (cell_of_row, codes), 1)
        return cls._of(view, classes, codes.astype(np.intp), sites, cell_of_row, votes.argmax(axis=1))

    @classmethod
    def from_estimator(cls, estimator: BaseEstimator, X: MatrixLike, y: VectorLike) -> VoronoiDisplay:
        """Work out the cells of a fitted 1-NN with Euclidean distances, on the rows it has learned."""
        if not is_one_nearest_neighbour(estimator):
            rule = "a nearest-neighbour classifier with one neighbour and Euclidean distances"
            raise DataError(must("estimator", rule, estimator))
        view = two_numbers(X)
        classes = np.asarray(estimator.classes_)
        sites, cell_of_row = _distinct(view.matrix)
        firsts = np.zeros(len(sites), dtype=np.intp)
        firsts[cell_of_row[::-1]] = np.arange(len(cell_of_row))[::-1]
        predicted = np.asarray(estimator.predict(view.native))[firsts]
        codes = known_codes(y, classes, len(view.matrix))
        return cls._of(
            view, classes, codes, sites, cell_of_row, known_codes(predicted, classes, len(predicted))
        )

    @classmethod
    def _of(
        cls,
        view: TableView,
        classes: NDArray[Any],
        codes: NDArray[np.intp],
        sites: Floats,
        cell_of_row: NDArray[np.intp],
        cell_codes: NDArray[np.intp],
    ) -> VoronoiDisplay:
        x, y = (PlaneAxis.of(view, index, 2) for index in (0, 1))
        cells = voronoi_cells(sites, (x.low, x.high), (y.low, y.high))
        return cls(x, y, classes, view.matrix, codes, cells, cell_codes, cell_of_row)

    def plot(self, ax: Axes | None = None) -> VoronoiDisplay:
        """Draw the cells and the rows."""
        axes = self._begin(ax)
        self.draw_cells(axes)
        draw_rows(axes, self.points, self.codes, size=18)
        axes.set(xlim=(self.x.low, self.x.high), ylim=(self.y.low, self.y.high))
        self.x.label(axes.xaxis)
        self.y.label(axes.yaxis)
        legend_beside(axes, [class_handle(code, label) for code, label in enumerate(self.classes.tolist())])
        headline(
            axes, "Voronoi cells of 1-NN", "Every point of a cell is nearer to its row than to any other row."
        )
        return self

    def draw_cells(self, ax: Axes) -> None:
        """Draw the cells alone: strong lines where the class changes, thin ones elsewhere."""
        from matplotlib.patches import PathPatch

        between, within = self.borders()
        within = within if len(self.cells) <= _MOST_CELLS else []
        for code in np.unique(self.cell_codes):
            mine = [cell for cell, of in zip(self.cells, self.cell_codes, strict=True) if of == code]
            fill = {"fc": class_color(int(code)), "lw": 0, "alpha": 0.28}
            ax.add_artist(PathPatch(one_path(mine, closed=True), zorder=0, **fill))
        for lines, width, alpha in ((within, 0.5, 0.3), (between, 1.3, 0.8)):
            style = {"ec": foreground(), "lw": width, "alpha": alpha, "zorder": 1}
            ax.add_artist(PathPatch(one_path(lines), fill=False, **style))

    def borders(self) -> tuple[list[Floats], list[Floats]]:
        """Return the edges between cells of different classes, and those between cells of one class."""
        scale = np.array([self.x.high - self.x.low, self.y.high - self.y.low])
        sides: dict[tuple[Any, ...], int] = {}
        between: list[Floats] = []
        within: list[Floats] = []
        for code, cell in zip(self.cell_codes.tolist(), self.cells, strict=True):
            for edge in np.stack([cell, np.roll(cell, -1, axis=0)], axis=1):
                # Two cells share an edge, up to rounding; one of the frame has a single cell.
                key = tuple(sorted(map(tuple, np.round(edge / scale * 1e7).tolist())))
                if key in sides:
                    (within if sides[key] == code else between).append(edge)
                sides[key] = code
        return between, within

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        return (
            f"Voronoi cells of {len(self.points)} rows over {self.x.name} and {self.y.name}: "
            f"{len(self.cells)} cells of {len(self.classes)} classes."
        )


def voronoi_cells(sites: Floats, x: tuple[float, float], y: tuple[float, float]) -> list[Floats]:
    """Return the corners of the cell of each of some distinct places, within a frame that holds them all.

    The mirror image of a place in a side of the frame is as far from that side as the place: with the images
    of all places in all four sides every cell ends at the frame by itself, and places on one line or a
    single one need no other treatment.
    """
    low, high = np.array([x[0], y[0]]), np.array([x[1], y[1]])
    if (high - low).max() > _ODD_SHAPE * (high - low).min():
        return _clipped_cells(sites, low, high)
    images = [sites]
    for axis, ends in enumerate((x, y)):
        for end in ends:
            image = sites.copy()
            image[:, axis] = 2 * end - image[:, axis]
            images.append(image)
    diagram = Voronoi(np.concatenate(images))
    cells = []
    for site, region in zip(sites, diagram.point_region[: len(sites)], strict=True):
        corners = np.clip(diagram.vertices[diagram.regions[region]], low, high)
        around = np.arctan2(*(corners - site).T[::-1])
        cells.append(np.asarray(corners[np.argsort(around, kind="stable")], dtype=np.float64))
    return cells


def _clipped_cells(sites: Floats, low: Floats, high: Floats) -> list[Floats]:
    """Return the same by cutting the frame at one bisector after the other, from the nearest place on.

    For frames so narrow that Qhull takes places beside each other for one.
    """
    middle = (low + high) / 2
    corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]]) - middle
    cells = []
    for site in sites - middle:
        apart = sites - middle - site
        distances = np.linalg.norm(apart, axis=1)
        cell = corners
        for other in np.argsort(distances, kind="stable")[1:]:
            if distances[other] > 2 * np.linalg.norm(cell - site, axis=1).max():
                break  # its bisector passes beyond all corners, and so do all that follow
            cell = _cut(cell, apart[other], site + apart[other] / 2)
        cells.append(cell + middle)
    return cells


def _cut(cell: Floats, direction: Floats, through: Floats) -> Floats:
    """Return the part of a convex cell that does not lie beyond a line."""
    beyond = (cell - through) @ direction
    corners = []
    for i, j in zip(range(len(cell)), np.roll(np.arange(len(cell)), -1), strict=True):
        if beyond[i] <= 0:
            corners.append(cell[i])
        if beyond[i] * beyond[j] < 0:
            corners.append(cell[i] + (cell[j] - cell[i]) * (beyond[i] / (beyond[i] - beyond[j])))
    return np.array(corners)


def is_one_nearest_neighbour(estimator: BaseEstimator) -> bool:
    """Return whether an estimator says the class of the row that is nearest by Euclidean distance."""
    if not hasattr(estimator, "kneighbors") or not hasattr(estimator, "classes_"):
        return False
    metric, power = getattr(estimator, "metric", None), getattr(estimator, "p", 2)
    k = getattr(estimator, "n_neighbors_", getattr(estimator, "n_neighbors", None))
    euclidean = metric == "euclidean" or (metric == "minkowski" and power == 2)
    return k == 1 and euclidean and not getattr(estimator, "approximate", False)


def two_numbers(X: MatrixLike) -> TableView:
    """Return the view of a table of two columns of finite numbers."""
    view = TableView.of(X)
    if len(view.names) != 2 or view.levels:
        raise DataError(must("X", "a table of two columns of numbers", view.names))
    if not np.isfinite(view.matrix).all():
        raise DataError(must("X", "finite", view.matrix[~np.isfinite(view.matrix).all(axis=1)][0].tolist()))
    return view


def _distinct(matrix: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return the distinct places, and the place of each row."""
    sites, inverse = np.unique(matrix, axis=0, return_inverse=True)
    return sites, inverse.reshape(-1).astype(np.intp)
