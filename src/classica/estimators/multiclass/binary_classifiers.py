"""Any binary classifier for any number of classes: what one against all and all against all share."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter
from sklearn.utils.validation import has_fit_parameter

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import ParameterError
from classica.estimators.base.contests import Contest
from classica.estimators.base.estimator import TrainingData
from classica.estimators.gaussian.fisher import FisherClassifier
from classica.estimators.members.member_columns import take_columns
from classica.estimators.members.member_fits import fit_member, in_threads, seeded
from classica.estimators.members.member_rows_passed import counted_rows, takes_kernel
from classica.estimators.members.member_rules import AClassifier
from classica.metadata import Metadata, fit_router, is_routing, member_params
from classica.native import Floats
from classica.params import N_JOBS, Nothing, RandomState, Rule, Seed
from classica.row_taking import take_rows
from classica.trees.growing.tree import Longs


class BinaryClassifiers:
    """Mixed into members that are clones of one classifier: each tells its first side (1) from its second."""

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing() | AClassifier(),
        "random_state": Seed(),
        "n_jobs": N_JOBS,
    }
    #: Weights are for the binary classifiers, whose request decides.
    __metadata_request__fit: ClassVar[Mapping[str, str]] = {"sample_weight": UNUSED}
    classes_: NDArray[Any]
    estimators_: list[Any]
    _threads: int
    _all_rows: Callable[..., TrainingData]
    _content: Callable[..., Any]
    _are_all_ours: Callable[[], bool]
    #: The columns of each binary classifier; missing where all have all. Of kernel values: its training rows.
    _kernel_columns: list[Longs]

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _read_rows(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None, params: Mapping[str, Any]
    ) -> _Seen:
        """Check rows, labels, weights and metadata; return the rows that count, with the codes of classes."""
        wanted = member_params(self, sample_weight, params)
        given = self._all_rows(X, y, wanted.pop("sample_weight", None))
        data, template = counted_rows(given), self._template()
        if self._are_all_ours():  # names the row of a bad value in the whole table, not in a part of it
            self._content(given.X, getattr(template, "categorical_features", "from_dtype"), required=True)
        if data.weights is not None:
            _require_weighable(template)
        places = _counted(given)
        return _Seen(data, Metadata.of(wanted, len(given.codes)).take(places), places)

    def _store(self, classes: NDArray[Any], members: list[Any], columns: list[Longs] | None) -> None:
        """Keep the binary classifiers, and the columns of kernel values that each of them sees."""
        self.classes_, self.estimators_ = classes, members
        self.__dict__.pop("_kernel_columns", None)
        if columns is not None:
            self._kernel_columns = columns

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata the binary classifiers request, for scikit-learn's metadata routing."""
        return fit_router(self, {"estimator": self._template()})

    def _template(self) -> Any:
        return FisherClassifier() if self.estimator is None else self.estimator

    def _templates(self) -> list[Any]:
        template = self._template()
        return [template] if AClassifier().accepts(template) else []

    def _seen_columns(self, contests: list[Contest], seen: _Seen) -> list[Longs] | None:
        """Return the columns of kernel values of each binary classifier: those of its training rows."""
        if not takes_kernel(self._template()):
            return None
        return [seen.places[_rows_of(contest, seen.data)] for contest in contests]

    def _machines(self, contests: list[Contest], seen: _Seen, columns: list[Longs] | None) -> list[Any]:
        """Return a binary classifier for each contest, learned from the rows of its two sides."""
        template = self._template()
        alone = self._threads == 1 or len(contests) == 1
        of_each = [None] * len(contests) if columns is None else columns
        tasks = [
            (member, contest, seen, of_member, alone, self.n_jobs)
            for member, contest, of_member in zip(
                self._clones(template, len(contests)), contests, of_each, strict=True
            )
        ]
        return in_threads(_learned, tasks, self._threads)

    def _clones(self, template: BaseEstimator, count: int) -> list[Any]:
        """Return unfitted binary classifiers: copies of one clone, cheap even for thousands of them."""
        one, random = clone(template), check_random_state(self.random_state)
        copies = [copy.deepcopy(one) for _ in range(count)]
        draws = any(index.endswith("random_state") for index in one.get_params())
        return [seeded(member, random, only_unseeded=True) for member in copies] if draws else copies

    def _binary_scores(self, X: Rows) -> Floats:
        scores = np.empty((X.shape[0], len(self.estimators_)))
        columns = self.__dict__.get("_kernel_columns")
        for number, member in enumerate(self.estimators_):
            seen = X if columns is None else take_columns(X, columns[number])
            scores[:, number] = first_side_scores(member, seen)
        return scores


@dataclass(frozen=True)
class _Seen:
    """The rows that count, the metadata that binary classifiers request, and the indices in the table."""

    data: TrainingData
    metadata: Metadata
    places: Longs


def first_side_scores(member: BaseEstimator, X: MatrixLike) -> Floats:
    """Return by how much a binary classifier prefers its first side, by the finest scale it has."""
    if hasattr(member, "decision_function"):
        scores = np.asarray(member.decision_function(X), dtype=np.float64).reshape(-1)
    elif hasattr(member, "predict_proba"):
        posteriors = np.asarray(member.predict_proba(X), dtype=np.float64)
        scores = posteriors[:, 1] - posteriors[:, 0]
    else:
        scores = np.where(np.asarray(member.predict(X)) == 1, 1.0, -1.0)
    return scores


def _rows_of(contest: Contest, data: TrainingData) -> Longs:
    """Return the rows of both sides, by number."""
    return np.flatnonzero((contest.first | contest.second)[data.codes]).astype(np.int64)


def _counted(given: TrainingData) -> Longs:
    """Return the rows that count, by number."""
    weights = given.weights
    return np.arange(len(given.codes)) if weights is None else np.flatnonzero(weights).astype(np.int64)


def _require_weighable(template: BaseEstimator) -> None:
    """Reject weights for a binary classifier whose fit takes none; routed weights are requested by it."""
    if not is_routing() and not has_fit_parameter(template, "sample_weight"):
        rule = f"None for {type(template).__name__}, whose fit has no parameter of that name"
        raise ParameterError(f"sample_weight must be {rule}, got weights.")


def _learned(
    member: BaseEstimator,
    contest: Contest,
    seen: _Seen,
    columns: Longs | None,
    alone: bool,
    n_jobs: int | None,
) -> Any:
    """Fit a binary classifier to the rows of its sides: 1 stands for the first, 0 for the second."""
    data = seen.data
    rows = _rows_of(contest, data)
    sides = contest.first[data.codes[rows]].astype(np.int64)
    X = data.X if len(rows) == len(data.codes) else take_rows(data.X, rows)
    X = X if columns is None else take_columns(X, columns)
    params = seen.metadata.take(rows).values
    if data.weights is not None:
        params["sample_weight"] = data.weights[rows]
    return fit_member(member, X, sides, params, alone, n_jobs)
