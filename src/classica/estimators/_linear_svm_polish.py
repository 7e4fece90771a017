"""The last digits of a support vector machine, once it is known which rows lie on its margins.

Rows within the margin count in full, rows beyond it not at all. The rows on the margin and the weights then
solve a linear system: each such row scores exactly ±1, and the duals add up to the weights.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.estimators._linear_svm_task import Limits, Machine, Task
from classica.native import Floats
from classica.threads import one_blas_thread

#: Unknowns of the system: beyond it, the digits gained are not worth the time.
_MOST_UNKNOWNS = 600
#: Gaps, as a share of the objective: where it is larger it is not known which rows lie on a margin...
_CLOSE = 1e-3
#: ... and here there are no digits left to gain.
_EXACT = 1e-15


def polish(task: Task, machine: Machine, limits: Limits) -> Machine:
    """Return the machine that solves the linear system, if it is better than the one given."""
    found, spread = machine.found, task.columns.spread
    duals = found.duals
    if not _EXACT * found.objective < found.gap < _CLOSE * found.objective:
        return machine
    free = np.flatnonzero((duals > 0) & (duals < 1))
    if len(free) + len(spread) + 1 > _MOST_UNKNOWNS or len(free) > 4 * len(spread) + 4:
        return machine
    pulled = _pull(task, duals == 1)
    corners = np.column_stack([(task.X[free] - task.columns.center) / spread, np.ones(len(free))])
    ridge = np.append(task.alpha / spread**2, 0.0)
    if not task.intercept:
        corners, ridge, pulled = corners[:, :-1], ridge[:-1], pulled[:-1]
    model, forces = _solve(corners, ridge, pulled, task.signs[free])
    found_duals = duals.copy()
    found_duals[free] = np.clip(forces * task.signs[free] / task.shares[free], 0.0, 1.0)
    sums = pulled + np.einsum("i,ij->j", task.shares[free] * task.signs[free] * found_duals[free], corners)
    weights, offset = model[: len(spread)] / spread, float(model[-1]) if task.intercept else 0.0
    polished = Machine(weights, offset, replace(found, duals=found_duals))
    return min(machine, _judged(task, polished, sums, limits), key=lambda each: each.found.gap)


def _pull(task: Task, inside: NDArray[np.bool_]) -> Floats:
    """Return the sum of the rows that count in full, in the units of the columns, and of their signs."""
    amounts = (task.shares * task.signs)[inside]
    rows = (task.X[inside] - task.columns.center) / task.columns.spread
    return np.append(np.einsum("i,ij->j", amounts, rows), amounts.sum())


def _solve(corners: Floats, ridge: Floats, pulled: Floats, signs: Floats) -> tuple[Floats, Floats]:
    """Return the model with ``ridge * model = pulled + forces @ corners`` and ``corners @ model = signs``."""
    width, count = len(ridge), len(signs)
    system = np.zeros((width + count, width + count))
    system[range(width), range(width)] = ridge
    system[:width, width:] = -corners.T
    system[width:, :width] = corners
    right = np.concatenate([pulled, signs])
    size = np.sqrt(np.abs(system).max(axis=0))
    size[size == 0] = 1.0
    with one_blas_thread():
        first = np.linalg.lstsq(system / size, right, rcond=None)[0] / size
        rest = right - np.einsum("ij,j->i", system, first)
        solution = first + np.linalg.lstsq(system / size, rest, rcond=None)[0] / size
    return solution[:width], solution[width:]


def _judged(task: Task, machine: Machine, sums: Floats, limits: Limits) -> Machine:
    """Return the machine with its objective and gap; `sums` is what its duals add up to."""
    linear = task.columns.center, machine.weights[None], np.array([machine.offset])
    scores = native.linear_scores(task.X, linear, limits.threads)[:, 0]
    norm = float(np.einsum("j,j->", machine.weights, machine.weights))
    hinges = np.maximum(1 - task.signs * scores, 0.0)
    objective = float(np.einsum("i,i->", task.shares, hinges)) + task.alpha / 2 * norm
    columns = task.columns.spread
    lengths = float(np.sum((sums[: len(columns)] * columns) ** 2)) / (2 * task.alpha)
    # Scaling one side's duals until both sides balance costs at most this.
    unbalanced = (
        abs(float(sums[-1])) * (1 + float(np.abs(scores - machine.offset).max())) if task.intercept else 0.0
    )
    reached = float(np.einsum("i,i->", task.shares, machine.found.duals)) - lengths - unbalanced
    gap = max(objective - reached, 0.0)
    found = replace(machine.found, objective=objective, gap=gap, converged=gap <= limits.tol * objective)
    return replace(machine, found=found)
