"""``classica compare``: compare classifiers on a table and recommend one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isinf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from classica.interfaces.cli._options import (
    Budget,
    Bytes,
    Seconds,
    all_option,
    costs_option,
    ignore_option,
    out_option,
    positive_option,
    reject_cost_option,
    schema_option,
    seed_option,
    target_option,
)
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._screen import print_notes, read_notes

if TYPE_CHECKING:
    from classica.comparison import ComparisonResult
    from classica.interfaces.cli._comparison import Output
    from classica.tables import Table


class MetricName(click.ParamType[str]):
    """A metric by its name; the list is imported only when it is needed, because that takes a second."""

    name = "metric"

    @property
    def choices(self) -> list[str]:
        """Every metric of a comparison."""
        from classica.metrics import METRICS

        return list(METRICS)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, if there is such a metric."""
        return click.Choice(self.choices).convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin like this."""
        return click.Choice(self.choices).shell_complete(ctx, param, incomplete)


def running_options(
    budget: str, no_limit: str, memory: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the options of the commands that run a comparison.

    The arguments are the defaults of ``--budget``, ``--limit`` and ``--memory`` in words.
    """
    options = (
        click.option("--budget", type=Budget(), help=f"Time limit, or none. [default: {budget}]"),
        click.option(
            "--limit", type=Seconds(), help=f"Time limit for one fit, such as 60s. [default: {no_limit}]"
        ),
        click.option("--memory", type=Bytes(), help=f"Memory limit. [default: {memory}]"),
        click.option(
            "--workers",
            type=click.IntRange(1),
            metavar="N",
            help="Fits to run in parallel. [default: one per core]",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON instead of text."),
        click.option("--json-lines", is_flag=True, help="Print progress and summary as JSON lines."),
        click.option("--quiet", is_flag=True, help="Print the answer only."),
        all_option,
        click.option("--report/--no-report", default=True, help="Do not write the HTML report."),
    )

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@click.command(cls=TableCommand)
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True)
@target_option
@click.option("--models", metavar="MODELS", help="Models to compare, separated by commas. [default: all]")
@click.option("--metric", type=MetricName(), metavar="METRIC", help="Metric to rank by.")
@costs_option
@reject_cost_option
@positive_option
@click.option("--calibrate/--no-calibrate", default=True, help="Do not calibrate scores to probabilities.")
@click.option(
    "--folds",
    type=click.IntRange(2),
    metavar="N",
    default=10,
    show_default=True,
    help="Number of cross-validation folds.",
)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    metavar="N",
    default=1,
    show_default=True,
    help="Repeat the cross-validation N times.",
)
@click.option("--tune/--no-tune", default=True, help="Do not tune hyper-parameters.")
@click.option("--refine", is_flag=True, help="Refine numeric hyper-parameters (with --thorough).")
@click.option("--groups", metavar="COLUMN", help="Keep rows with equal values in the same fold.")
@click.option("--time", metavar="COLUMN", help="Test on rows later than the training rows.")
@click.option("--by", metavar="COLUMN", help="Compare on the rows of each value of COLUMN separately.")
@schema_option
@ignore_option
@seed_option
@click.option(
    "--effort",
    type=click.FloatRange(0, min_open=True),
    metavar="N",
    help="Reproducible budget: N nominal seconds of work.",
)
@click.option("--thorough", is_flag=True, help="Nested cross-validation of every model and grid point.")
@click.option("--reference/--no-reference", default=True, help="Leave out scikit-learn's gradient boosting.")
@out_option("Run folder. [default: TABLE-run]", metavar="FOLDER")
@running_options("5m, 10m for large tables", "none", "4GB, more for large tables")
@reading_options
def command(
    tables: tuple[str, ...],
    target: str | None,
    models: str | None,
    metric: str | None,
    costs: str | None,
    reject_cost: float | None,
    schema: str | None,
    ignore: tuple[str, ...],
    budget: float | None,
    effort: float | None,
    out: str | None,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
    everything: bool,
    report: bool,
    reading: dict[str, Any],
    by: str | None,
    **settings: Any,
) -> None:
    """Compare classifiers on TABLE and recommend one; rank them over several tables.

    Models that cannot catch up are dropped early. Ctrl-C gives the answer so far; classica resume continues.
    A model is a slug or module:Class.

    \b
    Examples:
      classica compare iris --models lda,naive-bayes,c45 --out iris-run
      classica compare vote --models "c45,knn(n_neighbors=3)" --budget 30s
      classica compare iris golf vote --models c45,knn --out three-runs
    """  # noqa: D301  (click reads \b)
    since = monotonic()
    from classica.interfaces.cli._run_start import new_folder, prepare_folder, workers_ahead

    is_one = by is None and len(tables) == 1
    workers = settings["workers"]
    folder = prepare_folder(out, tables[0], workers) if is_one else Path(out or new_folder("tables"))
    if metric == "cost" and costs is None and reject_cost is None:
        raise click.UsageError("--metric cost needs --costs FILE or --reject-cost COST.")
    if by is not None and len(tables) > 1:
        raise click.UsageError("--by needs a single table.")
    from classica.interfaces.cli._comparison import Output, finish
    from classica.interfaces.cli._tables import open_table, table_source

    output = Output(as_json, json_lines, quiet, report, everything)
    settings |= {
        "budget": _budget(budget, effort),
        "effort": effort,
        "metric": metric or ("accuracy" if costs is None and reject_cost is None else "cost"),
        "costs": costs,
        "reject_cost": reject_cost,
    }
    opened = partial(open_table, target=target, schema=schema, reading=reading)
    run = partial(_run, models=models, opened=partial(opened, ignore=ignore), settings=settings)
    if is_one:
        finish(run(tables[0], folder, output, since=since, is_named=out is not None), output)
        return
    from classica.interfaces.cli._several import compare_each, groups_of

    for table in tables:
        table_source(table, reading)  # a missing file is reported before anything is run
    parts = tables if by is None else groups_of(opened(tables[0], ignore=(*ignore, by))[0], by)
    compare_each(parts, folder, output, run, partial(workers_ahead, workers=workers))


def _run(
    table: Any,
    folder: Path,
    output: Output,
    *,
    models: str | None,
    opened: Callable[[str], tuple[Table, list[str]]],
    settings: dict[str, Any],
    since: float | None = None,
    is_named: bool = True,
) -> ComparisonResult:
    """Read a table, unless it is typed already, and compare the models on it."""
    from classica.comparison import compare
    from classica.comparison.plan.contender import named_contenders
    from classica.interfaces.cli._compared_table import announce, require_columns
    from classica.interfaces.cli._comparison import follow, progress_text
    from classica.interfaces.cli._run_start import new_folder
    from classica.tables.labelled import decision_notes

    named = None if models is None else [contender.name for contender in named_contenders(models)]
    typed, notes = opened(table) if isinstance(table, str) else (table, list(table.notes))
    decisions = [f"{note}." for note in decision_notes(typed)]
    print_notes([*read_notes(notes), *decisions], quiet=not output.is_for_people)
    if not is_named and folder.exists():  # made by another command in the meantime
        folder = new_folder(table)
    split_columns = {"--groups": settings["groups"], "--time": settings["time"]}
    require_columns(typed, split_columns)
    text = progress_text(settings["metric"], _rows(typed))
    announcement = partial(announce, typed, folder, split_columns.values())
    with follow(folder, text, output, announcement) as progress:
        return compare(
            typed, models=named, out=folder, notes=notes, progress=progress, since=since, **settings
        )


def _budget(budget: float | None, effort: float | None) -> float | str | None:
    """Return the budget as `compare` takes it: None for no limit."""
    if budget is None:
        return "auto"
    if effort is not None:
        raise click.UsageError("--budget and --effort cannot be combined; choose one.")
    return None if isinf(budget) else budget


def _rows(table: Any) -> int:
    """Return the rows that have a label."""
    return int(table.frame[table.schema.target].count())
