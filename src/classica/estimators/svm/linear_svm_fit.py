"""Linear support vector machines for any number of classes, exactly or by gradient descent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.estimators.base.contests import Contest
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.margins import binary_contests
from classica.estimators.svm.linear_svm_exact import solve
from classica.estimators.svm.linear_svm_task import Columns, Limits, Machine, Task
from classica.native import Floats, LinearModel
from classica.native.linear_svm_solvers import gradient_descent
from classica.samples import Samples

_SEASONS = 50
_EPSILON = np.finfo(np.float64).eps


@dataclass(frozen=True)
class Settings:
    """How binary classifiers are learned, whatever the penalty."""

    exact: bool
    one_vs_all: bool
    intercept: bool
    tol: float
    max_iter: int | None
    eta0: float
    seed: int
    threads: int


@dataclass(frozen=True)
class Fit:
    """What was learned; one entry per binary classifier."""

    model: LinearModel
    objectives: Floats
    #: 1 / (N alpha), N the weight of the rows of the binary classifier.
    C: Floats
    iterations: int
    #: Exact solver: duality gaps; classifier, row and value of each non-zero dual; all binary classifiers.
    gaps: Floats | None = None
    #: What the rounding of scores may hide of a gap.
    rounding: Floats | None = None
    duals: tuple[NDArray[np.intp], NDArray[np.intp], Floats] | None = None
    machines: tuple[Machine, ...] = ()


def fit_binary_classifiers(
    data: TrainingData, alpha: float, settings: Settings, near: Fit | None = None
) -> Fit:
    """Return the binary classifiers; ``near`` are those of another penalty, to begin with."""
    sides = [_signs(contest, data) for contest in binary_contests(len(data.classes), settings.one_vs_all)]
    weights = np.ones(len(data.codes)) if data.weights is None else data.weights
    totals = np.array([weights[signs != 0].sum() for signs in sides])
    learn = _exact if settings.exact else _by_gradient
    with np.errstate(divide="ignore", over="ignore"):  # of classes that count nothing
        C = 1 / (totals * alpha)
    return learn(data, sides, C, alpha, settings, near)


def _signs(contest: Contest, data: TrainingData) -> Floats:
    """Return 1 for the rows of the first side, -1 for the second, 0 for those that take no part."""
    signs: Floats = (contest.first.astype(float) - contest.second)[data.codes]
    return signs if data.weights is None else np.where(data.weights > 0, signs, 0.0)


def _exact(
    data: TrainingData, sides: list[Floats], C: Floats, alpha: float, settings: Settings, near: Fit | None
) -> Fit:
    columns = Columns.of(data.X, data.weights, settings.intercept, settings.threads)
    limits = Limits(settings.tol, settings.max_iter, settings.threads)
    classifiers: list[Machine] = []
    machine, rows, pulls = [], [], []
    for number, signs in enumerate(sides):
        indices = np.flatnonzero(signs)
        task = _task(data, indices, signs, alpha, settings, columns)
        classifiers.append(solve(task, limits, near.machines[number] if near else None))
        duals = classifiers[-1].found.duals
        machine.append(np.full(np.count_nonzero(duals), number))
        rows.append(indices[duals > 0])
        pulls.append((task.signs * task.shares * duals)[duals > 0] / alpha)
    weights = np.array([each.weights for each in classifiers]).reshape(-1, data.X.shape[1])
    return Fit(
        (columns.center, weights, np.array([each.offset for each in classifiers])),
        np.array([each.found.objective for each in classifiers]),
        C,
        max((each.found.iterations for each in classifiers), default=1),
        np.array([each.found.gap for each in classifiers]),
        _EPSILON * (1 + np.einsum("mj,j->m", np.abs(weights), columns.spread)),
        (_joined(machine), _joined(rows), np.concatenate([np.empty(0), *pulls])),
        tuple(classifiers),
    )


def _joined(parts: list[NDArray[np.intp]]) -> NDArray[np.intp]:
    return np.concatenate([np.empty(0, dtype=np.intp), *parts])


def _task(
    data: TrainingData, indices: Any, signs: Floats, alpha: float, settings: Settings, columns: Columns
) -> Task:
    everyone = len(indices) == len(signs)
    X = data.X if everyone else data.X[indices]
    weights = np.ones(len(indices)) if data.weights is None else data.weights[indices]
    shares = weights / weights.max(initial=np.finfo(float).tiny)
    return Task(X, signs[indices], shares / shares.sum(), alpha, settings.intercept, columns)


def _by_gradient(
    data: TrainingData, sides: list[Floats], C: Floats, alpha: float, settings: Settings, near: Fit | None
) -> Fit:
    drawn = Samples.of(data.X, data.weights, None, True, settings.seed, settings.threads, target=data.codes)
    chances = np.diff(drawn.up_to, prepend=0.0)
    steps = alpha, settings.eta0, settings.max_iter or _SEASONS
    weights = np.zeros((len(sides), data.X.shape[1] + 1))
    for number, signs in enumerate(sides):
        takes_part = signs[drawn.order] != 0
        up_to = np.cumsum(chances[takes_part]) if len(chances) else chances
        drawn_from = drawn.order[takes_part], up_to
        key = settings.seed, number
        weights[number] = gradient_descent(data.X, signs, drawn_from, steps, settings.intercept, key)
    model = np.zeros(data.X.shape[1]), np.ascontiguousarray(weights[:, :-1]), weights[:, -1].copy()
    return Fit(model, _objectives(data, sides, model, alpha, settings), C, steps[2])


def _objectives(
    data: TrainingData, sides: list[Floats], model: LinearModel, alpha: float, settings: Settings
) -> Floats:
    scores = native.linear_scores(data.X, model, settings.threads)
    weights = np.ones(len(data.codes)) if data.weights is None else data.weights / data.weights.max()
    objectives: Floats = alpha / 2 * np.einsum("mj,mj->m", model[1], model[1])
    for number, signs in enumerate(sides):
        hinges = np.maximum(1 - signs * scores[:, number], 0.0)
        counted = np.where(signs == 0, 0.0, weights)
        objectives[number] += np.einsum("i,i->", counted, hinges) / max(counted.sum(), np.finfo(float).tiny)
    return objectives
