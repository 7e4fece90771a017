"""Scores of classes: linear and quadratic functions, nearest means, and posteriors of scores."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats, Rows
from classica.native.row_arguments import row_arguments

#: The point scores are seen from, weights (one row per score), offsets.
LinearModel = tuple[Floats, Floats, Floats]

#: The point all is seen from, centers as seen from there, upper triangular factors in `factor_strips`.
QuadraticModel = tuple[Floats, Floats, Floats]

#: Means, inverse spreads (or None), where each class's means start, log priors.
MeanModel = tuple[Floats, Floats | None, Codes, Floats]


def linear_scores(X: Rows, model: LinearModel, threads: int) -> Floats:
    """Return ``(X - center) @ weights.T + offsets``."""
    if sp.issparse(X):
        center, weights, offsets = model
        sums: Floats = X @ weights.T + (offsets - np.einsum("mj,j->m", weights, center))
        return sums
    out = np.empty((X.shape[0], model[1].shape[0]))
    _core.linear_scores(X, *model, threads, out)
    return out


def quadratic_forms(X: Rows, model: QuadraticModel, threads: int) -> Floats:
    """Return the squared length of ``factor @ (row - center - centers[c])`` for each row and c."""
    out = np.empty((X.shape[0], model[1].shape[0]))
    _core.quadratic_forms(X, *model, threads, out)
    return out


def factor_strips(factors: Floats) -> Floats:
    """Return upper triangular matrices in the layout of `quadratic_forms`: strips of four rows."""
    forms, columns, _ = factors.shape
    strips = -(-columns // 4)
    padded = np.zeros((forms, strips * 4, columns))
    padded[:, :columns] = factors
    by_strip = padded.reshape(forms, strips, 4, columns).swapaxes(2, 3)
    return np.ascontiguousarray(by_strip).reshape(forms, strips, 4 * columns)


def nearest_mean_predict(X: Rows, model: MeanModel, threads: int) -> NDArray[np.int64]:
    """Return the class code of each row."""
    out = np.empty(X.shape[0], dtype=np.int64)
    _core.nearest_mean_predict(*row_arguments(X), *model, threads, out)
    return out


def nearest_mean_posteriors(X: Rows, model: MeanModel, threads: int) -> Floats:
    """Return the posterior probability of each class for each row."""
    out = np.empty((X.shape[0], model[3].shape[0]))
    _core.nearest_mean_posteriors(*row_arguments(X), *model, threads, out)
    return out


def nearest_mean_distances(X: Rows, model: MeanModel, threads: int) -> Floats:
    """Return the distance from each row to the closest mean of each class."""
    out = np.empty((X.shape[0], model[3].shape[0]))
    _core.nearest_mean_distances(*row_arguments(X), *model, threads, out)
    return out


def highest_scores(scores: Floats, threads: int) -> NDArray[np.int64]:
    """Return the first column with the highest score of each row."""
    out = np.empty(len(scores), dtype=np.int64)
    _core.highest_scores(scores, threads, out)
    return out


def scores_to_posteriors(scores: Floats, threads: int) -> Floats:
    """Return the posterior probabilities of log scores; minus infinity stands for an impossible class."""
    out = np.empty_like(scores)
    _core.scores_to_posteriors(scores, threads, out)
    return out
