"""Why a column was read as text though it looks like something else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Doubt:
    """Why a column was read as text though it has numbers, or what else to know before giving it a type.

    Attributes
    ----------
    kind : str
        What was seen: "leading zero", "plus sign", "text among numbers", …
    text : str
        The same as a phrase.
    cells : int or None
        How many cells, where that was counted.
    line : int or None
        The line of the first of them.
    """

    kind: str
    text: str
    cells: int | None = None
    line: int | None = None
