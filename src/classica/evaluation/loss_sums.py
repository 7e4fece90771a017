"""The parts of expected losses, from what many fits of one learner have predicted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classica.evaluation.loss_parts import SquaredLossParts, ZeroOneLossParts
from classica.native import Floats


def number_loss_parts(predicted: Floats, truth: Floats, clean: Floats | None) -> SquaredLossParts:
    """Return the parts for numbers.

    Noise is independent of the fits, so that only its mean square counts; what it happens to share with the
    bias on these rows is left out.

    Parameters
    ----------
    predicted : ndarray of shape (n_samples, n_rows)
        What each fit predicts.
    truth : ndarray of shape (n_rows,)
        The numbers, noise and all.
    clean : ndarray of shape (n_rows,) or None
        The numbers without noise, if known.
    """
    variance = float(np.mean(predicted.var(axis=0)))
    mean = predicted.mean(axis=0)
    if clean is None:
        bias = float(np.mean((truth - mean) ** 2))
        return SquaredLossParts(None, bias, variance, bias + variance)
    noise = float(np.mean((truth - clean) ** 2))
    bias = float(np.mean((clean - mean) ** 2))
    return SquaredLossParts(noise, bias, variance, noise + bias + variance)


def class_loss_parts(probable: Floats, target: Floats, noise_known: bool) -> SquaredLossParts:
    r"""Return the parts of :math:`\sum_c (t_c - f_c)^2`, where t is 1 for the true class.

    Parameters
    ----------
    probable : ndarray of shape (n_samples, n_rows, n_classes)
        The probabilities of each fit.
    target : ndarray of shape (n_rows, n_classes)
        The true probabilities, or 1 for the class seen.
    noise_known : bool
        Whether they are the true ones.
    """
    noise = float(np.mean(np.sum(target * (1 - target), axis=1)))  # 0 for classes seen
    bias = float(np.mean(np.sum((target - probable.mean(axis=0)) ** 2, axis=1)))
    variance = float(np.mean(np.sum(probable.var(axis=0), axis=1)))
    # The loss itself, summed over the labels a row may have: not the sum of the parts.
    seen = np.sum(probable**2 - 2 * probable * target, axis=2).mean() + 1
    return SquaredLossParts(noise if noise_known else None, bias, variance, float(seen))


def label_loss_parts(
    said: NDArray[np.intp], target: Floats, classes: int, noise_known: bool
) -> ZeroOneLossParts:
    """Return the parts of the error by Domingos.

    Parameters
    ----------
    said : ndarray of shape (n_samples, n_rows)
        The labels of each fit, as codes.
    target, noise_known
        As above.
    classes : int
        How many codes there are.
    """
    shares = np.array([(said == code).mean(axis=0) for code in range(classes)]).T
    rows = np.arange(len(target))
    main, best = shares.argmax(axis=1), target.argmax(axis=1)
    biased = main != best
    variance = 1 - shares[rows, main]
    # On biased rows only what leads to the best class helps; with two classes that is all variance.
    helpful = np.where(biased, shares[rows, best], 0.0)
    harmful = np.where(biased, 0.0, variance)
    total = float(np.mean(1 - np.sum(target * shares, axis=1)))
    against_best = 1 - shares[rows, best]
    return ZeroOneLossParts(
        noise=total - float(np.mean(against_best)) if noise_known else None,
        bias=float(np.mean(biased)),
        variance=float(np.mean(variance)),
        unbiased_variance=float(np.mean(harmful)),
        biased_variance=float(np.mean(helpful)),
        net_variance=float(np.mean(harmful - helpful)),
        total=total,
    )
