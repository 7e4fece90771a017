"""The result of a comparison and the folder it is in."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from classica import persist
from classica.comparison.plan.workspace import Workspace
from classica.comparison.race.race import Race
from classica.comparison.race.results import race_results
from classica.comparison.race.rounds import replayed
from classica.comparison.results.gathering import delivered_by, gather
from classica.comparison.results.leaderboard_text import summary_text
from classica.comparison.results.old_summary import current
from classica.comparison.results.summarising import summarise
from classica.comparison.results.summary import SUMMARY, Summary
from classica.comparison.work.insight import FOLDER as INSIGHT
from classica.comparison.work.kept_files import checked_outcomes, checked_summary
from classica.comparison.work.units import DELIVERY
from classica.errors import ClassicaError, DataError
from classica.kinds import DictOf, Plain, Word, read_json
from classica.runs import Outcome, is_resumable, read_outcomes, require_own_files
from classica.whole_file import whole_file

BEST = "best.classica"


@dataclass(frozen=True)
class Compared:
    """Which classifiers to trust on a table, and how good they really are.

    Attributes
    ----------
    folder : Path
        Where everything is: the journal, predictions, models, ``summary.json`` and ``best.classica``.
    summary : Summary
        All results, the same as in ``summary.json``.
    """

    folder: Path
    summary: Summary

    @classmethod
    def load(cls, folder: str | Path) -> Compared:
        """Return the result of a run; of one that was stopped, what is known so far."""
        path = Path(folder)
        require_own_files(path)
        if not (path / SUMMARY).exists():
            return cls(path, summary_of_run(path))
        record = read_json(path / SUMMARY, DictOf(Word(), Plain()), str(path / SUMMARY), DataError)
        return cls(path, checked_summary(Summary.from_record(current(record)), path / SUMMARY))

    @property
    def best(self) -> str | None:
        """The name of the model with the best score."""
        return self.summary.best

    @property
    def recommended(self) -> str | None:
        """The name of the model to use."""
        return self.summary.recommended

    @property
    def is_interrupted(self) -> bool:
        """Whether the run was stopped before it was over."""
        return self.summary.is_interrupted

    @property
    def answer(self) -> str:
        """The recommendation in a few sentences."""
        return self.summary.answer

    def best_model(self) -> Any:
        """Return the recommended model, fitted on all rows."""
        return persist.load(self.folder / BEST)

    def __str__(self) -> str:
        return summary_text(self.summary)


def summary_of_run(folder: Path) -> Summary:
    """Return what a run has come to so far, from its journals."""
    try:
        if not is_resumable(folder):
            raise DataError("there is no run in it.")
        workspace = Workspace.load(folder)
        if workspace.settings.thorough:
            gathered = gather(folder, workspace, checked_outcomes(read_outcomes(folder)))
        else:
            gathered = race_results(replayed(folder, Race(folder, workspace, 1.0)))
        looks = {key: each for key, each in _finished(folder / INSIGHT).items() if each.status == "done"}
        models = {
            key.removesuffix(" all rows"): delivered_by(each)
            for key, each in _finished(folder / DELIVERY).items()
        }
        known = {name: each for name, each in models.items() if each is not None}
        return summarise(workspace, gathered, looks, known, is_interrupted=True)
    except ClassicaError as error:
        raise DataError(f"{folder} must be the folder of a comparison, got: {error}") from None


def _finished(folder: Path) -> dict[str, Outcome]:
    """Return what was finished in the runs within a folder."""
    runs = sorted(path for path in folder.iterdir() if is_resumable(path)) if folder.is_dir() else []
    found = [outcome for path in runs for outcome in checked_outcomes(read_outcomes(path))]
    return {outcome.key: outcome for outcome in found if outcome.status == "done"}


def keep_best(folder: Path, file: str | None) -> str | None:
    """Put the recommended model under its own name; return that name, or None where it has no file."""
    if file is None:
        return None
    if not (folder / file).is_file():
        raise DataError(f"{folder / file} must be the file of the recommended model, got none.")
    with open(folder / file, "rb") as model, whole_file(folder / BEST, DataError) as copy:
        shutil.copyfileobj(model, copy)
    return BEST
