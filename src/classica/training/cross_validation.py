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

from classica.decision import rejected_rows
from classica.errors import CellError, ParameterError, must
from classica.params import Integer
from classica.table_classifier import TableClassifier
from classica.tables import Table
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
    rows, wrong, rejected : int
        Rows, how many of them got another label than theirs, and how many got none.
    """

    folds: int
    seed: int | None
    rows: int
    wrong: int
    rejected: int = 0

    @property
    def error(self) -> float | None:
        """The share of predictions that were wrong; None where all rows were rejected."""
        answered = self.rows - self.rejected
        return self.wrong / answered if answered else None

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON knows it."""
        accuracy = None if self.error is None else 1.0 - self.error
        coverage = 1.0 - self.rejected / self.rows
        return {**vars(self), "error": self.error, "accuracy": accuracy, "coverage": coverage}


def cross_validate(table: Table, recipe: Recipe, folds: int, weights: Any) -> CrossValidation:
    """Learn as often as there are folds, each time without one of them, and ask about that one."""
    y = table.y
    classes, codes = np.unique(y, return_inverse=True)
    rule = Integer(at_least=2, at_most=int(np.bincount(codes).max()))
    if not rule.accepts(folds):
        raise ParameterError(must("folds", f"{rule} (no more than the rows of a class)", folds))
    wrong = rejected = 0
    for learned, asked in _parts(folds, recipe.seed, codes):
        estimator = recipe.around(classes, np.unique(codes[learned]))
        model = TableClassifier(estimator, table.schema)
        given = None if weights is None else weights[learned]
        with _told_of(learned):
            model.fit(_rows(table, learned), y[learned], sample_weight=given)
        with _told_of(asked):
            errors, left = errors_and_rejects(model, _rows(table, asked), y[asked])
        wrong, rejected = wrong + errors, rejected + left
    return CrossValidation(folds, recipe.seed, len(table), wrong, rejected)


def errors_and_rejects(model: TableClassifier, table: Table, y: NDArray[Any]) -> tuple[int, int]:
    """Return how many rows a model misclassifies, and how many it rejects."""
    rejected = rejected_rows(model.estimator_, model.encoded(table))
    wrong = model.predict(table) != y
    if rejected is None:
        return int(wrong.sum()), 0
    return int(wrong[~rejected].sum()), int(rejected.sum())


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
