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
from classica.estimators.base.mergeable import Mergeable
from classica.estimators.bayes.bayes_statistics import BayesStatistics
from classica.estimators.bayes.code_counts import CodeCounts
from classica.estimators.bayes.column_kinds import KINDS, Kinds, column_kinds, places_of
from classica.estimators.bayes.known_moments import KnownMoments
from classica.native import Floats
from classica.params import check_parameters


class BayesColumns(Mergeable[BayesStatistics]):
    """Reads rows of categories and numbers and holds their statistics."""

    numeric: Any
    binarize: float
    categorical_features: Any

    category_levels_: dict[str, list[Any]]
    declared_levels_: dict[str, list[Any]]
    cut_points_: dict[int, Floats]
    _kinds: Kinds
    _learned: BayesStatistics

    @property
    def accepts(self) -> Accepts:  # type: ignore[override]
        """What rows are taken: sparse ones where every column is a yes or no."""
        named = self.categorical_features
        no_categories = isinstance(named, str) or not hasattr(named, "__len__") or len(named) == 0
        sparse = no_categories and isinstance(self.numeric, str) and self.numeric == "bernoulli"
        # Squares of larger values would overflow.
        return Accepts(sparse=sparse, missing=True, categorical=True, largest=1e150)

    def _training_rows(self, X: Rows, *, reset: bool = True) -> Any:
        check_parameters(self)
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
        place = int(np.argmax(kinds != self._kinds))
        name = getattr(self, "feature_names_in_", range(len(kinds)))[place]
        was, now = KINDS[self._kinds[place]], KINDS[kinds[place]]
        raise DataError(must(f"The column {name!r}", f"of the kind {was!r}, as it was when learned", now))

    def _query(self, X: Rows) -> Any:
        self._require_fitted()
        features = self.categorical_features
        return read_columns(self, X, self.accepts, self._threads_of(X), features, reset=False).matrix

    def _rows_to_learn(self, X: Rows, y: Any, sample_weight: Any = None) -> TrainingData:
        data = super()._rows_to_learn(X, y, sample_weight)
        self._cut_columns(data)
        return data

    def _cut_columns(self, data: TrainingData) -> None:
        places = places_of(self._kinds, "discretized")
        classes = len(data.classes)
        self.cut_points_ = {}
        if len(places):
            cuts = native.cut_points(data.X, places, data.codes, data.weights, classes, self._threads)
            self.cut_points_ = dict(zip(places.tolist(), cuts, strict=True))

    def _is_mergeable(self) -> bool:
        words = self.numeric.values() if isinstance(self.numeric, Mapping) else [self.numeric]
        return not any(word in ("kernel", "discretized") for word in words)

    def _known(self) -> BayesStatistics:
        thresholds = self._learned.intervals.columns[2]
        if (thresholds != self.binarize).any():
            rule = "the one of the first fit, to add or remove rows"
            raise ParameterError(must("binarize", rule, self.binarize))
        return self._learned

    def _identity(self) -> tuple[Any, ...]:
        return *super()._identity(), self._kinds.tobytes()

    def _statistics(self, data: TrainingData) -> BayesStatistics:
        X, classes, threads = data.X, len(data.classes), self._threads
        numbers = places_of(self._kinds, "gaussian")
        moments = KnownMoments.of(X, numbers, data.codes, classes, data.weights, threads)
        intervals, categories = self._no_intervals(classes), self._no_categories(X, classes)
        return BayesStatistics(
            moments,
            intervals.counted(X, data.codes, data.weights, threads),
            categories.counted(X, data.codes, data.weights, threads),
        )

    def _no_intervals(self, classes: int) -> CodeCounts:
        places = places_of(self._kinds, "bernoulli", "discretized")
        above = np.array([self.binarize], dtype=np.float64)
        cuts = getattr(self, "cut_points_", {})
        return CodeCounts.of_intervals(places, [cuts.get(place, above) for place in places.tolist()], classes)

    def _no_categories(self, X: Rows, classes: int) -> CodeCounts:
        places = places_of(self._kinds, "category")
        levels: list[Any]
        if not self.category_levels_:
            levels = [*native.distinct_values(X, places, self._threads)] if len(places) else []
            return CodeCounts.of_levels(places, levels, [()] * len(places), classes)
        levels = [*self.category_levels_.values()]  # in the order of the columns
        declared = [self.declared_levels_[name] for name in self.category_levels_]
        return CodeCounts.of_levels(places, levels, declared, classes)

    def _keep_levels(self, categories: CodeCounts) -> None:
        """Let the codes of a frame be those of the statistics, which may have come from elsewhere too."""
        if not self.category_levels_ or categories.levels is None:
            return
        self.category_levels_ = dict(zip(self.category_levels_, categories.levels, strict=True))
        for name, first in zip(self.category_levels_, categories.first_slots, strict=True):
            levels = self.category_levels_[name]
            flags = categories.declared[first : first + len(levels)]
            self.declared_levels_[name] = [level for level, flag in zip(levels, flags, strict=True) if flag]
