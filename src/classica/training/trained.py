"""The result of training: the model, its cross-validation and its metadata."""

from __future__ import annotations

import contextlib
import math
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from classica.decision import rejected_rows
from classica.errors import CellError, ParameterError, must
from classica.params import Integer
from classica.table_classifier import TableClassifier
from classica.tables import Table
from classica.tables.fingerprint import row_fingerprint
from classica.training.recipe import Recipe


@dataclass(frozen=True)
class CrossValidation:
    """The errors of a cross-validation.

    Attributes
    ----------
    folds : int
        Number of folds.
    seed : int or None
        Random seed of the folds.
    rows, wrong, rejected : int
        Number of rows, of misclassified ones, and of rejected ones.
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
        """Return the result as plain JSON values."""
        accuracy = None if self.error is None else 1.0 - self.error
        coverage = 1.0 - self.rejected / self.rows
        return {**vars(self), "error": self.error, "accuracy": accuracy, "coverage": coverage}


def cross_validate(table: Table, recipe: Recipe, folds: int, weights: Any) -> CrossValidation:
    """Cross-validate a recipe on a table."""
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
        with _in_table_rows(learned):
            model.fit(_rows(table, learned), y[learned], sample_weight=given)
        with _in_table_rows(asked):
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
def _in_table_rows(rows: NDArray[np.intp]) -> Iterator[None]:
    """Convert row numbers in cell errors from those of a fold to those of the table."""
    try:
        yield
    except CellError as error:
        raise CellError(int(rows[error.row]), error.column, error.rule, error.got) from error


def _parts(folds: int, seed: int | None, codes: NDArray[np.intp]) -> list[Any]:
    with warnings.catch_warnings():
        # A class with fewer rows than folds occurs in some folds only.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
        return list(splitter.split(np.zeros(len(codes)), codes))


def _rows(table: Table, rows: NDArray[np.intp]) -> Table:
    return replace(table, frame=table.frame[rows])


@dataclass(frozen=True)
class Training:
    """A trained model with its training record.

    Attributes
    ----------
    model : TableClassifier
        The model.
    table : Table
        The labelled rows it was trained on.
    recipe : Recipe
        The recipe.
    fingerprint : str
        The fingerprint of the whole table.
    unlabelled : int
        Number of rows without a label, which were left out.
    wrong, rejected : int
        Number of training rows that it misclassifies (an optimistic figure) and rejects.
    seconds : float
        Training time.
    trained : datetime
        The time of training.
    cross_validation : CrossValidation or None
        The result of the cross-validation, if there was one.
    """

    model: TableClassifier
    table: Table
    recipe: Recipe
    fingerprint: str
    unlabelled: int
    wrong: int
    rejected: int
    seconds: float
    trained: datetime
    cross_validation: CrossValidation | None = None

    @property
    def accuracy(self) -> float | None:
        """The accuracy on its training rows; None if it rejects all of them."""
        answered = len(self.table) - self.rejected
        return 1.0 - self.wrong / answered if answered else None

    @property
    def scores(self) -> dict[str, Any]:
        """Accuracy and error on the training rows and, if there was one, in the cross-validation."""
        accuracy = self.accuracy
        error = None if accuracy is None else 1.0 - accuracy
        coverage = 1.0 - self.rejected / len(self.table)
        result: dict[str, Any] = {"training": {"accuracy": accuracy, "error": error, "coverage": coverage}}
        if self.cross_validation is not None:
            result["cross_validation"] = self.cross_validation.record()
        return result

    def metadata(self) -> dict[str, Any]:
        """Return the metadata that `classica.save` keeps with the model, as JSON values."""
        return {
            "trained": self.trained.astimezone(UTC).isoformat(timespec="seconds"),
            "seconds": round(self.seconds, 3),
            "source": source_name(self.table.source),
            "target": self.table.schema.target,
            "rows": len(self.table),
            "rows_without_label": self.unlabelled,
            "fingerprint": self.fingerprint,
            "rows_fingerprint": row_fingerprint(self.table),
            "scores": self.scores,
            "options": self._options(),
        }

    def _options(self) -> dict[str, Any]:
        recipe = self.recipe
        costs = recipe.costs
        if isinstance(costs, os.PathLike | str):
            costs = source_name(os.fspath(costs))
        decision = {"costs": costs, "priors": recipe.priors, "reject_cost": recipe.reject_cost}
        given = {name: _shown(value) for name, value in decision.items() if value is not None}
        if recipe.calibrates is not None:
            given["calibration"] = recipe.calibrates
        parameters = {name: _shown(value) for name, value in recipe.parameters.items()}
        return {"model": recipe.model, "parameters": parameters, "seed": recipe.seed, **given}


def source_name(source: str) -> str:
    """Return the name of a source without folders, passwords and query strings.

    Examples
    --------
    >>> source_name("/home/me/golf.csv"), source_name("postgresql://me:secret@host/golf?table=days")
    ('golf.csv', 'golf')
    """
    return Path(source.partition("?")[0] if "://" in source else source).name or source


def _shown(value: object) -> Any:
    plain = value is None or isinstance(value, bool | int | str)
    if plain or (isinstance(value, float) and math.isfinite(value)):
        return value
    return " ".join(repr(value).split())
