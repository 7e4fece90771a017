"""Bias and variance of a learner, as numbers, in words and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from classica.recorded import Recorded
from classica.wording import points

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


@dataclass(frozen=True)
class BiasVariance(Recorded):
    """The parts of a learner's expected loss, at a stated number of training rows.

    Attributes
    ----------
    squared : SquaredLossParts
        Those of the squared loss: of probabilities for a classifier that has them, of labels as 0 and 1 for
        one that has none (both summed over classes, as in Brier's score), of numbers for a regressor.
    zero_one : ZeroOneLossParts or None
        Those of the error of labels, by Kohavi and Wolpert; None for a regressor.
    main_prediction : MainPredictionParts or None
        The same by Domingos; only where fresh tables could be generated, for the main prediction of few
        training sets, or of sets that share rows, is not that of the learner.
    training_size : int
        How many rows each training set has: bias and variance are those of models of so many rows.
    rows : int
        How many rows it was judged on.
    n_samples, partitions : int
        How many training sets there were, and in how many partitions; sets of one partition have no row in
        common.
    is_fresh : bool
        Whether each training set was generated afresh.
    noise_known : bool
        Whether noise is told apart from bias.
    """

    squared: SquaredLossParts
    zero_one: ZeroOneLossParts | None
    main_prediction: MainPredictionParts | None
    training_size: int
    rows: int
    n_samples: int
    partitions: int
    is_fresh: bool
    noise_known: bool

    @property
    def main(self) -> ZeroOneLossParts | SquaredLossParts:
        """The parts of the loss that counts first: the error rate of a classifier, the squared loss else."""
        return self.squared if self.zero_one is None else self.zero_one

    @property
    def origin(self) -> str:
        """Where the training sets came from, with their size, in a sentence."""
        source = f"{self.n_samples} freshly generated tables of {self.training_size:,} rows each"
        if not self.is_fresh:
            cuts = "1 partition" if self.partitions == 1 else f"each of {self.partitions} partitions"
            source = (
                f"{self.n_samples} training sets of {self.training_size:,} rows each, disjoint within {cuts}"
            )
        return f"Estimated from {source}, on {self.rows:,} held-out rows."

    @property
    def advice(self) -> str:
        """What lowers which part, in sentences; a more complex model only where bias is told from noise."""
        parts, shown = self.main, self._shown
        loss = "squared loss" if self.zero_one is None else "error rate"
        total = f"{parts.total:.4g}" if self.zero_one is None else f"{parts.total:.1%}"
        start = f"With {self.training_size:,} training rows the expected {loss} is {total}"
        if parts.total <= 0:
            return f"{start}: there is no error to reduce."
        start = (
            f"{start}. Variance accounts for {shown(parts.variance)}: more rows, a simpler or more "
            "regularised model, or averaging many models would lower it."
        )
        if parts.noise is None:
            return (
                f"{start} Bias and noise account for {shown(parts.bias)}, and one table cannot tell them "
                "apart: a more complex model helps only if the training error is high, too."
            )
        return (
            f"{start} Bias accounts for {shown(parts.bias)}: a more complex model or better columns would "
            f"lower it. Noise accounts for {shown(parts.noise)}, which no model can lower."
        )

    def _shown(self, part: float) -> str:
        """Return a part as people read it; an estimate below 0 is one of nothing."""
        return f"{max(part, 0.0):.4g}" if self.zero_one is None else points(max(part, 0.0))

    def __str__(self) -> str:
        parts = [self.zero_one, self.main_prediction, self.squared]
        apart = [] if self.noise_known else ["Noise is unknown and included in the bias."]
        return "\n".join(
            [*(str(part) for part in parts if part is not None), " ".join([self.origin, *apart])]
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the parts as bars.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays import BiasVarianceDisplay  # only for those who draw

        return BiasVarianceDisplay(self).plot(ax).ax_
