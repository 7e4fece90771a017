"""Words for lists and shares."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str], most: int = 4) -> str:
    """Return names as a list in a sentence, the rest of a long one as a number.

    Examples
    --------
    >>> listed(["tree"]), listed(["tree", "forest", "svm"]), listed(list("abcdef"))
    ('tree', 'tree, forest and svm', 'a, b, c, d and 2 more')
    """
    shown = list(names[:most])
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def points(share: float) -> str:
    """Return a difference of shares in percentage points.

    Examples
    --------
    >>> points(0.0123)
    '1.2 percentage points'
    """
    return f"{100 * share:.1f} percentage points"
