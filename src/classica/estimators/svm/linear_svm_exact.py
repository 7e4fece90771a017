"""The exact binary classifier of two classes: which solver suits a table, and how its columns are seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from classica.estimators.svm.linear_svm_newton import newton
from classica.estimators.svm.linear_svm_polish import polish
from classica.estimators.svm.linear_svm_task import Columns, Limits, Machine, Task, standing_still
from classica.native import Floats
from classica.native import linear_svm_solvers as kernels
from classica.threads import one_blas_thread

#: Up to here a Newton step (the cube of it) is cheaper than many sweeps of coordinate descent.
_MOST_COLUMNS = 1000
#: A sparse table of no more cells is worked on as a dense one.
_MOST_CELLS = 2**25


def solve(task: Task, limits: Limits, start: Machine | None = None) -> Machine:
    """Return the binary classifier of least objective, by the solver that suits the shape of the table."""
    rows, columns = task.X.shape
    if not rows or (task.intercept and (task.signs == task.signs[:1]).all()):
        return standing_still(task)
    if columns <= min(rows, _MOST_COLUMNS) and (not sp.issparse(task.X) or rows * columns <= _MOST_CELLS):
        return _by_columns(task, limits)
    if rows <= min(columns, _MOST_COLUMNS):
        return _by_rows(task, limits)
    return _by_sweeps(task, limits, start)


def _by_columns(task: Task, limits: Limits) -> Machine:
    task = replace(task, X=task.X.toarray() if sp.issparse(task.X) else task.X)
    if task.columns.lie_far_out:
        return _turned(task, limits)
    return polish(task, newton(task, limits), limits)


def _turned(task: Task, limits: Limits) -> Machine:
    """Learn in turned coordinates: one along the mean of the columns, the others see only how rows differ.

    Without an intercept columns cannot be centered; far from zero, differences would drown in rounding.
    """
    mean = task.columns.mean
    unit = float(np.abs(mean).max())
    length = float(np.sqrt(np.einsum("j,j->", mean / unit, mean / unit))) * unit
    mirror = mean / length
    mirror[0] += 1.0 if mirror[0] >= 0 else -1.0
    mirror /= np.sqrt(np.einsum("j,j->", mirror, mirror))
    turned = _mirrored(task.X - mean, mirror)
    turned[:, 0] -= np.copysign(length, mean[0])  # where the mirror puts the mean
    spread = np.sqrt(np.einsum("i,ij->j", task.shares, turned**2))
    columns = Columns(np.zeros_like(mean), np.where(spread > 0, spread, 1.0), np.zeros_like(mean))
    machine = _by_columns(replace(task, X=turned, columns=columns), limits)
    return replace(machine, weights=_mirrored(machine.weights[None], mirror)[0])


def _mirrored(rows: Floats, mirror: Floats) -> Floats:
    seen: Floats = rows - 2 * np.einsum("ij,j->i", rows, mirror)[:, None] * mirror
    return seen


def _by_rows(task: Task, limits: Limits) -> Machine:
    """Turn fewer rows than columns into as many coordinates as there are rows: lengths and angles stay."""
    X = task.X.toarray() if sp.issparse(task.X) else np.asarray(task.X, dtype=np.float64)
    seen = X - task.columns.center
    unit = float(np.abs(seen).max()) or 1.0
    coordinates, back = _principal(seen / unit, limits.threads)
    width = coordinates.shape[1]
    spread = np.sqrt(np.einsum("ij,ij->j", coordinates, coordinates) / len(X))
    small = Task(
        coordinates,
        task.signs,
        task.shares,
        task.alpha / unit**2,
        task.intercept,
        Columns(np.zeros(width), spread, np.zeros(width)),
    )
    machine = _by_columns(small, limits)
    weights = np.einsum("ij,i->j", seen / unit, np.einsum("ij,j->i", back, machine.weights)) / unit
    return Machine(weights, machine.offset, machine.found)


def _principal(rows: Floats, threads: int) -> tuple[Floats, Floats]:
    """Return coordinates of the rows with the same products, and what turns weights there into mixtures."""
    plain = np.zeros(len(rows)), np.ones(len(rows))
    gram = kernels.weighted_gram(rows.T, plain, False, None, threads)
    with one_blas_thread():
        lengths, directions = np.linalg.eigh(gram)
    kept = lengths > 1e-15 * len(rows) * max(lengths[-1], 1e-300)
    roots = np.sqrt(lengths[kept])
    return np.ascontiguousarray(directions[:, kept] * roots), directions[:, kept] / roots


def _by_sweeps(task: Task, limits: Limits, start: Machine | None) -> Machine:
    solution = kernels.coordinate_descent(
        task.X,
        task.intercept,
        (task.signs, task.shares, np.array([task.alpha])),
        limits.for_sweeps(),
        0,
        None if start is None else start.found.duals,
    )
    weights = solution.model[:-1]
    return Machine(
        weights, float(solution.model[-1] + np.einsum("j,j->", weights, task.columns.center)), solution
    )
