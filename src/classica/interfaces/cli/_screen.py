"""Print to the screen: notes, tables, and progress bars."""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as Grid
from rich.text import Text

#: More notes than this are only counted.
_MOST = 8


def print_notes(notes: Iterable[str], *, quiet: bool) -> None:
    """Print notes to standard error, a line each, unless the command is quiet."""
    lines = list(notes)
    if quiet:
        return
    for note in lines[:_MOST]:
        click.echo(_wrapped(f"Note: {_one_line(note)}"), err=True)
    if len(lines) > _MOST:
        click.echo(f"Note: {len(lines) - _MOST:,} more notes; classica profile shows all of them.", err=True)


def read_notes(notes: Sequence[str]) -> list[str]:
    """Return the notes on how a table was read as one note."""
    return [f"table read as: {'; '.join(notes)}."] if notes else []


def misfits(extra: Sequence[str], unseen: Mapping[str, Mapping[str, int]]) -> Iterable[str]:
    """Yield notes on columns and categories of a new table that were not in the training set."""
    if extra:
        shown = ", ".join(extra[:5]) + (", ..." if len(extra) > 5 else "")
        yield f"columns that the model does not use are ignored: {shown}."
    for name, levels in unseen.items():
        cells = sum(levels.values())
        shown = ", ".join(f"{level!r} {count:,}" for level, count in list(levels.items())[:3])
        more = ", ..." if len(levels) > 3 else ""
        what = "cell has a category" if cells == 1 else "cells have categories"
        yield f"column {name!r}: {cells:,} {what} not in the training set ({shown}{more})."


def _wrapped(note: str) -> str:
    """Return a note wrapped to the width of a terminal; programs get it in one line."""
    if not sys.stderr.isatty():
        return note
    width = shutil.get_terminal_size().columns
    return click.wrap_text(note, width, subsequent_indent="  ")


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def grid(*headings: str, right: Collection[int] = (), wrapped: Collection[int] = ()) -> Grid:
    """Return an empty table; columns in ``right`` are right-aligned, those in ``wrapped`` may wrap."""
    made = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for index, heading in enumerate(headings):
        side: Any = "right" if index in right else "left"
        made.add_column(Text(heading), justify=side, no_wrap=index not in wrapped)
    return made


def facts_grid(facts: Mapping[str, str | Text]) -> Grid:
    """Return a table of names and values."""
    made = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column(style="bold", no_wrap=True)
    made.add_column(overflow="fold")
    for name, text in facts.items():
        made.add_row(Text(name), text if isinstance(text, Text) else Text(text))
    return made


def width_of(made: Grid, console: Console) -> int:
    """Return the width of a table that is not cut off, however narrow the screen."""
    return Measurement.get(console, console.options.update(max_width=100_000), made).maximum


#: Called with the amount done, the total (None if unknown), and the unit of both.
Report = Callable[[int, int | None, str], None]


@contextlib.contextmanager
def busy(text: str, *, shown: bool = True) -> Iterator[Report]:
    """Show a progress bar on a terminal if the work takes longer than a second.

    The function that the ``with`` statement returns reports progress. Where results go to the same screen,
    nothing may be shown.
    """
    if not (shown and sys.stderr.isatty()):
        yield lambda done, total, unit: None
        return
    from rich.console import Console  # only where something is drawn
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(24))
    amount = TextColumn("{task.fields[amount]}", markup=False)
    bar = Progress(*columns, amount, console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=None, amount="")

    def report(done: int, total: int | None, unit: str) -> None:
        bar.update(task, completed=done, total=total, amount=_amount(done, total, unit))

    timer = threading.Timer(1.0, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield report
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def _amount(done: int, total: int | None, unit: str) -> str:
    """Return the progress as text: ``12 of 200 MB``, ``30,000 rows``."""
    if unit == "bytes":
        done, total, unit = done // 10**6, None if total is None else max(total // 10**6, 1), "MB"
    return f"{done:,} {unit}" if total is None else f"{done:,} of {total:,} {unit}"
