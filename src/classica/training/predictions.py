"""Predict tables of any length, in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.arrays import TableSource
from classica.decision import BayesDecisionClassifier, can_reject, rejected_rows
from classica.decision.calibration import CalibratedClassifier
from classica.errors import DataError, ParameterError, must
from classica.table_classifier import TableClassifier
from classica.tables import Table
from classica.training.typed_batches import TypedBatches, of_table
from classica.wording import listed_near

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: Layers that use the scores of a classifier inside.
_AROUND = BayesDecisionClassifier, CalibratedClassifier


def predict_batches(
    model: BaseEstimator,
    source: TableSource,
    batch_rows: int = 100_000,
    *,
    ids: Sequence[str] = (),
    probabilities: bool = False,
    scores: bool = False,
    reading: dict[str, Any] | None = None,
) -> Predictions:
    """Predict a table in batches, in order and in bounded memory.

    Parameters
    ----------
    model : TableClassifier, or a classifier that was fitted to a frame
        A fitted model.
    source : Table, or what `classica.tables.read_table` takes
        The rows. Columns are matched by name; other columns are ignored.
    batch_rows : int, default=100_000
        Number of rows per batch.
    ids : sequence of str
        Columns to copy to the output, besides those with the role "id". Without any, rows are numbered from
        1.
    probabilities, scores : bool, default=False
        Whether to include the probability of each class, or the decision scores.
    reading : dict, optional
        Options of `classica.tables.read_table`.

    Returns
    -------
    Predictions
        An iterator over polars frames, one per batch; afterwards its attributes report unknown levels and
        extra columns.

    Examples
    --------
    >>> from classica import predict_batches, train
    >>> from classica.tables import load_table
    >>> golf = load_table("golf")
    >>> answers = predict_batches(train(golf), golf, batch_rows=10)
    >>> [(batch.height, batch.columns) for batch in answers]
    [(10, ['row', 'prediction']), (4, ['row', 'prediction'])]
    >>> answers.rows
    14
    """
    return Predictions(of_table(model), source, batch_rows, ids, probabilities, scores, reading)


class Predictions:
    """The predictions of a model for the rows of a table; see `predict_batches`.

    Attributes
    ----------
    rows, rejected : int
        Number of rows predicted so far, and of rejected ones among them.
    unseen : dict
        Column → unknown level → number of cells.
    extra : list of str
        Columns that are neither used nor copied to the output.
    notes : list of str
        Notes from reading the table.
    """

    def __init__(
        self,
        model: TableClassifier,
        source: TableSource,
        batch_rows: int,
        ids: Sequence[str],
        probabilities: bool,
        scores: bool,
        reading: dict[str, Any] | None,
    ) -> None:
        self.model = model
        self.rejected = 0
        self._batches = TypedBatches(model.schema, ["feature"], source, batch_rows, reading)
        self._inside = model.estimator_
        self._asked = tuple(dict.fromkeys(ids))
        self._methods = [
            (method, sign)
            for method, sign, wanted in (
                ("predict_proba", "p", probabilities),
                ("decision_function", "score", scores),
            )
            if wanted
        ]
        for method, _ in self._methods:
            if not hasattr(self._source_of(method), method):
                raise ParameterError(_without(method, type(self._inside).__name__))

    @property
    def rows(self) -> int:
        """Number of rows predicted so far."""
        return self._batches.rows

    @property
    def source(self) -> str:
        """The name of the table, once it is read."""
        return self._batches.source

    @property
    def notes(self) -> list[str]:
        """Notes from reading the table."""
        return self._batches.notes

    @property
    def extra(self) -> list[str]:
        """Columns that are neither features of the model nor copied to the output."""
        return [name for name in self._batches.extra if name not in self._asked]

    @property
    def unseen(self) -> dict[str, Counter[str]]:
        """Column → category that was not in the training set → number of cells."""
        return self._batches.unseen

    def __iter__(self) -> Iterator[pl.DataFrame]:
        begin = 1
        for cells, table in self._batches:
            carried = self._carried(cells, begin, len(table))
            with self._batches.cells_named():
                answers = self._about(table)
            twice = [name for name in carried if name in answers]
            if twice:
                raise DataError(
                    must("A column to copy", "of another name than a column of predictions", twice[0])
                )
            begin += len(table)
            # From a dict, because polars would rename columns without a name.
            yield pl.DataFrame(carried | answers)

    def _carried(self, cells: dict[str, pl.Series], begin: int, rows: int) -> dict[str, pl.Series]:
        absent = [name for name in self._asked if name not in cells]
        if absent:
            rule = f"one of its columns such as {listed_near(absent[0], cells)}"
            raise DataError(must(f"A column of {self.source} to copy", rule, absent[0]))
        names = [*self._asked, *(name for name in self.model.schema.names("id") if name in cells)]
        if names:
            return {name: cells[name] for name in dict.fromkeys(names)}
        return {"row": pl.Series(range(begin, begin + rows), dtype=pl.Int64)}

    def _about(self, table: Table) -> dict[str, pl.Series]:
        return self._answers(self.model.encoder_.transform(table.X)) if len(table) else self._none()

    def _answers(self, X: pl.DataFrame) -> dict[str, pl.Series]:
        labels = self._labels(self._inside.predict(X))
        columns: dict[str, pl.Series] = {"prediction": labels}
        is_rejected = rejected_rows(self._inside, X)
        if is_rejected is not None:
            rejected = pl.Series(is_rejected)
            self.rejected += int(rejected.sum())
            columns["prediction"] = pl.select(pl.when(~rejected).then(labels)).to_series()
            columns["rejected"] = rejected
        for method, sign in self._methods:
            columns |= self._numbers(getattr(self._source_of(method), method)(X), sign)
        return columns

    def _source_of(self, method: str) -> Any:
        """Return the layer that has a method: the decision, or the classifier whose scores it uses."""
        owner = self._inside
        while not hasattr(owner, method) and isinstance(owner, _AROUND):
            owner = owner.estimator_
        return owner

    def _none(self) -> dict[str, pl.Series]:
        """Return the columns of the predictions of an empty table."""
        columns = {"prediction": self._labels(self.model.classes_[:0])}
        if can_reject(self._inside):
            columns["rejected"] = pl.Series([], dtype=pl.Boolean)
        for method, sign in self._methods:
            several = method == "predict_proba" or len(self.model.classes_) > 2
            columns |= self._numbers(np.empty((0, len(self.model.classes_) if several else 1)), sign)
        return columns

    def _labels(self, labels: NDArray[Any]) -> pl.Series:
        kinds: dict[str, Any] = {"b": pl.Boolean, "i": pl.Int64, "u": pl.Int64, "f": pl.Float64}
        return pl.Series(labels.tolist(), dtype=kinds.get(self.model.classes_.dtype.kind, pl.String))

    def _numbers(self, values: NDArray[np.float64], sign: str) -> dict[str, pl.Series]:
        classes = self.model.classes_.tolist()
        columns = np.atleast_2d(values.T)
        labels = classes if len(columns) == len(classes) else classes[-1:]
        named = zip(labels, columns, strict=True)
        return {f"{sign}({label})": pl.Series(np.ascontiguousarray(column)) for label, column in named}


def _without(method: str, name: str) -> str:
    if method == "predict_proba":
        return (
            f"Cannot predict probabilities: this {name} has only scores. Request scores, or train the model"
            " with calibration (the default)."
        )
    return f"Cannot compute scores: this {name} has only probabilities. Request probabilities."
