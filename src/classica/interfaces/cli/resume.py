"""``classica resume``: go on with a comparison where it was."""

from __future__ import annotations

from pathlib import Path

import click

from classica.interfaces.cli.compare import running_options


@click.command()
@click.argument("run", type=click.Path(exists=True, file_okay=False))
@running_options
def command(
    run: str, as_json: bool, quiet: bool, report: bool, workers: int | None, budget: float | None
) -> None:
    """Continue the comparison in the folder RUN; what is finished is not done again.

    \b
    Examples:
      classica resume iris-run
      classica resume iris-run --budget 10m
    """  # noqa: D301  (click reads \b)
    from classica.comparison import resume
    from classica.interfaces.cli._comparison import finish, follow, require_run

    require_run(Path(run))
    with follow(Path(run), quiet=quiet or as_json) as progress:
        result = resume(run, budget=budget, workers=workers, progress=progress)
    finish(result, as_json=as_json, quiet=quiet, report=report)
