"""The result of a comparison and the folder it is in."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from functools import cached_property
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
class ComparisonResult:
    """The result of a comparison: the recommended model, all scores, and the run folder.

    Attributes
    ----------
    folder : Path
        The run folder with the journal, predictions, models, ``summary.json`` and ``best.classica``.
    summary : Summary
        All results, the same as in ``summary.json``.
    """

    folder: Path
    summary: Summary
    _workspace: Workspace | None = field(default=None, repr=False, compare=False)

    @cached_property
    def workspace(self) -> Workspace:
        """The table and how models were compared on it; read from the folder unless it was compared here."""
        return Workspace.load(self.folder) if self._workspace is None else self._workspace

    @classmethod
    def load(cls, folder: str | Path) -> ComparisonResult:
        """Return the result of a run; that of a stopped run is based on what was finished."""
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
        """Whether the run was stopped before it was complete."""
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
    """Return the summary of the finished part of a run, from its journals."""
    try:
        if not is_resumable(folder):
            raise DataError("it is not the folder of a comparison.")
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
        raise DataError(f"Cannot read the comparison in {folder}: {error}") from None


def _finished(folder: Path) -> dict[str, Outcome]:
    """Return the finished units of the runs within a folder."""
    runs = sorted(path for path in folder.iterdir() if is_resumable(path)) if folder.is_dir() else []
    found = [outcome for path in runs for outcome in checked_outcomes(read_outcomes(path))]
    return {outcome.key: outcome for outcome in found if outcome.status == "done"}


def keep_best(folder: Path, file: str | None) -> str | None:
    """Copy the recommended model to ``best.classica``; return that name, or None where it has no file."""
    if file is None:
        return None
    if not (folder / file).is_file():
        raise DataError(f"Cannot find the recommended model: there is no file {folder / file}.")
    with open(folder / file, "rb") as model, whole_file(folder / BEST, DataError) as copy:
        shutil.copyfileobj(model, copy)
    return BEST
