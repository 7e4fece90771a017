"""A learned naive Bayes model: priors, and what each group of columns adds to the scores of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classica import native
from classica.arrays import Rows
from classica.estimators.base.estimator import TrainingData
from classica.estimators.bayes.bayes_statistics import BayesStatistics
from classica.estimators.bayes.code_table import CodeTable
from classica.estimators.bayes.gaussian_columns import GaussianColumns
from classica.estimators.bayes.kernel_columns import KernelColumns
from classica.native import Codes, Floats


@dataclass(frozen=True)
class BayesModel:
    """The logarithms of the priors, and one part per kind of column."""

    log_prior: Floats
    gaussian: GaussianColumns
    intervals: CodeTable
    categories: CodeTable
    kernel: KernelColumns | None = None

    @property
    def tables(self) -> list[CodeTable]:
        """The tables that have columns."""
        return [table for table in (self.intervals, self.categories) if len(table.counts.columns[0])]

    @property
    def parts(self) -> list[GaussianColumns | CodeTable | KernelColumns]:
        """The parts that have columns."""
        numbers = [self.gaussian] if len(self.gaussian.places) else []
        return [*numbers, *self.tables, *([] if self.kernel is None else [self.kernel])]

    def scores(self, X: Rows, threads: int) -> Floats:
        """Return log p(x, class) of each row; minus infinity for an impossible class."""
        scores = np.empty((X.shape[0], len(self.log_prior)))
        scores[:] = self.log_prior
        zeros = None
        if any(table.zeros is not None for table in self.tables):
            zeros = np.zeros(scores.shape, dtype=np.int32)
        for part in self.parts:
            part.add_scores(X, scores, zeros, threads)
        return scores if zeros is None else _with_fewest_zeros(scores, zeros)

    def column_scores(self, row: Floats, threads: int) -> Floats:
        """Return log p(value | class) of each column, from rows in which only one cell is known."""
        total = np.zeros((len(row), len(self.log_prior)))
        at_once = 256
        for first in range(0, len(row), at_once):
            indices = np.arange(first, min(first + at_once, len(row)))
            alone = np.full((len(indices), len(row)), np.nan)
            alone[indices - first, indices] = row[indices]
            scores = np.zeros((len(indices), len(self.log_prior)))
            zeros = np.zeros(scores.shape, dtype=np.int32)
            for part in self.parts:
                part.add_scores(alone, scores, zeros, threads)
            total[indices] = np.where(zeros > 0, -np.inf, scores)
        return total

    def left_out_posteriors(
        self, data: TrainingData, statistics: BayesStatistics, prior_change: Floats, ddof: int, threads: int
    ) -> Floats:
        """Return the posteriors of each row as if it had not been learned; NaN where that is not covered."""
        own = np.arange(len(data.codes)), data.codes
        scores = np.zeros((len(data.codes), len(self.log_prior)))
        zeros = np.zeros(scores.shape, dtype=np.int32)
        if len(self.gaussian.places):
            self.gaussian.add_scores(data.X, scores, None, threads)
            moments = statistics.moments
            scores[own] = self.gaussian.left_out_scores(
                data.X, moments, ddof, data.codes, data.weights, threads
            )
        for table in self.tables:
            table.add_left_out_scores(data.X, data.codes, data.weights, threads, scores, zeros)
        scores += self.log_prior
        scores[own] += prior_change
        open_ = np.asarray(np.isnan(scores).any(axis=1))
        scores[open_] = 0.0
        posteriors = native.scores_to_posteriors(_with_fewest_zeros(scores, zeros), threads)
        posteriors[open_] = np.nan
        return posteriors


def _with_fewest_zeros(scores: Floats, zeros: Codes) -> Floats:
    """Return the scores with minus infinity wherever a class that can be has fewer probabilities of zero."""
    zeros[np.isneginf(scores)] = np.iinfo(np.int32).max
    scores[zeros > zeros.min(axis=1, keepdims=True)] = -np.inf
    return scores
