r"""Kernel functions: inner products of rows in a space of features that is never built.

* linear: :math:`x \cdot z`
* poly: :math:`(\gamma\, x \cdot z + r)^p`
* rbf: :math:`e^{-\gamma |x - z|^2}`
* sigmoid: :math:`\tanh(\gamma\, x \cdot z + r)`
* precomputed: X holds the kernel values themselves; a function: ``function(X, Z)`` returns them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from classica import native
from classica.arrays import Rows
from classica.errors import DataError, must
from classica.native import Floats
from classica.native import kernels as native_kernels
from classica.native.kernels import KERNELS, KernelRules
from classica.params import Function, Integer, OneOf, Real, Rule

#: The rules of the parameters that say what the kernel is.
KERNEL_RULES: Mapping[str, Rule] = {
    "kernel": OneOf(*KERNELS, "precomputed") | Function(),
    "gamma": OneOf("scale", "auto") | Real(at_least=0),
    "coef0": Real(),
    "degree": Integer(at_least=0, at_most=1000),
}

#: What people pass as a kernel: its name, or a function of two matrices.
KernelLike: TypeAlias = "str | Callable[[Any, Any], Any]"

#: Larger values would overflow when squared, or squared and multiplied with multipliers.
LARGEST_VALUE = 1e100


@dataclass(frozen=True)
class Kernel:
    """A kernel with its parameters, as learned from rows."""

    name: str  # one of KERNELS, "precomputed" or "function"
    gamma: float = 1.0
    coef0: float = 0.0
    degree: int = 3
    center: Floats | None = None  # rows are seen from here: distances are the same, and lose no digits
    function: Callable[[Any, Any], Any] | None = None

    @property
    def is_native(self) -> bool:
        """Whether the core knows the function."""
        return self.name in KERNELS

    @property
    def is_inner_product(self) -> bool:
        """Whether it is known to be one, so that what is learned with it does not depend on the start."""
        return self.name in ("linear", "rbf") or (self.name == "poly" and self.coef0 >= 0)

    @property
    def rules(self) -> KernelRules:
        """The kernel as the core takes it."""
        return self.name, self.gamma, self.coef0, self.degree, self.center

    def rows(self, X: Rows) -> Any:
        """Return the rows to keep for later calls: for native kernels as float64 in C order."""
        return np.ascontiguousarray(X, dtype=np.float64) if self.is_native else X

    def matrix(self, X: Rows, Z: Any, threads: int) -> Floats:
        """Return K(x, z) for every row of X and every kept row of Z."""
        if self.is_native:
            return native_kernels.kernel_matrix(X, Z, self.rules, threads)
        if self.name == "precomputed":
            return np.asarray(X, dtype=np.float64)
        return self._called(X, Z)

    def scores(self, X: Rows, Z: Any, weights: Floats, offsets: Floats, threads: int) -> Floats:
        """Return ``matrix(X, Z) @ weights.T + offsets``; the values of a row depend on no other row."""
        if self.is_native:
            return native_kernels.kernel_scores(X, Z, self.rules, weights, offsets, threads)
        return native_kernels.known_kernel_scores(self.matrix(X, Z, threads), weights, offsets, threads)

    def diagonal(self, X: Rows, threads: int) -> Floats:
        """Return K(x, x) of each row; of a polynomial a bound of it that holds for |K(x, z)| too."""
        if not self.is_native:
            return np.diag(self.matrix(X, X, threads))
        seen = X if self.center is None else X - self.center
        squares: Floats = np.einsum("ij,ij->i", seen, seen, dtype=np.float64)
        if self.name == "rbf":
            return np.ones(len(X))
        bound = replace(self, coef0=abs(self.coef0)) if self.name == "poly" else self
        values: Floats = native_kernels.kernel_of(squares[None], bound.rules, threads)[0]
        return values

    def _called(self, X: Rows, Z: Rows) -> Floats:
        assert self.function is not None
        values = np.asarray(self.function(X, Z), dtype=np.float64)
        if values.shape != (len(X), len(Z)):
            raise DataError(must("The kernel of these rows", f"of shape {(len(X), len(Z))}", values.shape))
        if not np.isfinite(values).all():
            raise DataError("The kernel must have finite values, got NaN or infinity.")
        return values


def make_kernel(
    kernel: KernelLike,
    gamma: float | str,
    coef0: float,
    degree: int,
    X: Rows,
    weights: Floats | None,
    threads: int,
    *,
    centered: bool = False,
) -> Kernel:
    """Return the kernel that the parameters ask for, on these rows.

    ``gamma="scale"`` is one over the number of columns times the variance of all (weighted) values, "auto"
    one over the number of columns. With ``centered`` the linear kernel sees rows from their mean, too: for
    those who only ever use it in differences.
    """
    if callable(kernel):
        return Kernel("function", function=kernel)
    if kernel == "precomputed":
        return Kernel(kernel)
    means, variances = _moments(X, weights, threads)
    width = _gamma(gamma, means, variances)
    center = means if kernel == "rbf" or (centered and kernel == "linear") else None
    return Kernel(kernel, width, float(coef0), int(degree), center)


def known_values(X: Rows) -> Floats:
    """Return a square table of kernel values."""
    if X.shape[0] != X.shape[1]:
        raise DataError(must("X of kernel values", "square, a row and a column for each row", X.shape))
    return np.ascontiguousarray(X, dtype=np.float64)


def _moments(X: Rows, weights: Floats | None, threads: int) -> tuple[Floats, Floats]:
    """Return mean and variance of each column."""
    one_group = np.zeros(X.shape[0], dtype=np.int32)
    sums = native.grouped_moments(X, one_group, 1, weights, True, threads)
    means, variances = native.means_and_variances(*sums)
    assert variances is not None
    return means[0], variances[0]


def _gamma(given: float | str, means: Floats, variances: Floats) -> float:
    if given == "auto":
        return 1.0 / len(means)
    if given != "scale":
        return float(given)
    spread = len(means) * float(variances.mean() + means.var())
    return 1.0 / spread if spread > 1e-300 else 1.0
