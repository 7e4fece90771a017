"""Format numbers, counts, names and lists for messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def number_words(number: float) -> str:
    """Return the shortest decimal that represents the number exactly."""
    return repr(float(number)).removesuffix(".0")


def count_words(count: float) -> str:
    """Return a count: an integer if it is one, otherwise with two decimals (three digits below one)."""
    if float(count).is_integer():
        return str(int(count))
    return number_words(round(count, 2)) if abs(count) >= 1 else f"{count:.3g}"


def plain_words(value: object) -> str:
    """Return a label, level or name in one printable line."""
    if isinstance(value, float):
        return number_words(value)
    text = str(value)
    printable = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    return printable or "''"


def plain_value(value: object) -> Any:
    """Return a label or level as a JSON value."""
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def aligned(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Return the lines of a table: the first column left-aligned, the others right-aligned."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True)]
        lines.append((indent + "  ".join([first.ljust(widths[0]), *cells])).rstrip())
    return lines


def listed(values: Iterable[Any], most: int = 4) -> str:
    """Return the first few values and the number of further ones.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    items = list(values)
    shown = ", ".join(repr(value) for value in items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most} more"


def listed_near(value: str, values: Iterable[str]) -> str:
    """Return the values spelt similarly to a given one, or else the first few.

    Examples
    --------
    >>> listed_near("colour", ["x", "Color"]), listed_near("colour", ["x", "y"])
    ("'Color'", "'x', 'y'")
    """
    by_lower_case = {other.lower(): other for other in values}
    close = difflib.get_close_matches(value.lower(), by_lower_case, n=3, cutoff=0.7)
    return listed([by_lower_case[word] for word in close] or by_lower_case.values())


def did_you_mean(name: str, candidates: Iterable[str], synonyms: Mapping[str, str] | None = None) -> str:
    """Return the hint to append to an error about a misspelt name; empty if no candidate is close.

    A synonym suggests the candidate it stands for.

    Examples
    --------
    >>> did_you_mean("specis", ["sepal_length", "Species"]), did_you_mean("x", ["Species"])
    (" Did you mean 'Species'?", '')
    >>> did_you_mean("SVC", ["knn"], {"SVC": "svm"})
    " Did you mean 'svm'?"
    """
    meant = {other.lower(): candidate for other, candidate in (synonyms or {}).items()}
    meant |= {candidate.lower(): candidate for candidate in candidates}
    close = difflib.get_close_matches(name.lower(), meant, n=1)
    return f" Did you mean {meant[close[0]]!r}?" if close else ""


def column_hint(name: str, columns: Iterable[str]) -> str:
    """Return the hint to append to an error about an unknown column.

    Examples
    --------
    >>> column_hint("specis", ["x", "species"]), column_hint("target", ["x", "species"])
    (" Did you mean 'species'?", " Its columns are 'x', 'species'.")
    """
    names = list(columns)
    return did_you_mean(name, names) or f" Its columns are {listed(names)}."


def sentence_start(text: str) -> str:
    """Capitalise a text for the beginning of a sentence, except for names such as k-NN.

    Examples
    --------
    >>> sentence_start("random forest is slow."), sentence_start("k-NN is fast.")
    ('Random forest is slow.', 'k-NN is fast.')
    """
    first = text.split(maxsplit=1)[:1]
    return text[:1].upper() + text[1:] if first and first[0].islower() else text


def counted(count: int, thing: str, things: str | None = None) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def share(part: float, whole: float) -> str:
    """Return a share in per cent that is never rounded to 0% or 100%.

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


def joined(names: Sequence[str], most: int = 4) -> str:
    """Return names as an enumeration; further names of a long list as a number.

    Examples
    --------
    >>> joined(["tree"]), joined(["tree", "forest", "svm"]), joined(list("abcdef"))
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
