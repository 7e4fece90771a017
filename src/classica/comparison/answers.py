"""What a model said about the test rows of a fold, kept as arrays in the run folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from classica.errors import DataError
from classica.native import Floats
from classica.whole_file import whole_file


@dataclass(frozen=True)
class Answers:
    """The answers of one model.

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

    def first_of_each_row(self) -> Answers:
        """Return one answer for every row that was asked, the first, in the order of the rows."""
        rows, places = np.unique(self.rows, return_index=True)
        return Answers(
            rows,
            self.codes[places],
            None if self.probabilities is None else self.probabilities[places],
            None if self.scores is None else self.scores[places],
            None if self.rejected is None else self.rejected[places],
        )

    def save(self, path: Path) -> None:
        """Write the arrays, whole or not at all."""
        arrays = {name: value for name, value in vars(self).items() if value is not None}
        path.parent.mkdir(exist_ok=True)
        with whole_file(path, DataError) as file:
            np.savez(file, **arrays)

    @classmethod
    def load(cls, path: Path) -> Answers:
        """Read them back."""
        with np.load(path, allow_pickle=False) as arrays:
            behind = (arrays.get(name) for name in ("probabilities", "scores", "rejected"))
            return cls(arrays["rows"], arrays["codes"], *behind)
