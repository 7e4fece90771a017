"""The outcomes of a run, in memory and in its journal, and why a unit is not done."""

from __future__ import annotations

import os
import signal

from classica.errors import RunError
from classica.kinds import Fields, Number, Plain, Scope, Whole, Word
from classica.runs.journal import Journal, Record
from classica.runs.plan import Plan
from classica.runs.unit import Outcome

#: Output beyond this size is mentioned in the reason.
_MUCH = 1 << 20


def over_time(seconds: float, printed: int) -> str:
    """Return the reason of a unit that took too long."""
    return f"It took longer than the limit of {seconds:g} s{_and_printed(printed)}."


def over_memory(limit: int, printed: int) -> str:
    """Return the reason of a unit that held too much."""
    return f"It used more memory than the limit of {amount(limit)}{_and_printed(printed)}."


def crashed(status: int, killed: bool) -> str:
    """Return the reason of a unit whose process ended, from the status of `os.waitpid`."""
    if killed:
        return "Its process closed the pipe for results."
    if not os.WIFSIGNALED(status):
        return f"It ended its process with exit status {os.waitstatus_to_exitcode(status)}."
    number = os.WTERMSIG(status)
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    hint = ", as the system does when memory runs out" if number == signal.SIGKILL else ""
    return f"Its process was killed by {name}{hint}."


def over_budget(budget: float, moment: str) -> str:
    """Return the reason of a unit for which no time was left; the moment is "started" or "finished"."""
    return f"The budget of {budget:g} s was spent before it {moment}."


def amount(size: int) -> str:
    """Return a number of bytes as people write it.

    Examples
    --------
    >>> amount(2_000_000_000)
    '2 GB'
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size:g} bytes"


def _and_printed(printed: int) -> str:
    return " and printed more than 1 MiB" if printed > _MUCH else ""


_NUMBER = {"number": Whole(0)}
_ELAPSED = {**_NUMBER, "kind": Word(), "elapsed": Number(low=0)}
#: What the records of a journal are made of, by their kind.
_KINDS = {
    "start": Fields({**_NUMBER, "kind": Word(), "plan": Word()}),
    "outcome": Fields({**_ELAPSED, "outcome": Plain()}),
    "pause": Fields(_ELAPSED),
}


class Ledger:
    """The outcomes of a run: those found in its journal, and those added to it.

    Parameters
    ----------
    journal : Journal
        Where they are kept.
    digest : str
        The digest of the plan, which the journal begins with: outcomes of another plan are no outcomes.
    plan : Plan
        The plan.

    Attributes
    ----------
    outcomes : dict of str to Outcome
        By the key of the unit.
    elapsed : float
        Seconds that the run had taken when the journal was opened.
    """

    def __init__(self, journal: Journal, digest: str, plan: Plan) -> None:
        self._journal = journal
        self.outcomes = outcomes_in(journal.records, digest, plan)
        self.elapsed = max((record.get("elapsed", 0.0) for record in journal.records), default=0.0)

    def add(self, outcome: Outcome, elapsed: float) -> None:
        """Keep an outcome; it is on the disk when this returns."""
        self._journal.append({"kind": "outcome", "elapsed": elapsed, "outcome": outcome.record()})
        self.outcomes[outcome.key] = outcome

    def pause(self, elapsed: float) -> None:
        """Keep how long the run has taken, for its budget, before it ends unfinished."""
        self._journal.append({"kind": "pause", "elapsed": elapsed})


def outcomes_in(records: list[Record], digest: str, plan: Plan) -> dict[str, Outcome]:
    """Return the outcomes among the records of a journal, by the key of the unit; check all of it."""
    if records and records[0].get("plan") != digest:
        raise RunError("Cannot continue the run: its plan was changed after the journal began.")
    for number, record in enumerate(records):
        scope = Scope(f"Line {number + 1} of the journal of a run", error=RunError)
        kind = str(record.get("kind"))
        scope.require(kind in _KINDS, f"one of {', '.join(_KINDS)}", kind)
        scope.require((kind == "start") == (number == 0), "the start of the journal, or after it", kind)
        _KINDS[kind].check(record, scope)
    outcomes = [Outcome.from_record(record["outcome"]) for record in records if record["kind"] == "outcome"]
    strange = {outcome.key for outcome in outcomes} - {unit.key for unit in plan.units}
    if strange:
        unit = sorted(strange)[0]
        raise RunError(
            f"Cannot continue the run: its journal has the unit {unit!r}, which is not in its plan."
        )
    return {outcome.key: outcome for outcome in outcomes}


def in_order(
    plan: Plan, outcomes: dict[str, Outcome], reasons: dict[str, str], otherwise: str
) -> list[Outcome]:
    """Return the outcomes in the order of the plan; units without one are skipped for their reason."""
    keys = [unit.key for unit in plan.units]
    return [outcomes.get(key) or Outcome(key, "skipped", reasons.get(key, otherwise)) for key in keys]
