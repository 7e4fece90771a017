"""The questions of a tree and the conditions of a rule, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from classica.trees.growing.tree_names import Names
from classica.trees.ruling.condition import Condition
from classica.wording import number_words, plain_words


def condition_words(condition: Condition, names: Names, *, missing: bool) -> str:
    """Return a condition in words, such as ``a > 3 and a <= 7``; with ``missing``, that a gap will do too."""
    column = plain_words(names.columns[condition.column])
    if not condition.known:
        return f"{column} is missing"
    if condition.levels is not None:
        words = _level_words(column, level_names(condition, names))
    elif not condition.is_bounded:
        words = f"{column} is not missing"
    else:
        above = [f"{column} > {number_words(condition.low)}"] if condition.low > -np.inf else []
        up_to = [f"{column} <= {number_words(condition.high)}"] if condition.high < np.inf else []
        words = " and ".join(above + up_to)
    return f"{words} (or missing)" if missing else words


def branch_words(
    condition: Condition, names: Names, *, missing: bool, number: Callable[[float], str] = number_words
) -> str:
    """Return the same without the column, for the branch of a picture; ``number`` writes cuts."""
    if not condition.known:
        return "missing"
    if condition.levels is not None:
        words = ", ".join(level_names(condition, names))
    elif not condition.is_bounded:
        words = "not missing"
    else:
        above = [f"> {number(condition.low)}"] if condition.low > -np.inf else []
        up_to = [f"≤ {number(condition.high)}"] if condition.high < np.inf else []
        words = ", ".join(above + up_to)
    return f"{words} or missing" if missing else words


def level_names(condition: Condition, names: Names) -> list[str]:
    """Return the levels a condition names."""
    levels = names.levels[condition.column]
    return [plain_words(levels[code]) for code in condition.levels or ()]


def _level_words(column: str, levels: Sequence[str]) -> str:
    return f"{column} = {levels[0]}" if len(levels) == 1 else f"{column} in {{{', '.join(levels)}}}"
