"""Permutation importances: of one model, of a fold, and of several folds together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classica.native import Floats
from classica.recorded import Recorded
from classica.statistics.interval import Interval, corrected_interval


@dataclass(frozen=True)
class ColumnImportance(Recorded):
    """How much the score drops without a column.

    Attributes
    ----------
    column : str
        The column of the table.
    drop : Interval
        The drop of the score when its cells are permuted, with its interval.
    """

    column: str
    drop: Interval

    @property
    def matters(self) -> bool:
        """Whether the drop is significantly above 0: the whole interval is."""
        return self.drop.low > 0


@dataclass(frozen=True)
class Importances(Recorded):
    """The permutation importance of every column, the most important first.

    Attributes
    ----------
    metric : str
        What the drop is one of.
    score : float
        The mean score of the models with all columns as they are; high is good.
    columns : tuple of ColumnImportance
        The columns.
    folds, repeats : int
        Models that were fitted and tested on rows of their own (1: a given model), and permutations of each
        column in each.
    rows, learned_rows : int
        Rows that were predicted in all folds together, and training rows of a model (0: not known).
    """

    metric: str
    score: float
    columns: tuple[ColumnImportance, ...]
    folds: int
    repeats: int
    rows: int
    learned_rows: int = 0

    def __str__(self) -> str:
        width = max(len(each.column) for each in self.columns)
        lines = [f"{'column'.ljust(width)}   drop of {self.metric}"]
        return "\n".join([*lines, *(f"{each.column.ljust(width)}  {each.drop}" for each in self.columns)])

    def names(self, most: int | None = None) -> list[str]:
        """Return the most important columns by name."""
        return [each.column for each in self.columns[:most]]


@dataclass(frozen=True)
class FoldImportance(Recorded):
    """The drops of one model on the rows it was tested on.

    Attributes
    ----------
    score : float
        Its score; high is good.
    drops : ndarray of shape (n_columns,)
        The drop of each column, the mean over permutations.
    rows, learned_rows : int
        Test and training rows.
    """

    score: float
    drops: Floats
    rows: int
    learned_rows: int


def pooled_importances(
    metric: str, names: Sequence[str], folds: Sequence[FoldImportance], repeats: int, confidence: float
) -> Importances:
    """Return the importances of several folds, with intervals for shared training rows."""
    share = float(np.mean([fold.rows / max(fold.rows + fold.learned_rows, 1) for fold in folds]))
    table = np.stack([fold.drops for fold in folds])
    # Where all folds have the same drop, it could as well have been a row off in one of them.
    step = 1 / float(np.mean([fold.rows for fold in folds]))
    intervals = [corrected_interval(column, share, confidence, resolution=step) for column in table.T]
    score = float(np.mean([fold.score for fold in folds]))
    rows, learned = sum(fold.rows for fold in folds), max(fold.learned_rows for fold in folds)
    return ranked_importances(metric, score, names, intervals, len(folds), repeats, rows, learned)


def ranked_importances(
    metric: str, score: float, names: Sequence[str], intervals: Sequence[Interval], *sizes: int
) -> Importances:
    """Return the importances of columns, the most important first; sizes are those of `Importances`."""
    found = [ColumnImportance(*pair) for pair in zip(names, intervals, strict=True)]
    ranked = sorted(found, key=lambda each: -each.drop.mean)
    return Importances(metric, float(score), tuple(ranked), *sizes)
