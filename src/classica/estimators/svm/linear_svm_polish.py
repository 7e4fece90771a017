"""The last digits of a support vector machine, once it is known which rows lie on its margins.

Rows within the margin count in full, rows beyond it not at all. The rows on the margin and the weights then
solve a linear system: each such row scores exactly ±1, and the duals add up to the weights. Where the
solution shows that a row was taken for the wrong kind, it changes its kind, and the system is solved again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from classica.estimators.svm.linear_svm_task import Limits, Machine, Task
from classica.native import Floats
from classica.native.linear_svm_solvers import weighted_sums
from classica.threads import one_blas_thread

#: Of the matrix of the system: beyond it, the digits gained are not worth the time.
_MOST_CELLS = 2**18
#: Directions in which rows differ by less than this share of the most are none.
_FLAT = 1e-12
#: Gaps, as a share of the objective: where it is larger it is not known which rows lie on a margin...
_CLOSE = 1e-2
#: ... and here there are no digits left to gain.
_EXACT = 1e-15
#: How far from the margin a row on it may score, and beyond its bounds a dual may lie, by rounding.
_ROUNDING = 1e-12
_MOST_ROUNDS = 8


def polish(task: Task, machine: Machine, limits: Limits) -> Machine:
    """Return the binary classifier that solves the linear system, if it is better than the one given."""
    found, best = machine.found, machine
    if not _EXACT * found.objective < found.gap < _CLOSE * found.objective:
        return machine
    duals, pulled = found.duals, _pull(task, found.duals == 1, limits)
    for _ in range(_MOST_ROUNDS):
        free = np.flatnonzero((duals > 0) & (duals < 1))
        if not len(free) or len(pulled) * max(len(pulled), len(free)) > _MOST_CELLS:
            break
        polished, wanted, sums = _solved(task, best, duals, free, pulled)
        scores = polished.scores(task, limits.threads)
        best = min(best, _judged(task, polished, sums, scores, limits), key=lambda each: each.found.gap)
        changed = _changed(task, duals, free, wanted, scores)
        if np.array_equal(changed, duals):
            break
        pulled = _pull(task, changed == 1, limits)
        duals = changed
    return best


def _pull(task: Task, inside: NDArray[np.bool_], limits: Limits) -> Floats:
    """Return the sum of some rows with their signs and shares (and of these), in the units of the columns."""
    amounts = np.where(inside, task.shares * task.signs, 0.0)
    return weighted_sums(task.X, task.frame, task.intercept, amounts, limits.threads)


def _solved(
    task: Task, machine: Machine, duals: Floats, free: NDArray[np.intp], pulled: Floats
) -> tuple[Machine, Floats, Floats]:
    """Return the binary classifier with these rows on its margin, their duals, and the sum of the duals."""
    spread, width = task.columns.spread, len(pulled)
    corners = np.column_stack([task.seen(free), np.ones(len(free))])[:, :width]
    system = System(corners, np.append(task.alpha / spread**2, 0.0)[:width], pulled)
    pulls = task.shares[free] * task.signs[free]
    start = np.append(machine.weights * spread, machine.offset)[:width]
    model, forces = system.solved(start, pulls * duals[free], task.signs[free])
    wanted = forces / pulls
    kept = duals.copy()
    kept[free] = np.clip(wanted, 0.0, 1.0)
    sums = pulled + np.einsum("i,ij->j", pulls * kept[free], corners)
    offset = float(model[-1]) if task.intercept else 0.0
    found = replace(machine.found, duals=kept)
    return Machine(model[: len(spread)] / spread, offset, found), wanted, sums


@dataclass(frozen=True)
class System:
    """``corners @ model = signs`` and ``ridge * model = pulled + forces @ corners``."""

    corners: Floats
    ridge: Floats
    pulled: Floats

    def solved(self, model: Floats, forces: Floats, signs: Floats) -> tuple[Floats, Floats]:
        """Return model and forces that solve it, as close as can be to those given.

        The corners fix the model in the directions they span; in the others, only the ridge does.
        """
        with one_blas_thread():
            left, sizes, right = np.linalg.svd(self.corners, full_matrices=len(signs) < len(model))
        rank = int(np.count_nonzero(sizes > _FLAT * sizes[0]))
        left, spanned, others = left[:, :rank] / sizes[:rank], right[:rank], right[rank:]
        for _ in range(2):  # the second time takes away what rounding has left of the first
            off = signs - np.einsum("ij,j->i", self.corners, model)
            model = model + np.einsum("kj,k->j", spanned, np.einsum("ik,i->k", left, off))
            model = model + self._along(others, model)
            off = self.ridge * model - self.pulled - np.einsum("ij,i->j", self.corners, forces)
            forces = forces + np.einsum("ik,k->i", left, np.einsum("kj,j->k", spanned, off))
        return model, forces

    def _along(self, others: Floats, model: Floats) -> Floats:
        """Return how to move in directions the corners do not see."""
        if not len(others):
            return np.zeros_like(model)
        system = np.einsum("aj,bj->ab", others * self.ridge, others)
        right = np.einsum("aj,j->a", others, self.pulled - self.ridge * model)
        with one_blas_thread():
            moved = np.linalg.lstsq(system, right, rcond=_FLAT)[0]
        along: Floats = np.einsum("a,aj->j", moved, others)
        return along


def _changed(task: Task, duals: Floats, free: NDArray[np.intp], wanted: Floats, scores: Floats) -> Floats:
    """Return the duals with every row that was taken for the wrong kind changed to the right one."""
    beyond = task.signs * scores - 1
    changed = duals.copy()
    changed[free] = np.clip(wanted, _ROUNDING, 1 - _ROUNDING)
    changed[free[wanted < -_ROUNDING]] = 0.0
    changed[free[wanted > 1 + _ROUNDING]] = 1.0
    changed[(duals == 0) & (beyond < -_ROUNDING)] = _ROUNDING
    changed[(duals == 1) & (beyond > _ROUNDING)] = 1 - _ROUNDING
    inside = (wanted > -_ROUNDING) & (wanted < 1 + _ROUNDING)
    settled = inside.all() and np.count_nonzero(changed != duals) == np.count_nonzero(
        changed[free] != duals[free]
    )
    return duals if settled else changed


def _judged(task: Task, machine: Machine, sums: Floats, scores: Floats, limits: Limits) -> Machine:
    """Return the binary classifier with its objective and gap; `sums` is what its duals add up to."""
    norm = float(np.einsum("j,j->", machine.weights, machine.weights))
    hinges = np.maximum(1 - task.signs * scores, 0.0)
    objective = float(np.einsum("i,i->", task.shares, hinges)) + task.alpha / 2 * norm
    columns = task.columns.spread
    lengths = float(np.sum((sums[: len(columns)] * columns) ** 2)) / (2 * task.alpha)
    # Scaling one side's duals until both sides balance costs at most this.
    longest = 1 + float(np.abs(scores - machine.offset).max())
    unbalanced = abs(float(sums[-1])) * longest if task.intercept else 0.0
    reached = float(np.einsum("i,i->", task.shares, machine.found.duals)) - lengths - unbalanced
    gap = max(objective - reached, 0.0)
    return replace(machine, found=replace(machine.found, objective=objective, gap=gap))
