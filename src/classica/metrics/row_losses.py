r"""What each row loses, so that the mean over rows is the metric, or one minus it.

Log loss and Brier's score are means of what single rows lose. Balanced accuracy, F1 and the area under the
ROC curve belong to a set of rows: a row gets what the metric of the set would lose if there were more rows
like it (its influence, Hampel 1974), so that the mean over the set is the metric exactly, and the variance of
the rows divided by their number is, to first order, that of the metric. For the area under the curve these
are the placement values of DeLong, DeLong and Clarke-Pearson (1988).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats

_Codes = NDArray[np.intp]

#: A probability counts as no closer to 0 or 1 than this, as in scikit-learn, so that no loss is infinite.
_CLOSEST = float(np.finfo(np.float64).eps)


def log_losses(hits: NDArray[np.bool_], probabilities: Floats) -> Floats:
    """Return minus the logarithm of the probability of each row's class.

    Parameters
    ----------
    hits : ndarray of bool of shape (n_samples, n_classes)
        Which class is true.
    probabilities : ndarray of shape (n_samples, n_classes)
        How probable each is.
    """
    if probabilities.shape[1] == 1:  # a single class is sure
        return np.zeros(len(probabilities))
    own = np.where(hits, probabilities, 0.0).sum(axis=1)
    losses: Floats = -np.log(np.clip(own, _CLOSEST, 1 - _CLOSEST))
    return losses


def brier_losses(hits: NDArray[np.bool_], probabilities: Floats) -> Floats:
    """Return the squared distance of each row's probabilities from its class; half of it for two classes.

    Parameters
    ----------
    hits, probabilities
        As in `log_losses`.
    """
    squares: Floats = np.sum((probabilities - hits) ** 2, axis=1)
    return squares / 2 if probabilities.shape[1] == 2 else squares


def balanced_losses(truth: _Codes, predicted: _Codes) -> Floats:
    """Return the errors of rows, weighted so that every class that occurs has the same weight.

    The errors are not centred by class: where a class has a handful of rows, all of them wrong, their spread
    about their own mean would be zero and a difference between models would look certain.

    Parameters
    ----------
    truth, predicted : ndarray of int of shape (n_samples,)
        The number of the true class and of the predicted one.

    Returns
    -------
    ndarray of shape (n_samples,)
        With a mean of one minus the balanced accuracy.
    """
    counts = np.bincount(truth)
    weights = len(truth) / (np.count_nonzero(counts) * np.maximum(counts, 1))
    losses: Floats = np.where(truth != predicted, weights[truth], 0.0)
    return losses


def f1_losses(truth: _Codes, predicted: _Codes) -> Floats:
    """Return what each row loses in F1, averaged over the classes that occur or are predicted.

    F1 of a class is twice its hits over its true and predicted rows; it is linearised in these counts.

    Parameters
    ----------
    truth, predicted
        As in `balanced_losses`.

    Returns
    -------
    ndarray of shape (n_samples,)
        With a mean of one minus F1.
    """
    hit = truth == predicted
    classes = int(max(truth.max(), predicted.max())) + 1
    hits = np.bincount(truth[hit], minlength=classes)
    sizes = np.bincount(truth, minlength=classes) + np.bincount(predicted, minlength=classes)
    present = np.count_nonzero(sizes)
    value = float(np.sum(2 * hits / np.maximum(sizes, 1))) / present
    # A class of two rows that are both right, or both wrong, would show no spread at all: its F1 is drawn to
    # a half by one row that is half right.
    centre = (2 * hits + 1) / (sizes + 2)
    # Deviations from the mean of a few rows of a class are too small, as in a variance of so many rows.
    few = np.sqrt(np.maximum(sizes, 1) / np.maximum(sizes - 2, 1))
    scale = few * len(truth) / (present * np.maximum(sizes, 1))
    gained = np.where(hit, 2 * scale[truth], 0.0) - (centre * scale)[truth] - (centre * scale)[predicted]
    return _around(1 - value, -gained)


def auc_losses(truth: _Codes, scores: Floats) -> Floats:
    """Return what each row loses in the area under the ROC curve, every class against the rest.

    Parameters
    ----------
    truth : ndarray of int of shape (n_samples,)
        The number of the true class.
    scores : ndarray of shape (n_samples, n_classes)
        The scores of each class. Of two classes the second counts; of more, the areas are weighted by the
        shares of the classes.

    Returns
    -------
    ndarray of shape (n_samples,)
        With a mean of one minus the area; NaN where all rows are of one class.
    """
    counts = np.bincount(truth, minlength=scores.shape[1])
    if np.count_nonzero(counts) < 2:
        return np.full(len(truth), np.nan)
    if scores.shape[1] == 2:
        area, gained = _ranked(truth == 1, scores[:, 1])
        return _around(1 - area, -gained)
    value, total = 0.0, np.zeros(len(truth))
    for each in np.flatnonzero(counts):
        share = counts[each] / len(truth)
        area, gained = _ranked(truth == each, scores[:, each])
        value += share * area
        total += share * gained
        total[truth == each] += area  # the share of its class grows with the row
    return _around(1 - value, -total)


def _ranked(positive: NDArray[np.bool_], scores: Floats) -> tuple[float, Floats]:
    """Return the area under the curve, and the influence of each row on it."""
    order = np.argsort(scores)
    ordered, hits = scores[order], positive[order]
    starts = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    group = np.cumsum(starts) - 1
    of_group = np.bincount(group, weights=hits)
    others = np.bincount(group) - of_group
    # Ties count half.
    below = (np.cumsum(others) - others / 2)[group] / others.sum()
    above = 1 - (np.cumsum(of_group) - of_group / 2)[group] / of_group.sum()
    area = float(below[hits].mean())
    gained = np.empty(len(scores))
    gained[order[hits]] = _deviations(below[hits], len(scores))
    gained[order[~hits]] = _deviations(above[~hits], len(scores))
    return area, gained


def _deviations(placements: Floats, rows: int) -> Floats:
    """Return how far each row of one side is from the mean of its side, by its weight among all rows."""
    count = len(placements)
    if count == 1:  # its own mean would hide it: a single row counts by its distance from chance
        return rows * (placements - 0.5)
    # Two rows placed alike would show no spread at all: the mean is drawn to chance by one row.
    centre = (placements.sum() + 0.5) / (count + 1)
    # Deviations from a mean of the same few rows are too small by this factor.
    deviations: Floats = (rows / count) * np.sqrt(count / (count - 1)) * (placements - centre)
    return deviations


def _around(mean: float, deviations: Floats) -> Floats:
    """Return the deviations, moved to have this mean."""
    moved: Floats = mean + (deviations - deviations.mean())
    return moved
