"""The scores of many models on the splits of one table."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import accuracy_score, check_scoring, make_scorer
from sklearn.utils import get_tags

from classica.estimators._member_rows import as_table, take_rows
from classica.native import Floats
from classica.params import check_parameters

#: What scikit-learn makes of a metric: it asks a model for its answers and for nothing else.
_Scorer = type(make_scorer(accuracy_score))


@dataclass(frozen=True)
class GridTask:
    """Models, not fitted, that differ in some parameters; rows, and splits of them."""

    owner: Any
    models: list[Any]
    X: Any
    y: Any
    splits: list[Any]
    scoring: Any

    def scores(self) -> Floats:
        """Return one row per model and one column per split."""
        found = np.full((len(self.models), len(self.splits)), -np.inf)
        X, y = as_table(self.X), np.asarray(self.y)
        groups = self._groups()
        for number, (train, test) in enumerate(self.splits):
            part = SplitRows(X, y, as_places(train), as_places(test))
            for group in groups:
                for place, score in self._scored(group, part):
                    found[place, number] = score
        return found

    def _groups(self) -> list[list[int]]:
        """Return the places of models that differ in free parameters only."""
        if not asks_for_answers_only(self.scoring):
            return [[place] for place in range(len(self.models))]
        free = self.owner.free_parameters
        bound = [
            {name: value for name, value in model.get_params().items() if name not in free}
            for model in self.models
        ]
        groups: list[list[int]] = []
        for place, own in enumerate(bound):
            alike = (group for group in groups if are_equal(bound[group[0]], own))
            group = next(alike, None)
            groups.append([place]) if group is None else group.append(place)
        return groups

    def _scored(self, group: list[int], part: SplitRows) -> Iterator[tuple[int, float]]:
        """Yield the scores of a group; one by one if some of it is refused. Who is refused has none."""
        if len(group) > 1:
            with contextlib.suppress(ValueError):
                yield from [*self._together(group, part)]
                return
        for place in group:
            with contextlib.suppress(ValueError):
                X, y = part.learned(self.models[place])
                yield place, self._score(clone(self.models[place]).fit(X, y), part)

    def _together(self, group: list[int], part: SplitRows) -> Iterator[tuple[int, float]]:
        models = [clone(self.models[place]) for place in group]
        for model in models:
            check_parameters(model)
        X, y = part.learned(models[0])
        for place, model in self.owner._fit_alike(models, X, y):
            yield group[place], self._score(model, part)

    def _score(self, model: Any, part: SplitRows) -> float:
        X, y = part.tested(model)
        return float(check_scoring(model, self.scoring)(model, X, y))


class SplitRows:
    """The rows of a split, to learn from and to predict."""

    def __init__(self, X: Any, y: NDArray[Any], train: NDArray[np.intp], test: NDArray[np.intp]) -> None:
        self.X, self.train, self.test = X, train, test
        self._learned = take_rows(X, train), y[train]
        self._tested = take_rows(X, test), y[test]

    def learned(self, model: Any) -> tuple[Any, NDArray[Any]]:
        """Return the rows to learn from; of a table of distances or kernel values those columns, too."""
        rows, labels = self._learned
        return (rows[:, self.train] if _is_pairwise(model) else rows), labels

    def tested(self, model: Any) -> tuple[Any, NDArray[Any]]:
        """Return the rows to predict: always the same object, by which answers can be known again."""
        rows, labels = self._tested
        return (rows[:, self.train] if _is_pairwise(model) else rows), labels


def asks_for_answers_only(scoring: Any) -> bool:
    """Return whether a score is a function of a model's answers."""
    return scoring is None or isinstance(scoring, str | _Scorer)


def as_places(rows: Any) -> NDArray[np.intp]:
    """Return the places of rows that are given by places or by a mask."""
    array = np.asarray(rows)
    return np.flatnonzero(array) if array.dtype == bool else array.astype(np.intp)


def _is_pairwise(model: Any) -> bool:
    return bool(get_tags(model).input_tags.pairwise)


def are_equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether parameters are surely the same."""
    return one.keys() == other.keys() and all(_is_equal(value, other[name]) for name, value in one.items())


def _is_equal(value: Any, other: Any) -> bool:
    return value is other or (type(value) is type(other) and np.array_equal(value, other))


def places_by(models: Sequence[Any], parameter: str) -> list[int]:
    """Return the places of models, those with the smallest value of a parameter first."""
    return sorted(range(len(models)), key=lambda place: float(getattr(models[place], parameter)))
