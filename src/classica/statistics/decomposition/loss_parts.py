"""What the expected loss of a learner is made of."""

from __future__ import annotations

from dataclasses import dataclass

from classica.recorded import Recorded


@dataclass(frozen=True)
class _LossParts(Recorded):
    """Noise, bias² and variance, which add up to the expected loss."""

    noise: float | None
    bias: float
    variance: float
    total: float

    def _sum(self) -> str:
        start = f"noise {self.noise:.4f} + bias²" if self.noise is not None else "bias² and noise"
        return f"{self.total:.4f} = {start} {self.bias:.4f} + variance {self.variance:.4f}"


@dataclass(frozen=True)
class SquaredLossParts(_LossParts):
    """The parts of the expected squared loss: they add up to it.

    Attributes
    ----------
    noise : float or None
        The irreducible error (the lecture's noise²); None if it is not known and stays in the bias.
    bias : float
        How far the mean prediction is from the best one (bias²); with the noise if that is not known. An
        unbiased estimate, which may fall below 0 by chance where the bias is small.
    variance : float
        How far predictions scatter about their mean from one training set to another.
    total : float
        The expected loss: the sum.
    """

    def __str__(self) -> str:
        return f"squared loss {self._sum()}"


@dataclass(frozen=True)
class ZeroOneLossParts(_LossParts):
    r"""The parts of the expected 0-1 loss by Kohavi and Wolpert (1996): they add up to it.

    With the true probabilities :math:`p_c` of the classes of a row and the shares :math:`q_c` of training
    sets that lead to each class as prediction,

    .. math::
        \tfrac{1}{2}\Bigl(1 - \sum_c p_c^2\Bigr) + \tfrac{1}{2} \sum_c (p_c - q_c)^2
        + \tfrac{1}{2}\Bigl(1 - \sum_c q_c^2\Bigr)

    Attributes
    ----------
    noise : float or None
        The first sum; None if the probabilities are not known and it stays in the bias.
    bias : float
        The second sum (bias²); with the noise if that is not known. An unbiased estimate, which may fall
        below 0 by chance where the bias is small.
    variance : float
        The third sum: half the rate at which models of two disjoint training sets disagree.
    total : float
        The expected error rate: the sum.
    """

    def __str__(self) -> str:
        return f"error rate {self._sum()}"


@dataclass(frozen=True)
class MainPredictionParts(Recorded):
    """The parts of the expected error by Domingos (2000): noise, bias and net variance add up to it.

    Attributes
    ----------
    noise : float or None
        What noise adds to the error; None if it is not known and stays in the bias. It is less than the error
        of the best classifier where predictions are unsure, for noise then also turns errors into hits.
    bias : float
        The share of rows whose main prediction, the one most training sets lead to, is not the best class.
    variance : float
        How often a prediction is not the main one.
    unbiased_variance, biased_variance : float
        The part of it on rows with the right main prediction, where it does harm, and the part on others that
        leads to the best class, where it does good.
    net_variance : float
        The difference of the two: what variance adds to the error.
    total : float
        The expected error: the sum of noise, bias and net variance.
    """

    noise: float | None
    bias: float
    variance: float
    unbiased_variance: float
    biased_variance: float
    net_variance: float
    total: float

    def __str__(self) -> str:
        start = f"noise {self.noise:.4f} + bias" if self.noise is not None else "bias and noise"
        return (
            f"error rate {self.total:.4f} = {start} {self.bias:.4f} + net variance {self.net_variance:+.4f} "
            f"({self.unbiased_variance:.4f} harmful - {self.biased_variance:.4f} helpful; main prediction)"
        )
