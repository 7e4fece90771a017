"""What all support vector machines share: the parameters of kernel and solver, and the warning."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from classica.errors import DataError
from classica.estimators.base.kernel_functions import KERNEL_RULES
from classica.native import Floats
from classica.native.svm_dual import Solution, SolverRules
from classica.params import N_JOBS, Boolean, Infinity, Integer, Nothing, Real, Rule

SVM_RULES: Mapping[str, Rule] = {
    **KERNEL_RULES,
    "C": Real(above=0) | Infinity(),
    "tol": Real(above=0),
    "max_iter": Nothing() | Integer(at_least=1),
    "max_seconds": Nothing() | Real(above=0),
    "cache_size": Real(above=0),
    "shrinking": Boolean(),
    "n_jobs": N_JOBS,
}

#: Kernel values beyond it would overflow in sums.
_LARGEST_KERNEL_VALUE = 1e250


def solver_rules(estimator: BaseEstimator, rows: int) -> SolverRules:
    """Return the solver's settings; the default limit is ten million steps, or 100 per row if more."""
    steps = max(10_000_000, 100 * rows) if estimator.max_iter is None else int(estimator.max_iter)
    seconds = 1e10 if estimator.max_seconds is None else float(estimator.max_seconds)
    return float(estimator.tol), steps, seconds, bool(estimator.shrinking), 1e6 * estimator.cache_size


def warn_unless_converged(estimator: BaseEstimator, solution: Solution) -> bool:
    """Return whether every binary classifier has met the tolerance, and say so where one has not."""
    if solution.converged.all():
        return True
    warnings.warn(
        f"{type(estimator).__name__} must have more steps or time (or scaled columns) to meet its tolerance "
        f"of {estimator.tol:g}, got a violation of {solution.violation.max():.3g} after "
        f"{int(solution.steps.max())} steps.",
        ConvergenceWarning,
        stacklevel=3,
    )
    return False


def require_finite(diagonal: Floats) -> None:
    """Raise unless kernel values of rows with these own ones can be added up."""
    most = float(abs(diagonal).max())
    if not most < _LARGEST_KERNEL_VALUE:
        rule = f"scaled so that the kernel stays below {_LARGEST_KERNEL_VALUE:g}"
        raise DataError(f"Each column of X must be {rule}, got {most:g} or more.")
