"""``classica report``: write the HTML report of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from classica.interfaces.cli._options import (
    CompactCommand,
    all_option,
    out_option,
    positive_option,
    quiet_option,
)
from classica.interfaces.cli._screen import busy


@click.command(cls=CompactCommand)
@click.argument(
    "runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False)
)
@out_option("HTML file to write. [default: RUN/report.html]")
@click.option(
    "--pictures",
    type=click.IntRange(0),
    metavar="N",
    default=1,
    show_default=True,
    help="Number of models to show with all plots.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the summary as JSON instead of writing the report."
)
@positive_option
@all_option
@quiet_option
def command(
    runs: tuple[str, ...],
    out: str | None,
    pictures: int,
    as_json: bool,
    positive: str | None,
    everything: bool,
    quiet: bool,
) -> None:
    """Write the report of the comparison in the folder RUN: one self-contained HTML file.

    With --all or --json, print all results to the terminal instead of writing the report. Several runs are
    put side by side on one page.

    \b
    Examples:
      classica report iris-run
      classica report iris-run --all
      classica report iris-run --out iris.html --pictures 10
      classica report iris-run vote-run --out both.html
    """  # noqa: D301  (click reads \b)
    import json

    from classica.comparison import ComparisonResult
    from classica.interfaces.cli._comparison import require_run
    from classica.interfaces.report import write_report

    for run in runs:
        require_run(Path(run))
    if len(runs) > 1:
        has_more = everything or positive is not None or pictures != 1
        _side_by_side(runs, out, as_json=as_json, quiet=quiet, has_more=has_more)
        return
    (run,) = runs
    if everything and (as_json or quiet or out is not None):
        raise click.UsageError("--all cannot be combined with --json, --quiet or --out.")
    compared = ComparisonResult.load(run)
    if positive is not None:
        compared = compared.with_positive(positive)
    if everything:
        from classica.interfaces.cli._answer import show

        show(compared, everything=True)
        return
    if as_json:
        click.echo(json.dumps(compared.summary.record(), indent=2, ensure_ascii=False))
        return
    with busy("Writing the report", shown=not quiet):
        path = write_report(compared, out, pictures=pictures)
    if not quiet:
        click.echo(f"Wrote the report to {path}.")


def _side_by_side(
    runs: Sequence[str], out: str | None, *, as_json: bool, quiet: bool, has_more: bool
) -> None:
    """Print several runs side by side, or write the page about them."""
    import json

    from classica.comparison import ComparisonResult
    from classica.comparison.results.several_runs import summarise_runs
    from classica.interfaces.cli._answer import REPORT
    from classica.interfaces.report import write_runs_report

    if has_more:
        raise click.UsageError("--all, --positive and --pictures are for a single run.")
    if out is None and not as_json:
        raise click.UsageError("Several runs need --out FILE, or --json.")
    summary = summarise_runs({run: ComparisonResult.load(run).summary for run in runs})
    if out is None:
        click.echo(json.dumps(summary.record(), indent=2, ensure_ascii=False))
        return
    pages = zip(summary.runs, (Path(run).absolute() / REPORT for run in runs), strict=True)
    links = {line.name: page.as_uri() for line, page in pages if page.exists()}
    path = write_runs_report(summary, out, links=links)
    if as_json:
        click.echo(json.dumps(summary.record(), indent=2, ensure_ascii=False))
    elif not quiet:
        click.echo(f"Wrote the report to {path}.")
