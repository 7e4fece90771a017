"""``python -m benchmarks``: run all rows or some, print a table, write table, JSON and plot."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from benchmarks import growth_plot, machine, plot, record, table
from benchmarks.discover import Row, discover
from benchmarks.growth import Growth, measure_growth
from benchmarks.measure import measure
from benchmarks.result import Run
from benchmarks.waiting import Wait, measure_wait

_RESULTS = Path(__file__).parent / "results"
_FULL_REPEATS, _QUICK_REPEATS, _GROWTH_REPEATS = 7, 5, 3
_FULL_BUDGET, _QUICK_BUDGET = 30.0, 2.0


@dataclass(frozen=True)
class _Effort:
    """How much is measured, by the options of that name."""

    repeats: int
    budget: float
    tables: Path | None
    exhaustive: bool


@click.command()
@click.argument("rows", metavar="[ROW]...", nargs=-1)
@click.option("--quick", is_flag=True, help="Small data: all rows in some minutes.")
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    help=f"Repeats per row; {_FULL_REPEATS} by default, {_QUICK_REPEATS} with --quick.",
)
@click.option(
    "--budget",
    type=click.FloatRange(min=0),
    help="Seconds per row after which a peer is not repeated any more; "
    f"{_FULL_BUDGET:g} by default, {_QUICK_BUDGET:g} with --quick.",
)
@click.option(
    "--tables",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of stored tables, NAME/data.csv.gz for compare-NAME; the target is the last column.",
)
@click.option(
    "--exhaustive",
    is_flag=True,
    help="Run the exhaustive search as well, where a row states a ratio to it: many minutes each.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=_RESULTS,
    help="Folder for the table, the JSON and the plot; benchmarks/results by default.",
)
@click.option("--answers-only", is_flag=True, help="Let answers alone decide the exit code, not speed.")
@click.option("--list", "list_only", is_flag=True, help="List the rows and stop.")
@click.option("--json", "json_only", is_flag=True, help="Print JSON instead of the table.")
def main(
    rows: tuple[str, ...],
    quick: bool,
    repeats: int | None,
    budget: float | None,
    tables: Path | None,
    exhaustive: bool,
    out: Path,
    answers_only: bool,
    list_only: bool,
    json_only: bool,
) -> None:
    """Measure Classica against its peers: every row, or the named ones.

    Exits with 1 if answers differ, a contender fails, a row is below its floor, a cost grows too fast or a
    comparison takes more than twice the time that is aimed at.
    """
    chosen = _choose(rows)
    if list_only:
        _list(chosen)
        return
    run = Run(quick=quick, seed=0, machine=machine.describe())
    repeats = repeats or (_QUICK_REPEATS if quick else _FULL_REPEATS)
    budget = (_QUICK_BUDGET if quick else _FULL_BUDGET) if budget is None else budget
    _measure_all(run, chosen, _Effort(repeats, budget, tables, exhaustive), out)
    failures = run.failures(speed=not answers_only)
    _report(run, failures, json_only)
    sys.exit(1 if failures else 0)


def _choose(slugs: tuple[str, ...]) -> list[Row]:
    rows_by_slug = discover()
    for slug in slugs:
        if slug not in rows_by_slug:
            raise click.BadParameter(f"ROW must be one of {', '.join(rows_by_slug)}, got {slug!r}")
    return [rows_by_slug[slug] for slug in dict.fromkeys(slugs)] or list(rows_by_slug.values())


def _list(rows: list[Row]) -> None:
    width = max(len(row.slug) for row in rows)
    for row in rows:
        click.echo(f"{row.slug:<{width}}  {row.work}")


def _measure_all(run: Run, rows: list[Row], effort: _Effort, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for row in rows:
        _measure(run, row, effort)
        # Written after every row, so that a run cut short keeps what it has.
        record.write_json(run, out / "results.json")
        table.write_markdown(run, out / "results.md")
    if run.rows:
        plot.write_plot(plot.draw(run), out)
    for growth in run.growths:
        growth_plot.write_plot(growth, out)


def _measure(run: Run, row: Row, effort: _Effort) -> None:
    common: dict[str, Any] = {"quick": run.quick, "seed": run.seed, "progress": _say}
    if isinstance(row, Growth):
        repeats = min(effort.repeats, _GROWTH_REPEATS)
        run.growths.append(measure_growth(row, repeats=repeats, **common))
    elif isinstance(row, Wait):
        common |= {"tables": effort.tables, "exhaustive": effort.exhaustive}
        run.waits.append(measure_wait(row, **common))
    else:
        run.rows.append(measure(row, repeats=effort.repeats, budget=effort.budget, **common))


def _report(run: Run, failures: list[str], json_only: bool) -> None:
    if json_only:
        click.echo(record.as_json(run))
    else:
        table.show(run, Console())
    for failure in failures:
        click.echo(failure, err=True)


def _say(line: str) -> None:
    click.echo(line, err=True)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
