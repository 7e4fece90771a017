"""``classica resume``: continue a comparison that was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from classica.interfaces.cli._options import CompactCommand
from classica.interfaces.cli.compare import running_options


@click.command(cls=CompactCommand)
@click.argument("run", type=click.Path(exists=True, file_okay=False))
@click.option("--models", metavar="MODELS", help="Models to add, separated by commas.")
@click.option(
    "--allow", metavar="MODELS", default="", help="Third-party models that you trust, separated by commas."
)
@running_options("as before", "as before", "as before")
def command(
    run: str,
    models: str | None,
    allow: str,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
    everything: bool,
    report: bool,
    **limits: Any,
) -> None:
    """Continue the comparison in the folder RUN. Finished fits are not repeated.

    Use --budget to give it more time, --models to add models. Ctrl-C gives the answer so far.

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

    folder, output = Path(run), Output(as_json, json_lines, quiet, report, everything)
    require_run(folder)
    more = None if models is None else [contender.name for contender in named_contenders(models)]
    # To type the name of a model is to trust it.
    trusted = [name.strip() for name in allow.split(",") if name.strip()] + foreign_models(more or ())
    require_trusted(folder, trusted)
    with follow(folder, progress_text(metric_of(folder)), output) as progress:
        result = resume(run, allow=trusted, models=more, progress=progress, **limits)
    finish(result, output)
