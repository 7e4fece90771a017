"""How good a recipe is on rows it has not seen."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from classica.data import Table
from classica.errors import CellError, ParameterError, must
from classica.params import Integer
from classica.table_classifier import TableClassifier
from classica.training.recipe import Recipe


@dataclass(frozen=True)
class CrossValidation:
    """How many rows were right in parts that took no part in learning.

    Attributes
    ----------
    folds : int
        How many parts there were.
    seed : int or None
        How rows were dealt out.
    rows, wrong : int
        Rows, and how many of them got another label than theirs.
    """

    folds: int
    seed: int | None
    rows: int
    wrong: int

    @property
    def error(self) -> float:
        """The share of rows that were wrong."""
        return self.wrong / self.rows

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON knows it."""
        return {**vars(self), "error": self.error, "accuracy": 1.0 - self.error}


def cross_validate(table: Table, recipe: Recipe, folds: int, weights: Any) -> CrossValidation:
    """Learn as often as there are folds, each time without one of them, and ask about that one."""
    y = table.y
    classes, codes = np.unique(y, return_inverse=True)
    rule = Integer(at_least=2, at_most=int(np.bincount(codes).max()))
    if not rule.accepts(folds):
        raise ParameterError(must("folds", f"{rule} (no more than the rows of a class)", folds))
    wrong = 0
    for learned, asked in _parts(folds, recipe.seed, codes):
        estimator = recipe.around(classes, np.unique(codes[learned]))
        model = TableClassifier(estimator, table.schema)
        given = None if weights is None else weights[learned]
        with _told_of(learned):
            model.fit(_rows(table, learned), y[learned], sample_weight=given)
        with _told_of(asked):
            wrong += int((model.predict(_rows(table, asked)) != y[asked]).sum())
    return CrossValidation(folds, recipe.seed, len(table), wrong)


@contextlib.contextmanager
def _told_of(rows: NDArray[np.intp]) -> Iterator[None]:
    """Tell of a cell by its row in the table, not in the part."""
    try:
        yield
    except CellError as error:
        raise CellError(int(rows[error.row]), error.column, error.rule, error.got) from error


def _parts(folds: int, seed: int | None, codes: NDArray[np.intp]) -> list[Any]:
    with warnings.catch_warnings():
        # A class of fewer rows than folds is in some of them only.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
        return list(splitter.split(np.zeros(len(codes)), codes))


def _rows(table: Table, places: NDArray[np.intp]) -> Table:
    return replace(table, frame=table.frame[places])
