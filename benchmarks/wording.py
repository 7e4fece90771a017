"""Times and ratios as words, the same in the terminal, in Markdown and in the plot."""

from benchmarks.result import Outcome, RowResult, Spread, Status

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
    limit = f"limit of the machine: within {outcome.within:g}×" if outcome.within else ""
    slow = f"{_count(outcome.repeats, 'repeat')}, its time was up" if outcome.repeats < row.repeats else ""
    return "; ".join(filter(None, [limit, slow]))


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


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
