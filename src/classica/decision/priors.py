r"""Priors: how often each class occurs where the decisions are made, if not as often as in the training rows.

.. math:: p'(j \mid x) \propto p(j \mid x) \, \frac{\pi'_j}{\pi_j}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import VectorLike
from classica.decision.class_labels import label_codes, match_labels, name_classes
from classica.decision.rows import number_table
from classica.errors import ParameterError, must
from classica.native import Floats
from classica.params import Numbers
from classica.targets import row_weights


def read_priors(source: Any, classes: Any, what: str = "priors") -> Floats:
    """Return the prior of each class.

    Parameters
    ----------
    source : "uniform", sequence of float, dict or pandas Series
        Equal priors, numbers in the order of the classes, or a dict from labels to numbers. A Series whose
        index holds the classes is read like a dict, one with the index 0, 1, 2, … like a sequence. No
        prior is negative and their sum is 1.
    classes : array-like of shape (n_classes,)
        The labels, in the order wanted.
    what : str, default="priors"
        What an error calls them.

    Returns
    -------
    ndarray of shape (n_classes,)

    Examples
    --------
    >>> read_priors({"healthy": 0.992, "cancer": 0.008}, ["cancer", "healthy"])
    array([0.008, 0.992])
    """
    classes = np.asarray(classes)
    if isinstance(source, str) and source == "uniform":
        return np.full(len(classes), 1 / len(classes))
    labels = _labels(source, classes)
    numbers = _without_labels(source)
    if _are_not_all_finite(numbers):
        raise ParameterError(must(what, "finite numbers", _shown(source)))
    if not Numbers().accepts(numbers):
        rule = "'uniform', a number for each class or a dict from labels to numbers"
        raise ParameterError(must(what, rule, source))
    priors = np.asarray(numbers, dtype=np.float64)
    if labels is not None:
        priors = priors[match_labels(labels, classes, what)]
    if len(priors) != len(classes):
        raise ParameterError(must(what, f"one number for each of {len(classes)} classes", _shown(source)))
    if (priors < 0).any() or abs(priors.sum() - 1) > 1e-6:
        raise ParameterError(must(what, "non-negative and sum to 1", _shown(source)))
    shares: Floats = priors / priors.sum()
    return shares


def plain_priors(source: Any) -> Any:
    """Return priors that `read_priors` reads in the same way, without a Series: by label or in order."""
    if isinstance(source, Mapping | str | list | tuple | np.ndarray) or not hasattr(source, "to_numpy"):
        return source
    numbers = source.to_numpy().tolist()
    index = getattr(source, "index", None)
    labels = list(range(len(numbers))) if index is None else list(index)
    # Labels that count from 0 are the order of the classes, whether they name these or not.
    counted = labels == list(range(len(numbers)))
    return numbers if counted else dict(zip(labels, numbers, strict=True))


def _without_labels(source: Any) -> Any:
    if isinstance(source, Mapping):
        return list(source.values())
    return source.tolist() if hasattr(source, "tolist") else source


def _labels(source: Any, classes: NDArray[Any]) -> list[Any] | None:
    """Return the labels that come with the numbers, or None if their order says whose they are."""
    if isinstance(source, Mapping):
        return list(source)
    index = getattr(source, "index", None)
    if index is None or callable(index):  # a list has a method of that name
        return None
    labels = list(index)
    counted = labels == list(range(len(labels)))
    return None if counted and not name_classes(classes.tolist(), np.asarray(labels)) else labels


def _are_not_all_finite(numbers: Any) -> bool:
    try:
        values = np.asarray(numbers)
    except ValueError:  # rows of several lengths
        return False
    return values.ndim == 1 and values.dtype.kind == "f" and not np.isfinite(values).all()


def _shown(source: Any) -> Any:
    return source if isinstance(source, Mapping | list | tuple) else np.asarray(source).tolist()


def change_priors(posteriors: Any, old: Any, new: Any) -> Floats:
    r"""Return the posteriors that the same likelihoods have under other priors.

    .. math:: p'(j \mid x) \propto p(j \mid x) \, \frac{\pi'_j}{\pi_j}

    A row in which only classes of new prior 0 had been possible gets the new priors.

    Parameters
    ----------
    posteriors : array-like of shape (n_samples, n_classes)
        The probability of each class for each row.
    old, new : array-like of shape (n_classes,)
        The priors these belong to, and those wanted.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)

    Examples
    --------
    A positive cancer test when one in 125 has cancer, and when every second one has:

    >>> positive = np.array([[0.00784, 0.02976]]) / (0.00784 + 0.02976)
    >>> positive.round(6)
    array([[0.208511, 0.791489]])
    >>> change_priors(positive, [0.008, 0.992], [0.5, 0.5]).round(6)
    array([[0.970297, 0.029703]])
    """
    posteriors = number_table(posteriors, "posteriors")
    old, new = (_one_per_class(priors, posteriors.shape[1]) for priors in (old, new))
    unseen = (old == 0) & (new > 0)
    if unseen.any():
        got = f"{new[unseen][0]:g} for class number {int(np.argmax(unseen))}"
        raise ParameterError(f"priors must be 0 for a class whose training prior is 0, got {got}.")
    # No prior counts as smaller than 1e-300, so that no factor overflows.
    factors = np.divide(new, np.maximum(old, 1e-300), out=np.zeros_like(new), where=old > 0)
    joint = posteriors * (factors / factors.max())
    total = joint.sum(axis=1, keepdims=True)
    changed: Floats = np.where(total > 0, joint / np.where(total > 0, total, 1.0), new)
    return changed


def _one_per_class(priors: Any, classes: int) -> Floats:
    """Return priors in the order of the classes as an array."""
    numbers = _without_labels(priors)
    if not Numbers().accepts(numbers) or len(numbers) != classes:
        raise ParameterError(must("priors", f"a number for each of {classes} classes", priors))
    priors_by_class: Floats = np.asarray(numbers, dtype=np.float64)
    if not (np.isfinite(priors_by_class) & (priors_by_class >= 0)).all():
        raise ParameterError(must("priors", "finite and non-negative", _shown(priors)))
    return priors_by_class


def learned_priors(model: Any) -> Floats | None:
    """Return the priors that a fitted model states, or None if it states none.

    Those of a pipeline are those of its last step, those of a search those of its best estimator.
    """
    while True:
        if hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        elif hasattr(model, "steps"):
            model = model.steps[-1][1]
        else:
            break
    for name in ("class_prior_", "priors_"):
        # Asked once: a decision around decisions would ask each of them twice as often as the one outside.
        stated = getattr(model, name, None)
        if stated is not None:
            return np.asarray(stated, dtype=np.float64)
    if hasattr(model, "class_log_prior_"):
        priors: Floats = np.exp(np.asarray(model.class_log_prior_, dtype=np.float64))
        return priors
    return None


def class_shares(y: VectorLike, sample_weight: VectorLike | None, classes: NDArray[Any]) -> Floats:
    """Return how often each class occurs, by weight."""
    codes = label_codes(y, classes)
    weights = row_weights(sample_weight, len(codes))
    has_class = codes >= 0  # a class may be unknown because all its rows have weight 0
    counts = np.bincount(
        codes[has_class], None if weights is None else weights[has_class], minlength=len(classes)
    ).astype(np.float64)
    shares: Floats = counts / counts.sum()
    return shares
