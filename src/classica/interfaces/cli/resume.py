"""``classica resume``: go on with a comparison where it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from classica.interfaces.cli._amounts import Budget
from classica.interfaces.cli.compare import running_options


@click.command()
@click.argument("run", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--models", help="Models to add to the run, separated by commas, written as for classica compare."
)
@click.option(
    "--allow",
    metavar="MODELS",
    default="",
    help="Third-party models of the run that you trust, as module:Class, separated by commas.",
)
@click.option(
    "--budget",
    type=Budget(),
    help="Time limit from now on: 30s, 10m, 2h, or none.  [default: as much as the run had]",
)
@running_options("that of the run", "that of the run")
def command(
    run: str,
    models: str | None,
    allow: str,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
    report: bool,
    **limits: Any,
) -> None:
    """Continue the comparison in the folder RUN; what is finished is not done again.

    Give more time by --budget, or add models by --models. Ctrl-C gives the answer so far.

    \b
    Examples:
      classica resume iris-run
      classica resume iris-run --budget 10m
      classica resume iris-run --models "knn(n_neighbors=7),qda"
      classica resume iris-run --allow sklearn.svm:SVC
    """  # noqa: D301  (click reads \b)
    from classica.comparison import resume
    from classica.comparison.plan.contender import foreign_models, named_contenders
    from classica.interfaces.cli._comparison import (
        Output,
        finish,
        follow,
        metric_of,
        progress_text,
        require_run,
        require_trusted,
    )

    folder, output = Path(run), Output(as_json, json_lines, quiet, report)
    require_run(folder)
    more = None if models is None else [contender.name for contender in named_contenders(models)]
    # Who types the name of a model trusts it.
    trusted = [name.strip() for name in allow.split(",") if name.strip()] + foreign_models(more or ())
    require_trusted(folder, trusted)
    with follow(folder, progress_text(metric_of(folder)), output) as progress:
        result = resume(run, allow=trusted, models=more, progress=progress, **limits)
    finish(result, output)
