"""Any two-class machine for any number of classes: what one against all and all against all share."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import has_fit_parameter

from classica.errors import ParameterError
from classica.estimators._base import TrainingData
from classica.estimators._contests import Contest
from classica.estimators._fisher import FisherClassifier
from classica.estimators._margin import MarginClassifier, machines
from classica.estimators._member_fits import fit_member, in_threads, seeded
from classica.estimators._member_rules import AClassifier
from classica.estimators._members import MadeOfMembers, counted_rows
from classica.native import Floats
from classica.params import N_JOBS, Nothing, Rule, Seed
from classica.row_taking import take_rows


class BinaryMachines(MarginClassifier, MadeOfMembers):
    """Clones of one classifier, each of which tells its first side (1) from its second (0)."""

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing() | AClassifier(),
        "random_state": Seed(),
        "n_jobs": N_JOBS,
    }
    _one_vs_all: bool

    def __init__(self, estimator: Any = None, *, random_state: Any = None, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn every machine from the rows of its two sides.

        Parameters
        ----------
        X : whatever the machine takes, of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts, for a machine that takes such weights.

        Returns
        -------
        self : estimator
        """
        given = self._all_rows(X, y, sample_weight)
        data, template = counted_rows(given), self._template()
        if self._are_all_ours():  # names the row of a bad value in the whole table, not in that of a machine
            self._content(given.X, getattr(template, "categorical_features", "from_dtype"), required=True)
        if data.weights is not None and not has_fit_parameter(template, "sample_weight"):
            rule = f"None for {type(template).__name__}, whose fit has no parameter of that name"
            raise ParameterError(f"sample_weight must be {rule}, got weights.")
        self.estimators_ = self._machines(template, data)
        self.classes_ = data.classes
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        tags.input_tags.pairwise = any(get_tags(one).input_tags.pairwise for one in self._templates())
        return tags

    def _template(self) -> Any:
        return FisherClassifier() if self.estimator is None else self.estimator

    def _templates(self) -> list[Any]:
        template = self._template()
        return [template] if AClassifier().accepts(template) else []

    def _machines(self, template: Any, data: TrainingData) -> list[Any]:
        contests = machines(len(data.classes), self._one_vs_all)
        alone = self._threads == 1 or len(contests) == 1
        tasks = [
            (member, contest, data, alone, self.n_jobs)
            for member, contest in zip(self._clones(template, len(contests)), contests, strict=True)
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
        for number, member in enumerate(self.estimators_):
            scores[:, number] = first_side_scores(member, X)
        return scores


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


def _learned(member: Any, contest: Contest, data: TrainingData, alone: bool, n_jobs: int | None) -> Any:
    """Fit a machine to the rows of its sides: 1 stands for the first, 0 for the second."""
    rows = np.flatnonzero((contest.first | contest.second)[data.codes])
    sides = contest.first[data.codes[rows]].astype(np.int64)
    X = data.X if len(rows) == len(data.codes) else take_rows(data.X, rows)
    weights = None if data.weights is None else data.weights[rows]
    return fit_member(member, X, sides, weights, alone, n_jobs)
