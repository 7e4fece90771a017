"""The runner: a warm-up, then repeats interleaved over the contenders.

Every repeat runs all contenders one after the other, so that a slow moment of the machine hits
them alike, and a ratio is taken within a repeat, never between two. A slow peer sits out the later repeats.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.util import find_spec

from benchmarks.benchmark import Benchmark, Contender, Data, Phase
from benchmarks.machine import package_version
from benchmarks.result import Outcome, RowResult, Spread, Status
from benchmarks.timing import Clock, Lap, time_once

Progress = Callable[[str], None]


@dataclass
class _Entry:
    """A contender and what it has done so far, one lap per repeat."""

    contender: Contender
    status: Status = Status.MEASURED
    detail: str = ""
    laps: list[Lap] = field(default_factory=list)
    spent: float = 0.0

    @property
    def runs(self) -> bool:
        return self.status not in (Status.MISSING, Status.FAILED)

    def rests(self, budget: float) -> bool:
        """Return whether it has a repeat to show and has used its time; ours never rests."""
        return bool(self.laps) and not self.contender.ours and self.spent >= budget

    def seconds(self, phase: Phase) -> list[float]:
        if phase == "total":
            return [lap.fit + lap.predict for lap in self.laps]
        return [lap.fit if phase == "fit" else lap.predict for lap in self.laps]


def measure(
    benchmark: Benchmark,
    *,
    quick: bool,
    repeats: int,
    budget: float = math.inf,
    seed: int = 0,
    clock: Clock = time.perf_counter,
    progress: Progress = lambda line: None,
) -> RowResult:
    """Run one benchmark and return its row.

    A peer that has used `budget` seconds, warm-up included, rests; it has one repeat at least.
    """
    progress(f"{benchmark.slug}: making the data")
    data = benchmark.make(quick, seed)
    entries = [_enter(contender) for contender in benchmark.contenders]
    for repeat in range(repeats + 1):
        label = f"repeat {repeat}/{repeats}" if repeat else "warm-up"
        at_work = [entry for entry in entries if entry.runs and not entry.rests(budget)]
        for entry in _rotated(at_work, repeat):
            progress(f"{benchmark.slug}: {label}: {entry.contender.name}")
            _run(entry, benchmark, data, clock)
        _mark_differences(at_work, benchmark, data)
        if repeat == 0:
            for entry in entries:
                entry.laps.clear()
    return _row(benchmark, data, entries, repeats)


def _enter(contender: Contender) -> _Entry:
    if contender.requires is None or find_spec(contender.requires) is not None:
        return _Entry(contender)
    return _Entry(contender, Status.MISSING)


def _rotated(entries: list[_Entry], repeat: int) -> list[_Entry]:
    """Let each repeat begin with another contender, so that none always finds the caches warm."""
    shift = repeat % len(entries) if entries else 0
    return entries[shift:] + entries[:shift]


def _run(entry: _Entry, benchmark: Benchmark, data: Data, clock: Clock) -> None:
    start = clock()
    try:
        entry.laps.append(time_once(entry.contender, data, clock, one_row=benchmark.one_row))
    except Exception as error:  # a failing peer is a line in the table, not the end of the run
        message = " ".join(str(error).split())
        entry.status, entry.detail = Status.FAILED, f"{type(error).__name__}: {message}"
    entry.spent += clock() - start


def _mark_differences(entries: list[_Entry], benchmark: Benchmark, data: Data) -> None:
    """Mark each peer whose latest answer is not ours; one repeat is enough to lose the ratio."""
    ours = next((entry for entry in entries if entry.contender.ours), None)
    if ours is None or not ours.runs:
        return
    for entry in entries:
        if entry is ours or entry.contender.within is not None or not entry.runs:
            continue
        difference = benchmark.agree(data, ours.laps[-1].answer, entry.laps[-1].answer)
        if difference is not None:
            entry.status, entry.detail = Status.DIFFERS, difference


def _row(benchmark: Benchmark, data: Data, entries: list[_Entry], repeats: int) -> RowResult:
    ours = next(entry for entry in entries if entry.contender.ours)
    return RowResult(
        slug=benchmark.slug,
        work=benchmark.work,
        compared=benchmark.compared,
        one_row=benchmark.one_row,
        reference=benchmark.reference,
        target=benchmark.target,
        repeats=repeats,
        sizes=data.sizes(),
        outcomes=tuple(_outcome(entry, ours, benchmark) for entry in entries),
    )


def _outcome(entry: _Entry, ours: _Entry, benchmark: Benchmark) -> Outcome:
    contender = entry.contender
    outcome = Outcome(
        name=contender.name,
        ours=contender.ours,
        version=package_version(contender.requires),
        status=entry.status,
        detail=entry.detail,
        within=contender.within,
        repeats=len(entry.laps),
    )
    if not entry.runs:
        return outcome
    return replace(
        outcome,
        fit=Spread.of(entry.seconds("fit")),
        predict=Spread.of(entry.seconds("predict")),
        # A whole fit and a single call do not add up to anything.
        total=None if benchmark.one_row else Spread.of(entry.seconds("total")),
        ratio=_ratio(entry, ours, benchmark.compared) if ours.runs and entry is not ours else None,
    )


def _ratio(entry: _Entry, ours: _Entry, compared: Phase) -> Spread:
    """Divide within each repeat: what slowed both down cancels out. A peer may have the first ones only."""
    pairs = zip(entry.seconds(compared), ours.seconds(compared), strict=False)
    return Spread.of([theirs / own for theirs, own in pairs])
