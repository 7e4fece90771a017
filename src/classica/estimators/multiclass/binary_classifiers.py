"""Any two-class machine for any number of classes: what one against all and all against all share."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter
from sklearn.utils.validation import has_fit_parameter

from classica.errors import ParameterError
from classica.estimators.base.contests import Contest, warn_of_many_pairs
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.margins import MarginClassifier, machines
from classica.estimators.gaussian.fisher import FisherClassifier
from classica.estimators.members.member_columns import take_columns
from classica.estimators.members.member_fits import fit_member, in_threads, seeded
from classica.estimators.members.member_rows_passed import MadeOfMembers, counted_rows, takes_kernel
from classica.estimators.members.member_rules import AClassifier
from classica.metadata import Metadata, fit_router, is_routing, member_params
from classica.native import Floats
from classica.params import N_JOBS, Nothing, Rule, Seed, check_parameters
from classica.row_taking import take_rows
from classica.trees.growing.tree import Longs


class BinaryMachines(MarginClassifier, MadeOfMembers):
    """Clones of one classifier, each of which tells its first side (1) from its second (0)."""

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing() | AClassifier(),
        "random_state": Seed(),
        "n_jobs": N_JOBS,
    }
    #: Weights are for the machines, whose request decides.
    __metadata_request__fit: ClassVar[Mapping[str, str]] = {"sample_weight": UNUSED}
    _one_vs_all: bool
    #: The columns each machine sees; missing where all see all. Of kernel values these are the rows it knows.
    _kernel_columns: list[Longs]

    def __init__(self, estimator: Any = None, *, random_state: Any = None, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Learn every machine from the rows of its two sides.

        Parameters
        ----------
        X : whatever the machine takes, of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts, for a machine that takes such weights.
        **params : metadata
            What else the ``fit`` of the machine requests, with scikit-learn's metadata routing.

        Returns
        -------
        self : estimator
        """
        check_parameters(self)  # before the estimator is asked for its requests
        wanted = member_params(self, sample_weight, params)
        given = self._all_rows(X, y, wanted.pop("sample_weight", None))
        data, template = counted_rows(given), self._template()
        if self._are_all_ours():  # names the row of a bad value in the whole table, not in that of a machine
            self._content(given.X, getattr(template, "categorical_features", "from_dtype"), required=True)
        if data.weights is not None:
            _require_weighable(template)
        warn_of_many_pairs(
            len(data.classes), self._one_vs_all, "OneVsAllClassifier needs only one for each class"
        )
        contests = machines(len(data.classes), self._one_vs_all)
        columns = _kernel_columns(contests, data, given) if takes_kernel(template) else None
        seen = _Seen(data, Metadata.of(wanted, len(given.codes)).take(_counted(given)))
        self.estimators_ = self._machines(template, contests, seen, columns)
        self.classes_ = data.classes
        self.__dict__.pop("_kernel_columns", None)
        if columns is not None:
            self._kernel_columns = columns
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata the machines request, for scikit-learn's metadata routing."""
        return fit_router(self, {"estimator": self._template()})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags

    def _template(self) -> Any:
        return FisherClassifier() if self.estimator is None else self.estimator

    def _templates(self) -> list[Any]:
        template = self._template()
        return [template] if AClassifier().accepts(template) else []

    def _machines(
        self, template: Any, contests: list[Contest], seen: _Seen, columns: list[Longs] | None
    ) -> list[Any]:
        alone = self._threads == 1 or len(contests) == 1
        of_each = [None] * len(contests) if columns is None else columns
        tasks = [
            (member, contest, seen, of_member, alone, self.n_jobs)
            for member, contest, of_member in zip(
                self._clones(template, len(contests)), contests, of_each, strict=True
            )
        ]
        return in_threads(_learned, tasks, self._threads)

    def _clones(self, template: Any, count: int) -> list[Any]:
        """Return unfitted machines. Copies of one clone: there may be thousands, and they cost less."""
        one, random = clone(template), check_random_state(self.random_state)
        copies = [copy.deepcopy(one) for _ in range(count)]
        draws = any(place.endswith("random_state") for place in one.get_params())
        return [seeded(member, random, only_unseeded=True) for member in copies] if draws else copies

    def _binary_scores(self, X: Any) -> Floats:
        scores = np.empty((X.shape[0], len(self.estimators_)))
        columns = self.__dict__.get("_kernel_columns")
        for number, member in enumerate(self.estimators_):
            seen = X if columns is None else take_columns(X, columns[number])
            scores[:, number] = first_side_scores(member, seen)
        return scores


@dataclass(frozen=True)
class _Seen:
    """The rows that count, and the metadata of these rows that machines request beside weights."""

    data: TrainingData
    metadata: Metadata


def first_side_scores(member: Any, X: Any) -> Floats:
    """Return by how much a machine prefers its first side, by the finest scale it has."""
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


def _kernel_columns(contests: list[Contest], data: TrainingData, given: TrainingData) -> list[Longs]:
    """Return the columns each machine sees of kernel values: those of the rows it learns from."""
    counted = _counted(given)
    return [counted[_rows_of(contest, data)] for contest in contests]


def _counted(given: TrainingData) -> Longs:
    """Return the rows that count, by number."""
    weights = given.weights
    return np.arange(len(given.codes)) if weights is None else np.flatnonzero(weights).astype(np.int64)


def _require_weighable(template: Any) -> None:
    """Refuse weights for a machine whose fit has none; where they are routed, it has requested them."""
    if not is_routing() and not has_fit_parameter(template, "sample_weight"):
        rule = f"None for {type(template).__name__}, whose fit has no parameter of that name"
        raise ParameterError(f"sample_weight must be {rule}, got weights.")


def _learned(
    member: Any,
    contest: Contest,
    seen: _Seen,
    columns: Longs | None,
    alone: bool,
    n_jobs: int | None,
) -> Any:
    """Fit a machine to the rows of its sides: 1 stands for the first, 0 for the second."""
    data = seen.data
    rows = _rows_of(contest, data)
    sides = contest.first[data.codes[rows]].astype(np.int64)
    X = data.X if len(rows) == len(data.codes) else take_rows(data.X, rows)
    X = X if columns is None else take_columns(X, columns)
    params = seen.metadata.take(rows).values
    if data.weights is not None:
        params["sample_weight"] = data.weights[rows]
    return fit_member(member, X, sides, params, alone, n_jobs)
