"""Diversity as text: the members, their pairs and the means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from classica.native import Floats
from classica.statistics.ensemble_diversity.majority import majority_accuracy
from classica.statistics.ensemble_diversity.pair_measures import MEASURES

if TYPE_CHECKING:
    from classica.statistics.ensemble_diversity.member_diversity import Diversity

_ALL_SHOWN = 15  # members
_AT_EACH_END = 5  # pairs, of more members
_LONGEST = 24  # letters of a name


def diversity_table(found: Diversity) -> str:
    """Return the result as a table for people."""
    names = [_short(name) for name in found.names]
    lines = [*_members(found, names)]
    if len(names) > 1:
        lines += ["", *_pairs(found, names)]
    return "\n".join([*lines, "", *_votes(found)])


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def _members(found: Diversity, names: list[str]) -> list[str]:
    right = found.accuracies
    told = f"{len(names):,} {'member' if len(names) == 1 else 'members'} on {found.rows:,} rows"
    if len(names) > _ALL_SHOWN:
        return [told, f"accuracy {right.min():.4f} to {right.max():.4f}, mean {right.mean():.4f}"]
    width = max(len(name) for name in [*names, "member"])
    told_each = [f"{name:<{width}}  {share:8.4f}" for name, share in zip(names, right, strict=True)]
    return [told, "", f"{'member':<{width}}  accuracy", *told_each]


def _pairs(found: Diversity, names: list[str]) -> list[str]:
    """Return the pairs by their overlap, those without one at the end, and the means."""
    first, second = np.triu_indices(len(names), k=1)
    overlaps = found.overlap[first, second]
    order = np.argsort(-overlaps, kind="stable")  # NaN goes last
    title = "pairs, the most alike first"
    if len(names) > _ALL_SHOWN:
        title = f"{title} ({len(order):,})"
        known = order[: np.count_nonzero(~np.isnan(overlaps))]
        order = np.concatenate([known[:_AT_EACH_END], known[_AT_EACH_END:][-_AT_EACH_END:]])
    labels = [f"{names[first[pair]]} · {names[second[pair]]}" for pair in order]
    cells = np.array([found.matrix(measure)[first[order], second[order]] for measure in MEASURES])
    width = max(len(label) for label in [*labels, title])
    lines = [_line(label, column, width) for label, column in zip(labels, cells.T, strict=True)]
    if len(names) > _ALL_SHOWN:
        lines.insert(_AT_EACH_END, "…")
    means = list(found.means().values())
    heads = "".join(f"  {name:>{_width(name)}}" for name in MEASURES.values())
    gaps = ["–: not defined, such as the overlap of two that make no error"]
    told = [f"{title:<{width}}{heads}", *lines, _line("mean of all pairs", means, width)]
    return told + gaps * bool(np.isnan([*cells.flat, *means]).any())


def _width(name: str) -> int:
    return max(len(name), 6)


def _line(label: str, cells: Sequence[float] | Floats, width: int) -> str:
    told = ["–" if np.isnan(cell) else f"{cell:.3f}" for cell in cells]
    columns = zip(told, MEASURES.values(), strict=True)
    return f"{label:<{width}}" + "".join(f"  {cell:>{_width(name)}}" for cell, name in columns)


def _votes(found: Diversity) -> list[str]:
    correlation = found.means()["correlation"]
    alone = majority_accuracy(found.accuracies)
    lines = [
        f"vote of all members                  {found.vote_accuracy:.4f}",
        f"over half right, if independent      {alone:.4f}",
    ]
    if correlation > 0:
        lines.append(f"over half right, if so correlated    {found.majority_accuracy():.4f}")
    return lines
