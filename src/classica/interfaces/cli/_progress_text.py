"""Progress of a comparison as text: lines for a screen that is redrawn, and lines for a log."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from classica.comparison.comparison_progress import ComparisonProgress, Dropped, Leader, Running
from classica.comparison.results.sentences import score_text
from classica.statistics.interval import Interval
from classica.wording import counted

#: Leaders and drops on the screen.
_LEADERS, _DROPPED = 5, 3
#: Characters of the picture of an interval, at most and at least; of a model's name, at least.
_PICTURE, _LEAST_PICTURE, _LEAST_NAME = 30, 10, 8
#: A scale is kept until the intervals fill less than this share of it: so one sees them narrow.
_FILLED = 0.3
#: A leader that is further from the best than so many widths of its interval is off the scale.
_FAR = 8.0
#: Letters of a metric's name that fit above its numbers.
_LONGEST_TITLE = 12
#: A sample that has grown by so much is a new stage of tuning; folds differ by a row or two.
_GROWN = 1.5
#: Seconds between two lines in a log where nothing else happens.
EVERY = 30.0

STOP = "Ctrl-C gives the answer so far."


class Line(NamedTuple):
    """A line on the screen, and how it looks."""

    text: str
    style: str = ""


@dataclass(frozen=True)
class Scale:
    """The scores at the two ends of the pictures of intervals."""

    low: float
    high: float

    @classmethod
    def around(cls, leaders: Sequence[Leader], earlier: Scale | None = None) -> Scale | None:
        """Return the scale of the leaders on the screen: the earlier one as long as it suits them.

        Leaders that are far behind, such as a baseline, would leave no room for the others.
        """
        shown_scores = [leader.score for leader in leaders[:_LEADERS]]
        ends = [end for score in shown_scores if _is_near(score, shown_scores[0]) for end in _ends(score)]
        if not ends:
            return earlier
        needed = cls(min(ends), max(ends))
        if earlier is None or needed.low < earlier.low or needed.high > earlier.high:
            return needed
        return needed if needed.width < _FILLED * earlier.width else earlier

    @property
    def width(self) -> float:
        """The difference between the ends."""
        return self.high - self.low

    def index(self, score: float, cells: int) -> int:
        """Return the cell in which a score is drawn."""
        share = (score - self.low) / self.width if self.width > 0 else 0.5
        return round(min(max(share, 0.0), 1.0) * (cells - 1))


@dataclass(frozen=True)
class ProgressText:
    """Text for the progress of one comparison.

    Attributes
    ----------
    metric : str
        The title of the metric.
    is_share : bool
        Whether scores are shown in per cent.
    rows : int or None
        Rows of the table; None if unknown.
    """

    metric: str = "score"
    is_share: bool = True
    rows: int | None = None

    def panel(
        self, progress: ComparisonProgress, width: int, height: int, scale: Scale | None = None
    ) -> list[Line]:
        """Return the lines of the screen: at most ``height``, none longer than ``width``."""
        for leaders, dropped, is_airy in _PORTIONS:
            lines = list(self._lines(progress, width, scale, leaders, dropped, is_airy=is_airy))
            if len(lines) <= height:
                break
        else:
            lines = lines[: max(height, 1)]
        return [Line(_cut(line.text, width), line.style) for line in lines]

    def _lines(
        self,
        progress: ComparisonProgress,
        width: int,
        scale: Scale | None,
        leaders: int,
        dropped: int,
        *,
        is_airy: bool,
    ) -> Iterator[Line]:
        blank = [Line("")] if is_airy else []
        yield Line(self.headline(progress, width), "bold")
        if progress.leaders and leaders:
            yield from blank
            yield from self._board(progress, width, scale, leaders)
        if progress.running:
            yield from blank
            yield Line(_running(progress.running, width))
        if progress.dropped and dropped:
            yield from blank
            yield from _drops(progress.dropped, dropped)
        yield from blank
        yield Line(STOP, "dim")

    def headline(
        self, progress: ComparisonProgress, width: int, joint: str = " · ", *, has_count: bool = True
    ) -> str:
        """Return the phase, the count of fits and the times, as far as they fit the width."""
        phase = self._phase(progress)
        # Beside the rows of a sample there is no room for it, or only sometimes.
        is_counted = has_count and progress.total > 1 and progress.phase not in ("first look", "tuning")
        count = f"{progress.done:,} of {progress.total:,} fits" if is_counted else ""
        elapsed = f"{clock(progress.elapsed)} elapsed"
        left = "" if progress.remaining is None else f"at most {clock(progress.remaining, up=True)} left"
        for parts in ((phase, count, elapsed, left), (phase, elapsed, left), (phase, left), (phase,)):
            text = joint.join(part for part in parts if part)
            if len(text) <= width:
                return text
        return _cut(phase, width)

    def _phase(self, progress: ComparisonProgress) -> str:
        if progress.phase == "judging":
            return "Cross-validating on all folds"
        if progress.phase == "final fit":
            return "Fitting the recommended model on all rows"
        if progress.phase == "closer look":
            return "Diagnosing the best model"
        rows = sample_rows(progress)
        name = "First ranking" if progress.phase == "first look" else "Tuning"
        if not rows:
            return name
        of = f" of {self.rows:,}" if self.rows and self.rows > rows else ""
        return f"{name} on {rows:,}{of} rows"

    def _board(
        self, progress: ComparisonProgress, width: int, scale: Scale | None, most: int
    ) -> Iterator[Line]:
        first = progress.leaders[:most]
        heading = self.metric if len(self.metric) <= _LONGEST_TITLE else "score"
        scores = [heading, *(self.score(leader.score.mean) for leader in first)]
        rows = ["training rows", *(f"{leader.rows:,}" for leader in first)]
        names = ["model", *(_one_line(leader.title) for leader in first)]
        name, picture, with_rows = _widths(names, scores, rows, width)
        pictures = [self._ends(scale, picture), *(_picture(leader.score, scale, picture) for leader in first)]
        wide = max(map(len, scores)), max(map(len, rows))
        for index, cells in enumerate(zip(names, scores, pictures, rows, strict=True)):
            parts = [_cut(cells[0], name).ljust(name), cells[1].rjust(wide[0])]
            parts += [cells[2].ljust(picture)] if picture else []
            parts += [cells[3].rjust(wide[1])] if with_rows else []
            yield Line(f"  {'  '.join(parts)}".rstrip(), "dim" if index == 0 else "")
        note = self._note(progress, len(first))
        if note:
            yield Line(f"  {note}", "dim")

    def _note(self, progress: ComparisonProgress, listed: int) -> str:
        more = len(progress.leaders) - listed
        parts = [f"{more:,} more" if more else "", "provisional" if progress.is_provisional else ""]
        return "; ".join(part for part in parts if part)

    def _ends(self, scale: Scale | None, cells: int) -> str:
        if scale is None or not cells:
            return ""
        low, high = self.score(scale.low), self.score(scale.high)
        return f"{low}{high:>{cells - len(low)}}" if cells > len(low) + len(high) else ""

    def score(self, value: float) -> str:
        """Return a score as the leaderboard of the result shows it."""
        return score_text(value, share=self.is_share)

    def leaderboard(self, progress: ComparisonProgress) -> list[str]:
        """Return the leaders as lines of a log."""
        kind = ", provisional" if progress.is_provisional else ""
        first = progress.leaders[:_LEADERS]
        wide = max(len(_one_line(leader.title)) for leader in first)
        lines = [f"Leaderboard after {clock(progress.elapsed)}{kind}:"]
        for leader in first:
            name = _one_line(leader.title).ljust(wide)
            lines.append(f"  {name}  {self._with_interval(leader.score)}, {leader.rows:,} training rows")
        more = len(progress.leaders) - len(first)
        return [*lines, f"  {more:,} more"] if more else lines

    def _with_interval(self, score: Interval) -> str:
        if math.isnan(score.low) or math.isnan(score.high):
            return self.score(score.mean)
        low = score_text(score.low, share=self.is_share, unit=False)
        level = f"{100 * score.confidence:g}% CI"
        return f"{self.score(score.mean)} ({level} {low}–{self.score(score.high)})"


class ProgressLog:
    """The progress of a comparison as a log: a line for every event, and at least one every 30 seconds.

    Parameters
    ----------
    text : ProgressText
        Formats the lines.
    """

    def __init__(self, text: ProgressText) -> None:
        self._text = text
        self._stage: tuple[str, int] | None = None
        self._dropped = 0
        self._has_board = False
        self._last = -math.inf

    def lines(self, progress: ComparisonProgress, now: float) -> list[str]:
        """Return what to print after an event; ``now`` is in seconds."""
        lines = [*self._new_stage(progress), *self._new_drops(progress), *self._first_board(progress)]
        if not lines and now - self._last >= EVERY:
            best = progress.leaders[0] if progress.leaders else None
            so_far = (
                f"; best so far: {_one_line(best.title)}, {self._text.score(best.score.mean)}" if best else ""
            )
            lines = [self._headline(progress, has_count=True) + so_far]
        if lines:
            self._last = now
        return lines

    def _headline(self, progress: ComparisonProgress, *, has_count: bool = False) -> str:
        return self._text.headline(progress, 10_000, ", ", has_count=has_count)

    def _new_stage(self, progress: ComparisonProgress) -> list[str]:
        rows = sample_rows(progress) if progress.phase == "tuning" else 0
        if self._stage is not None:
            phase, earlier = self._stage
            if progress.phase == phase and rows < _GROWN * max(earlier, 1):
                return []
        self._stage = (progress.phase, rows)
        return [self._headline(progress)]

    def _new_drops(self, progress: ComparisonProgress) -> list[str]:
        new = progress.dropped[self._dropped :]
        is_continued = self._last == -math.inf and new
        self._dropped = len(progress.dropped)
        if is_continued:
            return [f"{counted(len(new), 'model was', 'models were')} dropped before this run was resumed."]
        return [f"Dropped {_drop(each)}" for each in new]

    def _first_board(self, progress: ComparisonProgress) -> list[str]:
        is_whole = progress.phase != "first look" or progress.done >= progress.total
        if self._has_board or not progress.leaders or not is_whole:
            return []
        self._has_board = True
        return self._text.leaderboard(progress)


#: Leaders, drops, and whether there are empty lines: the first portion that fits the screen is shown.
_PORTIONS = (
    (_LEADERS, _DROPPED, True),
    (_LEADERS, _DROPPED, False),
    *((_LEADERS, dropped, False) for dropped in range(_DROPPED - 1, -1, -1)),
    *((leaders, 0, False) for leaders in range(_LEADERS - 1, -1, -1)),
)


def clock(seconds: float, *, up: bool = False) -> str:
    """Return a time in minutes and seconds; ``up``: rounded up, for what is a limit.

    Examples
    --------
    >>> clock(42.9), clock(190.2, up=True), clock(3725)
    ('0:42', '3:11', '1:02:05')
    """
    whole = max(0, math.ceil(seconds) if up else int(seconds))
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def sample_rows(progress: ComparisonProgress) -> int:
    """Return the training rows of the current stage; 0 if unknown."""
    at_work = [each.rows for each in progress.running] or [leader.rows for leader in progress.leaders]
    return max(at_work, default=0)


def _ends(score: Interval) -> list[float]:
    return [end for end in (score.low, score.mean, score.high) if math.isfinite(end)]


def _is_near(score: Interval, best: Interval) -> bool:
    width = best.high - best.low
    return not width > 0 or abs(score.mean - best.mean) <= _FAR * width


def _widths(
    names: Sequence[str], scores: Sequence[str], rows: Sequence[str], width: int
) -> tuple[int, int, bool]:
    """Return the width of the names and of the pictures, and whether there is room for training rows.

    A long name is cut before the picture goes, and the picture goes before the training rows.
    """
    longest, score, count = (max(map(len, column)) for column in (names, scores, rows))
    # Two spaces stand in front of every column.
    room = width - 2 - (2 + score)
    for picture, with_rows in ((_LEAST_PICTURE, True), (0, True), (0, False)):
        others = (2 + picture if picture else 0) + (2 + count if with_rows else 0)
        if room - others >= min(longest, 2 * _LEAST_NAME):
            name = min(longest, room - others)
            return name, min(picture + room - others - name, _PICTURE) if picture else 0, with_rows
    return min(longest, max(room, _LEAST_NAME)), 0, False


def _picture(score: Interval, scale: Scale | None, cells: int) -> str:
    if scale is None or not cells or not math.isfinite(score.mean):
        return ""
    drawn = [" "] * cells
    if math.isfinite(score.low) and math.isfinite(score.high):
        low, high = scale.index(score.low, cells), scale.index(score.high, cells)
        drawn[low : high + 1] = "─" * (high + 1 - low)
    beyond = "‹" if score.mean < scale.low else "›" if score.mean > scale.high else ""
    drawn[scale.index(score.mean, cells)] = beyond or "●"
    return "".join(drawn)


def _running(running: Sequence[Running], width: int) -> str:
    """Return the running fits in one line, the longest first; those that do not fit are counted."""
    longest_first = sorted(running, key=lambda each: -each.seconds)
    each_text = [
        f"{_one_line(each.title)} on {counted(each.rows, 'row')} ({each.seconds:.0f} s)"
        for each in longest_first
    ]
    for many in range(len(each_text), 0, -1):
        more = len(each_text) - many
        text = f"Running: {', '.join(each_text[:many])}{f' and {more} more' if more else ''}"
        if len(text) <= width:
            return text
    return _cut(f"Running: {each_text[0]}", width)


def _drops(dropped: Sequence[Dropped], most: int) -> Iterator[Line]:
    yield Line(f"Dropped ({len(dropped):,}):", "dim")
    for each in dropped[-most:]:
        yield Line(f"  {_drop(each)}", "dim")


def _drop(dropped: Dropped) -> str:
    rows = counted(dropped.rows, "training row")
    return f"{_one_line(dropped.title)} after {rows}: {_one_line(dropped.reason)}"


def _one_line(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"[: max(width, 0)]
