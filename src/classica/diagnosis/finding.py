"""One thing a diagnosis has found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from classica.diagnosis.diagnosis_codes import CODES
from classica.finding_code import FindingCode
from classica.recorded import Recorded


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
    models, columns : tuple of str
        The models and the columns it speaks of.
    """

    code: str
    title: str
    detail: str
    remedy: str
    numbers: dict[str, Any]
    models: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        code: str,
        detail: str,
        remedy: str,
        *,
        models: Iterable[str | None] = (),
        columns: Iterable[str] = (),
        **numbers: Any,
    ) -> Finding:
        """Return a finding with the title of its code; a number for each model or column is kept, too."""
        about = {"models": models, "columns": columns}
        kept = {name: each for name, each in about.items() if isinstance(each, Mapping)}
        named = tuple(name for name in models if name is not None)
        return cls(code, CODES[code].title, detail, remedy, kept | numbers, named, tuple(columns))

    @property
    def explanation(self) -> FindingCode:
        """What the code means, how it was computed, and what helps."""
        return CODES[self.code]

    def __str__(self) -> str:
        return f"{self.code} {self.title}: {self.detail} {self.remedy}".rstrip()
