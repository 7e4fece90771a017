"""The result of a comparison."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from classica import persist
from classica.comparison.kept_files import SUMMARY_KIND
from classica.comparison.summary_text import summary_text
from classica.errors import DataError
from classica.evaluation.runs import require_own_files
from classica.kinds import read_json
from classica.whole_file import whole_file

SUMMARY = "summary.json"
BEST = "best.classica"


@dataclass(frozen=True)
class Compared:
    """Which classifiers to trust on a table, and how good they really are.

    Attributes
    ----------
    folder : Path
        Where everything is: the journal, answers, models, ``summary.json`` and ``best.classica``.
    summary : dict
        All results as plain values, the same as in ``summary.json``.
    """

    folder: Path
    summary: dict[str, Any]

    @classmethod
    def load(cls, folder: str | Path) -> Compared:
        """Return the result of a run that has ended."""
        path = Path(folder) / SUMMARY
        require_own_files(Path(folder))
        if not path.exists():
            raise DataError(f"{folder} must be the folder of a comparison that has ended, got no {SUMMARY}.")
        return cls(Path(folder), read_json(path, SUMMARY_KIND, str(path), DataError))

    @property
    def best(self) -> str | None:
        """The name of the model with the best score."""
        name: str | None = self.summary["best"]
        return name

    @property
    def answer(self) -> str:
        """The result in one sentence."""
        sentence: str = self.summary["answer"]
        return sentence

    def best_model(self) -> Any:
        """Return the best model, fitted on all rows."""
        return persist.load(self.folder / BEST)

    def __str__(self) -> str:
        return summary_text(self.summary)


def keep_best(folder: Path, file: str | None) -> str | None:
    """Put the best model under its own name; return that name, or None where it has no file."""
    if file is None:
        return None
    if not (folder / file).is_file():
        raise DataError(f"{folder / file} must be the file of the best model, got none.")
    with open(folder / file, "rb") as model, whole_file(folder / BEST, DataError) as copy:
        shutil.copyfileobj(model, copy)
    return BEST
