"""What a run is to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from classica.children.plain_values import not_plain
from classica.errors import ParameterError, RunError, must
from classica.kinds import DictOf, Fields, ListOf, Maybe, Number, Plain, Scope, Word
from classica.runs.limits import Limits
from classica.runs.unit import Unit

_NUMBER = Maybe(Number(above=0))
_RECORD = Fields(
    {
        "title": Word(),
        "work": Word(),
        "limits": Fields({"seconds": _NUMBER, "memory": _NUMBER, "budget": _NUMBER}),
        "settings": DictOf(Word(), Plain()),
        "units": ListOf(Fields({"key": Word(), "group": Word(), "arguments": DictOf(Word(), Plain())})),
    }
)


@dataclass(frozen=True)
class Plan:
    """What a run is to do.

    Attributes
    ----------
    work : str
        The function that does a unit, by its name in the `WorkTable` of the program.
    units : sequence of Unit
        The pieces of work, done in this order.
    title : str
        What the run is, in words.
    settings : dict
        Plain values that the owner of the run wants to find again.
    limits : Limits
        How much a unit and the run may take.
    """

    work: str
    units: Sequence[Unit]
    title: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(self.units))
        if not (isinstance(self.work, str) and self.work):
            raise ParameterError(must("work", "the name of a function in a table of work", self.work))
        twice = [key for key, count in Counter(unit.key for unit in self.units).items() if count > 1]
        if twice:
            raise ParameterError(must("The keys of the units", "different from each other", twice[0]))
        problem = not_plain(dict(self.settings), "settings")
        if problem:
            raise ParameterError(f"The settings of a plan must be plain values, but {problem}.")

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "title": self.title,
            "work": self.work,
            "limits": asdict(self.limits),
            "settings": dict(self.settings),
            "units": [asdict(unit) for unit in self.units],
        }

    @classmethod
    def from_record(cls, record: Any) -> Plan:
        """Return the plan that `record` was made of; raise a `ClassicaError` if it was not made of one."""
        _RECORD.check(record, Scope("plan", error=RunError))
        parts = dict(record)
        units = [Unit(**unit) for unit in parts.pop("units")]
        return cls(units=units, limits=Limits(**parts.pop("limits")), **parts)
