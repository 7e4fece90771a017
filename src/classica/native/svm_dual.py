"""The dual problems of support vector machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats
from classica.native.kernels import KernelRules

#: Tolerance, most steps, most seconds, whether to shrink, bytes for kernel values.
SolverRules = tuple[float, int, float, bool, float]


@dataclass(frozen=True)
class Variables:
    """The variables of all binary classifiers, one binary classifier after the other."""

    starts: NDArray[np.int64]  # where each binary classifier's start, and their number
    rows: Codes
    signs: Floats
    linear: Floats
    upper: Floats
    alpha: Floats  # where to start


@dataclass(frozen=True)
class Solution:
    """The values of the variables, and what each binary classifier came to."""

    alpha: Floats
    slacks: Floats
    objective: Floats
    gap: Floats
    offset: Floats
    squared_norm: Floats
    violation: Floats
    steps: Floats
    converged: Floats


def solve(
    rows: Floats, kernel: KernelRules | None, variables: Variables, rules: SolverRules, threads: int
) -> Solution:
    """Solve all binary classifiers; without a kernel ``rows`` holds its values."""
    alpha, slacks = variables.alpha.copy(), np.zeros_like(variables.alpha)
    v = variables
    arrays = (v.starts, v.rows, v.signs, v.linear, v.upper, alpha, slacks)
    out = np.empty((len(v.starts) - 1, 7))
    if kernel is None:
        _core.solve_known_svm(rows, arrays, rules, threads, out)
    else:
        _core.solve_svm(rows, kernel, arrays, rules, threads, out)
    columns: list[Any] = list(np.ascontiguousarray(out.T))
    return Solution(alpha, slacks, *columns)
