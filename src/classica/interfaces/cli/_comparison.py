"""What the commands share that run a comparison: where it is kept, how it goes, and its answer."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from classica.comparison import Compared
from classica.comparison.summary_text import HEADINGS, row
from classica.evaluation.runs import is_resumable
from classica.interfaces.cli._progress_words import ProgressWords

#: The column of the names, and how much of one is shown at least.
_NAME, _LEAST_OF_A_NAME = 1, 8
#: The page about a run, in its folder.
REPORT = "report.html"


def new_folder(source: str) -> Path:
    """Return a folder for a run that is not there yet, named after the table."""
    stem = re.sub(r"[^\w.-]+", "-", Path(source).name.split(".")[0]).strip("-.") or "table"
    names = itertools.chain([f"{stem}-run"], (f"{stem}-run-{number}" for number in itertools.count(2)))
    return next(Path(name) for name in names if not Path(name).exists())


@contextlib.contextmanager
def follow(folder: Path, *, quiet: bool) -> Iterator[Callable[[Any], None] | None]:
    """Show how far a run has come; say how to go on when it is stopped."""
    try:
        if quiet or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console  # only where something is drawn
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (BarColumn(), TextColumn("{task.fields[told]}"))
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=None, told="starting")
            words = ProgressWords(folder)

            def progress(told: Any) -> None:
                bar.update(task, completed=told.done, total=told.total, told=words(told))

            yield progress
    except KeyboardInterrupt:
        if is_resumable(folder):
            click.echo(f"\nStopped; nothing finished is lost. Go on: classica resume {folder}", err=True)
        raise


def finish(result: Compared, *, as_json: bool, quiet: bool, report: bool) -> None:
    """Write the report if it is wanted, and print the result."""
    if report:
        from classica.interfaces.report import write_report

        write_report(result)
    if as_json:
        click.echo(json.dumps(result.summary, indent=2, ensure_ascii=False))
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
    console.print(_board(summary, console.width))
    console.print(Text("* tied for best: not shown to be worse than the first", style="dim"))
    for entry in summary["models"]:
        if entry["status"] != "done":
            console.print(Text.assemble((f"{entry['title']}: ", "bold"), entry["reason"]))
    _show_findings(console, summary["findings"])
    _show_places(console, result)


def _board(summary: Mapping[str, Any], wide: int) -> Any:
    from rich.table import Table
    from rich.text import Text

    entries = [entry for entry in summary["models"] if entry["status"] == "done"]
    cells = [row(entry, summary) for entry in entries]
    grid = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    widths = [max(len(each[place]) for each in (HEADINGS, *cells)) for place in range(len(HEADINGS))]
    # Where there is little room a name may be cut, a number not.
    room = wide - sum(width + 2 for width in widths) + widths[_NAME]
    widths[_NAME] = min(widths[_NAME], max(room, _LEAST_OF_A_NAME))
    for place, heading in enumerate(HEADINGS):
        justify: Any = "left" if place <= _NAME else "right"
        grid.add_column(heading, justify=justify, no_wrap=True, width=widths[place])
    for entry, line in zip(entries, cells, strict=True):
        grid.add_row(*map(Text, line), style="" if entry["tied"] else "dim")
    return grid


def _show_findings(console: Any, findings: Sequence[Mapping[str, Any]]) -> None:
    from rich.text import Text

    for finding in findings:
        said = f"  {finding['detail']} {finding['remedy']}".rstrip()
        console.print()
        console.print(Text.assemble((f"{finding['code']} {finding['title']}", "bold"), said))


def _show_places(console: Any, result: Compared) -> None:
    from rich.text import Text

    lines = [f"Everything is in {result.folder}."]
    if (result.folder / REPORT).exists():
        lines.append(f"To read, with pictures: {result.folder / REPORT}")
    if result.summary["best_file"]:
        lines.append(f"To predict: classica predict {result.folder / result.summary['best_file']} TABLE")
    if result.summary["findings"]:
        lines.append(f"What a code means: classica codes {result.summary['findings'][0]['code']}")
    console.print()
    for line in lines:
        console.print(Text(line, style="dim"), soft_wrap=True)
