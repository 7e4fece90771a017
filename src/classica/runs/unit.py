"""Units of work: arguments, limits and outcomes."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from classica.children.messages import not_plain
from classica.errors import ParameterError, RunError, must
from classica.kinds import DictOf, Fields, Maybe, Number, Plain, Scope, Whole, Word


@dataclass(frozen=True)
class Unit:
    """A unit of work, which is executed completely or not at all.

    Attributes
    ----------
    key : str
        Its name; no two units of a run share one.
    group : str
        Its group in progress reports, such as the name of a model.
    arguments : dict
        Plain values that are passed to the function.
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
    """The limits of a unit and of a run; None for no limit.

    Attributes
    ----------
    seconds : float or None
        The longest time of a unit.
    memory : int or None
        The maximum memory of a unit in bytes, including the processes it starts, above what its process held
        before. Pages of memory-mapped files do not count, because the system can reclaim them.
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
    """The outcome of a unit.

    Attributes
    ----------
    key : str
        The unit.
    status : str
        ``"done"``; ``"failed"``: it raised, or returned values that are not plain; ``"time"`` or
        ``"memory"``: it exceeded that limit; ``"crashed"``: its process ended; ``"skipped"``: the run has not
        finished it, but will when it is continued. All but the last are final.
    reason : str
        One sentence; empty if it is done.
    result : dict or None
        What the function returned, if it is done.
    seconds : float
        Running time.
    peak_bytes : int
        Its peak memory, above what its process held before.
    output : str
        The end of its output.
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
        """Return the outcome of a record; raise a `RunError` if the record is invalid."""
        scope = Scope("An outcome in the journal of a run", error=RunError)
        _RECORD.check(record, scope)
        outcome = cls(**record)
        scope.require((outcome.status == "done") == (outcome.result is not None), "done if it has a result")
        return outcome
