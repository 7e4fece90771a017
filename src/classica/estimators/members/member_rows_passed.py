"""What ensembles of any classifiers share: rows passed on as they came, and what members say they take.

Frames go to the members as they are, so that each codes categories its own way; arrays of numbers are checked
once. What only members of other packages can read (text in an array, dates in a frame) is theirs to judge.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags

from classica.arrays import Rows
from classica.columns import Accepts, check_names, read_columns, read_matrix
from classica.estimators.base.estimator import Classifier, Estimator, TrainingData
from classica.estimators.members.member_columns import holds_numbers
from classica.params import Categorical, check_parameters
from classica.row_taking import as_table, is_frame, take_rows
from classica.targets import encode_labels, label_union


class MadeOfMembers(Classifier):
    """A classifier made of classifiers. Subclasses say which, and how they answer together."""

    estimators_: list[Any]

    @abstractmethod
    def _templates(self) -> list[Any]:
        """Return the classifiers as they were given; none where the parameter is none."""

    @property
    def accepts(self) -> Accepts:  # type: ignore[override]
        """What rows are taken: those all members of ours take; others check for themselves."""
        ours = [member.accepts for member in self._templates() if isinstance(member, Estimator)]
        return Accepts(
            sparse=all(taken.sparse for taken in ours),
            missing=all(taken.missing for taken in ours),
            categorical=all(taken.categorical for taken in ours),
            largest=min((taken.largest for taken in ours), default=Accepts().largest),
        )

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: those of all members, where each tells its own."""
        self._require_fitted()
        return sum(member.n_parameters_ for member in self.estimators_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = [get_tags(member) for member in self._templates()]
        for name in ("sparse", "allow_nan", "categorical"):
            setattr(
                tags.input_tags, name, all(getattr(member_tags.input_tags, name) for member_tags in inner)
            )
        tags.input_tags.pairwise = any(member_tags.input_tags.pairwise for member_tags in inner)
        tags.non_deterministic = any(member_tags.non_deterministic for member_tags in inner)
        if inner:
            tags.classifier_tags.poor_score = all(
                member_tags.classifier_tags.poor_score for member_tags in inner
            )
            tags.classifier_tags.multi_class = all(
                member_tags.classifier_tags.multi_class for member_tags in inner
            )
        return tags

    def _training_rows(self, X: Rows, *, reset: bool = True) -> Any:
        check_parameters(self)
        return self._passed_on(X, self._threads, reset=reset)

    def _query(self, X: Rows) -> Any:
        self._require_fitted()
        return self._passed_on(X, self._threads_of(X), reset=False)

    def _passed_on(self, X: Rows, threads: int, *, reset: bool) -> Any:
        """Return rows as the members get them."""
        X = as_table(X)
        if holds_numbers(X) or (self._are_all_ours() and not is_frame(X)):
            return read_matrix(self, X, self.accepts, threads, reset=reset)
        check_names(self, X, reset=reset)
        return X

    def _content(self, X: Rows, categorical_features: Categorical, *, required: bool) -> Any:
        """Return what is in the rows as numbers, to draw rows by; None where only members can read them."""
        if not is_frame(X):
            return X if holds_numbers(X) else None
        reader = copy.copy(self)  # levels of categories are the members' own
        try:
            return read_columns(
                reader, X, self.accepts, self._threads, categorical_features, reset=True
            ).matrix
        except (TypeError, ValueError):
            if required:
                raise
            return None

    def _are_all_ours(self) -> bool:
        return all(
            member._are_all_ours() if isinstance(member, MadeOfMembers) else isinstance(member, Estimator)
            for member in self._templates()
        )


def takes_kernel(template: BaseEstimator) -> bool:
    """Return whether a classifier learns from kernel values or distances between all rows."""
    return bool(get_tags(template).input_tags.pairwise)


def counted_rows(data: TrainingData) -> TrainingData:
    """Return the rows that count, with the classes they have; X stays what it is."""
    if data.weights is None or data.weights.all():
        return data
    rows = np.flatnonzero(data.weights)
    classes, codes = encode_labels(data.classes[data.codes[rows]])
    return TrainingData(take_rows(data.X, rows), classes, codes, data.weights[rows])


def classes_of(classes: NDArray[Any], members: list[Any]) -> NDArray[Any]:
    """Return the classes of the rows and those members know beside them, sorted."""
    for member in members:
        if not np.array_equal(classes, member.classes_):
            classes = label_union(classes, np.asarray(member.classes_))
    return classes
