r"""The search for segments of a table in which a model errs more often, with a correction for the search.

Candidates are the levels of nominal columns, all runs of adjacent quantile intervals of numeric ones, and
missing values. For a segment of m of n rows with k of all K errors,

.. math:: z = \frac{k - m K / n}{\sqrt{m \frac{K}{n} \left(1 - \frac{K}{n}\right) \frac{n - m}{n - 1}}}

Among thousands of candidates some have a large z by chance. Their p-values are therefore those of the largest
z of all candidates when the errors are distributed over the rows at random (max-statistic permutation test of
Westfall and Young 1993): if errors have nothing to do with the columns, the probability of reporting any
segment is at most alpha.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import binomtest

from classica.arrays import MatrixLike, VectorLike
from classica.errors import DataError, must
from classica.inspection.error_segments import ErrorSegments, Segment
from classica.inspection.row_table import RowTable
from classica.native import Floats
from classica.statistics.fold_scores import check_between

#: Intervals of a numeric column; all runs of them are candidates.
_INTERVALS = 8
#: Rows of a segment at least, and as a share of all.
_FEWEST, _LEAST_SHARE = 10, 0.01
#: Levels of a column beyond which it names rows rather than kinds of them.
_MOST_LEVELS = 200
#: Random distributions of the errors: at most, at least, and the counts that all of them may take together.
_MOST_DRAWS, _FEWEST_DRAWS, _COUNTS = 999, 199, 2e8


@dataclass(frozen=True)
class _Bins:
    """A column cut into bins, and the runs of bins that are candidates."""

    column: str
    codes: NDArray[np.int32]
    bins: int
    runs: NDArray[np.intp]  # first and last bin of each candidate
    describe: Callable[[int, int], tuple[Any, float, float, bool]]  # level, low, high, whether it is missing


class _Candidates:
    """All candidates of all columns, counted together."""

    def __init__(self, columns: Sequence[_Bins]) -> None:
        self.columns = columns
        starts = np.concatenate([[0], np.cumsum([each.bins for each in columns])])
        self._codes = np.stack([each.codes + starts[place] for place, each in enumerate(columns)], axis=1)
        self.owners = np.concatenate([np.full(len(each.runs), place) for place, each in enumerate(columns)])
        self.runs = np.concatenate([each.runs for each in columns])
        shifted = self.runs + starts[self.owners][:, None]
        self._before, self._end, self._bins = shifted[:, 0], shifted[:, 1] + 1, int(starts[-1])
        self._rows = self._counted(np.arange(len(self._codes)))

    def _counted(self, rows: NDArray[np.intp]) -> Floats:
        """Return how many of some rows each candidate has."""
        counts = np.bincount(self._codes[rows].ravel(), minlength=self._bins)
        sums = np.concatenate([[0.0], np.cumsum(counts)])
        found: Floats = sums[self._end] - sums[self._before]
        return found

    def scores(self, errors: NDArray[np.intp]) -> Floats:
        """Return z of all candidates, given the rows of the errors."""
        total, share = len(self._codes), len(errors) / len(self._codes)
        spread = np.sqrt(self._rows * share * (1 - share) * (total - self._rows) / (total - 1))
        found: Floats = (self._counted(errors) - self._rows * share) / spread
        return found


def error_segments(
    X: MatrixLike,
    wrong: VectorLike,
    *,
    alpha: float = 0.05,
    most: int = 5,
    most_rows: int = 50_000,
    random_state: int = 0,
) -> ErrorSegments:
    """Find segments of a table in which more rows are misclassified than elsewhere.

    Parameters
    ----------
    X : array or frame
        The features of held-out rows.
    wrong : array-like of bool of shape (n_samples,)
        Which of them are misclassified.
    alpha : float, default=0.05
        The probability of reporting anything where errors have nothing to do with the columns.
    most : int, default=5
        The most segments to report. One that the columns of those before it explain is left out.
    most_rows : int, default=50000
        Rows that are searched; a random sample of more.
    random_state : int, default=0
        Random seed.

    Returns
    -------
    ErrorSegments

    Examples
    --------
    >>> import numpy as np
    >>> X = np.column_stack([np.arange(200), np.arange(200) % 7])
    >>> print(error_segments(X, X[:, 0] >= 175))
    x0 ≥ 175: 100.0% of 25 rows misclassified, elsewhere 0.0%
    """
    check_between("alpha", alpha)
    table, errors = RowTable.of(X), np.asarray(wrong)
    if errors.shape != (len(table),) or errors.dtype != bool:
        raise DataError(must("wrong", f"an array of {len(table)} Booleans, one for each row", wrong))
    random = np.random.default_rng(random_state)
    rows = len(table)
    if rows > most_rows:
        some = np.sort(random.choice(rows, most_rows, replace=False))
        table, errors = table.take(some), errors[some]
    columns = list(_binned(table))
    tried = sum(len(each.runs) for each in columns)
    draws = _draws(len(columns), int(errors.sum()), len(errors)) if tried else 0
    found: list[Segment] = []
    if tried and 0 < errors.sum() < len(errors):
        candidates = _Candidates(columns)
        largest = np.sort([candidates.scores(_drawn(errors, random)).max() for _ in range(draws)])
        found = _significant(candidates, errors, largest, alpha, most)
    return ErrorSegments(tuple(found), tried, rows, len(errors), float(errors.mean()), alpha, draws)


def _draws(columns: int, errors: int, rows: int) -> int:
    return int(np.clip(_COUNTS / max(columns * errors + rows, 1), _FEWEST_DRAWS, _MOST_DRAWS))


def _drawn(errors: NDArray[np.bool_], random: np.random.Generator) -> NDArray[np.intp]:
    """Return as many random rows as there are errors."""
    return random.choice(len(errors), int(errors.sum()), replace=False, shuffle=False)


def _binned(X: RowTable) -> Iterator[_Bins]:
    least = max(_FEWEST, math.ceil(_LEAST_SHARE * len(X)))
    for index, name in enumerate(X.names):
        cells = X.series(index)
        cut = _numeric_bins(cells) if cells.dtype.is_numeric() else _level_bins(cells)
        if cut is None:
            continue
        codes, ends, runs, describe = cut
        sizes = np.bincount(codes, minlength=ends)
        covered = np.concatenate([[0], np.cumsum(sizes)])
        rows = covered[runs[:, 1] + 1] - covered[runs[:, 0]]
        kept = (rows >= least) & (rows <= len(X) - least)
        if kept.any():
            yield _Bins(name, codes, ends, runs[kept], describe)


def _numeric_bins(cells: pl.Series) -> Any:
    """Return the codes, the number of bins, all runs of adjacent ones, and what a run is called."""
    numbers = cells.cast(pl.Float64).fill_null(np.nan).to_numpy()
    known = np.isfinite(numbers)
    if not known.any():
        return None
    values = numbers[known]
    cuts = np.unique(np.quantile(values, np.arange(1, _INTERVALS) / _INTERVALS, method="inverted_cdf"))
    if len(np.unique(values)) <= _INTERVALS:
        cuts = np.unique(values)[:-1]
    codes = np.where(known, np.searchsorted(cuts, numbers, side="left"), len(cuts) + 1).astype(np.int32)
    last = len(cuts)
    inside = [(a, b) for a in range(last + 1) for b in range(a, last + 1) if (a, b) != (0, last)]
    # Where nothing is missing, the bin of missing values is empty and no candidate.
    runs = np.array([*inside, (last + 1, last + 1)], dtype=np.intp)

    def describe(first: int, final: int) -> tuple[Any, float, float, bool]:
        if first > last:
            return None, math.nan, math.nan, True
        own = values[(codes[known] >= first) & (codes[known] <= final)]
        low = math.nan if first == 0 and final < last else float(own.min())
        high = math.nan if final == last and first > 0 else float(own.max())
        return None, low, high, False

    return codes, last + 2, runs, describe


def _level_bins(cells: pl.Series) -> Any:
    levels = cells.drop_nulls().unique().sort().to_list()
    if not levels or len(levels) > _MOST_LEVELS:
        return None
    place = {level: code for code, level in enumerate(levels)}
    codes = np.array([place.get(cell, len(levels)) for cell in cells.to_list()], dtype=np.int32)
    runs = np.repeat(np.arange(len(levels) + 1), 2).reshape(-1, 2)

    def describe(first: int, _: int) -> tuple[Any, float, float, bool]:
        is_missing = first == len(levels)
        return None if is_missing else levels[first], math.nan, math.nan, is_missing

    return codes, len(levels) + 1, runs, describe


def _significant(
    candidates: _Candidates, errors: NDArray[np.bool_], largest: Floats, alpha: float, most: int
) -> list[Segment]:
    """Return the significant candidates, leaving out what the columns reported before explain."""
    scores = candidates.scores(np.flatnonzero(errors))
    found: list[Segment] = []
    told: dict[str, NDArray[np.bool_]] = {}
    strata = np.zeros(len(errors), dtype=np.intp)
    for place in np.argsort(-scores, kind="stable"):
        if len(found) == most or _p_value(scores[place], largest) > alpha:
            break
        owner = candidates.columns[candidates.owners[place]]
        first, last = candidates.runs[place].tolist()
        inside = (owner.codes >= first) & (owner.codes <= last)
        if (inside & told.get(owner.column, False)).any():
            continue
        p_value = _p_value(_stratified(inside, errors, strata), largest)
        if p_value <= alpha:
            found.append(_segment(owner, (first, last), inside, errors, p_value))
            told[owner.column] = inside | told.get(owner.column, False)
            strata = np.unique(strata * owner.bins + owner.codes, return_inverse=True)[1]
    return found


def _p_value(score: float, largest: Floats) -> float:
    above = len(largest) - int(np.searchsorted(largest, score, side="left"))
    return (1 + above) / (1 + len(largest))


def _stratified(inside: NDArray[np.bool_], errors: NDArray[np.bool_], strata: NDArray[np.intp]) -> float:
    """Return z of a segment within strata (Mantel and Haenszel): of the errors that these do not explain."""
    rows, wrong = np.bincount(strata).astype(np.float64), np.bincount(strata, errors)
    own, both = np.bincount(strata, inside), np.bincount(strata, inside & errors)
    share = wrong / rows
    spread = own * share * (1 - share) * (rows - own) / np.maximum(rows - 1, 1)
    whole = float(spread.sum())
    return 0.0 if whole <= 0 else float((both - own * share).sum() / math.sqrt(whole))


def _segment(
    owner: _Bins,
    run: tuple[int, int],
    inside: NDArray[np.bool_],
    errors: NDArray[np.bool_],
    p_value: float,
) -> Segment:
    level, low, high, is_missing = owner.describe(*run)
    rows, wrong = int(inside.sum()), int(errors[inside].sum())
    ends = binomtest(wrong, rows).proportion_ci(method="wilson")
    return Segment(
        column=owner.column,
        level=level,
        low=low,
        high=high,
        is_missing=is_missing,
        rows=rows,
        errors=wrong,
        error=wrong / rows,
        error_low=float(ends.low),
        error_high=float(ends.high),
        rest_error=float(errors[~inside].mean()),
        p_value=p_value,
    )
