r"""Measures of similarity of two classifiers, from the rows that they classify correctly and wrongly.

Of N rows, :math:`N^{11}` are classified correctly by both, :math:`N^{00}` by neither, :math:`N^{10}` and
:math:`N^{01}` by the first or the second only (Kuncheva and Whitaker 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Codes, Floats
from classica.statistics.ensemble_diversity.majority import majority_accuracy

if TYPE_CHECKING:
    from classica.statistics.ensemble_diversity.member_diversity import Diversity


#: The measures in the order in which they are shown, with their titles.
MEASURES = {
    "overlap": "overlap",
    "disagreement": "disagreement",
    "q": "Q",
    "double_fault": "double fault",
    "kappa": "kappa",
    "correlation": "correlation",
}


def pair_measures(codes: Codes, truth: Codes, classes: int) -> dict[str, Floats]:
    """Return the matrix of each measure over all pairs of members.

    Parameters
    ----------
    codes : ndarray of shape (n_members, n_rows)
        The predictions of each member.
    truth : ndarray of shape (n_rows,)
        The true labels.
    classes : int
        Number of classes.
    """
    right = codes == truth
    rows = len(truth)
    # Integers so far: an undefined measure divides by exactly 0.
    both_right = np.array([np.count_nonzero(right & each, axis=1) for each in right])
    alone = both_right.diagonal()[:, None] - both_right
    one_right = alone + alone.T
    both_wrong = rows - both_right - one_right
    together, apart = _products(both_right, both_wrong), _products(alone, alone.T)
    return {
        "overlap": _ratio(both_wrong, both_wrong + one_right),
        "disagreement": one_right / rows,
        "q": _ratio(together - apart, together + apart),
        "double_fault": both_wrong / rows,
        "kappa": _kappa(codes, classes),
        "correlation": _ratio(together - apart, _spreads(both_right.diagonal(), rows)),
    }


def _kappa(codes: Codes, classes: int) -> Floats:
    """Return Cohen's kappa of every pair."""
    rows = codes.shape[1]
    same = np.array([np.count_nonzero(codes == each, axis=1) for each in codes])
    counts = np.array([np.bincount(each, minlength=classes) for each in codes], dtype=np.float64)
    by_chance = counts @ counts.T
    return _ratio(rows * same - by_chance, float(rows) ** 2 - by_chance)


def _spreads(right: NDArray[Any], rows: int) -> Floats:
    """Return the products of the standard deviations of correctness of all pairs, times rows squared."""
    variances = _products(right, rows - right)
    spreads: Floats = np.sqrt(np.outer(variances, variances))  # exact for equal ones
    return spreads


def _products(first: NDArray[Any], second: NDArray[Any]) -> Floats:
    products: Floats = first.astype(np.float64) * second
    return products


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Divide, with NaN where the denominator is 0."""
    ratio = np.full(part.shape, np.nan)
    np.divide(part, whole, out=ratio, where=whole != 0)
    return ratio


_ALL_SHOWN = 15  # members
_AT_EACH_END = 5  # pairs, of more members
_LONGEST = 24  # letters of a name


def diversity_table(result: Diversity) -> str:
    """Return the result as a text table."""
    names = [_short(name) for name in result.names]
    lines = [*_members(result, names)]
    if len(names) > 1:
        lines += ["", *_pairs(result, names)]
    return "\n".join([*lines, "", *_votes(result)])


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def _members(result: Diversity, names: list[str]) -> list[str]:
    right = result.accuracies
    heading = f"{len(names):,} {'member' if len(names) == 1 else 'members'} on {result.rows:,} rows"
    if len(names) > _ALL_SHOWN:
        return [heading, f"accuracy {right.min():.4f} to {right.max():.4f}, mean {right.mean():.4f}"]
    width = max(len(name) for name in [*names, "member"])
    member_lines = [f"{name:<{width}}  {share:8.4f}" for name, share in zip(names, right, strict=True)]
    return [heading, "", f"{'member':<{width}}  accuracy", *member_lines]


def _pairs(result: Diversity, names: list[str]) -> list[str]:
    """Return the pairs by descending overlap, undefined ones last, and the means."""
    first, second = np.triu_indices(len(names), k=1)
    overlaps = result.overlap[first, second]
    order = np.argsort(-overlaps, kind="stable")  # NaN goes last
    title = "pairs, most similar first"
    if len(names) > _ALL_SHOWN:
        title = f"{title} ({len(order):,})"
        defined = order[: np.count_nonzero(~np.isnan(overlaps))]
        order = np.concatenate([defined[:_AT_EACH_END], defined[_AT_EACH_END:][-_AT_EACH_END:]])
    labels = [f"{names[first[pair]]} · {names[second[pair]]}" for pair in order]
    cells = np.array([result.matrix(measure)[first[order], second[order]] for measure in MEASURES])
    width = max(len(label) for label in [*labels, title])
    lines = [_line(label, column, width) for label, column in zip(labels, cells.T, strict=True)]
    if len(names) > _ALL_SHOWN:
        lines.insert(_AT_EACH_END, "…")
    means = list(result.means().values())
    heads = "".join(f"  {name:>{_width(name)}}" for name in MEASURES.values())
    gaps = ["–: undefined, such as the overlap of two members without errors"]
    table = [f"{title:<{width}}{heads}", *lines, _line("mean of all pairs", means, width)]
    return table + gaps * bool(np.isnan([*cells.flat, *means]).any())


def _width(name: str) -> int:
    return max(len(name), 6)


def _line(label: str, cells: Sequence[float] | Floats, width: int) -> str:
    shown = ["–" if np.isnan(cell) else f"{cell:.3f}" for cell in cells]
    columns = zip(shown, MEASURES.values(), strict=True)
    return f"{label:<{width}}" + "".join(f"  {cell:>{_width(name)}}" for cell, name in columns)


def _votes(result: Diversity) -> list[str]:
    correlation = result.means()["correlation"]
    alone = majority_accuracy(result.accuracies)
    lines = [
        f"majority vote                        {result.vote_accuracy:.4f}",
        f"majority vote, if independent        {alone:.4f}",
    ]
    if correlation > 0:
        lines.append(f"majority vote, if so correlated      {result.majority_accuracy():.4f}")
    return lines
