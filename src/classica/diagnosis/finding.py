"""One thing a diagnosis has found, and what a rule that finds it consists of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from classica.beside import modules_in
from classica.diagnosis.evidence import Evidence
from classica.finding_rule import FindingRule, codes_of, rules_of
from classica.recorded import Recorded


@dataclass(frozen=True)
class Finding(Recorded):
    """A finding in plain words.

    Attributes
    ----------
    code : str
        A code that stays the same, one of `diagnosis_codes`.
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
        **numbers: object,
    ) -> Finding:
        """Return a finding with the title of its code; a number for each model or column is kept, too."""
        about = {"models": models, "columns": columns}
        kept = {name: each for name, each in about.items() if isinstance(each, Mapping)}
        named = tuple(name for name in models if name is not None)
        return cls(code, diagnosis_codes()[code].title, detail, remedy, kept | numbers, named, tuple(columns))

    @property
    def explanation(self) -> DiagnosisRule:
        """What the code means, how it was computed, and what helps."""
        return diagnosis_codes()[self.code]

    def __str__(self) -> str:
        return f"{self.code} {self.title}: {self.detail} {self.remedy}".rstrip()


class DiagnosisRule(FindingRule):
    """A finding of the diagnosis: what it looks for in the evidence, and what it says about it.

    Attributes
    ----------
    counts_errors : bool
        Whether it counts errors as if all of them cost the same.
    is_actionable : bool
        Whether following its remedy would make predictions better.
    """

    counts_errors: ClassVar[bool] = False
    is_actionable: ClassVar[bool] = True

    def find(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield what the evidence shows; nothing where it does not."""
        raise NotImplementedError

    def finding(
        self,
        detail: str,
        remedy: str,
        *,
        models: Iterable[str | None] = (),
        columns: Iterable[str] = (),
        **numbers: object,
    ) -> Finding:
        """Return a finding of this rule, as `Finding.of` makes it."""
        return Finding.of(self.code, detail, remedy, models=models, columns=columns, **numbers)


def diagnosis_rules() -> list[DiagnosisRule]:
    """Return all rules in the order in which they are reported: first whether anything can be believed."""
    modules_in("classica.diagnosis.rules")
    return rules_of(DiagnosisRule)


def diagnosis_codes() -> dict[str, DiagnosisRule]:
    """Return every code of a diagnosis with its rule.

    E1: fit and data. E2: classes. E3: models together. E4: probabilities. E5: whether the result can be
    trusted.
    """
    modules_in("classica.diagnosis.rules")
    return codes_of(DiagnosisRule)
