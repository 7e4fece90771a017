r"""What logistic regression minimises, in coordinates that suit a solver.

Columns are seen from their means and divided by their standard deviations, so that columns of any offset and
unit are alike; the penalty stays that of the raw weights. With :math:`\theta_{cj} = w_{cj} s_j`,

.. math:: F(\theta) = \sum_i v_i \, (-\log p_{y_i}(x_i)) + \sum_{cj} \left(\tfrac12 r_j \theta_{cj}^2
          + b_j |\theta_{cj}| \right), \quad r_j = \frac{1 - \rho}{C s_j^2}, \; b_j = \frac{\rho}{C s_j}

The last column of :math:`\theta` is the intercept, which has no penalty.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica import native
from classica.arrays import Rows
from classica.estimators.base.estimator import TrainingData
from classica.native import Floats, LinearModel
from classica.native import softmax as kernels

#: A column that varies less than this, measured by its mean, is a rounded constant.
_CONSTANT = 5e-16
#: Weights with a larger penalty in scaled coordinates are zero to the last digit.
_LARGEST_PENALTY = 1e200
#: Sparse tables with at most so many cells are dealt with as dense ones,
_FEW_CELLS = 1 << 24
#: but not where columns are visited one by one and at most this share of the cells is not zero.
_FEW_VALUES = 0.25
#: Up to so many coefficients their products with each other are worked out; more are visited one by one.
MOST_PRODUCTS = 1000


@dataclass(frozen=True)
class SoftmaxProblem:
    """The objective of a table; coefficients are of shape (`vectors`, used columns)."""

    X: Any
    columns: Any  # the table by columns: the transpose of a sparse one in compressed rows
    codes: native.Codes
    weights: Floats | None
    classes: int
    center: Floats
    scale: Floats  # of the columns and the intercept
    used: NDArray[np.int64]  # the columns, and last the intercept, that have coefficients
    ridge: Floats  # of the used ones
    bounds: Floats
    threads: int

    @property
    def vectors(self) -> int:
        """Vectors of coefficients: one for two classes, else one per class."""
        return 1 if self.classes == 2 else self.classes

    @property
    def rows_weight(self) -> float:
        """How much all rows count together."""
        return float(len(self.codes) if self.weights is None else np.sum(self.weights))

    def start(self) -> Floats:
        """Return the coefficients zero."""
        return np.zeros((self.vectors, len(self.used)))

    def loss_and_gradient(self, at: Floats) -> tuple[float, Floats]:
        """Return the loss without penalty, and its gradient."""
        raw = self._raw(at)
        loss, gradient = self._sparse_pass(raw) if sp.issparse(self.X) else self._dense_pass(raw)
        return loss, gradient[:, self.used] / self.scale[self.used]

    def smooth(self, at: Floats) -> tuple[float, Floats]:
        """Return the loss with the quadratic penalty, and its gradient."""
        loss, gradient = self.loss_and_gradient(at)
        return loss + 0.5 * float(np.sum(self.ridge * at**2)), gradient + self.ridge * at

    def absolute(self, at: Floats) -> float:
        """Return the absolute penalty."""
        return float(np.sum(self.bounds * np.abs(at)))

    def pair_curvatures(self, at: Floats, classes: int | None = None) -> Floats:
        """Return the sums of p_a p_b z zᵀ for each pair of classes, as full matrices; dense tables only."""
        raw, classes = self._raw(at), classes or self.classes
        pairs = kernels.softmax_curvature(self.X, classes, self.center, self.weights, raw, self.threads)
        chosen = pairs[:, self.used][:, :, self.used] / np.multiply.outer(*2 * [self.scale[self.used]])
        lower = np.tril(chosen)
        full: Floats = lower + np.tril(chosen, -1).swapaxes(1, 2)
        return full

    def row_curvature(self, at: Floats) -> tuple[Floats, Floats]:
        """Return the bends and shares of each row: see `native/include/classica/logistic.hpp`."""
        scores = native.linear_scores(self.X, self.model(at), self.threads)
        chances = np.ascontiguousarray(native.scores_to_posteriors(scores, self.threads).T)
        weighted = chances if self.weights is None else chances * self.weights
        if self.vectors == 1:
            return weighted[1:] * chances[:1], np.zeros((1, len(scores)))
        return weighted, chances

    def model(self, at: Floats) -> LinearModel:
        """Return the scores of the classes in terms of raw rows; of two classes, the first has score 0."""
        raw = self._raw(at)
        if self.vectors == 1:
            raw = np.concatenate([np.zeros_like(raw), raw])
        return self.center, np.ascontiguousarray(raw[:, :-1]), np.ascontiguousarray(raw[:, -1])

    def every(self, step: int) -> SoftmaxProblem:
        """Return the problem of one in so many rows of a dense table, as if they were all."""
        # One of each run of rows, by chance: classes may follow each other in some rhythm.
        runs = len(self.codes) // step
        drawn = native.philox(0, 0, 0, -(-runs // 4)).ravel()[:runs] % np.uint64(step)
        rows = np.arange(runs) * step + drawn.astype(np.int64)
        weights = None if self.weights is None else self.weights[rows]
        part = replace(self, X=self.X[rows], codes=self.codes[rows], weights=weights)
        share = part.rows_weight / self.rows_weight
        return replace(part, ridge=self.ridge * share, bounds=self.bounds * share)

    def _raw(self, at: Floats) -> Floats:
        raw = np.zeros((len(at), len(self.scale)))
        raw[:, self.used] = at / self.scale[self.used]
        return raw

    def _dense_pass(self, raw: Floats) -> tuple[float, Floats]:
        return kernels.softmax_gradient(
            self.X, self.classes, self.center, self.codes, self.weights, raw, self.threads
        )

    def _sparse_pass(self, raw: Floats) -> tuple[float, Floats]:
        # The center is taken off the sums: subtracted from the cells it would fill the table.
        offsets = raw[:, -1] - np.einsum("cj,j->c", raw[:, :-1], self.center)
        scores = kernels.sparse_product(self.X, np.ascontiguousarray(raw[:, :-1].T), self.threads) + offsets
        if self.vectors == 1:
            scores = np.column_stack([np.zeros(len(scores)), scores])
        loss = kernels.softmax_residuals(scores, self.codes, self.weights, self.threads)
        residuals = np.ascontiguousarray(scores[:, -self.vectors :])
        sums = np.einsum("ic->c", residuals)
        products = kernels.sparse_product(self.columns, residuals, self.threads).T
        return loss, np.column_stack([products - np.multiply.outer(sums, self.center), sums])


def softmax_problem(
    data: TrainingData,
    weights: Floats | None,
    C: float,
    l1_ratio: float,
    fit_intercept: bool,
    threads: int,
) -> SoftmaxProblem:
    """Return the problem of the rows; ``weights`` are those of rows and classes together."""
    X = data.X
    if sp.issparse(X) and not _stays_sparse(X, len(data.classes), l1_ratio):
        X = X.toarray()
    # Centred cells would fill a sparse table; one whose columns are visited one by one must keep its zeros.
    centred = fit_intercept and not (sp.issparse(X) and l1_ratio > 0)
    center, scale = _center_and_scale(X, weights, centred, threads)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        ridge = (1 - l1_ratio) / C / scale / scale
        bounds = l1_ratio / C / scale
    used = np.flatnonzero((scale > 0) & (ridge < _LARGEST_PENALTY) & (bounds < _LARGEST_PENALTY))
    ridge, bounds, scale = (
        np.append(values, last) for values, last in ((ridge, 0.0), (bounds, 0.0), (scale, 1.0))
    )
    if fit_intercept:
        used = np.append(used, X.shape[1])
    return SoftmaxProblem(
        X=X,
        columns=X.T.tocsr() if sp.issparse(X) else X,
        codes=data.codes,
        weights=weights,
        classes=len(data.classes),
        center=center,
        scale=scale,
        used=used,
        ridge=ridge[used],
        bounds=bounds[used],
        threads=threads,
    )


def _stays_sparse(X: Any, classes: int, l1_ratio: float) -> bool:
    """Return whether the zeros of a sparse table are worth more than columns about their means."""
    cells, coefficients = X.shape[0] * X.shape[1], X.shape[1] * (1 if classes == 2 else classes)
    one_by_one = l1_ratio > 0 and coefficients > MOST_PRODUCTS
    return cells > _FEW_CELLS or (one_by_one and X.nnz <= _FEW_VALUES * cells)


def _center_and_scale(X: Rows, weights: Floats | None, centred: bool, threads: int) -> tuple[Floats, Floats]:
    """Return means and standard deviations, or zeros and root mean squares."""
    group = np.zeros(X.shape[0], dtype=np.int32)
    counts, sums, squares = native.grouped_moments(X, group, 1, weights, True, threads)
    means, variances = native.means_and_variances(counts, sums, squares)
    assert variances is not None
    mean, deviation = means[0], np.sqrt(variances[0])
    deviation[deviation <= _CONSTANT * np.abs(mean)] = 0.0
    if centred:
        return mean, deviation
    return np.zeros_like(mean), np.hypot(mean, deviation)
