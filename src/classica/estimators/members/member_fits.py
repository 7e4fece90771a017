"""Fitting members side by side, and their answers in terms of the classes of the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context, get_config
from sklearn.base import BaseEstimator

from classica.arrays import MatrixLike, VectorLike
from classica.errors import ParameterError
from classica.estimators.base.estimator import Estimator
from classica.metadata import NO_METADATA, Metadata
from classica.native import Codes, Floats


@dataclass(frozen=True)
class Wanted:
    """What the fit of a member gets beside rows and labels: the weights of the rows or not, and metadata."""

    weighted: bool = True
    metadata: Metadata = NO_METADATA

    def take(self, rows: NDArray[Any]) -> Wanted:
        """Return the same of the rows of these numbers."""
        return Wanted(self.weighted, self.metadata.take(rows))

    def params(self, weights: Floats | None) -> dict[str, Any]:
        """Return the arguments of fit, given the weights of the rows."""
        values = self.metadata.values
        return {**values, "sample_weight": weights} if self.weighted and weights is not None else values


def in_threads(call: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], threads: int) -> list[Any]:
    """Return what the call makes of each task, in their order."""
    if threads == 1 or len(tasks) <= 1:
        return [call(*task) for task in tasks]
    # Not joblib's threads, which are torn down in the middle of a kernel when the program ends after Ctrl-C.
    workers = ThreadPoolExecutor(min(threads, len(tasks)))
    try:
        running = [workers.submit(_configured, get_config(), call, task) for task in tasks]
        return [one.result() for one in running]
    finally:
        workers.shutdown(wait=False, cancel_futures=True)


def seeded(member: BaseEstimator, random: np.random.RandomState, *, only_unseeded: bool) -> Any:
    """Return the member, with seeds of its own for it and what is inside it."""
    stated = member.get_params(deep=True)
    indices = sorted(index for index in stated if _ends_with(index, "random_state"))
    wanted = [index for index in indices if not only_unseeded or stated[index] is None]
    member.set_params(**{index: int(random.randint(2**31)) for index in wanted})
    return member


def fit_member(
    member: BaseEstimator,
    X: MatrixLike,
    y: VectorLike,
    params: Mapping[str, Any],
    alone: bool,
    n_jobs: int | None,
) -> Any:
    """Fit a member and return it; beside others it keeps to one thread unless it says how many it takes."""
    free = _unset_thread_parameters(member)
    member.set_params(**dict.fromkeys(free, n_jobs if alone else 1))
    member.fit(X, y, **params)
    member.set_params(**dict.fromkeys(free, n_jobs))
    return member


def posteriors(member: BaseEstimator, X: MatrixLike, classes: NDArray[Any]) -> Floats:
    """Return the probabilities of all classes; of those a member has not seen they are 0."""
    given = np.asarray(member.predict_proba(X))
    shares: Floats = given.astype(np.float64, copy=False)
    if given.dtype != np.float64:  # rounded to single precision they do not quite add up
        shares /= shares.sum(axis=1, keepdims=True)
    return of_all_classes(shares, member.classes_, classes)


def of_all_classes(posteriors: Floats, own_classes: NDArray[Any], classes: NDArray[Any]) -> Floats:
    """Return probabilities of the classes a member knows as those of all."""
    if len(own_classes) == len(classes):
        return posteriors
    of_all = np.zeros((len(posteriors), len(classes)))
    of_all[:, np.searchsorted(classes, own_classes)] = posteriors
    return of_all


def answers(member: BaseEstimator, X: MatrixLike, classes: NDArray[Any]) -> Codes:
    """Return the codes of the classes a member says."""
    codes: Codes = np.searchsorted(classes, member.predict(X)).astype(np.int32)
    return codes


def ballots(member: BaseEstimator, X: MatrixLike, classes: NDArray[Any], voting: str) -> Floats:
    """Return what a member gives each class: its probability ("soft"), or its one vote ("hard")."""
    if voting == "soft":
        return posteriors(member, X, classes)
    votes: Floats = np.eye(len(classes))[answers(member, X, classes)]
    return votes


def require_probabilities(member: BaseEstimator, called: str) -> None:
    """Refuse a member without probabilities where they are to be averaged."""
    if not hasattr(member, "predict_proba"):
        rule = f"'hard' for {called}, which has no predict_proba"
        raise ParameterError(f"voting must be {rule}, got 'soft'.")


def _configured(settings: dict[str, Any], call: Callable[..., Any], task: tuple[Any, ...]) -> Any:
    """Call with scikit-learn's settings of the thread that asked."""
    with config_context(**settings):
        return call(*task)


def _unset_thread_parameters(member: BaseEstimator) -> list[str]:
    """Return where a member or what is inside it would take every core; ours does if not told otherwise."""
    stated = {"": member, **member.get_params(deep=True)}
    return [
        index
        for index, value in stated.items()
        if value is None and _ends_with(index, "n_jobs") and isinstance(stated[_owner(index)], Estimator)
    ]


def _owner(index: str) -> str:
    return index.rpartition("__")[0]


def _ends_with(index: str, parameter: str) -> bool:
    return index.rpartition("__")[2] == parameter
