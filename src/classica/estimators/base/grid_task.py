"""The scores of many models on the splits of one table."""

from __future__ import annotations

import contextlib
import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.utils import get_tags

from classica.arrays import MatrixLike, Rows
from classica.native import Floats
from classica.params import check_parameters
from classica.row_taking import as_table, take_rows

#: Values of parameters, one mapping per point of a grid.
Points: TypeAlias = "Iterable[Mapping[str, Any]]"
#: Pairs of the rows to learn from and to predict, as indices or masks.
SplitPairs: TypeAlias = "Iterable[tuple[ArrayLike, ArrayLike]]"
#: A score as scikit-learn takes it; None: that of the model itself.
Scoring: TypeAlias = "str | Callable[..., float] | None"

#: What scikit-learn makes of a metric: it asks a model for its answers and for nothing else.
_Scorer = type(make_scorer(accuracy_score))


@dataclass(frozen=True)
class Group:
    """Models, not fitted, that differ in free parameters only, and their places among all models."""

    places: list[int]
    models: list[Any]

    @cached_property
    def is_pairwise(self) -> bool:
        """Whether they learn from distances or kernel values of rows."""
        return is_pairwise(self.models[0])

    def copies(self) -> list[Any]:
        """Return the models anew, to be fitted."""
        return [copy(model) if plain else clone(model) for model, plain in self._plain]

    @cached_property
    def _plain(self) -> list[tuple[Any, bool]]:
        # A fit may change a generator or an estimator inside, but not a number or a word; cloning takes long.
        return [(model, all(map(_is_plain, model.get_params(deep=False).values()))) for model in self.models]


@dataclass(frozen=True)
class GridTask:
    """Models, not fitted, that differ in some parameters; rows, and splits of them.

    Of rows that are two tables already there are no splits, and `scores_on` is asked.
    """

    owner: Any
    models: list[Any]
    X: Any
    y: Any
    splits: list[Any]
    scoring: Any

    def scores(self) -> Floats:
        """Return one row per model and one column per split."""
        X, y = as_table(self.X), np.asarray(self.y)
        each = [
            self.scores_on(SplitRows(X, y, as_indices(train), as_indices(test)))
            for train, test in self.splits
        ]
        return np.column_stack(each) if each else np.empty((len(self.models), 0))

    def scores_on(self, part: Split) -> Floats:
        """Return the score of each model on one split."""
        scores = np.full(len(self.models), -np.inf)
        for group in self._groups:
            for index, score in self._scored(group, part):
                scores[index] = score
        return scores

    @cached_property
    def _groups(self) -> list[Group]:
        if not asks_for_answers_only(self.scoring):
            return [Group([index], [model]) for index, model in enumerate(self.models)]
        free = self.owner.free_parameters
        bound = [
            {name: value for name, value in model.get_params().items() if name not in free}
            for model in self.models
        ]
        groups: list[list[int]] = []
        for index, own in enumerate(bound):
            alike = next((group for group in groups if are_equal(bound[group[0]], own)), None)
            groups.append([index]) if alike is None else alike.append(index)
        return [Group(group, [self.models[index] for index in group]) for group in groups]

    def _scored(self, group: Group, part: Split) -> Iterator[tuple[int, float]]:
        """Yield the scores of a group; one by one if some of it is refused. Who is refused has none."""
        if asks_for_answers_only(self.scoring):
            with contextlib.suppress(ValueError):
                yield from [*self._together(group, part)]
                return
        for index, model in zip(group.places, group.copies(), strict=True):
            with contextlib.suppress(ValueError):
                X, y = part.learned(group.is_pairwise)
                yield index, score_of(model.fit(X, y), *part.tested(group.is_pairwise), self.scoring)

    def _together(self, group: Group, part: Split) -> Iterator[tuple[int, float]]:
        models = group.copies()
        for model in models:
            check_parameters(model)
        tested = part.tested(group.is_pairwise)
        last, score = None, -np.inf
        for index, model in self.owner._fit_alike(models, *part.learned(group.is_pairwise)):
            if model is not last:  # given again, for a point that makes no difference, it has its score
                last, score = model, score_of(model, *tested, self.scoring)
            yield group.places[index], score


class Split(Protocol):
    """The rows of a split, to learn from and to predict."""

    def learned(self, pairwise: bool) -> tuple[Any, NDArray[Any]]:
        """Return the rows to learn from, and their labels."""

    def tested(self, pairwise: bool) -> tuple[Any, NDArray[Any]]:
        """Return the rows to predict, and their labels."""


@dataclass(frozen=True)
class RowPair:
    """A split whose rows are two tables already: one to learn from, one to predict."""

    X: Any
    y: NDArray[Any]
    X_test: Any
    y_test: NDArray[Any]

    def learned(self, pairwise: bool) -> tuple[Any, NDArray[Any]]:
        """Return the rows to learn from, and their labels; they hold what they hold, also if pairwise."""
        return self.X, self.y

    def tested(self, pairwise: bool) -> tuple[Any, NDArray[Any]]:
        """Return the rows to predict, and their labels."""
        return self.X_test, self.y_test


class SplitRows:
    """The rows of a split of one table, to learn from and to predict."""

    def __init__(self, X: Rows, y: NDArray[Any], train: NDArray[np.intp], test: NDArray[np.intp]) -> None:
        self.X, self.train, self.test = X, train, test
        self._learned = take_rows(X, train), y[train]
        self._tested = take_rows(X, test), y[test]

    def learned(self, pairwise: bool) -> tuple[Any, NDArray[Any]]:
        """Return the rows to learn from; of a table of distances or kernel values those columns, too."""
        rows, labels = self._learned
        return (rows[:, self.train] if pairwise else rows), labels

    def tested(self, pairwise: bool) -> tuple[Any, NDArray[Any]]:
        """Return the rows to predict."""
        rows, labels = self._tested
        return (rows[:, self.train] if pairwise else rows), labels


def asks_for_answers_only(scoring: Scoring) -> bool:
    """Return whether a score is a function of a model's answers; one of another kind may say so itself."""
    is_declared = getattr(scoring, "asks_for_answers_only", False)
    return scoring is None or isinstance(scoring, str | _Scorer) or is_declared is True


def score_of(model: BaseEstimator, X: MatrixLike, y: NDArray[Any], scoring: Scoring) -> float:
    """Return the score of a fitted model on some rows."""
    if scoring in (None, "accuracy") and type(model).score is ClassifierMixin.score:
        return float(np.mean(model.predict(X) == y))  # scikit-learn's own checks take longer than a tree
    return float(model.score(X, y) if scoring is None else get_scorer(scoring)(model, X, y))


def as_indices(rows: ArrayLike) -> NDArray[np.intp]:
    """Return the places of rows that are given by places or by a mask."""
    array = np.asarray(rows)
    return np.flatnonzero(array) if array.dtype == bool else array.astype(np.intp)


def is_pairwise(model: BaseEstimator) -> bool:
    """Return whether a model learns from distances or kernel values of rows."""
    return bool(get_tags(model).input_tags.pairwise)


def are_equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether parameters are surely the same."""
    return one.keys() == other.keys() and all(_is_equal(value, other[name]) for name, value in one.items())


def _is_equal(value: Any, other: Any) -> bool:
    return value is other or (type(value) is type(other) and np.array_equal(value, other))


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | numbers.Number | np.bool_)


def indices_by(models: Sequence[Any], parameter: str) -> list[int]:
    """Return the places of models, those with the smallest value of a parameter first."""
    return sorted(range(len(models)), key=lambda index: float(getattr(models[index], parameter)))
