"""The result of a bias–variance decomposition: numbers, text and plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from classica.recorded import Recorded
from classica.wording import points

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class _LossParts(Recorded):
    """Noise, bias² and variance, whose sum is the expected loss."""

    noise: float | None
    bias: float
    variance: float
    total: float

    def _sum(self) -> str:
        start = f"noise {self.noise:.4f} + bias²" if self.noise is not None else "bias² and noise"
        return f"{self.total:.4f} = {start} {self.bias:.4f} + variance {self.variance:.4f}"


@dataclass(frozen=True)
class SquaredLossParts(_LossParts):
    """The components of the expected squared loss.

    Attributes
    ----------
    noise : float or None
        The irreducible error (the lecture's noise²); None if it is unknown and included in the bias.
    bias : float
        The squared distance of the mean prediction from the best one (bias²), including the noise if that is
        unknown. The estimate is unbiased, so it may be negative by chance where the bias is small.
    variance : float
        The variance of the predictions over training sets.
    total : float
        The expected loss, the sum of the components.
    """

    def __str__(self) -> str:
        return f"squared loss {self._sum()}"


@dataclass(frozen=True)
class ZeroOneLossParts(_LossParts):
    r"""The components of the expected 0-1 loss by Kohavi and Wolpert (1996).

    With the true probabilities :math:`p_c` of the classes of a row and the shares :math:`q_c` of training
    sets that lead to each class as prediction,

    .. math::
        \tfrac{1}{2}\Bigl(1 - \sum_c p_c^2\Bigr) + \tfrac{1}{2} \sum_c (p_c - q_c)^2
        + \tfrac{1}{2}\Bigl(1 - \sum_c q_c^2\Bigr)

    Attributes
    ----------
    noise : float or None
        The first term; None if the probabilities are unknown and it is included in the bias.
    bias : float
        The second term (bias²), including the noise if that is unknown. The estimate is unbiased, so it may
        be negative by chance where the bias is small.
    variance : float
        The third term: half the rate at which models of two disjoint training sets disagree.
    total : float
        The expected error rate, the sum of the terms.
    """

    def __str__(self) -> str:
        return f"error rate {self._sum()}"


@dataclass(frozen=True)
class MainPredictionParts(Recorded):
    """The components of the expected error by Domingos (2000): noise, bias and net variance.

    Attributes
    ----------
    noise : float or None
        The contribution of noise to the error; None if it is unknown and included in the bias. It is less
        than the Bayes error where predictions vary, because noise then also turns errors into correct
        predictions.
    bias : float
        The share of rows whose main prediction (the most frequent over training sets) is not the best class.
    variance : float
        How often a prediction differs from the main one.
    unbiased_variance, biased_variance : float
        The variance on rows whose main prediction is the best class, which increases the error, and on the
        other rows the part that leads to the best class, which decreases it.
    net_variance : float
        Their difference: the contribution of variance to the error.
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
    """The components of the expected loss for a given number of training rows.

    Attributes
    ----------
    squared : SquaredLossParts
        The components of the squared loss: of the probabilities of a classifier, or of its one-hot encoded
        labels if it has no probabilities (both summed over classes, as in the Brier score); of the numbers of
        a regressor.
    zero_one : ZeroOneLossParts or None
        The components of the error rate, by Kohavi and Wolpert; None for a regressor.
    main_prediction : MainPredictionParts or None
        The same by Domingos. Only for generated tables, because the main prediction cannot be estimated from
        few training sets or from sets that share rows.
    training_size : int
        Number of rows of each training set; bias and variance hold for models of that size.
    rows : int
        Number of test rows.
    n_samples, partitions : int
        Number of training sets, and of partitions; the sets of a partition are disjoint.
    is_fresh : bool
        Whether each training set was generated afresh.
    noise_known : bool
        Whether noise is separated from bias.
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
        """The components of the error rate for a classifier, of the squared loss for a regressor."""
        return self.squared if self.zero_one is None else self.zero_one

    @property
    def origin(self) -> str:
        """The origin and size of the training sets, as a sentence."""
        source = f"{self.n_samples} freshly generated tables of {self.training_size:,} rows each"
        if not self.is_fresh:
            cuts = "1 partition" if self.partitions == 1 else f"each of {self.partitions} partitions"
            source = (
                f"{self.n_samples} training sets of {self.training_size:,} rows each, disjoint within {cuts}"
            )
        return f"Estimated from {source}, on {self.rows:,} held-out rows."

    @property
    def advice(self) -> str:
        """What would lower each component; a more complex model only where the noise is known."""
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
        """Return a component as text; a negative estimate is shown as 0."""
        return f"{max(part, 0.0):.4g}" if self.zero_one is None else points(max(part, 0.0))

    def __str__(self) -> str:
        parts = [self.zero_one, self.main_prediction, self.squared]
        apart = [] if self.noise_known else ["Noise is unknown and included in the bias."]
        return "\n".join(
            [*(str(part) for part in parts if part is not None), " ".join([self.origin, *apart])]
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the components as bars.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes to draw on; by default a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays import BiasVarianceDisplay  # needed for plots only

        return BiasVarianceDisplay(self).plot(ax).ax_
