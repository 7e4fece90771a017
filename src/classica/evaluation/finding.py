"""One thing a diagnosis has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from classica.evaluation.codes import CODES
from classica.evaluation.recorded import Recorded
from classica.finding_code import FindingCode


@dataclass(frozen=True)
class Finding(Recorded):
    """A finding in plain words.

    Attributes
    ----------
    code : str
        A code that stays the same, one of `CODES`.
    title : str
        What it is, in a few words.
    detail : str
        What was seen, with the numbers.
    remedy : str
        What to do about it.
    numbers : dict
        The numbers it rests on.
    """

    code: str
    title: str
    detail: str
    remedy: str
    numbers: dict[str, Any]

    @classmethod
    def of(cls, code: str, detail: str, remedy: str, **numbers: Any) -> Finding:
        """Return a finding with the title of its code."""
        return cls(code, CODES[code].title, detail, remedy, numbers)

    @property
    def explanation(self) -> FindingCode:
        """What the code means, how it was computed, and what helps."""
        return CODES[self.code]

    def __str__(self) -> str:
        return f"{self.code} {self.title}: {self.detail} {self.remedy}".rstrip()
