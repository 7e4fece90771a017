"""The rows of a frame or an array as numbers, further rows made from numbers, and the axes of a plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica.categories import category_columns, code_columns, grown_levels
from classica.displays.canvas import robust_ends, shorten
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.wording import did_you_mean

if TYPE_CHECKING:
    from matplotlib.axis import Axis
from classica.arrays import MatrixLike

_MARGIN = 0.06  # of the range on either side


@dataclass(frozen=True)
class PlaneAxis:
    """A column as an axis.

    Attributes
    ----------
    name : str
        What is written along it.
    values : ndarray
        The middles of the cells into which the axis is cut; for categories the place of each level.
    low, high : float
        Where the axis ends.
    levels : list or None
        The names of the levels; None for numbers.
    """

    name: str
    values: Floats
    low: float
    high: float
    levels: list[Any] | None = None

    @property
    def title(self) -> str:
        """The name in one line, without what explains it."""
        return self.name.split("\n")[0]

    @classmethod
    def of(cls, view: TableView, place: int, resolution: int) -> PlaneAxis:
        """Return the axis of a column, a little longer than its values."""
        levels = view.levels.get(place)
        if levels is not None:
            count = max(len(levels), 1)
            return cls(view.names[place], np.arange(float(count)), -0.5, count - 0.5, levels)
        low, high = robust_ends(view.matrix[:, place])
        margin = _MARGIN * (high - low) if high > low else max(abs(high), 1.0) / 2
        low, high = low - margin, high + margin
        step = (high - low) / resolution
        middles = low + step * (np.arange(resolution, dtype=np.float64) + 0.5)
        return cls(view.names[place], middles, low, high)

    def spread(self, values: Floats, turn: int) -> Floats:
        """Return where rows are drawn: beside each other if they have the same level."""
        if self.levels is None:
            return values
        # Steps of the golden ratio fall evenly, however many there are; no seed is needed.
        steps = (np.arange(len(values)) * (0.6180339887 + 0.1 * turn)) % 1
        drawn: Floats = values + 0.6 * (steps - 0.5)
        return drawn

    def label(self, axis: Axis) -> None:
        """Write name and levels along an axis of a picture."""
        axis.set_label_text("\n".join(shorten(line, 54) for line in self.name.split("\n")))
        if self.levels is not None:
            turned = axis is axis.axes.xaxis and sum(len(str(level)) for level in self.levels) > 50
            style: dict[str, Any] = (
                {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if turned else {}
            )
            axis.set_ticks(self.values, [shorten(level, 18) for level in self.levels], **style)


_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class TableView:
    """A table whose cells are numbers: categories are indices of their levels, missing values are NaN.

    Attributes
    ----------
    names : list of str
        The columns.
    matrix : ndarray of shape (n_rows, n_columns)
        The cells.
    levels : dict
        For each place of a category column its levels, only those that occur.
    frame : narwhals DataFrame or None
        The frame it was made of; None for an array.
    """

    names: list[str]
    matrix: Floats
    levels: dict[int, list[Any]]
    frame: nw.DataFrame[Any] | None

    @classmethod
    def of(cls, X: MatrixLike, names: Sequence[str] | None = None) -> TableView:
        """Return the view of a frame (pandas, polars, Arrow), an array or a sparse matrix."""
        if not nw.dependencies.is_into_dataframe(X):
            return cls._of_array(X, names)
        frame = nw.from_native(X, eager_only=True)
        mask = category_columns(frame, "from_dtype")
        levels = grown_levels({}, frame, mask)
        coded = code_columns(frame, levels)
        kept = {}
        for place in np.flatnonzero(mask):
            used, codes = np.unique(coded[:, place], return_inverse=True)
            used = used[~np.isnan(used)].astype(int)
            coded[:, place] = np.where(np.isnan(coded[:, place]), np.nan, codes)
            kept[int(place)] = [levels[frame.columns[place]][code] for code in used]
        return cls(list(frame.columns), coded, kept, frame)

    @classmethod
    def _of_array(cls, X: Any, names: Sequence[str] | None) -> TableView:
        try:
            matrix = np.asarray(X.toarray() if sp.issparse(X) else X, dtype=np.float64)
        except (TypeError, ValueError):
            raise DataError(must("X", "a frame or an array of numbers", X)) from None
        if matrix.ndim != 2 or matrix.size == 0:
            raise DataError(must("X", "a table of rows and columns", matrix.shape))
        known = names if names is not None else [f"column {place}" for place in range(matrix.shape[1])]
        return cls([str(name) for name in known], matrix, {}, None)

    @property
    def native(self) -> Any:
        """The rows as the user gave them."""
        return self.matrix if self.frame is None else self.frame.to_native()

    def place(self, wanted: Any) -> int:
        """Return the index of a column given by name or index."""
        if isinstance(wanted, str) and wanted in self.names:
            return self.names.index(wanted)
        whole = isinstance(wanted, int | np.integer) and not isinstance(wanted, bool)
        if whole and -len(self.names) <= wanted < len(self.names):
            return int(wanted) % len(self.names)
        raise ParameterError(
            must("a feature", f"a column of X such as {self.names[0]!r}, or its index", wanted)
            + did_you_mean(str(wanted), self.names)
        )

    def only(self, places: Sequence[int]) -> TableView:
        """Return the view of some columns."""
        kept = {new: self.levels[old] for new, old in enumerate(places) if old in self.levels}
        names = [self.names[place] for place in places]
        frame = None if self.frame is None else self.frame.select(names)
        return TableView(names, self.matrix[:, list(places)], kept, frame)

    def rows(self, mask: NDArray[np.bool_]) -> TableView:
        """Return the view of some rows; levels stay, used or not."""
        frame = None if self.frame is None else self.frame.filter(mask.tolist())
        return TableView(self.names, self.matrix[mask], self.levels, frame)

    def complete(self, places: Sequence[int]) -> NDArray[np.bool_]:
        """Return which rows have a number in all of some columns."""
        known: NDArray[np.bool_] = np.all(np.isfinite(self.matrix[:, list(places)]), axis=1)
        return known

    def typical(self, place: int) -> float:
        """Return the median of a column, or its most frequent level."""
        cells = self.matrix[:, place]
        cells = cells[~np.isnan(cells)]
        if not len(cells):
            return np.nan
        return float(np.bincount(cells.astype(int)).argmax() if place in self.levels else np.median(cells))

    def shown(self, place: int, value: float) -> str:
        """Return a cell as people write it."""
        if np.isnan(value):
            return "missing"
        return str(self.levels[place][int(value)]) if place in self.levels else f"{value:.4g}"

    def made(self, places: Sequence[int], values: Floats) -> Any:
        """Return rows of the same kind with these values in some columns, and typical ones in all others."""
        table = np.tile([self.typical(place) for place in range(len(self.names))], (len(values), 1))
        table[:, list(places)] = values
        if self.frame is None:
            return table
        columns = [self._made_column(place, table[:, place]) for place in range(len(self.names))]
        return nw.from_dict({column.name: column for column in columns}).to_native()

    def _made_column(self, place: int, values: Floats) -> nw.Series[Any]:
        """Return a column of its own type: levels are taken from rows that have them."""
        name = self.names[place]
        assert self.frame is not None
        if place not in self.levels:
            return nw.new_series(name, values, nw.Float64, backend=self.frame.implementation)
        first = {code: row for row, code in reversed(list(enumerate(self.matrix[:, place])))}
        rows = [first.get(code, 0) for code in values]  # a column of gaps alone has no level to look for
        return nw.maybe_reset_index(self.frame.get_column(name)[rows])

    @property
    def rows_at_once(self) -> int:
        """How many made rows are asked about together: wide tables must not fill the memory."""
        return max(1, _CELLS_AT_ONCE // len(self.names))
