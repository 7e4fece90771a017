"""Times and ratios as words, the same in the terminal, in Markdown and in the plot."""

from collections.abc import Iterable

from benchmarks.growth import Curve, GrowthResult
from benchmarks.result import Outcome, RowResult, Spread, Status
from benchmarks.waiting import WaitResult

_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))


def seconds(spread: Spread | None, *, quartiles: bool) -> str:
    """Write a median, with its quartiles if asked, in the largest unit that keeps it above one."""
    if spread is None:
        return "–"
    unit, size = next((each for each in _UNITS if spread.median >= each[1]), _UNITS[-1])
    median, lower, upper = (
        f"{value / size:.3g}" for value in (spread.median, spread.lower_quartile, spread.upper_quartile)
    )
    return f"{median} {unit} ({lower}–{upper})" if quartiles else f"{median} {unit}"


def time(value: float) -> str:
    """Write a time in the largest unit that keeps it above one."""
    return seconds(Spread.of([value]), quartiles=False)


def short(count: float) -> str:
    """Write a power of two as people do: 8192 is 8k."""
    unit, size = ("M", 2**20) if count >= 2**20 else ("k", 2**10) if count >= 2**10 else ("", 1)
    return f"{count / size:g}{unit}"


def growth(curve: Curve) -> str:
    """Write a measured slope next to the stated one."""
    return f"slope {curve.slope:.2f} ({curve.stated}: {curve.stated_slope:.2f})"


def growth_sizes(result: GrowthResult) -> str:
    """Write which sizes were measured."""
    ends = f"{result.sizes[0]:,} to {result.sizes[-1]:,} rows"
    return f"{ends}, doubling, {result.columns} columns; slopes of the larger half"


def growth_cells(curve: Curve) -> list[str]:
    """Write one line of a table: the times at both ends, the slope and the stated cost."""
    ends = [time(curve.seconds[0]), time(curve.seconds[-1])]
    return [curve.name, curve.step, *ends, f"{curve.slope:.2f}", f"{curve.stated}: {curve.stated_slope:.2f}"]


def times(value: float) -> str:
    """Write a ratio with three digits."""
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f}×"


def ratio(outcome: Outcome) -> str:
    """Write a median ratio with its range; empty where there is none."""
    if outcome.ratio is None:
        return ""
    spread = outcome.ratio
    return f"{times(spread.median)} ({times(spread.low)[:-1]}–{times(spread.high)[:-1]})"


def remark(row: RowResult, outcome: Outcome) -> str:
    """Say what keeps an outcome from counting, or from counting like a peer with all repeats."""
    if outcome.status is not Status.MEASURED:
        return f"{outcome.status}: {outcome.detail}" if outcome.detail else str(outcome.status)
    aim = f"a yardstick, no peer; the aim is to be within {outcome.within:g}×" if outcome.within else ""
    slow = f"{_count(outcome.repeats, 'repeat')}, its time was up" if outcome.repeats < row.repeats else ""
    return "; ".join(filter(None, [aim, slow]))


def sizes(row: RowResult) -> str:
    """Write how much work it was."""
    words = "{rows:,}×{columns} {dtype} rows, {classes} classes, {new_rows:,} new rows"
    return f"{words.format_map(row.sizes)}, {_count(row.repeats, 'repeat')}"


def verdict(row: RowResult) -> str:
    """Say whether a row holds, and against what."""
    judge = row.judge.name if row.judge else row.reference
    against = row.reference if judge == row.reference else f"{row.reference}, {judge}"
    bounds = f"against {against}: target {row.target:g}×, floor {row.floor:g}×"
    failure = row.failure()
    if failure:
        return f"fails: {failure.removeprefix(row.slug + ': ')} ({bounds})"
    return f"{'meets the target' if row.meets_target() else 'holds the floor'} ({bounds})"


def memory(size: float) -> str:
    """Write a number of bytes in megabytes, or in gigabytes if it is one at least."""
    return f"{size / 1e9:.2f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def wait_cells(wait: WaitResult) -> list[str]:
    """Write one line of a table: its size, what was measured beside what is aimed at, and the verdict."""
    race, targets = wait.race, wait.targets
    first = race.first_leaderboard if race else None
    most = f" ({targets.memory:g} GB)" if targets.memory else ""
    return [
        wait.slug.removeprefix("compare-"),
        f"{wait.rows:,}×{wait.columns:,}" if wait.rows else "–",
        f"{'–' if first is None else time(first)} ({targets.first_leaderboard:g})",
        f"{time(race.answer) if race else '–'} ({targets.answer:g})",
        _peak(wait) + most,
        _wait_ratio(wait),
        wait_verdict(wait),
    ]


def wait_status(wait: WaitResult) -> str:
    """Say in a word or two whether the targets are met."""
    held = "met" if wait.meets_targets() else "within 2×"
    return "fails" if wait.failure() else held


def wait_verdict(wait: WaitResult) -> str:
    """Say whether the targets are met and why not, or why nothing was measured."""
    if wait.unmeasured:
        return wait.unmeasured
    failure = wait.failure()
    reason = f": {failure.removeprefix(wait.slug + ': ')}" if failure else ""
    regret = "" if wait.regret is None else f"; regret {wait.regret:.2f} percentage points"
    return f"{wait_status(wait)}{reason}{regret}"


def unmeasured(waits: Iterable[WaitResult]) -> dict[str, list[str]]:
    """Return the rows that were not measured, by the reason."""
    rows: dict[str, list[str]] = {}
    for wait in waits:
        if wait.unmeasured:
            rows.setdefault(wait.unmeasured, []).append(wait.slug)
    return rows


def _peak(wait: WaitResult) -> str:
    if wait.race is None:
        return "–"
    return memory(wait.race.peak_memory) if wait.race.peak_memory else "not measured"


def _wait_ratio(wait: WaitResult) -> str:
    if wait.targets.ratio is None:
        return "–"
    ratio = "not measured" if wait.ratio is None else times(wait.ratio)
    return f"{ratio} ({wait.targets.ratio:g}×)"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
