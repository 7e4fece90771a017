"""What the commands share that run a comparison: where it is kept, how it goes, and its answer."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from classica.comparison import Compared
from classica.comparison.comparison_progress import ComparisonProgress
from classica.comparison.plan.contender import foreign_models
from classica.comparison.plan.workspace import models_of
from classica.comparison.results.leaderboard_text import board_lines, legend, reasons
from classica.comparison.results.sentences import how_much
from classica.comparison.results.summary import Summary
from classica.comparison.work.kept_files import ABOUT
from classica.comparison.work.run_files import ABOUT_FILE
from classica.diagnosis.finding import Finding
from classica.errors import DataError, RunError
from classica.interfaces.cli import INTERRUPTED
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._progress_text import ProgressText
from classica.interfaces.cli._progress_view import Listener, json_lines, print_json_line, progress_view
from classica.kinds import read_json
from classica.metrics import METRICS
from classica.runs import is_resumable

#: The page about a run, in its folder.
REPORT = "report.html"
#: What takes long to import for it.
_FOR_A_REPORT = ("classica.interfaces.report", "matplotlib.figure", "matplotlib.backends.backend_svg")


@dataclass(frozen=True)
class Output:
    """What is printed and written, by the options of that name."""

    as_json: bool = False
    json_lines: bool = False
    quiet: bool = False
    report: bool = True

    def __post_init__(self) -> None:
        if self.as_json and self.json_lines:
            raise click.UsageError("--json and --json-lines cannot be combined; choose one.")

    @property
    def is_for_people(self) -> bool:
        """Whether notes and progress are shown."""
        return not (self.as_json or self.json_lines or self.quiet)


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
    allowed = f" --allow {','.join(strange)}" if strange else ""
    return f"classica resume {shlex.quote(str(folder))}{allowed}"


def metric_of(folder: Path) -> str:
    """Return the name of the metric that a run ranks by."""
    about = read_json(folder / ABOUT_FILE, ABOUT, str(folder / ABOUT_FILE), DataError)
    return str(about["settings"]["metric"])


def progress_text(metric: str, rows: int | None = None) -> ProgressText:
    """Return the words for the progress of a comparison by a metric on a table of so many rows."""
    known = METRICS.get(metric)
    return (
        ProgressText(rows=rows) if known is None else ProgressText(known.title, known.limits == (0, 1), rows)
    )


@contextlib.contextmanager
def follow(
    folder: Path, text: ProgressText, output: Output, announce: Callable[[], object] | None = None
) -> Iterator[Listener | None]:
    """Show how far a run has come, and say how to continue when it is broken off.

    ``announce`` says what the run is about, before the first progress: by then everything has been checked.
    """
    try:
        if output.is_for_people:
            with progress_view(text) as view:
                yield _listener(view, output, announce)
        else:
            yield _listener(json_lines() if output.json_lines else None, output, None)
    except KeyboardInterrupt:
        if is_resumable(folder):
            click.echo(
                f"\nStopped; finished fits are kept. Continue with: {resume_command(folder)}", err=True
            )
        raise


def _listener(
    view: Listener | None, output: Output, announce: Callable[[], object] | None
) -> Listener | None:
    """Return what listens to a run: the first time it also announces it, and prepares for the report."""
    if view is None and not output.report:
        return None
    is_first = True

    def listen(progress: ComparisonProgress) -> None:
        nonlocal is_first
        if is_first and announce is not None:
            announce()
        if view is not None:
            view(progress)
        if is_first and output.report:
            # The workers are still importing, and the time would pass without anything done here.
            for name in _FOR_A_REPORT:
                importlib.import_module(name)
        is_first = False

    return listen


def finish(result: Compared, output: Output) -> None:
    """Write the report if it is wanted, and print the result; a run that was interrupted says so."""
    if output.report:
        from classica.interfaces.report import write_report

        with busy("Writing the report", shown=output.is_for_people):
            write_report(result)
    if output.json_lines:
        print_json_line("result", {"summary": result.summary.record()})
    elif output.as_json:
        click.echo(json.dumps(result.summary.record(), indent=2, ensure_ascii=False))
    else:
        show(result, quiet=output.quiet)
    if getattr(result, "is_interrupted", False):
        command = resume_command(result.folder)
        click.echo(f"Stopped; this is the answer so far. Continue with: {command}", err=True)
        raise click.exceptions.Exit(INTERRUPTED)


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
    console.print(Text(legend(summary), style="dim"))


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
