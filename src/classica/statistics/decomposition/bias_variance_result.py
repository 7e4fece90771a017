"""Bias and variance of a learner, as numbers, in words and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from classica.recorded import Recorded
from classica.statistics.decomposition.loss_parts import (
    MainPredictionParts,
    SquaredLossParts,
    ZeroOneLossParts,
)
from classica.wording import points

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
            return f"{start}: there is nothing to lower."
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
        apart = [] if self.noise_known else ["Noise is not known and is counted with the bias."]
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
