"""What came out of learning: the model, and what to keep along with it."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from classica.table_classifier import TableClassifier
from classica.tables import Table
from classica.tables.row_fingerprint import row_fingerprint
from classica.training.cross_validation import CrossValidation
from classica.training.recipe import Recipe


@dataclass(frozen=True)
class Training:
    """A model that was learned from a table.

    Attributes
    ----------
    model : TableClassifier
        The model.
    table : Table
        The rows it has learned from: those with a label.
    recipe : Recipe
        What it was learned with.
    fingerprint : str
        Of the whole table as it was read.
    unlabelled : int
        Rows without a label, which were left out.
    wrong, rejected : int
        How many of its own training rows it misclassifies, fewer than of other rows, and how many it rejects.
    seconds : float
        How long learning took.
    trained : datetime
        When it was done.
    cross_validation : CrossValidation or None
        What it gets right when it has not seen the rows.
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
        """The share of its predictions on its own training rows that are right; None where it makes none."""
        answered = len(self.table) - self.rejected
        return 1.0 - self.wrong / answered if answered else None

    @property
    def scores(self) -> dict[str, Any]:
        """Accuracy and error on the training rows and, if there was one, in the cross-validation."""
        accuracy = self.accuracy
        error = None if accuracy is None else 1.0 - accuracy
        coverage = 1.0 - self.rejected / len(self.table)
        found: dict[str, Any] = {"training": {"accuracy": accuracy, "error": error, "coverage": coverage}}
        if self.cross_validation is not None:
            found["cross_validation"] = self.cross_validation.record()
        return found

    def metadata(self) -> dict[str, Any]:
        """Return what `classica.save` keeps along with the model, as JSON knows it."""
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
        told = {"costs": costs, "priors": recipe.priors, "reject_cost": recipe.reject_cost}
        given = {name: _shown(value) for name, value in told.items() if value is not None}
        if recipe.calibrates is not None:
            given["calibration"] = recipe.calibrates
        parameters = {name: _shown(value) for name, value in recipe.parameters.items()}
        return {"model": recipe.model, "parameters": parameters, "seed": recipe.seed, **given}


def source_name(source: str) -> str:
    """Return the name of a source without folders, passwords and questions.

    Examples
    --------
    >>> source_name("/home/me/golf.csv"), source_name("postgresql://me:secret@host/golf?table=days")
    ('golf.csv', 'golf')
    """
    return Path(source.partition("?")[0] if "://" in source else source).name or source


def _shown(value: Any) -> Any:
    plain = value is None or isinstance(value, bool | int | str)
    if plain or (isinstance(value, float) and math.isfinite(value)):
        return value
    return " ".join(repr(value).split())
