r"""How good is the best of many, really? The score of a selection, corrected for having been selected.

Of many configurations that are equally good the luckiest comes first, and its mean flatters. Every row was
predicted once by a model that was not trained on it. The selection is repeated on bootstrap samples of these
rows and judged on the rows that are not in the sample (Tsamardinos, Greasidou and Borboudakis 2018: bootstrap
bias-corrected cross-validation): no model is fitted again.

Configurations that left a race early were selected against on the rows they have predicted, and a correction
that sees the survivors alone misses that: on request their losses on the other rows are imputed, as those of
the best survivor and a difference drawn from the rows both have predicted.

What the selection costs is the mean difference, on the rows outside, between what a sample selects and what
all rows select: where every sample selects the same there is no correction, and no noise of the samples.
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

#: Numbers a block of bootstrap weights may have, so that memory does not grow with the table: four arrays of
#: 16 MB are alive at a time.
_BLOCK = 2_000_000


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
        The configuration that the rule selects on all rows.
    optimism : float
        By how much the mean loss of the chosen one flatters.
    confidence : float
        The level of the intervals.
    rows : int
        How many rows it was judged on.
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
    """Return the loss of what is selected from some configurations, corrected for the selection.

    Parameters
    ----------
    losses : array-like of shape (n_rows, n_configurations)
        The loss of each configuration on every row, held out. Put the simplest first: of equal means the
        first is selected. Rows that a configuration has not predicted (NaN) are left out for all, unless
        `impute` is True.
    baseline : array-like of shape (n_rows,), optional
        The loss of the baseline on the same rows.
    rule : {"best", "simplest"}, default="best"
        Select the configuration with the least mean loss, or the simplest model whose best configuration is
        at most `margin` worse than that, with at least this `probability`.
    groups : array-like of int of shape (n_configurations,), optional
        For the rule "simplest": the number of each configuration's model, the simplest model first.
    margin : float, default=0.0
        For the rule "simplest": up to what difference two models are practically the same.
    probability : float, default=0.5
        For the rule "simplest": how probably a model must be practically as good, by `row_test` without
        halves.
    impute : bool, default=False
        Impute the losses of configurations that left a race early on the rows that the others have
        predicted. They take part in the selections that are repeated, but are never the chosen one.
    clusters : array-like of shape (n_rows,), optional
        What rows belong to (a patient, a day) where rows of the same one are alike: samples are then drawn of
        clusters, not of rows.
    confidence : float, default=0.95
        The level of the intervals.
    samples : int, default=500
        How many bootstrap samples.
    random_state : int, default=0
        Random seed.

    Returns
    -------
    SelectedLoss

    Notes
    -----
    Where losses are 0 or 1, the interval is at least that of Clopper and Pearson: no error among 100 rows
    leaves an error rate of up to 3.6% possible, which no resampling of zeros shows.

    Examples
    --------
    Fifty coins are thrown a hundred times; the luckiest is not better than the others:

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
    """Return for each group of configurations the loss of its best one, corrected for the selection.

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
        In the order of the groups' numbers; `chosen` counts all configurations.
    """
    check_between("confidence", confidence)
    numbers = np.asarray(groups)
    table = read_losses(losses, None, numbers, clusters, impute=True, random_state=random_state)
    rules = [best_of(np.flatnonzero(numbers == each)) for each in np.unique(numbers)]
    return _judge(table, rules, confidence, samples, random_state)


def _judge(
    table: LossTable, rules: Sequence[Select], confidence: float, samples: int, random_state: int
) -> list[SelectedLoss]:
    """Return the loss of what each rule selects."""
    whole = np.ones((1, table.units))
    means, floor = table.means(whole)
    chosen = [int(rule(whole, np.where(table.complete, means, np.inf))[0]) for rule in rules]
    with one_blas_thread():  # threads that wait for a busy core take ten times as long
        judged, kept, floors = _out_of_bag(table, rules, chosen, samples, random_state)
    found = []
    for number, place in enumerate(chosen):
        # No selection makes what it delivers better than it was on all rows.
        optimism = max(0.0, float(np.mean(judged[:, number] - kept[:, number])))
        mean = float(means[0, place]) + optimism
        drawn = judged[:, number] + (mean - judged[:, number].mean())
        low, high = _ends(drawn, mean, confidence, table.units)
        if table.is_share[place]:
            least, most = _binomial_ends(mean, table.units, confidence)
            low, high = max(min(low, least), 0.0), min(max(high, most), 1.0)
        gain = float(floor[0]) - mean  # NaN without a baseline
        gains = floors - judged[:, number]
        ends = _ends(gains + (gain - gains.mean()), gain, confidence, table.units)
        found.append(SelectedLoss(mean, low, high, gain, *ends, place, optimism, confidence, table.rows))
    return found


def _ends(drawn: Floats, mean: float, confidence: float, rows: int) -> tuple[float, float]:
    """Return the ends of an interval from its bootstrap samples, wider where a few rows know their spread."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    wider = float(error_law(rows).isf(tail) / stats.norm.isf(tail))
    return float(mean + wider * (low - mean)), float(mean + wider * (high - mean))


def _binomial_ends(mean: float, rows: int, confidence: float) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson for a share of rows."""
    errors, tail = min(max(mean, 0.0), 1.0) * rows, (1 - confidence) / 2
    low = float(stats.beta.ppf(tail, errors, rows - errors + 1)) if errors > 0 else 0.0
    high = float(stats.beta.isf(tail, errors + 1, rows - errors)) if errors < rows else 1.0
    return low, high


def _out_of_bag(
    table: LossTable, rules: Sequence[Select], chosen: Sequence[int], samples: int, random_state: int
) -> tuple[Floats, Floats, Floats]:
    """Return losses on the rows outside each sample: of what it selects, of the chosen, of the baseline."""
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
    """Yield how often each row is in each sample, some samples at a time."""
    generator = np.random.default_rng(random_state)
    block = max(1, _BLOCK // rows)
    for start in range(0, samples, block):
        count = min(block, samples - start)
        drawn = generator.integers(0, rows, (count, rows))
        drawn += rows * np.arange(count)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=count * rows).reshape(count, rows)
        some = weights[(weights == 0).any(axis=1)]  # a sample of a few rows may have them all
        if len(some):
            yield some.astype(np.float64)
