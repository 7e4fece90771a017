"""The k-d partition of the plane by level."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, VectorLike
from classica.displays.canvas import class_handle, draw_rows, foreground, headline, legend_beside, one_path
from classica.displays.display import Display
from classica.displays.neighbourhood.kd_cells import KDCell, kd_cells
from classica.displays.neighbourhood.voronoi import two_numbers
from classica.displays.planes.table_view import PlaneAxis
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer, Nothing, OneOf
from classica.targets import encode_target

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


@dataclass(eq=False)
class KDPartitionDisplay(Display):
    """The plane as a k-d tree cuts it: at the median of a column, then each half again.

    Attributes
    ----------
    x, y : PlaneAxis
        The two axes.
    points : ndarray of shape (n_rows, 2)
        The rows.
    classes : ndarray or None
        The class labels; None if the rows have none.
    codes : ndarray of shape (n_rows,)
        The classes of the rows.
    cells : list of KDCell
        The cells of all levels, a parent before its children.
    level : int
        The last level that is drawn: level 1 is the first cut.
    depth : int
        The last level there is.
    """

    size: ClassVar[tuple[float, float]] = (6.6, 4.6)

    x: PlaneAxis
    y: PlaneAxis
    points: Floats = field(repr=False)
    classes: NDArray[Any] | None
    codes: NDArray[np.intp] = field(repr=False)
    cells: list[KDCell] = field(repr=False)
    level: int
    depth: int

    @classmethod
    def from_points(
        cls,
        X: MatrixLike,
        y: VectorLike | None = None,
        *,
        level: int | None = None,
        axis: str = "widest",
        leaf_size: int = 1,
    ) -> KDPartitionDisplay:
        """Cut the plane of rows with two columns of numbers.

        Parameters
        ----------
        X : frame or array with two columns
            The rows.
        y : array-like of shape (n_rows,), optional
            Their labels, to be drawn by class.
        level : int or None, default=None
            The last level that is drawn; None: all.
        axis : {"widest", "alternate"}, default="widest"
            Whether a cell is cut along the axis on which its rows spread most, or the axes take turns.
        leaf_size : int, default=1
            Cells with at most so many rows are not cut.

        Examples
        --------
        >>> display = KDPartitionDisplay.from_points([[1.0, 0.0], [2.0, 1.0], [4.0, 0.0], [9.0, 1.0]])
        >>> display.cells[0].axis, display.cells[0].cut
        (0, 3.0)
        """
        _check("level", level, Integer(at_least=0) | Nothing())
        _check("axis", axis, OneOf("widest", "alternate"))
        _check("leaf_size", leaf_size, Integer(at_least=1))
        view = two_numbers(X)
        classes, codes = None, np.zeros(len(view.matrix), dtype=np.intp)
        if y is not None:
            classes, class_codes = encode_target(y, len(view.matrix), cls.__name__)
            codes = class_codes.astype(np.intp)
        horizontal, vertical = (PlaneAxis.of(view, index, 2) for index in (0, 1))
        low, high = np.array([[end.low, end.high] for end in (horizontal, vertical)]).T
        cells = kd_cells(view.matrix, low, high, axis=axis, leaf_size=leaf_size)
        depth = cells[-1].level
        drawn = depth if level is None else min(level, depth)
        return cls(horizontal, vertical, view.matrix, classes, codes, cells, drawn, depth)

    @classmethod
    def from_estimator(
        cls, knn: BaseEstimator, X: MatrixLike, y: VectorLike | None = None, *, level: int | None = None
    ) -> KDPartitionDisplay:
        """Cut the plane as a nearest-neighbour classifier does: on the widest axis, down to its leaf size.

        Parameters
        ----------
        knn : classifier
            A nearest-neighbour classifier fitted on `X`; its ``leaf_size`` says when a cell is cut no more.
        X : frame or array with two columns
            The rows it has learned.
        y : array-like of shape (n_rows,), optional
            Their labels, to be drawn by class.
        level : int or None, default=None
            The last level that is drawn; None: all.

        Notes
        -----
        The classifier's own index rounds its medians to whole blocks of rows and keeps boxes, not cuts; these
        are the cuts of the textbook with the same rule and the same size of leaves.
        """
        leaf_size = getattr(knn, "leaf_size", None)
        if leaf_size is None or not hasattr(knn, "kneighbors"):
            raise DataError(must("knn", "a nearest-neighbour estimator with a leaf_size", knn))
        return cls.from_points(X, y, level=level, leaf_size=leaf_size)

    def cuts(self, level: int) -> list[Floats]:
        """Return the lines that make the cells of a level of those of the level before."""
        lines = []
        for cell in self.cells:
            if cell.level == level - 1 and cell.axis >= 0:
                line = np.array([cell.low, cell.high])
                line[:, cell.axis] = cell.cut
                lines.append(line)
        return lines

    def drawn_cells(self) -> list[KDCell]:
        """Return the cells the plane is cut into at the level that is drawn."""
        return [
            cell
            for cell in self.cells
            if cell.level == self.level or (cell.axis < 0 and cell.level < self.level)
        ]

    def plot(self, ax: Axes | None = None) -> KDPartitionDisplay:
        """Draw the rows, and the cuts of each level thinner than those before."""
        from matplotlib.lines import Line2D
        from matplotlib.patches import PathPatch

        axes = self._begin(ax)
        draw_rows(axes, self.points, self.codes, size=14)
        handles = [class_handle(code, label) for code, label in enumerate(self._labels())]
        for level in range(1, self.level + 1):
            style = _style(level)
            axes.add_artist(PathPatch(one_path(self.cuts(level)), fill=False, zorder=2, **style))
            if level <= 5:
                name = f"cut {level}" if level < 5 or self.level == 5 else "cuts 5 and later"
                handles.append(Line2D([], [], label=name, **style))
        axes.set(xlim=(self.x.low, self.x.high), ylim=(self.y.low, self.y.high))
        self.x.label(axes.xaxis)
        self.y.label(axes.yaxis)
        legend_beside(axes, handles)
        headline(axes, "Partition of the plane by a k-d tree", self._note())
        return self

    def _labels(self) -> list[Any]:
        return [] if self.classes is None else self.classes.tolist()

    def _note(self) -> str:
        sizes = [len(cell.rows) for cell in self.drawn_cells()]
        rows = (
            f"{min(sizes):,} to {max(sizes):,} rows"
            if min(sizes) < max(sizes)
            else f"rows: {max(sizes):,} each"
        )
        return f"Level {self.level} of {self.depth}: {len(sizes):,} cells of {rows}."

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        return (
            f"k-d partition of {len(self.points)} rows over {self.x.name} and {self.y.name}. {self._note()}"
        )


def _style(level: int) -> dict[str, Any]:
    dash = ("solid", "dashed", "dashdot", "dotted")[min(level, 4) - 1]
    return {"color": foreground(), "lw": max(0.5, 2.4 / level**0.7), "ls": dash, "alpha": 0.85}


def _check(what: str, value: Any, rule: Any) -> None:
    if not rule.accepts(value):
        raise ParameterError(must(what, str(rule), value))
