"""A finding as one object: when it is reported, the numbers it judges by, what it means and what helps."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar, cast

_R = TypeVar("_R", bound="FindingRule")


class FindingRule:
    """A rule and everything there is to say about what it finds.

    A derived class with a code is a finding: it need not be listed anywhere. Its thresholds are attributes of
    the class, so that the texts name the numbers by which the rule judges.

    Attributes
    ----------
    code : str
        A letter and three digits that stay the same.
    title : str
        What was found, in a few words.
    meaning : str
        What it means for whoever has the table.
    rule : str
        How it was computed, with the thresholds.
    remedy : str
        What helps, and why.
    shown_by : tuple of str
        Python functions and classes that show it alone, or are the remedy, as they are imported.
    source : str
        The lecture that teaches it; empty if none does.
    order : int
        Its rank among the rules of its kind: findings with a lower one are reported first.
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
        """Return the rule, of which there is one: it has no state."""
        if "_only" not in vars(cls):
            cls._only = super().__new__(cls)
        return cast("Self", cls._only)

    def record(self) -> dict[str, Any]:
        """Return everything that is said about the finding as plain values."""
        names = ("code", "title", "meaning", "rule", "remedy", "shown_by", "source")
        return {name: getattr(self, name) for name in names} | {"shown_by": list(self.shown_by)}


def rules_of(kind: type[_R]) -> list[_R]:
    """Return the rules of a kind that have been imported, in the order in which they are reported."""
    found, left = [], [kind]
    while left:
        each = left.pop()
        left += each.__subclasses__()
        if "code" in vars(each):
            found.append(each())
    return sorted(found, key=lambda each: (each.order, each.code))


def codes_of(kind: type[_R]) -> dict[str, _R]:
    """Return the rules of a kind by their codes."""
    return {each.code: each for each in sorted(rules_of(kind), key=lambda each: each.code)}
