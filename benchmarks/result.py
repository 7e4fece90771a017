"""What a benchmark found: times, ratios, and whether they count."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from benchmarks.benchmark import FASTEST, Phase
from benchmarks.growth import GrowthResult
from benchmarks.waiting import WaitResult


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
    """One contender of one benchmark: seconds per phase and its time as a multiple of ours.

    One with `within` is no peer but a yardstick: ours is meant to take at most that many times its time.
    """

    name: str
    ours: bool
    version: str | None
    status: Status
    detail: str = ""
    within: float | None = None
    repeats: int = 0
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
    def others(self) -> list[Outcome]:
        """The outcomes that are not ours: the peers and the yardsticks."""
        return [outcome for outcome in self.outcomes if not outcome.ours]

    @property
    def judge(self) -> Outcome | None:
        """The peer the target is stated against; of a fastest one, None if no peer ran."""
        peers = [outcome for outcome in self.others if outcome.within is None]
        if self.reference != FASTEST:
            return next(peer for peer in peers if peer.name == self.reference)
        ran = [peer for peer in peers if peer.ratio and peer.status is Status.MEASURED]
        return min(ran, key=lambda peer: peer.ratio.median if peer.ratio else np.inf, default=None)

    def goal(self, outcome: Outcome) -> float | None:
        """Return the ratio to this outcome that is aimed at, None if there is no aim."""
        if outcome.within is not None:
            return 1 / outcome.within
        return self.target if outcome is self.judge else None

    def meets_target(self) -> bool:
        """Whether every ratio with a goal counts and is at or above it."""
        goals = [(outcome.ratio, goal) for outcome in self.others if (goal := self.goal(outcome))]
        return self.failure() is None and all(ratio and ratio.median >= goal for ratio, goal in goals)

    def failure(self, *, speed: bool = True) -> str | None:
        """Say in one line why the row fails, or return None if it holds; without speed, its answers only."""
        reasons = [reason for outcome in self.outcomes if (reason := self._reason(outcome, speed))]
        if speed and not reasons and self.judge is None:
            reasons = ["one peer at least must be installed, got none"]
        return f"{self.slug}: {'; '.join(reasons)}" if reasons else None

    def _reason(self, outcome: Outcome, speed: bool) -> str | None:
        # Who else must be there is a question of speed: without them, there are no answers to differ from.
        needed = outcome.ours or (speed and outcome.name == self.reference)
        if outcome.status is Status.MISSING:
            return f"{outcome.name} must be installed, got no such module" if needed else None
        if outcome.status is Status.FAILED:
            return f"{outcome.name} must run, got {outcome.detail}"
        if outcome.status is Status.DIFFERS:
            return f"answers must agree with {outcome.name}, got {outcome.detail}"
        return self._shortfall(outcome) if speed else None

    def _shortfall(self, outcome: Outcome) -> str | None:
        goal, ratio = self.goal(outcome), outcome.ratio
        if goal is None or ratio is None or ratio.median >= goal / 2:
            return None
        return f"ratio to {outcome.name} must be at least {goal / 2:.3g}, got {ratio.median:.3g}"


@dataclass
class Run:
    """The rows measured so far in one run, and what they were measured on."""

    quick: bool
    seed: int
    machine: dict[str, object]
    rows: list[RowResult] = field(default_factory=list)
    growths: list[GrowthResult] = field(default_factory=list)
    waits: list[WaitResult] = field(default_factory=list)

    @property
    def size(self) -> str:
        """The size of the data: "quick" or "full"."""
        return "quick" if self.quick else "full"

    def failures(self, *, speed: bool = True) -> list[str]:
        """Return one line for each row that fails; without speed, only for answers that differ."""
        messages = [row.failure(speed=speed) for row in self.rows]
        messages += [growth.failure() for growth in self.growths if speed]
        messages += [wait.failure(speed=speed) for wait in self.waits]
        return [failure for failure in messages if failure]
