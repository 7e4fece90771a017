r"""How good is the best of many, really? The score of a selection, corrected for having been selected.

Of many configurations that are equally good the luckiest comes first, and its mean flatters. Every row was
predicted once by a model that was not trained on it. The selection is repeated on bootstrap samples of these
rows and judged on the rows that are not in the sample (Tsamardinos, Greasidou and Borboudakis 2018: bootstrap
bias-corrected cross-validation): no model is fitted again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.errors import DataError, must
from classica.evaluation.recorded import Recorded
from classica.native import Floats

#: Numbers a block of bootstrap weights may have, so that memory does not grow with the table.
_BLOCK = 4_000_000


@dataclass(frozen=True)
class SelectedLoss(Recorded):
    """The expected loss of what a selection delivers.

    Attributes
    ----------
    mean : float
        The mean loss on rows that the selection has not seen.
    low, high : float
        The ends of its interval.
    gain : float
        By how much it is better than the baseline on the same rows; NaN without a baseline.
    gain_low, gain_high : float
        The ends of the interval of the gain.
    chosen : int
        The configuration with the least mean loss on all rows.
    optimism : float
        By how much the mean loss of the chosen one flatters.
    confidence : float
        The level of the intervals.
    """

    mean: float
    low: float
    high: float
    gain: float
    gain_low: float
    gain_high: float
    chosen: int
    optimism: float
    confidence: float


def selected_loss(
    losses: Any,
    baseline: Any = None,
    *,
    confidence: float = 0.95,
    samples: int = 500,
    random_state: int = 0,
) -> SelectedLoss:
    """Return the loss of the best of some configurations, corrected for the selection.

    Parameters
    ----------
    losses : array-like of shape (n_rows, n_configurations)
        The loss of each configuration on every row, held out. Put the simplest first: of equal means the
        first is selected.
    baseline : array-like of shape (n_rows,), optional
        The loss of the baseline on the same rows.
    confidence : float, default=0.95
        The level of the intervals.
    samples : int, default=500
        How many bootstrap samples.
    random_state : int, default=0
        Random seed.

    Returns
    -------
    SelectedLoss

    Examples
    --------
    Fifty coins are thrown a hundred times; the luckiest is not better than the others:

    >>> import numpy as np
    >>> coins = np.random.default_rng(2).integers(0, 2, (100, 50))
    >>> found = selected_loss(coins)
    >>> float(coins.mean(axis=0).min()), round(found.mean, 2)
    (0.41, 0.54)
    """
    table = _checked(losses)
    floor = np.full(len(table), np.nan) if baseline is None else _checked(baseline)[:, 0]
    judged, gains = _out_of_bag(table, floor, samples, random_state)
    chosen = int(np.argmin(np.round(table.mean(axis=0), 12)))
    mean, gain = float(judged.mean()), float(gains.mean())
    tail = (1 - confidence) / 2
    low, high = np.quantile(judged, [tail, 1 - tail])
    least, most = np.quantile(gains, [tail, 1 - tail])  # NaN without a baseline
    optimism = mean - float(table[:, chosen].mean())
    ends = float(low), float(high), gain, float(least), float(most)
    return SelectedLoss(mean, *ends, chosen, optimism, confidence)


def _checked(losses: Any) -> Floats:
    table = np.asarray(losses, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or len(table) < 2 or not table.shape[1] or not np.isfinite(table).all():
        raise DataError(must("losses", "a finite number for every row and configuration", table.shape))
    return table


def _out_of_bag(table: Floats, floor: Floats, samples: int, random_state: int) -> tuple[Floats, Floats]:
    """Return the loss of what each bootstrap sample selects, and its gain, on the rows that are not in it."""
    rows, generator = len(table), np.random.default_rng(random_state)
    judged, gains = [], []
    block = max(1, _BLOCK // rows)
    for start in range(0, samples, block):
        weights = generator.multinomial(rows, np.full(rows, 1 / rows), size=min(block, samples - start))
        weights = weights[(weights == 0).any(axis=1)]  # a sample of a few rows may have them all
        best = np.argmin(np.round(weights @ table / rows, 12), axis=1)
        left_out = (weights == 0) / (weights == 0).sum(axis=1, keepdims=True)
        judged.append((left_out @ table)[np.arange(len(best)), best])
        gains.append(left_out @ floor - judged[-1])
    return np.concatenate(judged), np.concatenate(gains)
