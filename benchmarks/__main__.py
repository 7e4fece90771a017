"""``python -m benchmarks``: run all rows or some, print a table, write table, JSON and plot."""

import sys
from pathlib import Path

import click
from rich.console import Console

from benchmarks import machine, plot, record, table
from benchmarks.benchmark import Benchmark
from benchmarks.discover import discover
from benchmarks.measure import measure
from benchmarks.result import Run

_RESULTS = Path(__file__).parent / "results"
_FULL_REPEATS, _QUICK_REPEATS = 7, 5


@click.command()
@click.argument("rows", metavar="[ROW]...", nargs=-1)
@click.option("--quick", is_flag=True, help="Small data: all rows in under a minute.")
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    help=f"Repeats per row; {_FULL_REPEATS} by default, {_QUICK_REPEATS} with --quick.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=_RESULTS,
    help="Folder for the table, the JSON and the plot; benchmarks/results by default.",
)
@click.option("--list", "list_only", is_flag=True, help="List the rows and stop.")
@click.option("--json", "json_only", is_flag=True, help="Print JSON instead of the table.")
def main(
    rows: tuple[str, ...],
    quick: bool,
    repeats: int | None,
    out: Path,
    list_only: bool,
    json_only: bool,
) -> None:
    """Measure Classica against its peers: every row, or the named ones.

    Exits with 1 if answers differ, a contender fails or a row is below its floor.
    """
    chosen = _choose(rows)
    if list_only:
        _list(chosen)
        return
    run = Run(quick=quick, seed=0, machine=machine.describe())
    _measure_all(run, chosen, repeats or (_QUICK_REPEATS if quick else _FULL_REPEATS), out)
    _report(run, json_only)
    sys.exit(1 if run.failures() else 0)


def _choose(slugs: tuple[str, ...]) -> list[Benchmark]:
    known = discover()
    for slug in slugs:
        if slug not in known:
            raise click.BadParameter(f"ROW must be one of {', '.join(known)}, got {slug!r}")
    return [known[slug] for slug in dict.fromkeys(slugs)] or list(known.values())


def _list(benchmarks: list[Benchmark]) -> None:
    width = max(len(benchmark.slug) for benchmark in benchmarks)
    for benchmark in benchmarks:
        click.echo(f"{benchmark.slug:<{width}}  {benchmark.work}")


def _measure_all(run: Run, benchmarks: list[Benchmark], repeats: int, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for benchmark in benchmarks:
        run.rows.append(measure(benchmark, quick=run.quick, repeats=repeats, seed=run.seed, progress=_say))
        # Written after every row, so that a run cut short keeps what it has.
        record.write_json(run, out / "results.json")
        table.write_markdown(run, out / "results.md")
    plot.write_plot(plot.draw(run), out)


def _report(run: Run, json_only: bool) -> None:
    if json_only:
        click.echo(record.as_json(run))
    else:
        table.show(run.rows, Console())
    for failure in run.failures():
        click.echo(failure, err=True)


def _say(line: str) -> None:
    click.echo(line, err=True)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
