"""Doing the trials of a race: what workers call."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import tuning_model, with_encoder
from classica.comparison.plan.splits import Rows, splitter
from classica.comparison.plan.workspace import Workspace, open_workspace
from classica.comparison.race.losses import TrialLosses, losses_path
from classica.comparison.race.points import Points
from classica.comparison.race.trial import Trial
from classica.comparison.work.judging import evaluate_fold, scoring_of
from classica.comparison.work.scoring import Scoring
from classica.comparison.work.units import judged_on_fold
from classica.estimators.base.grid_task import RowPair
from classica.native import Floats
from classica.selection.point_scores import pair_scores

#: The name of the work in the table of the comparison, and the folder of the rounds within that of the run.
WORK = "race"
ROUNDS = "rounds"
#: Test rows of a half: the means of the halves need no more.
_HALF_TEST_ROWS = 5000


def work(folder: Path, arguments: dict[str, Any]) -> dict[str, Any]:
    """Do one trial in the folder of a round."""
    run = folder.parent.parent
    return done(run, open_workspace(str(run)), arguments)


def done(run: Path, workspace: Workspace, arguments: dict[str, Any]) -> dict[str, Any]:
    """Do one trial of a comparison in its run folder."""
    trial = Trial.of(arguments, workspace)
    if trial.task == "halves":
        return {"halves": [_halve(workspace, trial, partition) for partition in trial.folds]}
    do = _tune if trial.task == "tune" else _judge
    return {"folds": [do(run, workspace, trial, fold) for fold in trial.folds]}


@dataclass
class _Recorder:
    """A scorer that keeps the losses of every model it is asked about, and returns their number."""

    scoring: Scoring
    losses: list[Floats] = field(default_factory=list)

    #: What points of a grid share may then be learned once.
    asks_for_answers_only: ClassVar[bool] = True

    def __call__(self, model: Any, X: Any, y: Any) -> float:
        self.losses.append(self.scoring.row_losses(model, X, y))
        return float(len(self.losses) - 1)


def _tune(folder: Path, workspace: Workspace, trial: Trial, fold: int) -> dict[str, Any]:
    """Fit some points of the grid on a fold, and keep what each of them loses on every test row."""
    contender, settings = Contender(trial.model), workspace.settings
    points = Points(contender, settings)
    train, test = workspace.stages.rows(workspace.stages.all[trial.stage], fold)
    model = with_encoder(tuning_model(contender, settings), workspace.schema)
    # Only the rows of this fold are read: of a million rows a thousand may do.
    pair = RowPair(workspace.features(train), workspace.y[train], workspace.features(test), workspace.y[test])
    recorder = _Recorder(scoring_of(workspace))
    numbers = pair_scores(model, pair, [points.in_pipeline(point) for point in trial.points], recorder)
    losses = np.full((len(test), len(trial.points)), np.nan, dtype=np.float32)
    for column, number in enumerate(numbers):
        if np.isfinite(number):
            losses[:, column] = recorder.losses[int(number)]
    if not np.isfinite(numbers).any():
        # All points were refused: the exception of a fit has the reason.
        model.set_params(**points.in_pipeline(trial.points[0])).fit(pair.X, pair.y)
    TrialLosses(test, np.asarray(trial.points, dtype=np.intp), losses).save(losses_path(folder, trial, fold))
    return {"fold": fold, "test_rows": len(test)}


def _judge(folder: Path, workspace: Workspace, trial: Trial, fold: int) -> dict[str, Any]:
    """Judge a model on a fold as it would be delivered, in a search with parameters tuned inside the fold."""
    contender = Contender(trial.model)
    (point,) = trial.points
    chosen = None if trial.task == "search" else Points(contender, workspace.settings).all[point]
    train, test = workspace.stages.rows(workspace.stages.all[trial.stage], fold, all_tests=True)
    found, record = judged_on_fold(folder, workspace, contender, fold, train, test, chosen)
    kept = TrialLosses(test, np.array([point], dtype=np.intp), found.losses[:, None].astype(np.float32))
    kept.save(losses_path(folder, trial, fold))
    return {"fold": fold, "learned_rows": len(train), **record}


def _halve(workspace: Workspace, trial: Trial, partition: int) -> list[float]:
    """Return the mean loss of a model trained on one half of the rows and tested on the other, both ways."""
    contender = Contender(trial.model)
    chosen = Points(contender, workspace.settings).all[trial.points[0]]
    most = workspace.stages.all[trial.stage].rows
    one, other = _halves(workspace, partition)
    pairs = ((one[:most], other[:_HALF_TEST_ROWS]), (other[:most], one[:_HALF_TEST_ROWS]))
    found = [
        evaluate_fold(workspace, contender, chosen, np.sort(train), np.sort(test)) for train, test in pairs
    ]
    return [float(np.mean(each.losses)) for each in found]


def _halves(workspace: Workspace, partition: int) -> tuple[Rows, Rows]:
    """Return two halves of the rows in random order; rows of one group are in one of them."""
    seed = workspace.settings.seed + 5000 + partition
    halves = splitter(workspace.settings, 2, workspace.y, workspace.order, seed)
    one, other = next(
        iter(halves.split(np.zeros((len(workspace.y), 1)), workspace.y, groups=workspace.order))
    )
    random = np.random.default_rng([seed, 7])
    return random.permutation(one), random.permutation(other)
