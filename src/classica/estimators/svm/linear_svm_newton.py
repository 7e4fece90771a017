"""Newton steps for dense tables; of long ones, only on the rows near the margins.

Far from its margin a row counts in full or not at all, so where it lies exactly does not matter. A binary
classifier learned from some of the rows tells which ones are near; the binary classifier of these, with the
others settled, is then judged by all rows. Only if that fails to prove it good enough are more rows looked
at.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from classica.estimators.svm.linear_svm_task import Limits, Machine, Task
from classica.native import Floats
from classica.native import linear_svm_solvers as kernels

#: A table is worth looking at some rows first when it has this many.
_LONG = 20_000
#: Up to one row in so many tells which rows are near a margin, but so many rows for each column; they need
#: come only this close to their optimum.
_ONE_IN, _ROWS_PER_COLUMN, _ROUGHLY = 8, 300, 3e-3
#: Where the rows near the margins do not allow what all rows ask for, no number of steps ends.
_MOST_STEPS = 60
#: The share of the rows taken as near at first.
_NEAR = 0.125


def newton(task: Task, limits: Limits) -> Machine:
    """Return the binary classifier by interior points."""
    rows, columns = task.X.shape
    one_in = min(_ONE_IN, rows // (_ROWS_PER_COLUMN * max(columns, 1)))
    if rows < _LONG or one_in < 2:
        return _all_at_once(task, limits)
    part = slice(None, None, one_in)
    shares = task.shares[part] / task.shares[part].sum()
    few = replace(task, X=task.X[part], signs=np.ascontiguousarray(task.signs[part]), shares=shares)
    if (few.signs == few.signs[0]).all():
        return _all_at_once(task, limits)
    guide = _all_at_once(few, replace(limits, tol=max(_ROUGHLY, limits.tol)))
    return _near_margins(task, guide, limits)


def _near_margins(task: Task, guide: Machine, limits: Limits) -> Machine:
    """Return the binary classifier of the rows near the margins of a guide, then near its own."""
    share, iterations = _NEAR, guide.found.iterations
    few_steps = replace(limits, max_iter=min(limits.max_iter or _MOST_STEPS, _MOST_STEPS))
    beyond = task.signs * guide.scores(task, limits.threads) - 1
    while share < 0.5:
        distance = np.abs(beyond)
        near = distance <= np.quantile(distance, share)
        machine = _settled(task, near, beyond < 0, few_steps)
        iterations += machine.found.iterations
        beyond = task.signs * machine.scores(task, limits.threads) - 1
        machine = _judged_by_all(task, machine, beyond)
        if machine.found.gap <= limits.tol * machine.found.objective:
            return replace(machine, found=replace(machine.found, iterations=iterations, converged=True))
        share *= 2
    return _all_at_once(task, limits)


def _settled(task: Task, near: NDArray[np.bool_], inside: NDArray[np.bool_], limits: Limits) -> Machine:
    """Return the binary classifier of the near rows, if all others inside the margin count in full."""
    full = inside & ~near
    pull = kernels.weighted_sums(
        task.X,
        task.frame,
        task.intercept,
        np.where(full, task.shares * task.signs, 0.0),
        limits.threads,
    )
    rows = replace(task, X=task.X[near], signs=task.signs[near], shares=task.shares[near])
    machine = _all_at_once(rows, limits, (float(task.shares[full].sum()), pull))
    duals = full.astype(np.float64)
    duals[near] = machine.found.duals
    return replace(machine, found=replace(machine.found, duals=duals))


def _judged_by_all(task: Task, machine: Machine, beyond: Floats) -> Machine:
    """Return the binary classifier with objective and gap of all rows; its duals are theirs already."""
    reached = machine.found.objective - machine.found.gap
    norm = float(np.einsum("j,j->", machine.weights, machine.weights))
    hinges = float(np.einsum("i,i->", task.shares, np.maximum(-beyond, 0.0)))
    objective = hinges + task.alpha / 2 * norm
    return replace(
        machine, found=replace(machine.found, objective=objective, gap=max(objective - reached, 0.0))
    )


def _all_at_once(task: Task, limits: Limits, settled: tuple[float, Floats] = (0.0, np.empty(0))) -> Machine:
    spread = task.columns.spread
    solution = kernels.interior_point(
        task.X,
        task.frame,
        task.intercept,
        (task.signs, task.shares, task.alpha / spread**2),
        limits.for_newton(),
        settled,
    )
    return Machine(solution.model[:-1] / spread, float(solution.model[-1]), solution)
