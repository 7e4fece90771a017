"""A comparison without child processes: the same units, folds and summary, in a moment."""

from classica.comparison.plan.contender import named_contenders
from classica.comparison.plan.settings import Settings
from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.gathering import gather
from classica.comparison.results.summarising import summarise
from classica.comparison.work.units import units, work
from classica.runs import Outcome
from classica.tables import labelled_table


def workspace_of(source, models=("chance",), target=None, **settings):
    table = labelled_table(source, target, groups=settings.get("groups"), time=settings.get("time"))
    names = tuple(contender.name for contender in named_contenders(models))
    return Workspace(table, Settings(**{"thorough": True, **settings}), names)


def compared(folder, source, models, target=None, **settings):
    """Return the summary of a comparison."""
    workspace = workspace_of(source, models, target, **settings)
    workspace.save(folder)
    outcomes = [
        Outcome(unit.key, "done", result=work(folder, unit.arguments), seconds=0.0)
        for unit in units(workspace)
    ]
    return summarise(workspace, gather(folder, workspace, outcomes), {})
