"""Which columns of a table a model rests on."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from classica.arrays import TableSource
from classica.displays.canvas import shown_rows
from classica.errors import DataError, ParameterError, must
from classica.inspection import Importances, permutation_importance
from classica.tables.fingerprint import row_fingerprint
from classica.training.typed_batches import TypedBatches, of_table, with_target

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


@dataclass(frozen=True)
class TableImportances:
    """The importances of the columns of a table for a model, and what was special about the table.

    Attributes
    ----------
    importances : Importances
        The importances, the highest first.
    source : str
        The table.
    rows : int
        Its rows with a label, of which some may have been left out: see ``importances.rows``.
    notes : list of str
        What was found when the table was read.
    trained_on : bool or None
        Whether these are the rows that the model was trained on; None where that is not known.
    """

    importances: Importances
    source: str
    rows: int
    notes: list[str]
    trained_on: bool | None = None


def table_importances(
    model: BaseEstimator,
    source: TableSource,
    *,
    target: str | None = None,
    metric: str = "accuracy",
    n_repeats: int = 5,
    most_rows: int = 5000,
    random_state: int = 0,
    reading: dict[str, Any] | None = None,
    trained_on: str | None = None,
) -> TableImportances:
    """Return the permutation importance of each column of a table for a fitted model.

    Parameters
    ----------
    model : TableClassifier, or a classifier that learned from a frame
        A fitted model.
    source : Table, or what `classica.tables.read_table` takes
        Rows with labels, best those that the model was not trained on.
    target : str, optional
        The column with the labels; None: the one that the model knows.
    metric : str, default="accuracy"
        One of `classica.metrics.METRICS`.
    n_repeats : int, default=5
        How often each column is permuted.
    most_rows : int, default=5000
        Rows that are predicted; of more, as many spread over the table.
    random_state : int, default=0
        Random seed.
    reading : dict, optional
        Options of `classica.tables.read_table`.
    trained_on : str, optional
        The ``rows_fingerprint`` in the metadata of the model, to recognise the rows it was trained on.

    Examples
    --------
    >>> from classica.tables import load_table
    >>> from classica.training import table_importances, train
    >>> golf = load_table("golf")
    >>> table_importances(train(golf, model="naive-bayes"), golf).importances.names(1)
    ['outlook']
    """
    model = of_table(model)
    schema = model.schema if target is None else with_target(model, target)
    if schema.target is None:
        raise ParameterError(must("target", "named for a model that does not know it", target))
    batches = TypedBatches(schema, ["feature", "target"], source, sys.maxsize, reading)
    tables = [table.labelled() for _, table in batches]
    if not tables or not len(tables[0]):
        raise DataError(f"{batches.source} must have rows with a label in {schema.target!r}, got none.")
    [table] = tables
    known = None if trained_on is None else row_fingerprint(table) == trained_on
    some = table.take_rows(shown_rows(len(table), most_rows))
    found = permutation_importance(
        model.estimator_,
        model.encoder_.transform(some.X),
        some.y,
        scoring=metric,
        groups=model.encoder_.column_groups(),
        n_repeats=n_repeats,
        random_state=random_state,
    )
    return TableImportances(found, batches.source, len(table), batches.notes, known)
