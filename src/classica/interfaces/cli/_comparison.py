"""Run a comparison from the command line: its folder, its progress, and its result."""

from __future__ import annotations

import contextlib
import importlib
import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from classica.comparison import ComparisonResult
from classica.comparison.comparison_progress import ComparisonProgress
from classica.comparison.plan.contender import foreign_models
from classica.comparison.plan.workspace import models_of
from classica.comparison.work.kept_files import ABOUT
from classica.comparison.work.run_files import ABOUT_FILE
from classica.errors import DataError, RunError
from classica.interfaces.cli import INTERRUPTED
from classica.interfaces.cli._progress_text import ProgressText
from classica.interfaces.cli._progress_view import Listener, json_lines, print_json_line, progress_view
from classica.interfaces.cli._screen import busy
from classica.kinds import read_json
from classica.metrics import METRICS
from classica.runs import is_resumable

#: What takes long to import for it.
_FOR_A_REPORT = ("classica.interfaces.report", "matplotlib.figure", "matplotlib.backends.backend_svg")


@dataclass(frozen=True)
class Output:
    """What is printed and written, by the options of that name."""

    as_json: bool = False
    json_lines: bool = False
    quiet: bool = False
    report: bool = True
    everything: bool = False

    def __post_init__(self) -> None:
        if self.as_json and self.json_lines:
            raise click.UsageError("--json and --json-lines cannot be combined; choose one.")
        if self.quiet and self.everything:
            raise click.UsageError("--quiet and --all cannot be combined; choose one.")

    @property
    def is_for_people(self) -> bool:
        """Whether notes and progress are shown."""
        return not (self.as_json or self.json_lines or self.quiet)


def require_run(folder: Path) -> None:
    """Refuse a folder that is not a run folder."""
    if not is_resumable(folder):
        raise DataError(
            f"Cannot open {folder}: it is not the folder of a comparison. Start one with classica compare."
        )


def require_trusted(folder: Path, trusted: Sequence[str]) -> None:
    """Refuse a run with third-party models, unless they are named again; suggest the command to type."""
    untrusted = [name for name in foreign_models(models_of(folder)) if name not in trusted]
    if untrusted:
        raise RunError(
            f"Cannot resume {folder}: it uses third-party models: {', '.join(untrusted)}."
            f" If you trust them, type: {resume_command(folder)}"
        )


def resume_command(folder: Path) -> str:
    """Return the command that continues a run."""
    third_party = foreign_models(models_of(folder))
    allowed = f" --allow {','.join(third_party)}" if third_party else ""
    return f"classica resume {shlex.quote(str(folder))}{allowed}"


def metric_of(folder: Path) -> str:
    """Return the name of the metric that a run ranks by."""
    about = read_json(folder / ABOUT_FILE, ABOUT, str(folder / ABOUT_FILE), DataError)
    return str(about["settings"]["metric"])


def progress_text(metric: str, rows: int | None = None) -> ProgressText:
    """Return the progress text of a comparison by a metric on a table with this number of rows."""
    entry = METRICS.get(metric)
    return (
        ProgressText(rows=rows) if entry is None else ProgressText(entry.title, entry.limits == (0, 1), rows)
    )


@contextlib.contextmanager
def follow(
    folder: Path, text: ProgressText, output: Output, announce: Callable[[], object] | None = None
) -> Iterator[Listener | None]:
    """Show the progress of a run, and print how to continue it when it is interrupted.

    ``announce`` is called before the first progress, when all checks have passed.
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
                f"\nInterrupted; finished fits are kept. Continue with: {resume_command(folder)}", err=True
            )
        raise


def _listener(
    view: Listener | None, output: Output, announce: Callable[[], object] | None
) -> Listener | None:
    """Return the listener of a run; its first call also announces the run and imports the report."""
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
            # The workers are still importing, and this process would only wait.
            for name in _FOR_A_REPORT:
                importlib.import_module(name)
        is_first = False

    return listen


def finish(result: ComparisonResult, output: Output) -> None:
    """Write the report if wanted, and print the result and how to continue an interrupted run."""
    write_page(result, output)
    print_result(result, output)
    end_if_interrupted(result)


def write_page(result: ComparisonResult, output: Output) -> None:
    """Write the report of a comparison if it is wanted."""
    if output.report:
        from classica.interfaces.report import write_report

        with busy("Writing the report", shown=output.is_for_people):
            write_report(result)


def print_result(result: ComparisonResult, output: Output) -> None:
    """Print the result in the form that was asked for."""
    if output.json_lines:
        print_json_line("result", {"summary": result.summary.record()})
    elif output.as_json:
        click.echo(json.dumps(result.summary.record(), indent=2, ensure_ascii=False))
    else:
        from classica.interfaces.cli._answer import show

        show(result, quiet=output.quiet, everything=output.everything)


def end_if_interrupted(result: ComparisonResult) -> None:
    """Print how to continue an interrupted run, and end the command."""
    if getattr(result, "is_interrupted", False):
        command = resume_command(result.folder)
        click.echo(f"Interrupted; this is the answer so far. Continue with: {command}", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
