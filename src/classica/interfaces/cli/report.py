"""``classica report``: the page about a comparison."""

from __future__ import annotations

from pathlib import Path

import click

from classica.interfaces.cli._busy import busy


@click.command()
@click.argument("run", type=click.Path(exists=True, file_okay=False))
@click.option("--out", type=click.Path(), help="Where to; by default report.html in the folder.")
@click.option(
    "--pictures",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Number of models with all pictures: the recommended one, then by rank.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON and write nothing.")
@click.option("--quiet", is_flag=True, help="Print nothing.")
def command(run: str, out: str | None, pictures: int, as_json: bool, quiet: bool) -> None:
    """Write the report of the comparison in the folder RUN: one HTML file, to be opened or sent.

    \b
    Examples:
      classica report iris-run
      classica report iris-run --out iris.html --pictures 10
    """  # noqa: D301  (click reads \b)
    import json

    from classica.comparison import Compared
    from classica.interfaces.cli._comparison import require_run
    from classica.interfaces.report import write_report

    require_run(Path(run))
    compared = Compared.load(run)
    if as_json:
        click.echo(json.dumps(compared.summary.record(), indent=2, ensure_ascii=False))
        return
    with busy("Drawing", shown=not quiet):
        place = write_report(compared, out, pictures=pictures)
    if not quiet:
        click.echo(f"The report is in {place}.")
