"""What a benchmark found: times, ratios, and whether they count."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from benchmarks.benchmark import Phase


class Status(StrEnum):
    """What became of one contender."""

    MEASURED = "measured"
    DIFFERS = "answers differ"
    MISSING = "not installed"
    FAILED = "failed"


@dataclass(frozen=True)
class Spread:
    """The median of some repeats, their quartiles and their range."""

    median: float
    lower_quartile: float
    upper_quartile: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Summarise one value per repeat."""
        low, lower, median, upper, high = np.percentile(values, [0, 25, 50, 75, 100]).tolist()
        return cls(median, lower, upper, low, high)


@dataclass(frozen=True)
class Outcome:
    """One contender of one benchmark: seconds per phase and its time as a multiple of ours."""

    name: str
    ours: bool
    version: str | None
    status: Status
    detail: str = ""
    fit: Spread | None = None
    predict: Spread | None = None
    total: Spread | None = None
    ratio: Spread | None = None

    def seconds(self, phase: Phase) -> Spread | None:
        """Return the time of one phase, None if it was not measured."""
        return {"fit": self.fit, "predict": self.predict, "total": self.total}[phase]


@dataclass(frozen=True)
class RowResult:
    """One benchmark with the outcome of each of its contenders."""

    slug: str
    work: str
    compared: Phase
    one_row: bool
    reference: str
    target: float
    repeats: int
    sizes: dict[str, int | str]
    outcomes: tuple[Outcome, ...]

    @property
    def floor(self) -> float:
        """The ratio below which the row fails: half the target."""
        return self.target / 2

    @property
    def peers(self) -> list[Outcome]:
        """The outcomes that are not ours."""
        return [outcome for outcome in self.outcomes if not outcome.ours]

    def meets_target(self) -> bool:
        """Whether the ratio to the reference counts and is at or above the target."""
        ratios = [peer.ratio for peer in self.peers if peer.name == self.reference]
        return self.failure() is None and all(r and r.median >= self.target for r in ratios)

    def failure(self) -> str | None:
        """Say in one line why the row fails, or return None if it holds."""
        reasons = [reason for outcome in self.outcomes if (reason := self._reason(outcome))]
        return f"{self.slug}: {'; '.join(reasons)}" if reasons else None

    def _reason(self, outcome: Outcome) -> str | None:
        needed = outcome.ours or outcome.name == self.reference
        if outcome.status is Status.MISSING:
            return f"{outcome.name} must be installed, got no such module" if needed else None
        if outcome.status is Status.FAILED:
            return f"{outcome.name} must run, got {outcome.detail}"
        if outcome.status is Status.DIFFERS:
            return f"answers must agree with {outcome.name}, got {outcome.detail}"
        if outcome.name == self.reference and outcome.ratio:
            return self._shortfall(outcome.ratio)
        return None

    def _shortfall(self, ratio: Spread) -> str | None:
        if ratio.median >= self.floor:
            return None
        return f"ratio to {self.reference} must be at least {self.floor:g}, got {ratio.median:.3g}"


@dataclass
class Run:
    """The rows measured so far in one run, and what they were measured on."""

    quick: bool
    seed: int
    machine: dict[str, object]
    rows: list[RowResult] = field(default_factory=list)

    @property
    def size(self) -> str:
        """The size of the data: "quick" or "full"."""
        return "quick" if self.quick else "full"

    def failures(self) -> list[str]:
        """Return one line for each row that fails."""
        return [failure for row in self.rows if (failure := row.failure())]
