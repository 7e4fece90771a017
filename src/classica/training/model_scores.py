"""Evaluate a model on a labelled table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.arrays import CostsLike, TableSource
from classica.decision import read_cost_file, rejected_rows
from classica.errors import DataError, ParameterError, must
from classica.metrics.prediction_scores import ClassificationScores
from classica.metrics.score_sums import ScoreSums
from classica.table_classifier import TableClassifier
from classica.tables.fingerprint import RowFingerprint
from classica.training.typed_batches import TypedBatches, of_table, with_target

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


@dataclass(frozen=True)
class Judged:
    """Scores of a model on a table, with notes about the table.

    Attributes
    ----------
    scores : ClassificationScores
        The scores of the predictions.
    source : str
        The table.
    unlabelled : int
        Number of rows without a label, which were left out.
    unseen : dict
        Feature → unknown level → number of cells.
    extra : list of str
        Columns that the model does not use.
    notes : list of str
        Notes from reading the table.
    trained_on : bool or None
        Whether these are the training rows of the model, so that the scores are optimistic; None if unknown.
    """

    scores: ClassificationScores
    source: str
    unlabelled: int
    unseen: dict[str, Counter[str]]
    extra: list[str]
    notes: list[str]
    trained_on: bool | None = None


def evaluate(
    model: BaseEstimator,
    source: TableSource,
    *,
    target: str | None = None,
    costs: CostsLike | None = None,
    batch_rows: int = 100_000,
    reading: dict[str, Any] | None = None,
    trained_on: str | None = None,
) -> Judged:
    """Evaluate the predictions of a model against the labels of a table.

    Parameters
    ----------
    model : TableClassifier, or a classifier that was fitted to a frame
        A fitted model.
    source : Table, or what `classica.tables.read_table` takes
        The rows; those without a label are left out.
    target : str, optional
        The column with the labels; by default the target of the model.
    costs : optional
        The cost matrix, as in `classica.decision.read_costs`; by default that of the model.
    batch_rows : int, default=100_000
        Number of rows per batch.
    reading : dict, optional
        Options of `classica.tables.read_table`.
    trained_on : str, optional
        The ``rows_fingerprint`` in the metadata of the model, to recognise its training rows.

    Examples
    --------
    >>> from classica.tables import load_table
    >>> from classica.training import evaluate, train
    >>> golf = load_table("golf")
    >>> evaluate(train(golf, model="naive-bayes"), golf).scores.accuracy
    0.9285714285714286
    """
    model = of_table(model)
    schema = model.schema if target is None else with_target(model, target)
    target = schema.target
    if target is None:
        raise ParameterError(must("target", "named for a model that does not know it", target))
    batches = TypedBatches(schema, ["feature", "target"], source, batch_rows, reading)
    matrix = read_cost_file(costs, model.classes_) if costs is not None else _own_costs(model)
    sums = ScoreSums(model.classes_, matrix, getattr(model.estimator_, "reject_cost", None))
    seen = RowFingerprint()
    for _, table in batches:
        labelled = table.labelled()
        with batches.cells_named(table.labelled_rows()):
            sums.add(*_answers(model, labelled))
        seen.add(labelled)
    if not sums.rows:
        raise DataError(f"{batches.source} must have rows with a label in {target!r}, got none.")
    unseen = {name: levels for name, levels in batches.unseen.items() if name != target}
    left_out = batches.rows - sums.rows
    same = None if trained_on is None else seen.hexdigest() == trained_on
    return Judged(sums.scores(), batches.source, left_out, unseen, batches.extra, batches.notes, same)


def _answers(model: TableClassifier, table: Any) -> tuple[Any, ...]:
    inside = model.estimator_
    if not len(table):
        shares = np.empty((0, len(model.classes_))) if hasattr(model, "predict_proba") else None
        return table.y, model.classes_[:0], shares, None
    X = model.encoder_.transform(table.X)
    shares = inside.predict_proba(X) if hasattr(inside, "predict_proba") else None
    return table.y, inside.predict(X), shares, rejected_rows(inside, X)


def _own_costs(model: TableClassifier) -> Any:
    """Return the cost matrix of the model; None if all errors cost the same."""
    inside = model.estimator_
    return inside.costs_ if getattr(inside, "costs", None) is not None else None
