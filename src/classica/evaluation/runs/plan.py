"""What a run is to do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from classica.children.plain_values import not_plain
from classica.errors import ParameterError, must
from classica.evaluation.runs.limits import Limits
from classica.evaluation.runs.unit import Unit

_WORK = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


@dataclass(frozen=True)
class Plan:
    """What a run is to do.

    Attributes
    ----------
    work : str
        The function that does a unit, as ``"module:function"``. It is called in a child process with the
        folder of the run (a `pathlib.Path`) and the arguments of the unit, and returns a dict of plain
        values. The global generators of random numbers are seeded by the key of the unit before each call.
    units : sequence of Unit
        The pieces of work, done in this order.
    title : str
        What the run is, in words.
    settings : dict
        Plain values that the owner of the run wants to find again.
    limits : Limits
        How much a unit and the run may take.
    preload : sequence of str
        Modules that children have imported before they get their first unit; the module of `work` always is.
    """

    work: str
    units: Sequence[Unit]
    title: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    preload: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(self.units))
        object.__setattr__(self, "preload", tuple(self.preload))
        if not (isinstance(self.work, str) and _WORK.fullmatch(self.work)):
            raise ParameterError(must("work", 'a function named as "module:function"', self.work))
        twice = [key for key, count in Counter(unit.key for unit in self.units).items() if count > 1]
        if twice:
            raise ParameterError(must("The keys of the units", "different from each other", twice[0]))
        problem = not_plain(dict(self.settings), "settings")
        if problem:
            raise ParameterError(f"The settings of a plan must be plain values, but {problem}.")

    @property
    def modules(self) -> list[str]:
        """The modules that children import before their first unit."""
        return list(dict.fromkeys([*self.preload, self.work.partition(":")[0]]))

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "title": self.title,
            "work": self.work,
            "preload": list(self.preload),
            "limits": asdict(self.limits),
            "settings": dict(self.settings),
            "units": [asdict(unit) for unit in self.units],
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Plan:
        """Return the plan that `record` was made of."""
        parts = dict(record)
        units = [Unit(**unit) for unit in parts.pop("units")]
        return cls(units=units, limits=Limits(**parts.pop("limits")), **parts)
