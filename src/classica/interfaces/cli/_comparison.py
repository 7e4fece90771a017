"""What the commands share that run a comparison: where it is kept, how it goes, and its answer."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from classica.comparison import Compared
from classica.comparison.contender import foreign_models
from classica.comparison.leaderboard_text import LEGEND, board_lines, reasons
from classica.comparison.sentences import how_much
from classica.comparison.summary import Summary
from classica.comparison.workspace import models_of
from classica.errors import DataError, RunError
from classica.evaluation.finding import Finding
from classica.evaluation.runs import is_resumable
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._progress_words import ProgressWords

#: The page about a run, in its folder.
REPORT = "report.html"
#: What takes long to import for it.
_FOR_A_REPORT = ("classica.interfaces.report", "matplotlib.figure", "matplotlib.backends.backend_svg")
#: Seconds between two lines where nothing can be drawn, as in a log.
_EVERY = 30.0


def new_folder(source: str) -> Path:
    """Return a folder for a run that is not there yet, named after the table."""
    stem = re.sub(r"[^\w.-]+", "-", Path(source).name.split(".")[0]).strip("-.") or "table"
    names = itertools.chain([f"{stem}-run"], (f"{stem}-run-{number}" for number in itertools.count(2)))
    return next(Path(name) for name in names if not Path(name).exists())


def require_run(folder: Path) -> None:
    """Refuse a folder in which nobody has compared anything."""
    if not is_resumable(folder):
        raise DataError(f"{folder} must be the folder of a comparison, got none: classica compare makes one.")


def require_trusted(folder: Path, trusted: Sequence[str]) -> None:
    """Refuse a run of models that are code of others, unless they are named again; say what to type."""
    strange = [name for name in foreign_models(models_of(folder)) if name not in trusted]
    if strange:
        raise RunError(
            f"The run in {folder} uses models that are not part of classica: {', '.join(strange)}."
            f" If you trust them, type: {resume_command(folder)}"
        )


def resume_command(folder: Path) -> str:
    """Return what to type to go on with a run."""
    strange = foreign_models(models_of(folder))
    return f"classica resume {folder}{' --allow ' if strange else ''}{','.join(strange)}"


@contextlib.contextmanager
def follow(folder: Path, *, quiet: bool) -> Iterator[Callable[[Any], None] | None]:
    """Show how far a run has come; say how to go on when it is stopped."""
    try:
        if quiet:
            yield None
        elif not sys.stderr.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
            yield _lines(ProgressWords(folder))
        else:
            with _bar(ProgressWords(folder)) as progress:
                yield progress
    except KeyboardInterrupt:
        if is_resumable(folder):
            said = f"\nStopped; finished fits are kept. Continue with: {resume_command(folder)}"
            click.echo(said, err=True)
        raise


def with_report_at_hand(progress: Callable[[Any], None] | None) -> Callable[[Any], None]:
    """Return the same, which also imports what a report needs when it is first called.

    The workers are still importing then, and the time would pass without anything done here.
    """
    is_first = True

    def told(how_far: Any) -> None:
        nonlocal is_first
        if progress is not None:
            progress(how_far)
        if is_first:
            is_first = False
            for name in _FOR_A_REPORT:
                importlib.import_module(name)

    return told


def _lines(words: ProgressWords) -> Callable[[Any], None]:
    """Return what writes a line now and then."""
    last = time.monotonic()

    def progress(told: Any) -> None:
        nonlocal last
        line = words(told)
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            click.echo(line, err=True)

    return progress


@contextlib.contextmanager
def _bar(words: ProgressWords) -> Iterator[Callable[[Any], None]]:
    """Show a bar with words beside it."""
    from rich.console import Console  # only where something is drawn
    from rich.progress import BarColumn, Progress, TextColumn

    # A bar that keeps its width does not jump with the words, which are cut last.
    columns = (BarColumn(12), TextColumn("{task.fields[told]}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, told="starting")

        def progress(told: Any) -> None:
            bar.update(task, completed=told.done, total=told.total, told=words(told))

        yield progress


def finish(result: Compared, *, as_json: bool, quiet: bool, report: bool) -> None:
    """Write the report if it is wanted, and print the result."""
    if report:
        from classica.interfaces.report import write_report

        with busy("Writing the report", shown=not (quiet or as_json)):
            write_report(result)
    if as_json:
        click.echo(json.dumps(result.summary.record(), indent=2, ensure_ascii=False))
    else:
        show(result, quiet=quiet)


def show(result: Compared, *, quiet: bool) -> None:
    """Print the answer, the table of models, what was found, and what to do next."""
    from rich.console import Console
    from rich.text import Text

    console, summary = Console(highlight=False), result.summary
    console.print(Text(result.answer, style="bold"))
    if quiet:
        return
    console.print()
    _show_board(console, summary)
    for line in reasons(summary):
        console.print(Text(line))
    _show_findings(console, summary.findings)
    _show_places(console, result)


def _show_board(console: Any, summary: Summary) -> None:
    from rich.text import Text

    if not summary.judged:
        return
    # In a file there is room for every name.
    heading, *lines = board_lines(summary, console.width if console.is_terminal else None)
    console.print(Text(heading, style="bold"), soft_wrap=True)
    for model, line in zip(summary.judged, lines, strict=True):
        console.print(Text(line, style="" if model.tied else "dim"), soft_wrap=True)
    console.print(Text(LEGEND, style="dim"))


def _show_findings(console: Any, findings: Sequence[Finding]) -> None:
    from rich.text import Text

    for finding in findings:
        console.print()
        text = f"  {finding.detail} {finding.remedy}".rstrip()
        console.print(Text.assemble((f"{finding.code} {finding.title}", "bold"), text))


def _show_places(console: Any, result: Compared) -> None:
    from rich.text import Text

    lines = [f"Everything is in {result.folder}."]
    if how_much(result.summary):
        lines.append(f"To finish the run: {resume_command(result.folder)}")
    if (result.folder / REPORT).exists():
        lines.append(f"Report with plots: {result.folder / REPORT}")
    if result.summary.best_file:
        best = result.folder / result.summary.best_file
        lines.append(f"To predict: classica predict {best} TABLE")
        lines.append(f"What it has learned: classica explain {best}")
    if result.summary.findings:
        lines.append(f"What a code means: classica codes {result.summary.findings[0].code}")
    console.print()
    for line in lines:
        console.print(Text(line, style="dim"), soft_wrap=True)
