"""How numbers, counts and names are written where people read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def number_words(number: float) -> str:
    """Return the fewest digits that give the same number back."""
    return repr(float(number)).removesuffix(".0")


def count_words(count: float) -> str:
    """Return a count: whole if it is, else with two decimals (three digits below one)."""
    if float(count).is_integer():
        return str(int(count))
    return number_words(round(count, 2)) if abs(count) >= 1 else f"{count:.3g}"


def plain_words(value: Any) -> str:
    """Return a label, a level or a name in one printable line."""
    if isinstance(value, float):
        return number_words(value)
    text = str(value)
    printable = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    return printable or "''"


def plain_value(value: Any) -> Any:
    """Return a label or a level as JSON can hold it."""
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def aligned(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return a table as lines: the first column from the left, the others to the right."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True)]
        lines.append((indent + "  ".join([first.ljust(widths[0]), *cells])).rstrip())
    return lines
