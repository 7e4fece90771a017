"""A piece of the race: one model on some splits, with some points of its grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.workspace import Workspace
from classica.comparison.race.points import Points
from classica.comparison.work.kept_files import TRIAL_RESULTS
from classica.errors import RunError, must
from classica.kinds import Fields, ListOf, Scope, Whole, Word
from classica.runs import Unit

#: tune: the classifier with some points of its grid; judge: as it would be delivered, with one point; search:
#: judged as well, with the point that cross-validation inside the training rows finds best; halves: as judge,
#: trained on either half of the rows and tested on the other.
Task = Literal["tune", "judge", "search", "halves"]

#: How often the rows are halved at most.
MOST_HALVES = 5

_KIND = Fields(
    {
        "task": Word(*get_args(Task)),
        "model": Word(),
        "stage": Whole(0, 100),
        "folds": ListOf(Whole(0, 10**6)),
        "points": ListOf(Whole(0, 10**6)),
    }
)


@dataclass(frozen=True)
class Trial:
    """What one unit of a race does.

    Attributes
    ----------
    task : {"tune", "judge", "search", "halves"}
        What is fitted.
    model : str
        The model.
    stage : int
        How many rows it is trained on.
    folds : tuple of int
        The outer folds; for halves, which partitions.
    points : tuple of int
        The points of its grid; of a search the default, as it tries all of them.
    """

    task: Task
    model: str
    stage: int
    folds: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def unit(self) -> Unit:
        """The unit of work."""
        folds = ",".join(str(fold + 1) for fold in self.folds)
        key = f"{self.model} {self.task} stage {self.stage + 1} folds {folds}"
        return Unit(key, self.model, {**asdict(self), "folds": [*self.folds], "points": [*self.points]})

    def checked(self, result: Any) -> Mapping[str, Any]:
        """Return the result of the trial in a journal, after checking that it matches the folds."""
        scope = Scope(f"The result of {self.unit.key!r} in the journal", error=RunError)
        TRIAL_RESULTS[self.task].check(result, scope)
        if self.task == "halves":
            scope.require(len(result["halves"]) == len(self.folds), "about its halves")
        else:
            scope.require([each["fold"] for each in result["folds"]] == [*self.folds], "about its folds")
        found: Mapping[str, Any] = result
        return found

    @classmethod
    def of(cls, arguments: Mapping[str, Any], workspace: Workspace) -> Trial:
        """Return the trial that the arguments of a unit describe, once it is one of this comparison."""
        scope = Scope("A unit of the race", error=RunError)
        _KIND.check(arguments, scope)
        found = cls(
            arguments["task"],
            arguments["model"],
            arguments["stage"],
            tuple(arguments["folds"]),
            tuple(arguments["points"]),
        )
        if found.model not in workspace.models:
            raise RunError(must("The model of a unit", "one of the comparison", found.model))
        folds = MOST_HALVES if found.task == "halves" else len(workspace.splits)
        points = len(Points(Contender(found.model), workspace.settings))
        scope.require(found.stage < len(workspace.stages.all), "at a stage of the race")
        scope.require(all(fold < folds for fold in found.folds), "about folds of the comparison")
        scope.require(all(point < points for point in found.points), "about points of the grid")
        scope.require(found.task == "tune" or len(found.points) == 1, "about one point")
        return found
