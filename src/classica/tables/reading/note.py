"""Something a reader found or decided."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """Something a reader found or decided, for the user to see.

    Attributes
    ----------
    code : str
        A word for programs: "delimiter", "encoding", "header", …
    text : str
        A phrase for people.
    """

    code: str
    text: str

    def __str__(self) -> str:
        return self.text
