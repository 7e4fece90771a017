"""The results as a table: in the terminal, and as a Markdown file."""

from collections.abc import Iterable
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from benchmarks import wording
from benchmarks.benchmark import Phase
from benchmarks.growth import GrowthResult
from benchmarks.result import Outcome, RowResult, Run, Status
from benchmarks.waiting import WaitResult

_PHASES: tuple[Phase, ...] = ("fit", "predict", "total")
_GROWTH_HEADINGS = ("search", "step", "smallest", "largest", "slope", "stated")
_WAIT_HEADINGS = (
    "table",
    "rows×columns",
    "first leaderboard (target)",
    "answer (target)",
    "peak memory",
    "ratio to exhaustive (target)",
    "status",
)
_WAIT_TITLE = "Waiting for `classica compare`, from the start of the process"
_WAIT_NOTE = "Every command is run once. A row fails beyond twice a target, or below half its ratio."
_NOTE = """
Times are medians with quartiles. A ratio is the time of the peer over that of Classica within one
repeat: its median over the repeats, with its range. Bold is the time the ratio is taken of.
"""


def show(run: Run, console: Console) -> None:
    """Print one table per row, remarks on its contenders and the verdict below."""
    for row in run.rows:
        console.print(_table(row))
        for outcome in row.outcomes:
            if words := wording.remark(row, outcome):
                console.print(Text(f"{outcome.name}: {words}", "red" if outcome.detail else "dim"))
        console.print(_verdict(row))
        console.print()
    for growth in run.growths:
        console.print(_growth_table(growth))
        console.print()
    if run.waits:
        _show_waits(run.waits, console)


def write_markdown(run: Run, path: Path) -> None:
    """Write the same as a Markdown file."""
    where = "{cpu}, {threads} threads, {date}".format_map(run.machine)
    head = f"# Benchmarks ({run.size} size)\n\n{where}."
    sections = [*map(_section, run.rows), *map(_growth_section, run.growths)]
    if run.waits:
        sections.append(_wait_section(run.waits))
    path.write_text("\n".join([head, _NOTE, *sections]), encoding="utf-8")


def _table(row: RowResult) -> Table:
    title = f"[bold]{row.slug}[/bold] · {row.work}\n{wording.sizes(row)}"
    table = Table(title=title, title_justify="left", title_style="", box=SIMPLE_HEAD, min_width=60)
    table.add_column("contender")
    for phase in _PHASES:
        style = "bold" if phase == row.compared else "dim"
        table.add_column(phase, justify="right", style=style, no_wrap=True)
    table.add_column("peer / classica", justify="right", no_wrap=True)
    for outcome in row.outcomes:
        cells = [wording.seconds(outcome.seconds(phase), quartiles=False) for phase in _PHASES]
        table.add_row(_name(outcome), *cells, _ratio(outcome))
    return table


def _growth_table(growth: GrowthResult) -> Table:
    title = f"[bold]{growth.slug}[/bold] · {growth.work}\n{wording.growth_sizes(growth)}"
    table = Table(title=title, title_justify="left", title_style="", box=SIMPLE_HEAD, min_width=60)
    for heading in _GROWTH_HEADINGS:
        table.add_column(heading, justify="left" if heading in ("search", "step") else "right")
    for curve in growth.curves:
        table.add_row(*wording.growth_cells(curve))
    return table


def _show_waits(waits: list[WaitResult], console: Console) -> None:
    """Print what was measured; a screen has no room for long reasons, nor for rows of dashes."""
    console.print(_wait_table([wait for wait in waits if not wait.unmeasured]))
    for wait in waits:
        if wait.failure() or wait.regret is not None:
            words = f"{wait.slug}: {wording.wait_verdict(wait)}"
            console.print(Text(words, "red" if wait.failure() else "dim"))
    for reason, slugs in wording.unmeasured(waits).items():
        console.print(Text(f"{reason}: {', '.join(slugs)}", "dim"))


def _wait_table(measured: list[WaitResult]) -> Table:
    table = Table(title=_WAIT_TITLE, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0)
    for heading in _WAIT_HEADINGS:
        justify: JustifyMethod = "left" if heading in ("table", "status") else "right"
        table.add_column(heading, justify=justify, no_wrap=heading in ("table", "rows×columns", "status"))
    for wait in measured:
        *cells, _ = wording.wait_cells(wait)
        table.add_row(*cells, Text(wording.wait_status(wait), "red" if wait.failure() else "green"))
    return table


def _name(outcome: Outcome) -> str:
    return f"{outcome.name} {outcome.version}" if outcome.version else outcome.name


def _ratio(outcome: Outcome) -> Text:
    if outcome.status is Status.DIFFERS:
        return Text(wording.ratio(outcome), "strike red")
    faster = outcome.ratio is not None and outcome.ratio.median >= 1
    return Text(wording.ratio(outcome), "green" if faster else "yellow")


def _verdict(row: RowResult) -> Text:
    return Text(wording.verdict(row), "red" if row.failure() else "green")


def _growth_section(growth: GrowthResult) -> str:
    lines = [f"## {growth.slug}\n\n{growth.work}: {wording.growth_sizes(growth)}.\n"]
    lines += [_line(_GROWTH_HEADINGS), "|---|---|--:|--:|--:|--:|"]
    lines += [_line(wording.growth_cells(curve)) for curve in growth.curves]
    return "\n".join([*lines, "", f"![time against rows]({growth.slug}.svg)", ""])


def _wait_section(waits: list[WaitResult]) -> str:
    lines = [f"## {_WAIT_TITLE}\n", _line(_WAIT_HEADINGS), "|---|--:|--:|--:|--:|--:|---|"]
    lines += [_line(cell.replace("|", "\\|") for cell in wording.wait_cells(wait)) for wait in waits]
    return "\n".join([*lines, "", _WAIT_NOTE, ""])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _section(row: RowResult) -> str:
    title = f"## {row.slug}\n\n{row.work}: {wording.sizes(row)}.\n"
    header = "| contender | fit | predict | total | peer / classica | |"
    lines = [_markdown_line(row, outcome) for outcome in row.outcomes]
    verdict = wording.verdict(row)
    return "\n".join([title, header, "|---|--:|--:|--:|--:|---|", *lines, "", f"{verdict}.", ""])


def _markdown_line(row: RowResult, outcome: Outcome) -> str:
    cells = [wording.seconds(outcome.seconds(phase), quartiles=True) for phase in _PHASES]
    compared = _PHASES.index(row.compared)
    cells[compared] = f"**{cells[compared]}**"
    ratio = wording.ratio(outcome)
    if outcome.status is Status.DIFFERS:
        ratio = f"~~{ratio}~~"
    remark = wording.remark(row, outcome).replace("|", "\\|").replace("\n", " ")
    return _line([_name(outcome), *cells, ratio, remark])
