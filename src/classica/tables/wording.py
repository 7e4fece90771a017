"""Short lists, counts and shares in sentences."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


def listed(values: Iterable[Any], most: int = 4) -> str:
    """Return the first few values, and how many more there are.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    found = list(values)
    shown = ", ".join(repr(value) for value in found[:most])
    return shown if len(found) <= most else f"{shown} and {len(found) - most} more"


def listed_near(value: str, values: Iterable[str]) -> str:
    """Return the values that are written nearly like one, or else the first few of all.

    Examples
    --------
    >>> listed_near("colour", ["x", "Color"]), listed_near("colour", ["x", "y"])
    ("'Color'", "'x', 'y'")
    """
    found = {other.lower(): other for other in values}
    close = difflib.get_close_matches(value.lower(), found, n=3, cutoff=0.7)
    return listed([found[word] for word in close] or found.values())


def counted(count: int, thing: str, things: str | None = None) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def share(part: float, whole: float) -> str:
    """Return a share in per cent, never rounded to nothing or to everything.

    Examples
    --------
    >>> share(9, 14), share(1, 100000), share(99999, 100000)
    ('64.3%', '< 0.1%', '> 99.9%')
    """
    percent = 100 * part / whole if whole else 0.0
    if 0 < percent < 0.1:
        return "< 0.1%"
    if 99.9 < percent < 100:
        return "> 99.9%"
    return f"{percent:.1f}%"
