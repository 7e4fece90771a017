"""What the code of a finding stands for, for whoever meets one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class FindingCode:
    """A code and everything there is to say about it.

    Attributes
    ----------
    code : str
        A letter and three digits that stay the same.
    title : str
        What was found, in a few words.
    meaning : str
        What it means for whoever has the table.
    rule : str
        How it was computed, with the numbers from which on it is told.
    remedy : str
        What helps, and why.
    shown_by : tuple of str
        Python functions and classes that show it alone, or are the remedy, as they are imported.
    source : str
        The lecture that teaches it; empty if none does.
    """

    code: str
    title: str
    meaning: str
    rule: str
    remedy: str
    shown_by: tuple[str, ...] = ()
    source: str = ""

    def record(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self) | {"shown_by": list(self.shown_by)}
