"""The layers of a model: table, decision, calibration and classifier."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from classica.decision import BayesDecisionClassifier
from classica.decision.calibration import CalibratedClassifier
from classica.errors import DataError, must
from classica.explain.input_column import InputColumn, input_columns
from classica.registry import registered
from classica.table_classifier import TableClassifier
from classica.tables import Table, TableEncoder


@dataclass(frozen=True)
class ModelLayers:
    """The layers of a fitted model.

    Attributes
    ----------
    model : estimator
        The whole model.
    table : TableClassifier or None
        The layer that types and encodes the columns of a table, if any.
    decision : BayesDecisionClassifier or None
        The layer with costs, priors and reject cost, if any.
    calibration : CalibratedClassifier or None
        The layer that calibrates the classifier's scores, if any.
    estimator : estimator
        The classifier itself.
    """

    model: Any
    table: TableClassifier | None
    decision: BayesDecisionClassifier | None
    calibration: CalibratedClassifier | None
    estimator: Any

    @classmethod
    def of(cls, model: BaseEstimator) -> ModelLayers:
        """Return the layers of a fitted model."""
        check_is_fitted(model)
        table = decision = calibration = None
        inner = model
        while True:
            if isinstance(inner, TableClassifier):
                table, inner = inner, inner.estimator_
            elif isinstance(inner, BayesDecisionClassifier):
                decision, inner = inner, vars(inner).get("estimator_", inner.estimator)
            elif isinstance(inner, CalibratedClassifier):
                calibration, inner = calibration or inner, inner.estimator_
            elif isinstance(inner, FrozenEstimator):
                inner = inner.estimator
            else:
                return cls(model, table, decision, calibration, inner)

    @property
    def encoder(self) -> TableEncoder | None:
        """What makes numbers of columns; None where the classifier gets them as they are."""
        encoder = None if self.table is None else self.table.encoder_
        return None if encoder is None or encoder.passes_on else encoder

    @property
    def reads_cells(self) -> bool:
        """Whether the classifier sees the columns as they are in the table."""
        return self.encoder is None

    @cached_property
    def columns(self) -> tuple[InputColumn, ...]:
        """The columns that go in, before any encoding."""
        return input_columns(self.table, self.estimator)

    @property
    def seen_names(self) -> list[str]:
        """What the columns are called that the classifier itself sees."""
        if self.encoder is not None:
            return [str(name) for name in self.encoder.get_feature_names_out()]
        return [column.name for column in self.columns]

    @property
    def classes(self) -> list[Any] | None:
        """The labels; None for a model that predicts numbers."""
        labels = getattr(self.estimator, "classes_", None)
        return None if labels is None else np.asarray(labels).tolist()

    @property
    def kind(self) -> str:
        """The slug of the classifier, or the name of its class."""
        slugs = (card.slug for card in registered() if card.estimator is type(self.estimator))
        return next(slugs, type(self.estimator).__name__)

    def features(self, rows: object) -> pl.DataFrame:
        """Return the columns that go in, from a typed table, a frame or an array."""
        if self.table is not None:
            return self.table.features(rows)
        frame = self._untyped(rows) if isinstance(rows, Table) else rows
        names = [column.name for column in self.columns]
        if not isinstance(frame, pl.DataFrame):
            frame = pl.DataFrame(np.asarray(frame, dtype=np.float64), schema=names)
        if set(names) <= set(frame.columns):
            return pl.DataFrame({name: frame[name] for name in names})
        if getattr(self.estimator, "feature_names_in_", None) is None and frame.width == len(names):
            return pl.DataFrame(dict(zip(names, frame.get_columns(), strict=True)))
        absent = next(name for name in names if name not in frame.columns)
        raise DataError(must("The table", f"a table with the column {absent!r}", frame.columns))

    def _untyped(self, table: Table) -> pl.DataFrame:
        """Return the columns of a table for a model that has no schema.

        Of a few rows, a column may be taken for a constant or a name; the model knows better.
        """
        features = table.X
        numbers = {column.name for column in self.columns if column.is_number}
        absent = [column.name for column in self.columns if column.name not in features.columns]
        hidden = [name for name in absent if name in table.frame.columns]
        cells = {name: table.frame[name] for name in hidden}
        try:
            cells = {n: c.cast(pl.Float64) if n in numbers else c.cast(pl.String) for n, c in cells.items()}
        except pl.exceptions.PolarsError:
            raise DataError(
                f"{table.source} must have numbers in the columns that were numeric in training, got text."
            ) from None
        columns = {name: features[name] for name in features.columns}
        return pl.DataFrame(columns | cells)

    def seen(self, features: pl.DataFrame) -> Any:
        """Return what the classifier itself sees of rows."""
        if self.table is not None:
            return self.table.encoder_.transform(features)
        named = getattr(self.estimator, "feature_names_in_", None) is not None
        return features if named else features.cast(pl.Float64).to_numpy()

    @property
    def decides(self) -> Any:
        """What answers for rows as the classifier sees them: the decision, the calibration, or itself."""
        return self.decision or self.calibration or self.estimator

    def answers(self, features: pl.DataFrame) -> NDArray[Any]:
        """Return the model's answer for each row."""
        answers: NDArray[Any] = np.asarray(self.decides.predict(self.seen(features)))
        return answers
