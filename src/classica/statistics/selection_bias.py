r"""Estimate the score of the best of many configurations, corrected for selection bias.

Of many equally good configurations the luckiest comes first, and its mean is optimistic. Every row was
predicted once by a model that was not trained on it. The selection is repeated on bootstrap samples of these
rows and evaluated on the rows outside the sample (bootstrap bias-corrected cross-validation; Tsamardinos,
Greasidou and Borboudakis 2018), so that no model has to be refitted.

Configurations that were eliminated from a race were also part of the selection, which a correction based on
the survivors alone would miss. Optionally, their losses on the remaining rows are imputed: those of the best
survivor plus a difference drawn from the rows that both have predicted.

The selection bias is the mean difference, on the rows outside the sample, between what the sample selects and
what all rows select: if every sample selects the same configuration, there is no correction and no sampling
noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.recorded import Recorded
from classica.statistics.fold_scores import check_between
from classica.statistics.loss_table import LossTable, read_losses
from classica.statistics.row_differences import error_law
from classica.statistics.selection_rules import Select, best_of, simplest
from classica.statistics.standing import AS_GOOD
from classica.threads import one_blas_thread

#: Size of a block of bootstrap weights, so that memory does not grow with the table: four arrays of
#: 16 MB are alive at a time.
_BLOCK = 2_000_000


@dataclass(frozen=True)
class SelectedLoss(Recorded):
    """The expected loss of the configuration that a selection rule delivers.

    Attributes
    ----------
    mean : float
        The mean loss on rows that were not used for the selection.
    low, high : float
        Its confidence interval.
    gain : float
        The improvement over the baseline on the same rows; NaN without a baseline.
    gain_low, gain_high : float
        The confidence interval of the gain.
    chosen : int
        The configuration that the rule selects on all rows.
    optimism : float
        The optimism of the mean loss of the chosen configuration.
    confidence : float
        The confidence level of the intervals.
    rows : int
        Number of rows.
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
    rows: int


def selected_loss(
    losses: Any,
    baseline: Any = None,
    *,
    rule: str = "best",
    groups: Any = None,
    margin: float = 0.0,
    probability: float = AS_GOOD,
    impute: bool = False,
    clusters: Any = None,
    confidence: float = 0.95,
    samples: int = 500,
    random_state: int = 0,
) -> SelectedLoss:
    """Estimate the loss of a selected configuration, corrected for selection bias.

    Parameters
    ----------
    losses : array-like of shape (n_rows, n_configurations)
        The loss of each configuration on every held-out row. List the simplest first: of equal means the
        first is selected. Rows that some configuration has not predicted (NaN) are left out, unless `impute`
        is True.
    baseline : array-like of shape (n_rows,), optional
        The loss of the baseline on the same rows.
    rule : {"best", "simplest"}, default="best"
        Select the configuration with the lowest mean loss, or the simplest model whose best configuration is
        at most `margin` worse than that, with at least this `probability`.
    groups : array-like of int of shape (n_configurations,), optional
        For the rule "simplest": the number of each configuration's model, the simplest model first.
    margin : float, default=0.0
        For the rule "simplest": the margin within which two models are practically equivalent.
    probability : float, default=0.5
        For the rule "simplest": the least probability of practical equivalence, by `row_test` without halves.
    impute : bool, default=False
        Impute the losses of eliminated configurations on the rows that the others have predicted. They take
        part in the repeated selections, but are never chosen in the end.
    clusters : array-like of shape (n_rows,), optional
        The cluster of each row (a patient, a day) if rows of a cluster are dependent: clusters instead of
        rows are then resampled.
    confidence : float, default=0.95
        The confidence level of the intervals.
    samples : int, default=500
        Number of bootstrap samples.
    random_state : int, default=0
        Random seed.

    Returns
    -------
    SelectedLoss

    Notes
    -----
    For 0-1 losses, the interval is at least as wide as that of Clopper and Pearson: with no error in 100
    rows, an error rate of up to 3.6% is possible, which resampling zeros would not show.

    Examples
    --------
    Fifty coins are tossed a hundred times; the luckiest is no better than the others:

    >>> import numpy as np
    >>> coins = np.random.default_rng(2).integers(0, 2, (100, 50))
    >>> found = selected_loss(coins)
    >>> float(coins.mean(axis=0).min()), round(found.mean, 2)
    (0.41, 0.55)
    """
    check_between("confidence", confidence)
    check_between("probability", probability)
    if rule not in ("best", "simplest"):
        raise ParameterError(must("rule", "'best' or 'simplest'", rule))
    table = read_losses(losses, baseline, groups, clusters, impute=impute, random_state=random_state)
    if rule == "best":
        select = best_of(np.arange(table.sums.shape[1]))
    elif table.groups is None:
        raise DataError(must("groups", "given for the rule 'simplest'", None))
    else:
        select = simplest(table.sums, table.sizes, table.groups, margin, probability)
    return _judge(table, [select], confidence, samples, random_state)[0]


def selected_by_group(
    losses: Any,
    groups: Any,
    *,
    clusters: Any = None,
    confidence: float = 0.95,
    samples: int = 500,
    random_state: int = 0,
) -> list[SelectedLoss]:
    """Estimate the loss of the best configuration of each group, corrected for selection bias.

    The groups share the bootstrap samples, so that many models cost little more than one.

    Parameters
    ----------
    losses, clusters, confidence, samples, random_state
        As in `selected_loss`; missing losses are imputed.
    groups : array-like of int of shape (n_configurations,)
        The group of each configuration.

    Returns
    -------
    list of SelectedLoss
        In the order of the groups; `chosen` is an index into all configurations.
    """
    check_between("confidence", confidence)
    numbers = np.asarray(groups)
    table = read_losses(losses, None, numbers, clusters, impute=True, random_state=random_state)
    rules = [best_of(np.flatnonzero(numbers == each)) for each in np.unique(numbers)]
    return _judge(table, rules, confidence, samples, random_state)


def _judge(
    table: LossTable, rules: Sequence[Select], confidence: float, samples: int, random_state: int
) -> list[SelectedLoss]:
    """Return the corrected loss of each rule's selection."""
    whole = np.ones((1, table.units))
    means, floor = table.means(whole)
    chosen = [int(rule(whole, np.where(table.complete, means, np.inf))[0]) for rule in rules]
    with one_blas_thread():  # with more threads than free cores it takes ten times as long
        judged, kept, floors = _out_of_bag(table, rules, chosen, samples, random_state)
    results = []
    for number, index in enumerate(chosen):
        # The correction never lowers the loss.
        optimism = max(0.0, float(np.mean(judged[:, number] - kept[:, number])))
        mean = float(means[0, index]) + optimism
        drawn = judged[:, number] + (mean - judged[:, number].mean())
        low, high = _ends(drawn, mean, confidence, table.units)
        if table.is_share[index]:
            least, most = _binomial_ends(mean, table.units, confidence)
            low, high = max(min(low, least), 0.0), min(max(high, most), 1.0)
        gain = float(floor[0]) - mean  # NaN without a baseline
        gains = floors - judged[:, number]
        ends = _ends(gains + (gain - gains.mean()), gain, confidence, table.units)
        results.append(SelectedLoss(mean, low, high, gain, *ends, index, optimism, confidence, table.rows))
    return results


def _ends(drawn: Floats, mean: float, confidence: float, rows: int) -> tuple[float, float]:
    """Return the interval from bootstrap samples, widened for few rows."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    wider = float(error_law(rows).isf(tail) / stats.norm.isf(tail))
    return float(mean + wider * (low - mean)), float(mean + wider * (high - mean))


def _binomial_ends(mean: float, rows: int, confidence: float) -> tuple[float, float]:
    """Return the Clopper–Pearson interval of a proportion of rows."""
    errors, tail = min(max(mean, 0.0), 1.0) * rows, (1 - confidence) / 2
    low = float(stats.beta.ppf(tail, errors, rows - errors + 1)) if errors > 0 else 0.0
    high = float(stats.beta.isf(tail, errors + 1, rows - errors)) if errors < rows else 1.0
    return low, high


def _out_of_bag(
    table: LossTable, rules: Sequence[Select], chosen: Sequence[int], samples: int, random_state: int
) -> tuple[Floats, Floats, Floats]:
    """Return the losses outside each sample: of its selection, the chosen one and the baseline."""
    judged, kept, floors = [], [], []
    for weights in _bootstrap_weights(table.units, samples, random_state):
        means, _ = table.means(weights)
        losses, floor = table.means((weights == 0).astype(np.float64))
        every = np.arange(len(weights))
        judged.append(np.column_stack([losses[every, rule(weights, means)] for rule in rules]))
        kept.append(losses[:, list(chosen)])
        floors.append(floor)
    return np.concatenate(judged), np.concatenate(kept), np.concatenate(floors)


def _bootstrap_weights(rows: int, samples: int, random_state: int) -> Iterator[Floats]:
    """Yield how often each row occurs in each sample, a block of samples at a time."""
    generator = np.random.default_rng(random_state)
    block = max(1, _BLOCK // rows)
    for start in range(0, samples, block):
        count = min(block, samples - start)
        drawn = generator.integers(0, rows, (count, rows))
        drawn += rows * np.arange(count)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=count * rows).reshape(count, rows)
        some = weights[(weights == 0).any(axis=1)]  # a sample of few rows may contain all of them
        if len(some):
            yield some.astype(np.float64)
