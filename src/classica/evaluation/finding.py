"""One thing a diagnosis has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from classica.evaluation.recorded import Recorded

#: Every code and what it stands for. E1: fit and data. E2: classes. E3: models together. E4: probabilities.
#: E5: whether the result can be trusted.
CODES = {
    "E101": "overfitting",
    "E102": "underfitting",
    "E103": "more rows would help",
    "E104": "more rows would not help",
    "E201": "classes taken for one another",
    "E202": "a class that is mostly missed",
    "E203": "one class has most rows",
    "E301": "a vote would help",
    "E302": "a vote would not help",
    "E303": "models tied for best",
    "E401": "probabilities that claim too much",
    "E402": "probabilities that claim too little",
    "E501": "a column that gives the answer away",
    "E502": "suspiciously good",
    "E503": "no model better than chance",
    "E504": "close to the best there can be",
    "E505": "neighbours do better",
    "E506": "a model failed",
}


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
        return cls(code, CODES[code], detail, remedy, numbers)

    def __str__(self) -> str:
        return f"{self.code} {self.title}: {self.detail} {self.remedy}".rstrip()
