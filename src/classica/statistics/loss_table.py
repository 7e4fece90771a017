"""Losses of configurations on common rows, arranged for bootstrap sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import VectorLike
from classica.errors import DataError, must
from classica.native import Floats

_Flags = NDArray[np.bool_]
_Numbers = NDArray[np.intp]


@dataclass(frozen=True)
class LossTable:
    """Losses by sampling unit: a row, or a cluster of rows that are drawn together.

    Attributes
    ----------
    sums : ndarray of shape (n_units, n_configurations)
        The sum of the losses of each unit's rows.
    floor : ndarray of shape (n_units,)
        The same for the baseline; NaN without one.
    sizes : ndarray of shape (n_units,)
        Number of rows of each unit.
    complete : ndarray of bool of shape (n_configurations,)
        Which configurations have predicted all rows, without imputation.
    is_share : ndarray of bool of shape (n_configurations,)
        Which configurations have 0-1 losses, whose mean is a proportion.
    groups : ndarray of int of shape (n_configurations,) or None
        The group of each configuration.
    """

    sums: Floats
    floor: Floats
    sizes: Floats
    complete: _Flags
    is_share: _Flags
    groups: _Numbers | None

    @property
    def units(self) -> int:
        """Number of units."""
        return len(self.sizes)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.sizes.sum())

    def means(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the mean losses of configurations and baseline for each weighting of the units."""
        rows = weights @ self.sizes
        return (weights @ self.sums) / rows[:, None], (weights @ self.floor) / rows


def read_losses(
    losses: Any, baseline: Any, groups: Any, clusters: Any, *, impute: bool, random_state: int
) -> LossTable:
    """Return losses on the rows that all configurations have predicted.

    With `impute`, use the rows that the configurations with the most rows have predicted; missing losses of
    the others are imputed.

    Parameters
    ----------
    losses, baseline, groups, clusters, impute, random_state
        As `classica.statistics.selection_bias.selected_loss` takes them.

    Returns
    -------
    LossTable
    """
    table, floor, seen = _checked(losses, baseline, impute)
    numbers = None if groups is None else _read_groups(groups, table.shape[1])
    table, floor = table[seen], floor[seen]
    complete = np.asarray(~np.isnan(table).any(axis=0), dtype=np.bool_)
    if not complete.all():
        table = _imputed(table, complete, numbers, random_state)
    is_share = np.asarray(((table == 0) | (table == 1)).all(axis=0), dtype=np.bool_)
    if clusters is None:
        return LossTable(table, floor, np.ones(len(table)), complete, is_share, numbers)
    codes = np.unique(np.asarray(clusters)[seen], return_inverse=True)[1]
    sums = np.zeros((int(codes.max()) + 1, table.shape[1]))
    np.add.at(sums, codes, table)
    floors, sizes = (np.bincount(codes, each).astype(np.float64) for each in (floor, np.ones(len(codes))))
    return LossTable(sums, floors, sizes, complete, is_share, numbers)


def _checked(losses: VectorLike, baseline: VectorLike | None, impute: bool) -> tuple[Floats, Floats, _Flags]:
    """Return the losses, those of the baseline, and a mask of the rows to use."""
    table = np.asarray(losses, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    rule = "a finite number for every row and configuration, on at least two rows that all have predicted"
    if table.ndim != 2 or not table.shape[1] or np.isinf(table).any():
        raise DataError(must("losses", rule, table.shape))
    floor = np.zeros(len(table)) if baseline is None else np.asarray(baseline, dtype=np.float64).reshape(-1)
    if len(floor) != len(table) or np.isinf(floor).any():
        raise DataError(must("baseline", f"{len(table)} finite numbers, one for each row", floor.shape))
    predicted = ~np.isnan(table)
    counts = predicted.sum(axis=0)
    counted = counts == counts.max() if impute else np.ones(table.shape[1], dtype=np.bool_)
    seen: _Flags = predicted[:, counted].all(axis=1) & ~np.isnan(floor)
    if seen.sum() < 2:
        raise DataError(must("losses", rule, table.shape))
    return table, np.full(len(table), np.nan) if baseline is None else floor, seen


def _imputed(table: Floats, complete: _Flags, groups: _Numbers | None, random_state: int) -> Floats:
    """Return the losses with missing ones imputed.

    The loss of an eliminated configuration on a row is that of the best in its group (or overall) plus a
    difference drawn from the rows that both have predicted; on average it is no better than the best.
    """
    generator = np.random.default_rng([1, random_state])
    filled = table.copy()
    means = np.where(complete, table.mean(axis=0), np.inf)
    for index in np.flatnonzero(~complete):
        own = means if groups is None else np.where(groups == groups[index], means, np.inf)
        best = int(np.argmin(own if np.isfinite(own).any() else means))
        missing = np.isnan(table[:, index])
        seen = table[~missing, index] - table[~missing, best]
        drawn = generator.choice(seen - min(0.0, seen.mean()), int(missing.sum())) if len(seen) else 0.0
        filled[missing, index] = table[missing, best] + drawn
    return filled


def _read_groups(groups: VectorLike, configurations: int) -> _Numbers:
    numbers = np.asarray(groups)
    if numbers.shape != (configurations,) or not np.issubdtype(numbers.dtype, np.integer):
        rule = f"{configurations} whole numbers, one for each configuration"
        raise DataError(must("groups", rule, numbers.shape or groups))
    return numbers.astype(np.intp)
