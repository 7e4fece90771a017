"""Columns of codes: the probability of each code in each class, and the scores of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike
from classica.estimators.bayes.code_counts import CodeCounts
from classica.native import Codes, Floats


@dataclass(frozen=True)
class CodeTable:
    """The probability of each code in each class.

    A probability of zero is not summed as minus infinity but counted, and enters by the finite factor of
    its limit as alpha goes to zero, 1 / (known cells of the class).
    """

    counts: CodeCounts
    alpha: float
    probabilities: Floats  # (slots, classes)
    logs: Floats  # the same; of the finite factor where the probability is zero
    zeros: NDArray[np.uint8] | None  # the same: 1 where the probability is zero; None if it never is

    @classmethod
    def of(cls, counts: CodeCounts, alpha: float) -> CodeTable:
        """Return (count + alpha) / (known cells of the class + alpha * possible codes)."""
        widths = np.diff(counts.columns[1]) + 1
        known = np.repeat(counts.known, widths, axis=1).T
        cases = np.repeat(counts.cases, widths)[:, None]
        seen, numerators = known > 0, counts.pairs[0].T + alpha
        denominators = np.where(seen, known + alpha * cases, cases)
        # A class without a cell has smoothing alone; a column without any cell says nothing.
        numerators = np.where(seen, numerators, 1.0)
        numerators, denominators = np.where(cases > 0, (numerators, denominators), 1.0)
        zero = numerators <= 0
        logs = np.log(np.where(zero, 1.0, numerators)) - np.log(denominators)
        marks = zero.astype(np.uint8) if zero.any() else None
        return cls(counts, alpha, numerators / denominators, np.ascontiguousarray(logs), marks)

    @property
    def n_parameters(self) -> int:
        """Free probabilities: one less than the possible codes, per class and column."""
        return int(np.maximum(self.counts.cases - 1, 0).sum() * self.logs.shape[1])

    @property
    def n_zeros(self) -> int:
        """The pairs of a class and a possible code with probability zero."""
        return 0 if self.zeros is None else int(self.zeros[self.counts.possible].sum())

    def add_scores(self, X: MatrixLike, scores: Floats, zeros: Codes | None, threads: int) -> None:
        """Add the logarithm of each cell's probability in each class, and count the zeros."""
        native.add_code_scores(X, self.counts.columns, self.logs, self.zeros, threads, scores, zeros)

    def add_left_out_scores(
        self, X: MatrixLike, codes: Codes, weights: Floats | None, threads: int, scores: Floats, zeros: Codes
    ) -> None:
        """Do the same with the table that each row would have seen if it were not in it."""
        counts = self.counts
        held = counts.pairs, counts.cases, counts.declared.view(np.uint8), float(self.alpha)
        native.add_left_out_code_scores(
            X, counts.columns, self.logs, self.zeros, held, codes, weights, threads, scores, zeros
        )

    def of_column(self, index: int) -> tuple[Any, Floats]:
        """Return the possible codes of a column, by number or level, and their probabilities."""
        column = int(np.flatnonzero(self.counts.columns[0] == index)[0])
        first = int(self.counts.first_slots[column])
        last = first + int(np.diff(self.counts.columns[1])[column]) + 1
        kept = np.flatnonzero(self.counts.possible[first:last])
        levels = None if self.counts.levels is None else self.counts.levels[column]
        shown = kept.tolist() if levels is None else [levels[code] for code in kept]
        return shown, self.probabilities[first + kept]
