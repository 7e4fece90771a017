"""The losses of held-out rows, as the trials of a race have left them in the run folder."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.splits import Rows
from classica.comparison.race.trial import Trial
from classica.comparison.work.kept_arrays import load_arrays, save_arrays
from classica.errors import DataError
from classica.kinds import Array, Fields, Scope
from classica.native import Floats

_KIND = Fields(
    {
        "rows": Array("i4 i8", "n", low=0),
        "losses": Array("f4", "n", "p"),
        "points": Array("i4 i8", "p", low=0),
    }
)


@dataclass(frozen=True)
class TrialLosses:
    """What points of one model lose on the test rows of one fold.

    Attributes
    ----------
    rows : ndarray of shape (n,)
        The test rows.
    points : ndarray of shape (p,)
        The points of the grid; one that was refused has NaN for losses.
    losses : ndarray of float32 of shape (n, p)
        The losses; single precision tells a millionth of a point.
    """

    rows: Rows
    points: NDArray[np.intp]
    losses: NDArray[np.float32]

    def save(self, path: Path) -> None:
        """Write the arrays, whole or not at all."""
        save_arrays(path, vars(self))

    @classmethod
    def load(cls, path: Path) -> TrialLosses:
        """Read them back; what was not written by `save` is refused."""
        found = load_arrays(path, _KIND)
        return cls(found["rows"].astype(np.intp), found["points"].astype(np.intp), found["losses"])

    def about(self, tested: Rows, points: Sequence[int], path: Path) -> TrialLosses:
        """Return them, once they are about these rows and points, with a loss for every row or for none."""
        scope = Scope(str(path), error=DataError)
        scope.require(np.array_equal(self.rows, tested), "about the test rows of its fold", "others")
        scope.require(self.points.tolist() == list(points), "about the points of its trial", "others")
        is_known = np.isfinite(self.losses)
        is_refused = np.isnan(self.losses).all(axis=0)
        scope.require((is_known.all(axis=0) | is_refused).all(), "made of finite losses", "others")
        return self


def losses_path(folder: Path, trial: Trial, fold: int) -> Path:
    """Return where the losses of a trial on one fold are.

    A fold of one stage may be tuned on again with other points of the grid, and both are kept.
    """
    points = zlib.crc32(",".join(map(str, trial.points)).encode())
    model = Contender(trial.model).file_name
    return folder / "losses" / f"{model}-{trial.task}-{trial.stage + 1}-{fold + 1}-{points:08x}.npz"


class LossStore:
    """The losses of all points on the rows that the race tests on, gathered as they come in.

    Parameters
    ----------
    tested : ndarray
        All rows that are tested on, sorted.
    """

    def __init__(self, tested: Rows) -> None:
        self._tested = tested
        # Of a million rows there are hundreds of these: as narrow as what is read from the files.
        self._sums: dict[tuple[str, str, int, int], NDArray[np.float32]] = {}
        self._counts: dict[tuple[str, str, int, int], NDArray[np.uint16]] = {}

    @property
    def is_known(self) -> bool:
        """Whether anything is known yet."""
        return bool(self._sums)

    def add(self, trial: Trial, found: TrialLosses) -> None:
        """Take in the losses of one fold; a row that repeats test again counts with its mean."""
        index = np.searchsorted(self._tested, found.rows)
        for column, point in enumerate(found.points.tolist()):
            key = trial.task, trial.model, trial.stage, point
            if np.isnan(found.losses[:, column]).all():
                continue
            if key not in self._sums:
                self._sums[key] = np.zeros(len(self._tested), dtype=np.float32)
                self._counts[key] = np.zeros(len(self._tested), dtype=np.uint16)
            self._sums[key][index] += found.losses[:, column]
            self._counts[key][index] += 1

    def losses(self, task: str, model: str, stage: int, point: int) -> Floats | None:
        """Return the mean loss of every tested row; NaN where it was not predicted, None if none was."""
        key = task, model, stage, point
        if key not in self._sums:
            return None
        with np.errstate(invalid="ignore"):
            found: Floats = self._sums[key].astype(np.float64) / self._counts[key]
        return found

    def points(self, model: str, stage: int) -> dict[int, Floats]:
        """Return the losses of all points of a model that were tuned at a stage."""
        numbers = sorted(key[3] for key in self._sums if key[:3] == ("tune", model, stage))
        found = {number: self.losses("tune", model, stage, number) for number in numbers}
        return {number: losses for number, losses in found.items() if losses is not None}
