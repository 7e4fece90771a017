"""The base class of findings: rule, thresholds, meaning and remedy in one object."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar, cast

_R = TypeVar("_R", bound="FindingRule")


class FindingRule:
    """A rule that reports findings, with their explanation.

    A derived class with a code is a finding; it need not be listed anywhere. Its thresholds are class
    attributes, so that the texts quote the numbers that the rule uses.

    Attributes
    ----------
    code : str
        A letter and three digits; codes never change.
    title : str
        What was found, in two to five words.
    meaning : str
        What it means for the user.
    rule : str
        How it is computed, with the thresholds.
    remedy : str
        What to do, and why.
    shown_by : tuple of str
        Import paths of Python functions and classes that show the finding or are part of the remedy.
    source : str
        The lecture that covers it, or an empty string.
    order : int
        The order of reporting among the rules of its kind; lower first.
    """

    code: ClassVar[str]
    title: ClassVar[str]
    meaning: ClassVar[str]
    rule: ClassVar[str]
    remedy: ClassVar[str]
    shown_by: ClassVar[tuple[str, ...]] = ()
    source: ClassVar[str] = ""
    order: ClassVar[int] = 100
    _only: ClassVar[FindingRule]

    def __new__(cls) -> Self:
        """Return the only instance of the rule, which has no state."""
        if "_only" not in vars(cls):
            cls._only = super().__new__(cls)
        return cast("Self", cls._only)

    def record(self) -> dict[str, Any]:
        """Return the explanation as plain values."""
        names = ("code", "title", "meaning", "rule", "remedy", "shown_by", "source")
        return {name: getattr(self, name) for name in names} | {"shown_by": list(self.shown_by)}


def rules_of(kind: type[_R]) -> list[_R]:
    """Return the imported rules of a kind in the order of reporting."""
    rules, left = [], [kind]
    while left:
        each = left.pop()
        left += each.__subclasses__()
        if "code" in vars(each):
            rules.append(each())
    return sorted(rules, key=lambda each: (each.order, each.code))


def codes_of(kind: type[_R]) -> dict[str, _R]:
    """Return the rules of a kind by their codes."""
    return {each.code: each for each in sorted(rules_of(kind), key=lambda each: each.code)}
