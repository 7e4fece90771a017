r"""Decompose expected losses, from predictions of models fitted to disjoint training sets.

Let f and g be the predictions of models of two independent training sets for one row. Then :math:`E[f g]` is
the square of the mean prediction, without the variance that the square of an average contains. So

.. math:: \text{variance} = E[f^2] - E[f g], \qquad \text{bias}^2 = t^2 - 2 t E[f] + E[f g]

can be estimated without bias from as few as two models. Models of bootstrap samples, or of overlapping
subsets of one table, make similar errors, so that most of their variance would be counted as bias.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from classica.native import Floats
from classica.statistics.decomposition.bias_variance_result import (
    MainPredictionParts,
    SquaredLossParts,
    ZeroOneLossParts,
)


@dataclass(frozen=True)
class Moments:
    """Moments of the predictions for each row.

    Attributes
    ----------
    mean : ndarray of shape (n_rows, n_outputs)
        The mean prediction.
    square : ndarray of shape (n_rows,)
        The mean squared length of a prediction.
    product : ndarray of shape (n_rows,)
        The mean product of the predictions of two disjoint training sets.
    """

    mean: Floats
    square: Floats
    product: Floats

    @classmethod
    def of_partition(cls, predictions: Iterable[Floats]) -> Moments:
        """Return the moments of two or more models with disjoint training sets."""
        sets, total, square = 0, np.zeros(()), np.zeros(())
        for each in predictions:
            sets, total, square = sets + 1, total + each, square + np.sum(each * each, axis=1)
        product = (np.sum(total * total, axis=1) - square) / (sets * (sets - 1))
        return cls(total / sets, square / sets, product)

    @classmethod
    def averaged(cls, partitions: Sequence[Moments]) -> Moments:
        """Return the means over partitions with the same number of training sets."""
        return cls(
            np.mean([each.mean for each in partitions], axis=0),
            np.mean([each.square for each in partitions], axis=0),
            np.mean([each.product for each in partitions], axis=0),
        )

    def bias_and_variance(self, target: Floats) -> tuple[float, float]:
        """Return bias² and variance, averaged over the rows.

        Parameters
        ----------
        target : ndarray of shape (n_rows, n_outputs)
            The best prediction; if it is noisy, bias² includes the noise.
        """
        bias = np.sum(target * (target - 2 * self.mean), axis=1) + self.product
        return float(np.mean(bias)), float(np.mean(self.square - self.product))


def number_loss_parts(moments: Moments, truth: Floats, clean: Floats | None) -> SquaredLossParts:
    """Decompose the squared loss of a regressor.

    Noise is independent of the fits, so only its mean square counts; its chance correlation with the bias on
    these rows is left out.

    Parameters
    ----------
    moments : Moments
        The moments of the predictions, one number per row.
    truth : ndarray of shape (n_rows,)
        The observed numbers, including noise.
    clean : ndarray of shape (n_rows,) or None
        The noise-free numbers, if known.
    """
    bias, variance = moments.bias_and_variance((truth if clean is None else clean)[:, None])
    if clean is None:
        return SquaredLossParts(None, bias, variance, bias + variance)
    noise = float(np.mean((truth - clean) ** 2))
    return SquaredLossParts(noise, bias, variance, noise + bias + variance)


def class_loss_parts(moments: Moments, target: Floats, noise_known: bool) -> SquaredLossParts:
    r"""Decompose :math:`\sum_c (t_c - f_c)^2`, where t is 1 for the true class.

    Parameters
    ----------
    moments : Moments
        The moments of the probabilities.
    target : ndarray of shape (n_rows, n_classes)
        The true probabilities, or the one-hot encoded observed class.
    noise_known : bool
        Whether `target` holds the true probabilities.
    """
    bias, variance = moments.bias_and_variance(target)
    noise = float(np.mean(np.sum(target * (1 - target), axis=1)))  # 0 for observed classes
    # The loss itself, over the labels a row may have, computed independently of the components.
    total = float(np.mean(1 - 2 * np.sum(target * moments.mean, axis=1) + moments.square))
    return SquaredLossParts(noise if noise_known else None, bias, variance, total)


def label_loss_parts(moments: Moments, target: Floats, noise_known: bool) -> ZeroOneLossParts:
    """Decompose the error rate by Kohavi and Wolpert: half the squared loss of one-hot encoded predictions.

    Parameters
    ----------
    moments : Moments
        The moments of the one-hot encoded predicted classes.
    target, noise_known
        As above.
    """
    twice = class_loss_parts(moments, target, noise_known)
    noise = None if twice.noise is None else twice.noise / 2
    return ZeroOneLossParts(noise, twice.bias / 2, twice.variance / 2, twice.total / 2)


def main_prediction_parts(shares: Floats, target: Floats, noise_known: bool) -> MainPredictionParts:
    """Decompose the error rate by Domingos.

    Parameters
    ----------
    shares : ndarray of shape (n_rows, n_classes)
        The share of independent training sets whose model predicts each class.
    target, noise_known
        As above.
    """
    rows = np.arange(len(target))
    main, best = shares.argmax(axis=1), target.argmax(axis=1)
    biased = main != best
    variance = 1 - shares[rows, main]
    # On biased rows, variance helps only where it leads to the best class; with two classes that is all of
    # it.
    helpful = np.where(biased, shares[rows, best], 0.0)
    harmful = np.where(biased, 0.0, variance)
    total = float(np.mean(1 - np.sum(target * shares, axis=1)))
    against_best = 1 - shares[rows, best]
    return MainPredictionParts(
        noise=total - float(np.mean(against_best)) if noise_known else None,
        bias=float(np.mean(biased)),
        variance=float(np.mean(variance)),
        unbiased_variance=float(np.mean(harmful)),
        biased_variance=float(np.mean(helpful)),
        net_variance=float(np.mean(harmful - helpful)),
        total=total,
    )
