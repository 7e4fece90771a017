"""What the expected loss of a learner is made of."""

from __future__ import annotations

from dataclasses import dataclass

from classica.evaluation.recorded import Recorded


@dataclass(frozen=True)
class SquaredLossParts(Recorded):
    """The parts of the expected squared loss: they add up to it.

    Attributes
    ----------
    noise : float or None
        What nobody can predict (the lecture's noise²); None if it is not known and stays in the bias.
    bias : float
        How far the mean prediction is from the best one (bias²); with the noise if that is not known.
    variance : float
        How far predictions scatter about their mean from one training set to another.
    total : float
        The expected loss: the sum.
    """

    noise: float | None
    bias: float
    variance: float
    total: float

    def __str__(self) -> str:
        start = f"noise² {self.noise:.4f} + bias²" if self.noise is not None else "noise² and bias²"
        return f"squared loss {self.total:.4f} = {start} {self.bias:.4f} + variance {self.variance:.4f}"


@dataclass(frozen=True)
class ZeroOneLossParts(Recorded):
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
        start = f"noise {self.noise:.4f} + bias" if self.noise is not None else "noise and bias"
        return (
            f"error {self.total:.4f} = {start} {self.bias:.4f} + net variance {self.net_variance:+.4f} "
            f"({self.unbiased_variance:.4f} harmful - {self.biased_variance:.4f} helpful)"
        )
