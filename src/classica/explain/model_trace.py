"""How a classifier computes on a small table, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import BaseEstimator, clone

from classica.errors import DataError, must
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.explain.traced import Traced
from classica.explain.tracers import tracer_of
from classica.table_classifier import TableClassifier
from classica.tables import Table


@dataclass(frozen=True)
class Trace:
    """The steps of a computation.

    Attributes
    ----------
    kind : str
        The slug of the classifier.
    sections : sequence of Section
        The steps in their order.
    """

    kind: str
    sections: Sequence[Section]

    def text(self, top: int | None = None) -> str:
        """Return the steps as text, of each table the first ``top`` rows."""
        blocks = ("\n".join(section.lines(top)) for section in self.sections)
        return "\n\n".join(blocks) + "\n"

    def record(self) -> dict[str, Any]:
        """Return the steps as JSON knows them."""
        return {"kind": self.kind, "steps": [section.record() for section in self.sections]}


def trace_model(estimator: BaseEstimator, table: Table, *, row: int = 1) -> Trace:
    """Learn from a table and return the lecture's computation, step by step.

    Parameters
    ----------
    estimator : classifier
        Not fitted yet. One that presents rows in random orders is told to keep to that of the table.
    table : Table
        A small table with a target.
    row : int, default=1
        The row that is asked about once the classifier has learned, from 1.

    Examples
    --------
    >>> from classica import ID3Classifier
    >>> from classica.tables import load_table
    >>> from classica.explain import trace_model
    >>> print(trace_model(ID3Classifier(), load_table("golf")).text().splitlines()[1].strip())
    14 rows (0: 5, 1: 9), entropy 0.940286
    """
    labelled = table.labelled()
    if not 1 <= row <= len(labelled):
        raise DataError(must("The row number", f"from 1 to {len(labelled)}", row))
    tracer = tracer_of(estimator)
    estimator = clone(estimator).set_params(**tracer.parameters)
    labels = labelled.y
    model = TableClassifier(estimator, labelled.schema).fit(labelled, labels)
    layers = ModelLayers.of(model)
    traced = Traced(layers, layers.features(labelled), labels, row)
    return Trace(layers.kind, tracer.steps(traced))
