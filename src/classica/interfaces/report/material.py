"""What the report reads besides the summary: the table, the answers of the folds, the models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica import persist
from classica.comparison.comparison_result import ComparisonResult
from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.summary import ModelResult, Summary
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.comparison.work.units import answers_path
from classica.displays.canvas import shown_rows
from classica.displays.planes.projection import two_useful_columns
from classica.displays.planes.table_view import TableView
from classica.explain.opened import Opened
from classica.targets import encode_labels

#: Rows that pictures of the plane and of margins are made from; more do not show more.
MOST_ROWS = 2000


@dataclass(frozen=True)
class Material:
    """What is in the folder of a comparison.

    Attributes
    ----------
    result : ComparisonResult
        The folder, the summary and the table.
    """

    result: ComparisonResult

    @property
    def folder(self) -> Path:
        """The folder."""
        return self.result.folder

    @property
    def summary(self) -> Summary:
        """The summary."""
        return self.result.summary

    @property
    def workspace(self) -> Workspace:
        """The table and how it was compared on."""
        return self.result.workspace

    def answers(self, model: ModelResult) -> list[FoldPredictions]:
        """Return the predictions of a model, fold by fold."""
        paths = [answers_path(self.folder, model.name, fold) for fold in self.summary.folds.counted]
        sizes = len(self.workspace.y), len(self.workspace.classes)
        return [FoldPredictions.load(path).within(*sizes, path) for path in paths]

    def load_model(self, model: ModelResult) -> Opened | None:
        """Return a model, fitted on all rows; None where there is no file of it."""
        delivered = model.delivered
        if delivered is None or delivered.file is None:
            return None
        return Opened.of(persist.load(self.folder / delivered.file))

    @cached_property
    def some_rows(self) -> NDArray[np.intp]:
        """Rows enough for a picture, spread over the table."""
        return shown_rows(len(self.workspace.y), MOST_ROWS)

    @cached_property
    def X(self) -> pl.DataFrame:  # noqa: N802  (the field's name for a matrix)
        """The features of these rows."""
        return self.workspace.X[self.some_rows]

    @cached_property
    def y(self) -> NDArray[Any]:
        """Their labels."""
        labels: NDArray[Any] = self.workspace.y[self.some_rows]
        return labels

    @cached_property
    def axes(self) -> list[str]:
        """The two columns by which the classes are told apart best."""
        view = TableView.of(self.X)
        codes = encode_labels(self.y)[1].astype(np.intp)
        return [view.names[index] for index in two_useful_columns(view, codes)]
