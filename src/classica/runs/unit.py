"""The smallest piece of work of a run: what it is, its limits, and its outcome."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from classica.children.messages import not_plain
from classica.errors import ParameterError, RunError, must
from classica.kinds import DictOf, Fields, Maybe, Number, Plain, Scope, Whole, Word


@dataclass(frozen=True)
class Unit:
    """One piece of work: it is done as a whole or not at all.

    Attributes
    ----------
    key : str
        Its name; no two units of a run share one.
    group : str
        What it is counted under in the progress, such as the name of a model.
    arguments : dict
        Plain values, given to the function that does the work.
    """

    key: str
    group: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (isinstance(self.key, str) and self.key):
            raise ParameterError(must("The key of a unit", "a text that is not empty", self.key))
        if not isinstance(self.group, str):
            raise ParameterError(must(f"The group of unit {self.key!r}", "a text", self.group))
        if not isinstance(self.arguments, dict):
            raise ParameterError(must(f"The arguments of unit {self.key!r}", "a dict", self.arguments))
        problem = not_plain(self.arguments, "arguments")
        if problem:
            raise ParameterError(
                f"The arguments of unit {self.key!r} must be plain values, got another: {problem}."
            )


@dataclass(frozen=True)
class Limits:
    """How much a unit and a run may take; None is without limit.

    Attributes
    ----------
    seconds : float or None
        The longest time of a unit.
    memory : int or None
        The most bytes a unit may hold, together with processes it starts, above what its process held before.
        Pages of files that are mapped do not count: the system can take them back.
    budget : float or None
        The seconds of the whole run, over all its continuations.
    """

    seconds: float | None = None
    memory: int | None = None
    budget: float | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "memory", "budget"):
            check_limit(name, getattr(self, name))


def check_limit(name: str, value: float | None) -> None:
    """Raise a `ParameterError` unless a limit is None or a positive finite number."""
    if value is None:
        return
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and value > 0):
        raise ParameterError(must(name, "None or a positive number", value))


Status = Literal["done", "failed", "time", "memory", "crashed", "skipped"]

_RECORD = Fields(
    {
        "key": Word(),
        "status": Word(*get_args(Status)),
        "reason": Word(),
        "result": Maybe(DictOf(Word(), Plain())),
        "seconds": Number(low=0),
        "peak_bytes": Whole(0),
        "output": Word(),
        "traceback": Word(),
    }
)


@dataclass(frozen=True)
class Outcome:
    """What became of a unit.

    Attributes
    ----------
    key : str
        The unit.
    status : str
        ``"done"``; ``"failed"``: it raised, or returned what is not plain; ``"time"`` or ``"memory"``: it
        went over that limit; ``"crashed"``: its process ended; ``"skipped"``: the run has not finished it,
        and does so when it is continued. All but the last are final.
    reason : str
        One sentence; empty if it is done.
    result : dict or None
        What the function returned, if it is done.
    seconds : float
        How long it ran.
    peak_bytes : int
        The most memory it held at a time, above what its process held before.
    output : str
        The end of what it printed.
    traceback : str
        The end of the traceback, if it raised.
    """

    key: str
    status: Status
    reason: str = ""
    result: dict[str, Any] | None = None
    seconds: float = 0.0
    peak_bytes: int = 0
    output: str = ""
    traceback: str = ""

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Any) -> Outcome:
        """Return the outcome that `record` was made of; raise a `RunError` if it was not made of one."""
        scope = Scope("An outcome in the journal of a run", error=RunError)
        _RECORD.check(record, scope)
        outcome = cls(**record)
        scope.require((outcome.status == "done") == (outcome.result is not None), "done if it has a result")
        return outcome
