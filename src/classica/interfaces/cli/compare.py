"""``classica compare``: which classifier to trust on a table, and how good it really is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from classica.interfaces.cli._amounts import Bytes, Seconds
from classica.interfaces.cli._notes import read_notes, tell
from classica.interfaces.cli._options import costs_option, ignore_option
from classica.interfaces.cli._reading import TableCommand, reading_options


def running_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of everything that runs or goes on with a comparison."""
    for option in (
        click.option("--report/--no-report", default=True, help="Write the report, too (the default)."),
        click.option("--quiet", is_flag=True, help="Print the answer only."),
        click.option("--json", "as_json", is_flag=True, help="Print the whole summary as JSON."),
        click.option("--workers", type=click.IntRange(1), help="Fits at a time; by default one per core."),
        click.option("--budget", type=Seconds(), help="Time for the whole run, such as 10m."),
    ):
        command = option(command)
    return command


@click.command(cls=TableCommand)
@click.argument("table")
@click.option("--target", help="The column to predict.")
@click.option("--models", help="Which to compare, with commas: slugs, or any classifier as module:Class.")
@click.option(
    "--metric",
    type=click.Choice(["accuracy", "balanced_accuracy", "f1", "log_loss", "brier", "auc", "cost"]),
    help="What is to be good; accuracy, or cost where there are costs.",
)
@costs_option
@click.option("--reject-cost", type=float, help="Cost of rejecting a row; models then reject doubtful rows.")
@click.option(
    "--calibrate/--no-calibrate",
    default=True,
    help="Give models that have none, such as svm, probabilities (the default).",
)
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True, help="Outer folds.")
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True, help="Draw them so often.")
@click.option("--tune/--no-tune", default=True, help="Choose parameters inside each fold (the default).")
@click.option("--refine", is_flag=True, help="Refine numbers from coarse to fine after the grid.")
@click.option("--groups", help="A column whose equal values stay in one fold.")
@click.option("--time", help="A column of times: test rows come after training rows.")
@click.option("--schema", type=click.Path(), help="A schema file whose decisions hold.")
@ignore_option
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of every draw.")
@click.option("--limit", type=Seconds(), help="Time for one fit, such as 60s.")
@click.option("--memory", type=Bytes(), help="Memory for one fit, such as 2GB.")
@click.option("--out", type=click.Path(), help="The folder of the run; by default a new one here.")
@running_options
@reading_options
def command(
    table: str,
    target: str | None,
    models: str | None,
    metric: str | None,
    costs: str | None,
    reject_cost: float | None,
    schema: str | None,
    ignore: tuple[str, ...],
    out: str | None,
    as_json: bool,
    quiet: bool,
    report: bool,
    reading: dict[str, Any],
    **settings: Any,
) -> None:
    """Compare classifiers on TABLE: a file, or a table that comes along.

    Every model chooses its parameters inside each training part and is judged on rows that neither it nor the
    choice has seen. The run is kept in a folder; Ctrl-C or a crash loses nothing: classica resume goes on.

    \b
    Examples:
      classica compare iris --models lda,naive-bayes,c45 --out iris-run
      classica compare golf --models id3,c45 --folds 7 --out golf-run

    \b
    A file for --costs, where to miss a "yes" costs as much as 5 false alarms:
      predicted,no,yes
      no,0,5
      yes,1,0
    """  # noqa: D301  (click reads \b)
    from classica.comparison import compare
    from classica.data.labelled import decision_notes
    from classica.interfaces.cli._compared_table import announce, require_columns
    from classica.interfaces.cli._comparison import finish, follow, new_folder, with_report_at_hand
    from classica.interfaces.cli._tables import open_table

    if metric == "cost" and costs is None and reject_cost is None:
        raise click.UsageError("--metric cost needs --costs FILE, the cost matrix, or --reject-cost.")
    typed, notes = open_table(table, target=target, schema=schema, ignore=ignore, reading=reading)
    decided = [f"{note}." for note in decision_notes(typed)]
    tell([*read_notes(notes), *decided], quiet=quiet or as_json)
    folder = Path(out) if out is not None else new_folder(table)
    aside = {"--groups": settings["groups"], "--time": settings["time"]}
    require_columns(typed, aside)
    is_cost = costs is not None or reject_cost is not None
    with follow(folder, quiet=quiet or as_json) as bar:
        progress = _after(lambda: announce(typed, folder, aside.values(), quiet=quiet or as_json), bar)
        result = compare(
            typed,
            models=None if models is None else models.split(","),
            metric=metric or ("cost" if is_cost else "accuracy"),
            costs=costs,
            reject_cost=reject_cost,
            out=folder,
            notes=notes,
            progress=with_report_at_hand(progress) if report else progress,
            **settings,
        )
    finish(result, as_json=as_json, quiet=quiet, report=report)


def _after(say: Callable[[], None], progress: Callable[[Any], None] | None) -> Callable[[Any], None] | None:
    """Return the same, which first says what the run is about; by then everything has been checked."""
    if progress is None:
        return None
    waiting = [say]

    def told(how_far: Any) -> None:
        if waiting:
            waiting.pop()()
        progress(how_far)

    return told
