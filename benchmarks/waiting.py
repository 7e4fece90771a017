"""How long a user waits for ``classica compare``: for the first leaderboard, and for the answer."""

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.table_sources import ReadyTable, TableSource
from benchmarks.timed_command import TimedRun, run_timed
from classica.comparison.results.summary import SUMMARY

#: The command runs in a folder and is timed.
Runner = Callable[[Sequence[str], Path], TimedRun]

#: A row fails where it needs more than so many times what is aimed at.
_SLACK = 2.0
_QUICK = ("--budget", "5s")
_EXHAUSTIVE = ("--thorough", "--budget", "none")


@dataclass(frozen=True)
class Targets:
    """What a comparison is meant to need.

    Parameters
    ----------
    first_leaderboard, answer : float
        Seconds from the start of the process.
    memory : float or None
        Gigabytes of the process and all its descendants together; None if there is no target.
    ratio : float or None
        How many times faster than the exhaustive search the answer is meant to come; None if the two are not
        compared.
    """

    first_leaderboard: float
    answer: float
    memory: float | None = None
    ratio: float | None = None


@dataclass(frozen=True)
class Wait:
    """One table that a user compares all models on.

    Parameters
    ----------
    slug : str
        The name on the command line.
    work : str
        One sentence that names the work.
    table : TableSource
        Where the table comes from.
    targets : Targets
        What is aimed at.
    quick_table : TableSource or None
        The table of the quick form; None: measured at full size only.
    """

    slug: str
    work: str
    table: TableSource
    targets: Targets
    quick_table: TableSource | None = None


@dataclass(frozen=True)
class WaitResult:
    """What was measured on one table.

    Attributes
    ----------
    rows, columns : int or None
        The size of the table; None if there was none.
    race, exhaustive : TimedRun or None
        The comparison as it is by default, and the exhaustive search; None if it was not run.
    regret : float or None
        By how many percentage points the model that the exhaustive search recommends scores better.
    unmeasured : str
        Why nothing was measured.
    """

    slug: str
    work: str
    targets: Targets
    rows: int | None = None
    columns: int | None = None
    race: TimedRun | None = None
    exhaustive: TimedRun | None = None
    regret: float | None = None
    unmeasured: str = ""

    @property
    def ratio(self) -> float | None:
        """The time of the exhaustive search over that of the race; None unless both gave an answer."""
        if self.race is None or self.exhaustive is None or self._missing_answers():
            return None
        return self.exhaustive.answer / self.race.answer

    def meets_targets(self) -> bool:
        """Whether there is an answer, and everything that was measured is as it is meant to be."""
        return self.race is not None and not self._missing_answers() and not self._beyond(1.0)

    def failure(self, *, speed: bool = True) -> str | None:
        """Say in one line why the row fails, or return None if it holds; without speed, its answers only."""
        reasons = self._missing_answers() or (self._beyond(_SLACK) if speed else [])
        return f"{self.slug}: {'; '.join(reasons)}" if reasons else None

    def _missing_answers(self) -> list[str]:
        runs = {"the comparison": self.race, "the exhaustive search": self.exhaustive}
        reasons = [
            f"{name} must end with exit code 0, got {run.exit_code}: {run.error}"
            for name, run in runs.items()
            if run is not None and run.exit_code
        ]
        if not reasons and self.race is not None and self.race.first_leaderboard is None:
            reasons = ["the comparison must show a leaderboard before the answer, got none"]
        return reasons

    def _beyond(self, factor: float) -> list[str]:
        """Say what needs more than so many times its target."""
        if self.race is None:
            return []
        race, targets = self.race, self.targets
        memory = race.peak_memory and race.peak_memory / 1e9
        needs = [
            ("the first leaderboard", race.first_leaderboard, targets.first_leaderboard, "s"),
            ("the answer", race.answer, targets.answer, "s"),
            ("memory", memory, targets.memory, "GB"),
        ]
        reasons = [
            f"{name} must take at most {factor * target:g} {unit}, got {value:.1f} {unit}"
            for name, value, target, unit in needs
            if value is not None and target is not None and value > factor * target
        ]
        aim, ratio = targets.ratio, self.ratio
        if aim is not None and ratio is not None and ratio < aim / factor:
            reasons.append(
                f"ratio to the exhaustive search must be at least {aim / factor:g}, got {ratio:.3g}"
            )
        return reasons


def measure_wait(
    wait: Wait,
    *,
    quick: bool,
    tables: Path | None = None,
    exhaustive: bool = False,
    seed: int = 0,
    run: Runner = run_timed,
    progress: Callable[[str], None] = lambda line: None,
) -> WaitResult:
    """Compare all models on a table once, and by the exhaustive search as well if it is asked for.

    Once, because the long ones take minutes; the targets leave a factor of two for a slow moment.
    """
    source = wait.quick_table if quick else wait.table
    if source is None:
        return WaitResult(wait.slug, wait.work, wait.targets, unmeasured="full size only")
    with tempfile.TemporaryDirectory(prefix="classica-benchmark-") as name:
        folder = Path(name)
        table = source.write(folder, tables, seed)
        if table is None:
            return WaitResult(wait.slug, wait.work, wait.targets, unmeasured="no table")
        progress(f"{wait.slug}: comparison of all models")
        race = run(_command(table, "race", _QUICK if quick else ()), folder)
        search = None
        if exhaustive and wait.targets.ratio is not None:
            progress(f"{wait.slug}: exhaustive search")
            search = run(_command(table, "exhaustive", _EXHAUSTIVE), folder)
        regret = _regret(folder) if search else None
    return WaitResult(wait.slug, wait.work, wait.targets, table.rows, table.columns, race, search, regret)


def _command(table: ReadyTable, out: str, options: Sequence[str]) -> list[str]:
    compare = [sys.executable, "-m", "classica", "compare", table.name, "--target", table.target]
    return [*compare, "--out", out, "--no-report", "--json-lines", *options]


def _regret(folder: Path) -> float | None:
    exhaustive, race = (_recommended_score(folder / name / SUMMARY) for name in ("exhaustive", "race"))
    return None if exhaustive is None or race is None else 100 * (exhaustive - race)


def _recommended_score(path: Path) -> float | None:
    """Return the score that a comparison gives the model it recommends; None if it recommends none."""
    if not path.exists():
        return None
    summary = json.loads(path.read_text(encoding="utf-8"))
    recommended = [model for model in summary["models"] if model["name"] == summary["recommended"]]
    scores = [summary["headline"], *(model["standing"]["score"] for model in recommended)]
    return next((float(score["mean"]) for score in scores if score), None)
