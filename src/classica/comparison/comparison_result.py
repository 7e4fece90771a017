"""The result of a comparison and the folder it is in."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field, replace
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
from classica.comparison.results.model_card import ENTRY as CARD
from classica.comparison.results.model_card import model_card
from classica.comparison.results.old_summary import current
from classica.comparison.results.summarising import summarise
from classica.comparison.results.summary import SUMMARY, ModelResult, Summary
from classica.comparison.work.insight import FOLDER as INSIGHT
from classica.comparison.work.kept_files import checked_outcomes, checked_summary
from classica.comparison.work.units import DELIVERY
from classica.decision.class_labels import named_class
from classica.errors import ClassicaError, DataError
from classica.kinds import DictOf, Plain, Word, read_json
from classica.runs import Outcome, is_resumable, read_outcomes, require_own_files
from classica.whole_file import whole_file

BEST, MOST_ACCURATE = "best.classica", "most-accurate.classica"


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
        if self.summary.best_file is None:
            other = self.summary.most_accurate_file
            load = f" The most accurate model is in {self.folder / other}." if other else ""
            raise DataError(f"Cannot load the recommended model of {self.folder}: there is none.{load}")
        return persist.load(self.folder / BEST)

    def with_positive(self, name: Any) -> ComparisonResult:
        """Return the result with a class whose precision, recall, F1 and curves are shown."""
        summary = self.summary
        label = str(named_class(name, [each.label for each in summary.table.classes]))
        settings = replace(summary.settings, positive=label)
        return replace(self, summary=replace(summary, settings=settings))

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


def keep_models(folder: Path, summary: Summary) -> Summary:
    """Write the card of every model into its file, and copy the recommended and the most accurate one.

    Returns the summary with the names of the copies: ``best.classica``, and ``most-accurate.classica`` where
    that is another model.
    """
    for model in summary.models:
        card = model_card(summary, model)
        if card is not None and model.delivered is not None and model.delivered.file is not None:
            persist.add_metadata(_existing(folder, model.delivered.file), {CARD: card.record()})
    used, best = summary.model(summary.recommended), summary.model(summary.best)
    apart = best if best is not None and best.role == "model" and best.name != summary.recommended else None
    return replace(
        summary,
        best_file=_copied(folder, used, BEST),
        most_accurate_file=_copied(folder, apart, MOST_ACCURATE),
    )


def _copied(folder: Path, model: ModelResult | None, name: str) -> str | None:
    """Copy the file of a model; one that an earlier part of the run has left is removed if there is none."""
    file = None if model is None or model.delivered is None else model.delivered.file
    if file is None:
        (folder / name).unlink(missing_ok=True)
        return None
    with open(_existing(folder, file), "rb") as source, whole_file(folder / name, DataError) as copy:
        shutil.copyfileobj(source, copy)
    return name


def _existing(folder: Path, file: str) -> Path:
    if not (folder / file).is_file():
        raise DataError(f"Cannot find a delivered model: there is no file {folder / file}.")
    return folder / file
