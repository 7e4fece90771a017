"""The plan of a run: its units and limits, and the file that holds them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from classica.children.messages import not_plain
from classica.errors import ClassicaError, ParameterError, RunError, must
from classica.kinds import DictOf, Fields, ListOf, Maybe, Number, Plain, Scope, Word
from classica.runs.unit import Limits, Unit
from classica.whole_file import whole_file

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
    """The plan of a run.

    Attributes
    ----------
    work : str
        The function that does a unit, by its name in the `WorkTable` of the program.
    units : sequence of Unit
        The units of work, in the order of execution.
    title : str
        A description of the run.
    settings : dict
        Plain values of the caller.
    limits : Limits
        The limits of a unit and of the run.
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
            raise ParameterError(f"The settings of a plan must be plain values, got another: {problem}.")

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
        """Return the plan of a record; raise a `ClassicaError` if the record is invalid."""
        _RECORD.check(record, Scope("plan", error=RunError))
        parts = dict(record)
        units = [Unit(**unit) for unit in parts.pop("units")]
        return cls(units=units, limits=Limits(**parts.pop("limits")), **parts)


NAME = "plan.json"
FORMAT = "classica run"
#: The version of plan and journal, increased whenever an older program could not read them.
VERSION = 2


def write_plan(folder: Path, plan: Plan) -> None:
    """Write the plan, atomically."""
    record = {"format": FORMAT, "version": VERSION, **plan.record()}
    with whole_file(folder / NAME, RunError) as file:
        file.write(json.dumps(record, allow_nan=False, indent=1).encode())


def load_plan(folder: Path) -> tuple[Plan, str]:
    """Return the plan of a run folder and the digest of its file."""
    path = folder / NAME
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(f"Cannot read the plan of the run folder {folder}: {error.strerror}.") from error
    return _checked(path, data), hashlib.sha256(data).hexdigest()


def _checked(path: Path, data: bytes) -> Plan:
    try:
        record: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RunError(f"Cannot read the plan {path}: it is not valid JSON ({error}).") from error
    if not isinstance(record, dict) or record.pop("format", None) != FORMAT:
        raise RunError(f"Cannot read the plan {path}: it was not written by Classica.")
    version = record.pop("version", None)
    if version != VERSION:
        reason = f"it has version {version!r:.20}, and this program reads version {VERSION}"
        raise RunError(f"Cannot read the run {path.parent}: {reason}.")
    try:
        return Plan.from_record(record)
    except ClassicaError as error:
        raise RunError(f"Cannot read the plan {path}: {error}") from error
