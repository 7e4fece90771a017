"""What became of a unit."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from classica.errors import RunError
from classica.kinds import DictOf, Fields, Maybe, Number, Plain, Scope, Whole, Word

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
        found = cls(**record)
        scope.require((found.status == "done") == (found.result is not None), "done if it has a result")
        return found
