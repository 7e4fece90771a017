"""A race without child processes: the same trials, decisions and summary, for simulations."""

from contextlib import contextmanager

from classica.comparison.plan.contender import named_contenders
from classica.comparison.plan.settings import Settings
from classica.comparison.plan.workspace import Workspace
from classica.comparison.race import trials
from classica.comparison.race.progress_reporter import ProgressReporter
from classica.comparison.race.race import Race
from classica.comparison.race.results import race_results
from classica.comparison.race.rounds import Allowance, RaceRun
from classica.comparison.results.gathering import gather
from classica.comparison.results.summarising import summarise
from classica.comparison.work.units import units, work
from classica.runs import Limits, Outcome
from classica.tables import labelled_table


class LocalRun:
    """A run whose units are done here and now, one after the other."""

    def __init__(self, folder, workspace):
        self.folder, self._workspace = folder, workspace

    @contextmanager
    def within(self, name, plan):
        self._place, self._plan = self.folder / name, plan
        yield self

    def outcomes(self, budget=None, progress=None):
        return [self._done(unit) for unit in self._plan.units]

    def _done(self, unit):
        result = trials.done(self.folder, self._workspace, unit.arguments)
        return Outcome(unit.key, "done", result=result, seconds=0.001)


def race_workspace(source, target, models, **settings):
    """Return a workspace for a race of these models."""
    table = labelled_table(source, target)
    names = tuple(contender.name for contender in named_contenders(models))
    return Workspace(table, Settings(**{"effort": 600.0, **settings}), names)


def played(folder, workspace, look=None):
    """Play a race to its end; call ``look(race)`` after every round."""
    folder.mkdir(exist_ok=True)
    race = Race(folder, workspace, workspace.settings.effort)

    class Looker(ProgressReporter):
        def end_round(self, now):
            if look is not None:
                look(now)

    allowance = Allowance(None, 0.0, 1, Limits())
    RaceRun(LocalRun(folder, workspace), race, allowance, Looker(None, 1)).play()
    return race


def summary_of(race):
    """Return the summary of a race, however far it has come."""
    return summarise(race.workspace, race_results(race), {})


def searched(folder, workspace):
    """Search every grid inside every fold; return the summary and the file of the recommended model."""
    folder.mkdir(exist_ok=True)
    (folder / "answers").mkdir()
    workspace.save(folder)
    outcomes = [_searched(folder, unit, is_wanted="fold" in unit.arguments) for unit in units(workspace)]
    summary = summarise(workspace, gather(folder, workspace, outcomes), {})
    return summary, folder / work(folder, {"model": summary.recommended or summary.best})["file"]


def _searched(folder, unit, *, is_wanted):
    if not is_wanted:
        return Outcome(unit.key, "skipped")
    return Outcome(unit.key, "done", result=work(folder, unit.arguments), seconds=0.001)
