"""Train models on tables."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from classica.errors import ParameterError
from classica.table_classifier import TableClassifier
from classica.tables import Schema, Table, open_table
from classica.tables.labelled import require_classes
from classica.tables.typing.cell_positions import cells_named
from classica.training.recipe import Recipe
from classica.training.trained import Training, cross_validate, errors_and_rejects


def train(
    source: Any,
    target: str | None = None,
    *,
    model: str = "c45",
    schema: Schema | str | Path | None = None,
    ignore: Iterable[str] = (),
    reading: dict[str, Any] | None = None,
    **recipe: Any,
) -> TableClassifier:
    r"""Train a classifier on a table.

    Parameters
    ----------
    source : Table, or what `classica.tables.read_table` takes
        The rows.
    target : str, optional
        The column to predict; by default that of the table or schema.
    model : str, default="c45"
        The slug of a classifier.
    schema : Schema or path, optional
        The kinds and roles of columns, instead of inferred ones.
    ignore : iterable of str, optional
        Columns to leave out.
    reading : dict, optional
        Options of `classica.tables.read_table`.
    **recipe
        ``parameters`` (dict), ``costs``, ``priors``, ``reject_cost``, ``calibration`` and ``seed``; see
        `Recipe`.

    Returns
    -------
    TableClassifier
        The fitted model, which predicts raw tables and can be saved.

    Examples
    --------
    >>> from classica import train
    >>> from classica.tables import load_table
    >>> model = train(load_table("golf"), model="tree", parameters={"max_depth": 2})
    >>> model.predict(b"windy,humidity,outlook,temperature\nno,high,sun,hot\nno,high,cloudy,hot\n").tolist()
    [0, 1]
    """
    table = open_table(source, target, schema=schema, ignore=ignore, reading=reading)
    return learn(table, Recipe(model, **recipe)).model


def learn(table: Table, recipe: Recipe, *, folds: int | None = None) -> Training:
    """Train a model on a typed table, and return it with its training record.

    Parameters
    ----------
    table : Table
        The rows; those without a label are left out.
    recipe : Recipe
        The classifier, its parameters and the decision.
    folds : int, optional
        Number of folds of a cross-validation; None for none.
    """
    recipe.classifier()  # raises for an invalid recipe before any work on the table
    labelled = require_classes(table)
    weights = _weights(labelled, recipe)
    y = labelled.y
    with cells_named(table.source, table.frame, lambda row: table.labelled_rows()[row]):
        tested = None if folds is None else cross_validate(labelled, recipe, folds, weights)
        begin = time.perf_counter()
        model = TableClassifier(recipe.around(np.unique(y)), labelled.schema)
        model.fit(labelled, y, sample_weight=weights)
        seconds = time.perf_counter() - begin
    wrong, rejected = errors_and_rejects(model, labelled, y)
    return Training(
        model=model,
        table=labelled,
        recipe=recipe,
        fingerprint=table.fingerprint(),
        unlabelled=len(table) - len(labelled),
        seconds=seconds,
        wrong=wrong,
        rejected=rejected,
        trained=datetime.now(UTC),
        cross_validation=tested,
    )


def _weights(table: Table, recipe: Recipe) -> Any:
    weights = table.weights
    if weights is not None and not has_fit_parameter(recipe.classifier(), "sample_weight"):
        name = table.schema.weight
        raise ParameterError(f"The model must take weights of rows ({name!r}), got {recipe.model!r}.")
    return weights
