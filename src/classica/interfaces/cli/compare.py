"""``classica compare``: which classifier to trust on a table, and how good it really is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from classica.interfaces.cli._amounts import Bytes, Seconds
from classica.interfaces.cli._notes import read_notes, tell
from classica.interfaces.cli._options import costs_option, ignore_option, schema_option, target_option
from classica.interfaces.cli._reading import TableCommand, reading_options


def running_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of everything that runs or goes on with a comparison."""
    for option in (
        click.option("--report/--no-report", default=True, help="Write the HTML report.  [default: report]"),
        click.option("--quiet", is_flag=True, help="Print the answer only."),
        click.option("--json", "as_json", is_flag=True, help="Print the whole summary as JSON."),
        click.option("--workers", type=click.IntRange(1), help="Fits at a time.  [default: one per core]"),
        click.option("--budget", type=Seconds(), help="Time limit for the whole run, such as 10m."),
    ):
        command = option(command)
    return command


@click.command(cls=TableCommand)
@click.argument("table")
@target_option
@click.option(
    "--models", help="Models to compare, separated by commas: slugs, or any classifier as module:Class."
)
@click.option(
    "--metric",
    type=click.Choice(["accuracy", "balanced_accuracy", "f1", "log_loss", "brier", "auc", "cost"]),
    help="Metric to rank by.  [default: accuracy; cost if costs are given]",
)
@costs_option
@click.option(
    "--reject-cost",
    type=float,
    help="Cost of rejecting a row; models then reject rows whose prediction is expected to cost more.",
)
@click.option(
    "--calibrate/--no-calibrate",
    default=True,
    help="Calibrate models without probabilities of their own, such as svm.  [default: calibrate]",
)
@click.option(
    "--folds", type=click.IntRange(2), default=10, show_default=True, help="Folds of the cross-validation."
)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Repeat the cross-validation this many times.",
)
@click.option(
    "--tune/--no-tune", default=True, help="Tune hyper-parameters inside each training set.  [default: tune]"
)
@click.option("--refine", is_flag=True, help="Refine numeric hyper-parameters after the grid search.")
@click.option("--groups", help="Column of groups: rows with equal values stay in one fold.")
@click.option("--time", help="Column of times: test rows come after training rows.")
@schema_option
@ignore_option
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed.")
@click.option("--limit", type=Seconds(), help="Time limit for one fit, such as 60s.")
@click.option("--memory", type=Bytes(), help="Memory limit for one fit, such as 2GB.")
@click.option("--out", type=click.Path(), help="Folder of the run.  [default: a new one, TABLE-run]")
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
    """Compare classifiers on TABLE: a file, the address of a database, "-", or a built-in dataset.

    Every model is tuned inside each training set and judged on test rows that neither training nor tuning has
    seen. The run is kept in a folder: after Ctrl-C or a crash, classica resume continues it.

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
