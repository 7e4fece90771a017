"""The predictions of a model for the test rows of a fold, kept as arrays in the run folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.comparison.work.kept_arrays import load_arrays, save_arrays
from classica.errors import DataError
from classica.kinds import Array, Fields, Scope
from classica.native import Floats

_BEHIND = Array("f8", "n", "c", any_order=True)
_KIND = Fields(
    {"rows": Array("i4 i8", "n", low=0), "codes": Array("i4", "n", low=0)},
    {"probabilities": _BEHIND, "scores": _BEHIND, "rejected": Array("b1", "n")},
)


@dataclass(frozen=True)
class FoldPredictions:
    """The predictions of one model.

    Attributes
    ----------
    rows : ndarray of shape (n,)
        Which rows were asked.
    codes : ndarray of shape (n,)
        The class each one got, as a place among the sorted classes of the table.
    probabilities, scores : ndarray of shape (n, n_classes) or None
        Behind the answers, in the order of these classes, if the model has any.
    rejected : ndarray of shape (n,) or None
        Which rows the model rejects; None where it predicts every row.
    """

    rows: NDArray[np.intp]
    codes: NDArray[np.int32]
    probabilities: Floats | None
    scores: Floats | None
    rejected: NDArray[np.bool_] | None = None

    def first_of_each_row(self) -> FoldPredictions:
        """Return the first prediction of every predicted row, in the order of the rows."""
        rows, places = np.unique(self.rows, return_index=True)
        return FoldPredictions(
            rows,
            self.codes[places],
            None if self.probabilities is None else self.probabilities[places],
            None if self.scores is None else self.scores[places],
            None if self.rejected is None else self.rejected[places],
        )

    def part(self, start: int, end: int) -> FoldPredictions:
        """Return the predictions at some positions."""
        return self._taken(slice(start, end))

    def not_rejected(self) -> FoldPredictions:
        """Return the predictions for the rows that are not rejected."""
        return self if self.rejected is None else self._taken(~self.rejected)

    def _taken(self, places: Any) -> FoldPredictions:
        arrays: dict[str, Any] = {
            name: None if value is None else value[places] for name, value in vars(self).items()
        }
        return FoldPredictions(**arrays)

    def save(self, path: Path) -> None:
        """Write the arrays, whole or not at all."""
        arrays = {name: value for name, value in vars(self).items() if value is not None}
        save_arrays(path, arrays)

    @classmethod
    def load(cls, path: Path) -> FoldPredictions:
        """Read them back; what was not written by `save` is refused."""
        found = load_arrays(path, _KIND)
        return cls(
            found["rows"].astype(np.intp, copy=False),
            found["codes"],
            found.get("probabilities"),
            found.get("scores"),
            found.get("rejected"),
        )

    def within(self, rows: int, classes: int, path: Path) -> FoldPredictions:
        """Return them, once they are about rows and classes of a table of that size."""
        scope = Scope(str(path), error=DataError)
        scope.require(not len(self.rows) or self.rows.max() < rows, f"about rows below {rows}")
        scope.require(not len(self.codes) or self.codes.max() < classes, f"about {classes} classes")
        for behind in (self.probabilities, self.scores):
            scope.require(behind is None or behind.shape[1] == classes, f"about {classes} classes")
        return self
