"""``classica compare``: which classifier to trust on a table, and how good it really is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isinf
from pathlib import Path
from time import monotonic
from typing import Any

import click
from click.shell_completion import CompletionItem

from classica.interfaces.cli._amounts import Budget, Bytes, Seconds
from classica.interfaces.cli._notes import read_notes, tell
from classica.interfaces.cli._options import costs_option, ignore_option, schema_option, target_option
from classica.interfaces.cli._reading import TableCommand, reading_options


class MetricName(click.ParamType[str]):
    """A metric by its name; the list is imported only when it is needed, because that takes a second."""

    name = "metric"

    @property
    def choices(self) -> click.Choice[str]:
        """Every metric of a comparison."""
        from classica.metrics import METRICS

        return click.Choice(list(METRICS))

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """Return the names for the help text."""
        return self.choices.get_metavar(param, ctx)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, if there is such a metric."""
        return self.choices.convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin like this."""
        return self.choices.shell_complete(ctx, param, incomplete)


def running_options(no_limit: str, memory: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what adds the options of everything that runs or goes on with a comparison.

    ``no_limit`` is what holds where no limit for one fit is given, ``memory`` where no memory is.
    """
    options = (
        click.option(
            "--limit", type=Seconds(), help=f"Time limit for one fit, such as 60s.  [default: {no_limit}]"
        ),
        click.option(
            "--memory",
            type=Bytes(),
            help=f"Memory for the whole comparison, such as 4GB.  [default: {memory}]",
        ),
        click.option("--workers", type=click.IntRange(1), help="Fits at a time.  [default: one per core]"),
        click.option("--json", "as_json", is_flag=True, help="Print the whole summary as JSON."),
        click.option(
            "--json-lines", is_flag=True, help="Print progress and summary as JSON, one object per line."
        ),
        click.option("--quiet", is_flag=True, help="Print the answer only."),
        click.option("--report/--no-report", default=True, help="Write the HTML report.  [default: report]"),
    )

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@click.command(cls=TableCommand)
@click.argument("table")
@target_option
@click.option(
    "--models",
    help="Models to compare, separated by commas: slugs or module:Class, with parameters in parentheses such"
    ' as "knn(n_neighbors=7)".  [default: all that classica models lists]',
)
@click.option(
    "--metric",
    type=MetricName(),
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
@click.option("--tune/--no-tune", default=True, help="Tune hyper-parameters.  [default: tune]")
@click.option("--refine", is_flag=True, help="Refine numeric hyper-parameters after the grid search.")
@click.option("--groups", help="Column of groups: rows with equal values stay in one fold.")
@click.option("--time", help="Column of times: test rows come after training rows.")
@schema_option
@ignore_option
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed.")
@click.option(
    "--budget",
    type=Budget(),
    help="Time limit for the whole comparison: 30s, 10m, 2h, or none."
    "  [default: 5m, 10m for a million rows and more]",
)
@click.option(
    "--effort",
    type=click.FloatRange(0, min_open=True),
    metavar="N",
    help="Limit the work to N nominal seconds instead of the time, so that repeated runs take the same"
    " decisions.",
)
@click.option(
    "--thorough",
    is_flag=True,
    help="Search every grid of hyper-parameters on all rows by nested cross-validation; drop no model.",
)
@click.option(
    "--reference/--no-reference",
    default=True,
    help="Add scikit-learn's HistGradientBoostingClassifier as a reference.  [default: reference]",
)
@click.option("--out", type=click.Path(), help="Folder of the run.  [default: a new one, TABLE-run]")
@running_options("none", "half of the machine's")
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
    budget: float | None,
    effort: float | None,
    out: str | None,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
    report: bool,
    reading: dict[str, Any],
    **settings: Any,
) -> None:
    """Compare classifiers on TABLE: a file, the address of a database, "-", or a built-in dataset.

    The comparison is a race. First, every model is fitted with its default parameters on a sample of the
    rows: within seconds there is a provisional leaderboard. Then hyper-parameters are tuned on growing
    samples, and models that cannot catch up with the leader are dropped, with the reason. The remaining
    models are cross-validated on all folds, until the answer is clear or the budget is used up. A row is
    never predicted by a model that was trained on it. Ctrl-C gives the answer so far; classica resume
    continues the run, which is kept in a folder.

    \b
    Examples:
      classica compare iris --models lda,naive-bayes,c45 --out iris-run
      classica compare golf --models "id3,knn(n_neighbors=3)" --out golf-run
      classica compare vote --models c45,logistic --budget 30s --out vote-run

    \b
    A file for --costs, where to miss a "yes" costs as much as 5 false alarms:
      predicted,no,yes
      no,0,5
      yes,1,0
    """  # noqa: D301  (click reads \b)
    since = monotonic()
    from classica.comparison import compare
    from classica.comparison.plan.contender import named_contenders
    from classica.interfaces.cli._compared_table import announce, require_columns
    from classica.interfaces.cli._comparison import Output, finish, follow, new_folder, progress_text
    from classica.interfaces.cli._tables import open_table
    from classica.tables.labelled import decision_notes

    if metric == "cost" and costs is None and reject_cost is None:
        raise click.UsageError("--metric cost needs --costs FILE, the cost matrix, or --reject-cost.")
    output = Output(as_json, json_lines, quiet, report)
    settings |= {"budget": _budget(budget, effort), "effort": effort}
    named = None if models is None else [contender.name for contender in named_contenders(models)]
    typed, notes = open_table(table, target=target, schema=schema, ignore=ignore, reading=reading)
    decided = [f"{note}." for note in decision_notes(typed)]
    tell([*read_notes(notes), *decided], quiet=not output.is_for_people)
    folder = Path(out) if out is not None else new_folder(table)
    aside = {"--groups": settings["groups"], "--time": settings["time"]}
    require_columns(typed, aside)
    ranked_by = metric or ("accuracy" if costs is None and reject_cost is None else "cost")
    words = progress_text(ranked_by, _rows(typed))
    about = partial(announce, typed, folder, aside.values())
    with follow(folder, words, output, about) as progress:
        result = compare(
            typed,
            models=named,
            metric=ranked_by,
            costs=costs,
            reject_cost=reject_cost,
            out=folder,
            notes=notes,
            progress=progress,
            since=since,
            **settings,
        )
    finish(result, output)


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
