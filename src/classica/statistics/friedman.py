r"""Compare several models over several tables: Friedman's test and Nemenyi's critical difference.

.. math:: CD = q_\alpha \sqrt{\frac{k(k+1)}{6N}}

for k models on N tables (Demšar 2006), where :math:`q_\alpha` is the studentized range divided by √2.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from classica.errors import DataError, must
from classica.native import Floats
from classica.recorded import Recorded
from classica.statistics.fold_scores import check_between, read_models

#: Up to this many permutations of ranks, the p-value is exact.
_MOST_WAYS = 50_000


@dataclass(frozen=True)
class FriedmanNemenyi(Recorded):
    """Average ranks, with tests of whether and which of them differ.

    Attributes
    ----------
    ranks : dict from str to float
        The average rank of each model, the best (lowest) first; equal scores share a rank.
    statistic, p_chi2 : float
        Friedman's χ², with the usual correction for ties, and its p-value.
    f, p : float
        The F statistic of Iman and Davenport, which is less conservative, and its p-value: exact for few
        tables, otherwise by the F distribution.
    critical_difference : float
        Average ranks that are further apart than this differ significantly.
    groups : list of list of str
        The maximal sets of at least two models, adjacent in rank, that are not significantly different.
    pairs : dict from str to dict from str to float
        Nemenyi's p-value of every pair of models.
    tables : int
        Number of tables.
    alpha : float
        The significance level of the critical difference.
    """

    ranks: dict[str, float]
    statistic: float
    p_chi2: float
    f: float
    p: float
    critical_difference: float
    groups: list[list[str]]
    pairs: dict[str, dict[str, float]]
    tables: int
    alpha: float

    def __str__(self) -> str:
        shown = ", ".join(f"{name} {rank:.2f}" for name, rank in self.ranks.items())
        verdict = "differ" if self.p <= self.alpha else "are not significantly different"
        groups = "; ".join(" = ".join(group) for group in self.groups) or "none"
        return (
            f"Average ranks over {self.tables} tables: {shown}. The models {verdict} (p = {self.p:.3g}); "
            f"critical difference {self.critical_difference:.3f}; not significantly different: {groups}."
        )


def friedman_nemenyi(
    scores: Mapping[str, Any], *, alpha: float = 0.05, higher_is_better: bool = True
) -> FriedmanNemenyi:
    """Compare models over several tables by their ranks.

    Parameters
    ----------
    scores : dict from str to array-like of shape (n_tables,)
        The score of each model on each table, such as its mean over folds. NaN where it failed; failed
        models share the last ranks of a table.
    alpha : float, default=0.05
        The significance level of the critical difference.
    higher_is_better : bool, default=True
        Whether higher scores are better.

    Returns
    -------
    FriedmanNemenyi

    Examples
    --------
    >>> found = friedman_nemenyi(
    ...     {"a": [0.9, 0.8, 0.7, 0.9], "b": [0.8, 0.7, 0.6, 0.8], "c": [0.7, 0.6, 0.5, 0.9]}
    ... )
    >>> found.ranks, round(found.critical_difference, 4)
    ({'a': 1.125, 'b': 2.25, 'c': 2.625}, 1.6572)
    """
    check_between("alpha", alpha)
    read = read_models(scores)
    values = np.array(list(read.values()))
    models, tables = values.shape
    if models < 2:
        raise DataError(must("scores", "of at least 2 models", models))
    if tables < 2:
        raise DataError(must("scores", "of at least 2 tables", tables))
    placed = _ranks(values if higher_is_better else -values)
    means = dict(sorted(zip(read, placed.mean(axis=1).tolist(), strict=True), key=lambda pair: pair[1]))
    chi2 = _friedman(placed)
    rest = tables * (models - 1) - chi2
    f = (tables - 1) * chi2 / rest if rest > 1e-12 * tables else math.inf
    exact = _exact_p(placed)
    unit = math.sqrt(models * (models + 1) / (6 * tables))
    difference = float(stats.studentized_range.ppf(1 - alpha, models, np.inf)) / math.sqrt(2) * unit
    return FriedmanNemenyi(
        ranks=means,
        statistic=chi2,
        p_chi2=float(stats.chi2.sf(chi2, models - 1)),
        f=f,
        p=float(stats.f.sf(f, models - 1, (models - 1) * (tables - 1))) if exact is None else exact,
        critical_difference=difference,
        groups=_groups(means, difference),
        pairs=_pairs(means, unit),
        tables=tables,
        alpha=float(alpha),
    )


def _ranks(good: Floats) -> Floats:
    """Return the rank of each model (row) on each table: 1 for the best, failed models last."""
    ranks: Floats = stats.rankdata(np.where(np.isnan(good), np.inf, -good), axis=0)
    return ranks


def _friedman(placed: Floats) -> float:
    """Return Friedman's χ²: the spread of the mean ranks relative to that of the ranks within tables."""
    models, tables = placed.shape
    spread = float(np.sum((placed - (models + 1) / 2) ** 2))
    between = tables**2 * float(np.sum((placed.mean(axis=1) - (models + 1) / 2) ** 2))
    return (models - 1) * between / spread if spread else 0.0  # no spread: all models equal on all tables


def _exact_p(placed: Floats) -> float | None:
    """Return the exact permutation p-value; None if there are too many permutations.

    If two or three tables agree, F is infinite and its p-value 0, although so few tables often agree by
    chance.
    """
    models, tables = placed.shape
    if math.factorial(models) ** (tables - 1) > _MOST_WAYS:
        return None
    # F and χ² depend on the squared rank sums only, so the ranks of the first table can be kept fixed.
    sums = placed[:, :1].T
    for table in placed.T[1:]:
        ways = np.array(list(itertools.permutations(table)))
        sums = (sums[:, None, :] + ways).reshape(-1, models)
    return float(np.mean(np.sum(sums**2, axis=1) >= np.sum(placed.sum(axis=1) ** 2) - 1e-9))


def _groups(ranks: dict[str, float], difference: float) -> list[list[str]]:
    names, positions = list(ranks), np.array(list(ranks.values()))
    groups: list[list[str]] = []
    end = 0
    for start in range(len(names)):
        last = int(np.searchsorted(positions, positions[start] + difference, side="right"))
        if last > max(end, start + 1):  # otherwise it is part of the group before
            groups.append(names[start:last])
            end = last
    return groups


def _pairs(ranks: dict[str, float], unit: float) -> dict[str, dict[str, float]]:
    positions = np.array(list(ranks.values()))
    apart = np.abs(positions[:, None] - positions) / unit * math.sqrt(2)
    p = stats.studentized_range.sf(apart, len(positions), np.inf)
    return {
        name: dict(zip(ranks, np.clip(row, 0.0, 1.0).tolist(), strict=True))
        for name, row in zip(ranks, p, strict=True)
    }
