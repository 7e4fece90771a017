"""How cost grows: times at sizes that double, their slope on log axes, and the slope of the stated cost."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from benchmarks.benchmark import Contender, Data
from benchmarks.timing import Clock, Lap, time_once

Step = Literal["fit", "query"]
_SLACK = 0.3  # how much steeper than stated a slope may be: larger tables also leave the caches


@dataclass(frozen=True)
class Cost:
    """A stated cost in words and as a function of the number of rows, up to a factor."""

    words: str
    of: Callable[[float], float]


@dataclass(frozen=True)
class Line:
    """One contender with the stated costs of its fit and of one query."""

    contender: Contender
    fit: Cost
    query: Cost


@dataclass(frozen=True)
class Growth:
    """One picture of growing cost.

    Parameters
    ----------
    slug : str
        The name on the command line.
    work : str
        One sentence that names the work.
    make : callable
        ``make(quick, seed)`` returns the data at its largest; smaller sizes are its first rows.
    lines : sequence of Line
        The contenders, all ours.
    doublings : int
        How many times the number of rows doubles.
    """

    slug: str
    work: str
    make: Callable[[bool, int], Data]
    lines: Sequence[Line]
    doublings: int = 7

    def sizes(self, rows: int) -> list[int]:
        """Return the sizes, doubling up to this many rows."""
        return [rows >> halvings for halvings in range(self.doublings, -1, -1)]


@dataclass(frozen=True)
class Curve:
    """Seconds of one step at every size, and the cost stated for it.

    Both slopes are of the larger sizes: in the smaller ones the calls themselves take the time.
    """

    name: str
    step: Step
    stated: str
    seconds: tuple[float, ...]
    slope: float
    stated_slope: float


@dataclass(frozen=True)
class GrowthResult:
    """The curves of one picture."""

    slug: str
    work: str
    sizes: tuple[int, ...]
    columns: int
    curves: tuple[Curve, ...]

    def failure(self) -> str | None:
        """Say in one line which costs grow faster than stated, or return None."""
        reasons = [
            f"slope of {curve.name} ({curve.step}) must be at most {highest:.2f}, got {curve.slope:.2f}"
            for curve in self.curves
            if curve.slope > (highest := curve.stated_slope + _SLACK)
        ]
        return f"{self.slug}: {'; '.join(reasons)}" if reasons else None


def measure_growth(
    growth: Growth,
    *,
    quick: bool,
    repeats: int,
    seed: int = 0,
    clock: Clock = time.perf_counter,
    progress: Callable[[str], None] = lambda line: None,
) -> GrowthResult:
    """Time every line at every size; the best of the repeats counts, for nothing else can be faster."""
    data = growth.make(quick, seed)
    sizes = growth.sizes(len(data.rows))
    laps: list[list[list[Lap]]] = [[[] for _ in sizes] for _ in growth.lines]
    for repeat in range(repeats):
        for i, size in enumerate(sizes):
            progress(f"{growth.slug}: repeat {repeat + 1}/{repeats}: {size:,} rows")
            first = replace(data, rows=data.rows[:size], labels=data.labels[:size])
            for line, times in zip(growth.lines, laps, strict=True):
                times[i].append(time_once(line.contender, first, clock, one_row=False))
    curves = [
        curve
        for line, times in zip(growth.lines, laps, strict=True)
        for curve in _curves(line, times, sizes, len(data.new_rows))
    ]
    return GrowthResult(growth.slug, growth.work, tuple(sizes), data.rows.shape[1], tuple(curves))


def _curves(line: Line, laps: list[list[Lap]], sizes: list[int], queries: int) -> list[Curve]:
    fit = [min(lap.fit for lap in at_size) for at_size in laps]
    query = [min(lap.predict for lap in at_size) / queries for at_size in laps]
    name = line.contender.name
    return [_curve(name, "fit", line.fit, fit, sizes), _curve(name, "query", line.query, query, sizes)]


def _curve(name: str, step: Step, cost: Cost, seconds: list[float], sizes: list[int]) -> Curve:
    stated = [cost.of(size) for size in sizes]
    return Curve(name, step, cost.words, tuple(seconds), _slope(sizes, seconds), _slope(sizes, stated))


def _slope(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the exponent of the power of n that fits the larger sizes best."""
    kept = larger(len(sizes))
    return float(np.polyfit(np.log(sizes[kept]), np.log(costs[kept]), 1)[0])


def larger(count: int) -> slice:
    """Return the sizes that slopes are taken of: the larger half, at least two."""
    return slice(max(0, min(count // 2 - 1, count - 2)), count)
