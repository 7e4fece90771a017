"""What naive Bayes does before it learns: read mixed columns, and sum what there is to know of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from classica import native
from classica.arrays import Rows
from classica.columns import Accepts, read_columns
from classica.errors import DataError, ParameterError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.bayes.bayes_statistics import BayesStatistics
from classica.estimators.bayes.code_counts import CodeCounts
from classica.estimators.bayes.column_kinds import KINDS, Kinds, column_kinds, indices_of
from classica.estimators.bayes.known_moments import KnownMoments
from classica.native import Floats
from classica.params import Categorical


class BayesColumns:
    """Mixed into a `Mergeable` that reads rows of categories and numbers and holds their statistics."""

    numeric: str | Mapping[Any, str]
    binarize: float
    categorical_features: Categorical

    category_levels_: dict[str, list[Any]]
    declared_levels_: dict[str, list[Any]]
    cut_points_: dict[int, Floats]
    _kinds: Kinds
    _learned: BayesStatistics
    accepts: Accepts
    _threads: int

    def _columns_of(self, X: Rows, *, reset: bool) -> Any:
        """Read the rows to learn from; what is known already may grow (``reset=False``)."""
        held = None if reset else (self.category_levels_, self.declared_levels_)
        read = read_columns(
            self, X, self.accepts, self._threads, self.categorical_features, reset=reset, grow=not reset
        )
        kinds = column_kinds(self.numeric, read.categorical, getattr(self, "feature_names_in_", None))
        if held is not None and (kinds != self._kinds).any():
            self.category_levels_, self.declared_levels_ = held
            self._refuse_other_kinds(kinds)
        self._kinds = kinds
        return read.matrix

    def _refuse_other_kinds(self, kinds: Kinds) -> NoReturn:
        index = int(np.argmax(kinds != self._kinds))
        name = getattr(self, "feature_names_in_", range(len(kinds)))[index]
        was, now = KINDS[self._kinds[index]], KINDS[kinds[index]]
        raise DataError(must(f"The column {name!r}", f"of the kind {was!r}, as in training", now))

    def _cut_columns(self, data: TrainingData) -> None:
        indices = indices_of(self._kinds, "discretized")
        classes = len(data.classes)
        self.cut_points_ = {}
        if len(indices):
            cuts = native.cut_points(data.X, indices, data.codes, data.weights, classes, self._threads)
            self.cut_points_ = dict(zip(indices.tolist(), cuts, strict=True))

    def _is_mergeable(self) -> bool:
        words = self.numeric.values() if isinstance(self.numeric, Mapping) else [self.numeric]
        return not any(word in ("kernel", "discretized") for word in words)

    def _own_statistics(self) -> BayesStatistics:
        thresholds = self._learned.intervals.columns[2]
        if (thresholds != self.binarize).any():
            rule = "the one of the first fit, to add or remove rows"
            raise ParameterError(must("binarize", rule, self.binarize))
        return self._learned

    def _statistics(self, data: TrainingData) -> BayesStatistics:
        X, classes, threads = data.X, len(data.classes), self._threads
        numbers = indices_of(self._kinds, "gaussian")
        moments = KnownMoments.of(X, numbers, data.codes, classes, data.weights, threads)
        intervals, categories = self._no_intervals(classes), self._no_categories(X, classes)
        return BayesStatistics(
            moments,
            intervals.counted(X, data.codes, data.weights, threads),
            categories.counted(X, data.codes, data.weights, threads),
        )

    def _no_intervals(self, classes: int) -> CodeCounts:
        indices = indices_of(self._kinds, "bernoulli", "discretized")
        above = np.array([self.binarize], dtype=np.float64)
        cuts = getattr(self, "cut_points_", {})
        return CodeCounts.of_intervals(
            indices, [cuts.get(index, above) for index in indices.tolist()], classes
        )

    def _no_categories(self, X: Rows, classes: int) -> CodeCounts:
        indices = indices_of(self._kinds, "category")
        levels: list[Any]
        if not self.category_levels_:
            levels = [*native.distinct_values(X, indices, self._threads)] if len(indices) else []
            return CodeCounts.of_levels(indices, levels, [()] * len(indices), classes)
        levels = [*self.category_levels_.values()]  # in the order of the columns
        declared = [self.declared_levels_[name] for name in self.category_levels_]
        return CodeCounts.of_levels(indices, levels, declared, classes)

    def _keep_levels(self, categories: CodeCounts) -> None:
        """Let the codes of a frame be those of the statistics, which may have come from elsewhere too."""
        if not self.category_levels_ or categories.levels is None:
            return
        self.category_levels_ = dict(zip(self.category_levels_, categories.levels, strict=True))
        for name, first in zip(self.category_levels_, categories.first_slots, strict=True):
            levels = self.category_levels_[name]
            flags = categories.declared[first : first + len(levels)]
            self.declared_levels_[name] = [level for level, flag in zip(levels, flags, strict=True) if flag]
