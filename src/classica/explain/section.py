"""One piece of an explanation: text, facts, a table."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from classica.wording import aligned, plain_words

#: How wide sentences are written.
_WIDTH = 78


@dataclass(frozen=True)
class Section:
    """One piece of an explanation.

    Attributes
    ----------
    title : str
        What it is about.
    text : str
        Lines as they are to be shown.
    facts : mapping
        Names and values.
    headings : sequence of str
        Those of the table.
    rows : sequence of sequences
        The cells of the table, plain values.
    note : str
        What comes behind the table.
    data : object
        For JSON only: what the text tells, as plain data.
    prose : str
        Sentences, a line each, which stand behind the text, folded where they are too long for a screen.
    """

    title: str
    text: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    headings: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    note: str = ""
    data: Any = None
    prose: str = ""

    def lines(self, most: int | None) -> list[str]:
        """Return the section as text, with the first rows of the table."""
        lines = [self.title] if self.title else []
        indent = "  " if self.title else ""
        lines += [(indent + line).rstrip() for line in self.text.splitlines()]
        lines += folded(self.prose)
        width = max((len(name) for name in self.facts), default=0)
        lines += [f"  {name.ljust(width)}  {cell_words(value)}" for name, value in self.facts.items()]
        if self.rows:
            shown = self.rows if most is None else self.rows[:most]
            table = [[plain_words(str(heading)) if heading else "" for heading in self.headings]]
            table += [[cell_words(cell) for cell in row] for row in shown]
            lines += aligned(table, "  ")
            left = len(self.rows) - len(shown)
            lines += [f"  ... and {left} more: --top {len(self.rows)}"] if left else []
        return [*lines, *folded(self.note)]

    def record(self) -> dict[str, Any]:
        """Return everything as JSON knows it."""
        entries: dict[str, Any] = {"title": self.title}
        if self.data is not None:
            entries["data"] = plain(self.data)
        elif self.text or self.prose:
            entries["text"] = self.text or self.prose
        if self.facts:
            entries["facts"] = plain(self.facts)
        if self.rows:
            entries |= {"headings": list(self.headings), "rows": plain(self.rows)}
        return entries | ({"note": self.note} if self.note else {})


def folded(text: str) -> list[str]:
    """Return lines of a text that fit a screen, indented; what goes on is indented further."""
    whole = textwrap.TextWrapper(
        _WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    return [part for line in text.splitlines() for part in whole.wrap(line)]


def cell_words(value: object) -> str:
    """Return a cell as it is shown: numbers with six digits, lists with commas."""
    if value is None or (isinstance(value, str) and not value):
        return ""
    if isinstance(value, float | np.floating):
        return "0" if value == 0 else f"{value:.6g}"
    if isinstance(value, list | tuple):
        return ", ".join(cell_words(item) for item in value)
    return plain_words(value)


def plain(value: object) -> Any:
    """Return a value as JSON knows it; a number that JSON does not know is text."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return repr(value)
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
