"""``classica resume``: go on with a comparison where it was."""

from __future__ import annotations

from pathlib import Path

import click

from classica.interfaces.cli.compare import running_options


@click.command()
@click.argument("run", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--allow",
    metavar="MODELS",
    default="",
    help="Third-party models of the run that you trust, as module:Class, separated by commas.",
)
@running_options
def command(
    run: str, allow: str, as_json: bool, quiet: bool, report: bool, workers: int | None, budget: float | None
) -> None:
    """Continue the comparison in the folder RUN; what is finished is not done again.

    \b
    Examples:
      classica resume iris-run
      classica resume iris-run --budget 10m
      classica resume iris-run --allow sklearn.svm:SVC
    """  # noqa: D301  (click reads \b)
    from classica.comparison import resume
    from classica.interfaces.cli._comparison import finish, follow, require_run, require_trusted

    require_run(Path(run))
    trusted = [name.strip() for name in allow.split(",") if name.strip()]
    require_trusted(Path(run), trusted)
    with follow(Path(run), quiet=quiet or as_json) as progress:
        result = resume(run, allow=trusted, budget=budget, workers=workers, progress=progress)
    finish(result, as_json=as_json, quiet=quiet, report=report)
