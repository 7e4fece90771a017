r"""The dual problems of a classifier: one variable per row and binary classifier, and the hard margin.

Without slack (C infinite) the dual is bounded if and only if the classes can be separated. Let R be the
largest length of a row in the space of the kernel. If a plane leaves a margin of at least :math:`\delta R` on
either side, the multipliers of the best one sum to :math:`1 / \text{margin}^2 \le 1 / (\delta R)^2`, and
because those of both classes have equal sums none exceeds half of that. So a binary classifier with slack
whose C is :math:`1 / (\delta R)^2` finds this plane with no multiplier at C; where one is at C there is no
such plane. C rises in stages up to there, multipliers along with it, so that neither case takes long.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import DataError
from classica.estimators.base.contests import contest_rows
from classica.estimators.base.kernel_functions import Kernel
from classica.estimators.base.margins import binary_contests
from classica.native import Codes, Floats
from classica.native import svm_dual as native
from classica.native.svm_dual import Solution, SolverRules, Variables

#: Classes count as separable when the margin is at least this share of the largest length.
LEAST_MARGIN = 1e-4


@dataclass(frozen=True)
class DualProblem:
    """The problems of the binary classifiers, on rows of a table or on precomputed kernel values."""

    rows: Floats
    kernel: Kernel | None  # None: `rows` holds the values
    variables: Variables  # with upper bounds for C = 1

    @classmethod
    def on(cls, kernel: Kernel, rows: Floats, variables: Variables, threads: int) -> DualProblem:
        """Return the problem on rows; a kernel the core does not know is asked for all values now."""
        if kernel.is_native:
            return cls(rows, kernel, variables)
        return cls(np.ascontiguousarray(kernel.matrix(rows, rows, threads)), None, variables)

    def diagonal(self, threads: int) -> Floats:
        """Return K(x, x) of every row."""
        return np.diag(self.rows) if self.kernel is None else self.kernel.diagonal(self.rows, threads)

    def solve(self, C: float, rules: SolverRules, threads: int, start: Floats | None = None) -> Solution:
        """Return the multipliers at C, starting from some that keep their bounds."""
        v = self.variables
        alpha = np.zeros_like(v.upper) if start is None else start
        bounded = replace(v, upper=C * v.upper, alpha=np.minimum(alpha, C * v.upper))
        return native.solve(
            self.rows, None if self.kernel is None else self.kernel.rules, bounded, rules, threads
        )

    def solve_without_slack(self, longest: float, rules: SolverRules, threads: int) -> Solution:
        """Return the multipliers for infinite C; ``longest`` is the largest K(x, x)."""
        if len(self.variables.starts) == 1:  # one class needs no binary classifier
            return self.solve(1.0, rules, threads)
        most = 1 / (LEAST_MARGIN**2 * longest) if longest > 0 else np.inf
        if not 0 < most < np.inf:
            raise DataError(_NOT_SEPARABLE)
        v = self.variables
        free = replace(self, variables=replace(v, upper=(v.upper > 0).astype(np.float64)))
        start, steps = None, np.zeros(len(v.starts) - 1)
        for power in range(-6, 1):
            C = most * 10.0**power
            solution = free.solve(C, rules, threads, start)
            steps += solution.steps
            if (solution.alpha < C).all():
                break
            start = solution.alpha * 10
        # Any multipliers bound the objective of the best plane, so large ones are a proof, converged or not.
        at_bound = solution.converged.all() and not (solution.alpha < C).all()
        if at_bound or (-solution.objective > most / 2).any():
            raise DataError(_NOT_SEPARABLE)
        return replace(solution, steps=steps)

    def stretched(self, solution: Solution, most: float) -> Floats:
        """Return multiples of the solution, up to ``most``, with which to start at a larger C.

        The objective is least at the factor sum(alpha) / |w|²: one where no multiplier is at its bound.
        """
        sizes = np.diff(self.variables.starts)
        machine = np.repeat(np.arange(len(sizes)), sizes)
        sums = np.bincount(machine, solution.alpha, minlength=len(sizes))
        factors = np.clip(sums / np.maximum(solution.squared_norm, 1e-300), 1.0, most)
        stretched: Floats = solution.alpha * factors[machine]
        return stretched

    def spread(self, values: Floats, rows: int) -> Floats:
        """Return values of variables as a matrix: a row per binary classifier, a column per row."""
        sizes = np.diff(self.variables.starts)
        dense = np.zeros((len(sizes), rows))
        dense[np.repeat(np.arange(len(sizes)), sizes), self.variables.rows] = values
        return dense


_NOT_SEPARABLE = (
    "The classes must be separable by the kernel for an infinite C (with a margin of at least "
    f"{LEAST_MARGIN:g} of the longest row), got classes that overlap in the given columns."
)


def class_variables(
    codes: Codes, classes: int, bounds: Floats, rows: NDArray[np.intp], one_vs_all: bool
) -> Variables:
    """Return the variables of all binary classifiers, for rows of a table with these classes and bounds."""
    return join_all(
        [
            _machine_variables(
                rows[chosen], np.where(contest.first[codes[chosen]], 1.0, -1.0), bounds[chosen]
            )
            for contest, chosen in contest_rows(binary_contests(classes, one_vs_all), codes, classes)
        ]
    )


def join_all(parts: list[Variables]) -> Variables:
    """Return the variables of the binary classifiers of all parts."""
    sizes = np.concatenate([np.empty(0, dtype=np.int64), *(np.diff(part.starts) for part in parts)])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def joined(name: str, dtype: Any = np.float64) -> Any:
        return np.concatenate([np.empty(0, dtype), *(getattr(part, name) for part in parts)])

    others = (joined(name) for name in ("signs", "linear", "upper", "alpha"))
    return Variables(starts, joined("rows", np.int32), *others)


def _machine_variables(rows: NDArray[np.intp], signs: Floats, upper: Floats) -> Variables:
    count = len(rows)
    starts = np.array([0, count], dtype=np.int64)
    return Variables(starts, rows.astype(np.int32), signs, np.full(count, -1.0), upper, np.zeros(count))
