"""Whole comparisons in this process: folders, plans and journals are as ever, but there are no children."""

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from classica.comparison import running
from classica.errors import ClassicaError
from classica.runs import Outcome, Progress
from classica.runs.journal import Journal
from classica.runs.ledger import Ledger, in_order
from classica.runs.plan import load_plan
from classica.runs.run import _prepared, _settled


@dataclass
class Worker:
    """Does the units of all runs, one after the other, as they are planned.

    Attributes
    ----------
    stop_after : int or None
        After how many units somebody types Ctrl-C; those that follow are not done.
    seconds : callable
        How long a unit is said to have taken, by its key; it did not.
    done : Counter
        How often each unit was done.
    """

    stop_after: int | None = None
    seconds: object = lambda key: 0.001
    done: Counter = field(default_factory=Counter)

    def do(self, run, unit):
        if self.stop_after is not None and self.done.total() >= self.stop_after:
            self.stop_after = None
            raise KeyboardInterrupt
        place = str(run.folder.relative_to(run.root))
        self.done[place, unit.key] += 1
        try:
            result = run.table.functions[run.plan.work](run.folder, dict(unit.arguments))
        except (ClassicaError, ValueError) as error:
            return Outcome(unit.key, "failed", reason=str(error))
        return Outcome(unit.key, "done", result=result, seconds=self.seconds(unit.key))


@dataclass(frozen=True)
class HereRun:
    folder: Path
    root: Path
    table: object
    plan: object
    worker: Worker

    def outcomes(self, budget=None, progress=None):
        digest = load_plan(self.folder)[1]
        with Journal(self.folder, {"kind": "start", "plan": digest}) as journal:
            ledger = Ledger(journal, digest, self.plan)
            for number, unit in enumerate(self.plan.units):
                if unit.key not in ledger.outcomes:
                    ledger.add(self.worker.do(self, unit), 0.0)
                if progress is not None:
                    progress(Progress(number + 1, len(self.plan.units), {}, (), 0.0, 1.0))
            return in_order(self.plan, ledger.outcomes, {}, "Not done.")

    @contextmanager
    def within(self, name, plan):
        place = _prepared(self.folder / name, plan)
        yield replace(self, folder=place, plan=_settled(place, self.table, plan)[0])


def work_here(monkeypatch, **about):
    """Let comparisons do their units in this process; return who does them."""
    worker = Worker(**about)

    @contextmanager
    def open_run(folder, table, plan, workers=1):
        place = _prepared(Path(folder).absolute(), plan)
        yield HereRun(place, place, table, _settled(place, table, plan)[0], worker)

    monkeypatch.setattr(running, "open_run", open_run)
    return worker


def without_times(value):
    """Return a summary without what depends on the clock."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if "seconds" not in key}
    return [without_times(each) for each in value] if isinstance(value, list) else value
