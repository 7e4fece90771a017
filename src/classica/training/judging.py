"""How good a model is on a table with labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.decision import read_costs
from classica.errors import DataError, ParameterError, must
from classica.evaluation.scores import ClassificationScores, classification_scores
from classica.table_classifier import TableClassifier
from classica.training.typed_batches import TypedBatches


@dataclass(frozen=True)
class Judged:
    """Scores of a model on a table, and what was special about the table.

    Attributes
    ----------
    scores : ClassificationScores
        How good the answers are.
    source : str
        The table.
    unlabelled : int
        Rows without a label, which were left out.
    unseen : dict
        Feature → level that the model does not know → how many cells.
    extra : list of str
        Columns that the model does not know.
    notes : list of str
        What was found when the table was read.
    """

    scores: ClassificationScores
    source: str
    unlabelled: int
    unseen: dict[str, Counter[str]]
    extra: list[str]
    notes: list[str]


def evaluate(
    model: TableClassifier,
    source: Any,
    *,
    costs: Any = None,
    batch_rows: int = 100_000,
    reading: dict[str, Any] | None = None,
) -> Judged:
    """Compare the answers of a model with the labels of a table.

    Parameters
    ----------
    model : TableClassifier
        A fitted model whose schema names the target.
    source : Table, or what `classica.data.read_table` takes
        Rows with labels; those without are left out.
    costs : optional
        What wrong answers cost, as `classica.decision.read_costs` takes it; otherwise those of the model.
    batch_rows : int, default=100_000
        How many rows are answered together.
    reading : dict, optional
        Options of `classica.data.read_table`.

    Examples
    --------
    >>> from classica.data import load_table
    >>> from classica.training import evaluate, train
    >>> golf = load_table("golf")
    >>> evaluate(train(golf, model="naive-bayes"), golf).scores.accuracy
    0.9285714285714286
    """
    if not isinstance(model, TableClassifier):
        raise ParameterError(must("model", "a model of a table, as train gives", type(model).__name__))
    target = model.schema.target
    if target is None:
        raise ParameterError("The model must know its target to be evaluated, got a schema without one.")
    batches = TypedBatches(model.schema, ["feature", "target"], source, batch_rows, reading)
    parts = [_answers(model, table.labelled()) for _, table in batches]
    truth, said, shares, rejected = (
        None if column[0] is None else np.concatenate(column) for column in zip(*parts, strict=True)
    )
    assert truth is not None
    if not len(truth):
        raise DataError(f"{batches.source} must have rows with a label in {target!r}, got none.")
    matrix = read_costs(costs, model.classes_) if costs is not None else _own_costs(model)
    scores = classification_scores(
        truth,
        said,
        model.classes_,
        probabilities=shares,
        costs=matrix,
        rejected=rejected,
        reject_cost=getattr(model.estimator_, "reject_cost", None),
    )
    unseen = {name: levels for name, levels in batches.unseen.items() if name != target}
    return Judged(scores, batches.source, batches.rows - len(truth), unseen, batches.extra, batches.notes)


def _answers(model: TableClassifier, table: Any) -> tuple[Any, ...]:
    inside = model.estimator_
    rejects = getattr(inside, "reject_cost", None) is not None
    if not len(table):
        shares = np.empty((0, len(model.classes_))) if hasattr(model, "predict_proba") else None
        return table.y, model.classes_[:0], shares, np.zeros(0, dtype=bool) if rejects else None
    X = model.encoder_.transform(table.X)
    shares = inside.predict_proba(X) if hasattr(inside, "predict_proba") else None
    return table.y, inside.predict(X), shares, inside.rejects(X) if rejects else None


def _own_costs(model: TableClassifier) -> Any:
    """Return the costs that the model decides by, None if all wrong answers are equal to it."""
    inside = model.estimator_
    return inside.costs_ if getattr(inside, "costs", None) is not None else None
