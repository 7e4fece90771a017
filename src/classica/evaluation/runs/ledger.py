"""The outcomes of a run, in memory and in its journal."""

from __future__ import annotations

from classica.errors import RunError
from classica.evaluation.runs.journal import Journal, Record
from classica.evaluation.runs.outcome import Outcome
from classica.evaluation.runs.plan import Plan


class Ledger:
    """The outcomes of a run: those found in its journal, and those added to it.

    Parameters
    ----------
    journal : Journal
        Where they are kept.
    digest : str
        The digest of the plan, which the journal begins with: outcomes of another plan are no outcomes.

    Attributes
    ----------
    outcomes : dict of str to Outcome
        By the key of the unit.
    elapsed : float
        Seconds that the run had taken when the journal was opened.
    """

    def __init__(self, journal: Journal, digest: str) -> None:
        self._journal = journal
        self.outcomes = outcomes_in(journal.records, digest)
        self.elapsed = max((record.get("elapsed", 0.0) for record in journal.records), default=0.0)

    def add(self, outcome: Outcome, elapsed: float) -> None:
        """Keep an outcome; it is on the disk when this returns."""
        self._journal.append({"kind": "outcome", "elapsed": elapsed, "outcome": outcome.record()})
        self.outcomes[outcome.key] = outcome

    def pause(self, elapsed: float) -> None:
        """Keep how long the run has taken, for its budget, before it ends unfinished."""
        self._journal.append({"kind": "pause", "elapsed": elapsed})


def outcomes_in(records: list[Record], digest: str) -> dict[str, Outcome]:
    """Return the outcomes among the records of a journal, by the key of the unit."""
    if records and records[0].get("plan") != digest:
        raise RunError("The plan of a run must be the one its journal began with, but it has been changed.")
    found = (Outcome.from_record(record["outcome"]) for record in records if record["kind"] == "outcome")
    return {outcome.key: outcome for outcome in found}


def in_order(
    plan: Plan, outcomes: dict[str, Outcome], reasons: dict[str, str], otherwise: str
) -> list[Outcome]:
    """Return the outcomes in the order of the plan; units without one are skipped for their reason."""
    keys = [unit.key for unit in plan.units]
    return [outcomes.get(key) or Outcome(key, "skipped", reasons.get(key, otherwise)) for key in keys]
