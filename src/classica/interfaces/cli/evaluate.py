"""``classica evaluate``: how good a model is on a table with labels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.text import Text

from classica import persist
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._grids import facts_grid, grid, width_of
from classica.interfaces.cli._models import load_model
from classica.interfaces.cli._notes import misfits, read_notes, tell
from classica.interfaces.cli._options import (
    batch_rows_option,
    costs_option,
    json_option,
    model_file,
    quiet_option,
)
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._tables import table_source, taken_instead
from classica.training import Judged, evaluate
from classica.wording import counted

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from classica.metrics.prediction_scores import ClassificationScores

#: More classes than this do not fit side by side.
_MOST_CLASSES = 8


@click.command(cls=TableCommand)
@model_file
@click.argument("table")
@click.option("--target", help="Column with the true classes, if not the one the model was trained on.")
@costs_option
@batch_rows_option
@reading_options
@json_option
@quiet_option
def command(
    file: str,
    table: str,
    target: str | None,
    costs: str | None,
    batch_rows: int,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Compare the predictions of the model in FILE with the true classes in TABLE.

    The confusion matrix; the error, precision, recall and F1 of each class; the accuracy with its 95%
    confidence interval; log loss and Brier score of the probabilities; and the mean cost. Where the model
    rejects rows, the accuracy is that of the others, and the coverage is their share. On the rows a model was
    trained on all of it is optimistic: keep some rows for this.

    \b
    Examples:
      classica evaluate golf.classica golf
      classica evaluate vote.classica vote --json

    \b
    A file for --costs, where to miss a "yes" costs as much as 5 false alarms:
      predicted,no,yes
      no,0,5
      yes,1,0
    """  # noqa: D301  (click reads \b)
    model, source = load_model(file), table_source(table, reading)
    with busy(f"Predicting {table}") as progress:
        options = {**reading, "progress": progress}
        found = evaluate(
            model,
            source,
            target=target,
            costs=costs,
            batch_rows=batch_rows,
            reading=options,
            trained_on=_trained_on(file),
        )
    found.notes.extend(taken_instead(table))
    if as_json:
        click.echo(json.dumps(_record(found), indent=2, ensure_ascii=False))
        return
    tell([*read_notes(found.notes), *misfits(found.extra, found.unseen), *_left_out(found)], quiet=quiet)
    _print(found)


def _trained_on(file: str) -> str | None:
    """Return the fingerprint of the rows that the model was trained on, if its file tells."""
    found = persist.inspect(file)["metadata"].get("rows_fingerprint")
    return found if isinstance(found, str) else None


def _left_out(found: Judged) -> list[str]:
    notes = []
    if found.unlabelled:
        notes.append(f"{counted(found.unlabelled, 'row')} without a label left out.")
    if found.scores.unknown:
        rows = counted(found.scores.unknown, "row")
        notes.append(f"{rows} of classes that the model has never seen count as errors.")
    return notes


def _record(found: Judged) -> dict[str, Any]:
    return {
        "source": found.source,
        "trained_on_these_rows": found.trained_on,
        **found.scores.record(),
        "rows_without_label": found.unlabelled,
        "unseen": {name: dict(levels) for name, levels in found.unseen.items()},
        "ignored_columns": found.extra,
        "notes": found.notes,
    }


def _print(found: Judged) -> None:
    console, scores = Console(highlight=False), found.scores
    size = counted(scores.rows, "row")
    console.print(Text.assemble((found.source, "bold"), f"  {size}\n"))
    matrix = _confusion(scores)
    fits = len(scores.labels) <= _MOST_CLASSES and width_of(matrix, console) <= console.width
    if fits:
        console.print("predicted class (columns) by true class (rows)", style="dim")
        console.print(matrix)
        console.print()
    console.print(_classes(scores))
    if not fits:
        console.print("The confusion matrix is in --json.", style="dim")
    console.print()
    console.print(facts_grid(_facts(found)))


def _facts(found: Judged) -> dict[str, str | Text]:
    scores = found.scores
    facts: dict[str, str | Text] = {}
    if scores.accuracy is not None and scores.interval is not None:
        low, high = (100 * end for end in scores.interval)
        answered = counted(scores.answered, "row")
        on = f", on the {answered} with a prediction" if scores.rejected else ""
        facts["accuracy"] = f"{_percent(scores.accuracy)} (95% CI {low:.1f}–{high:.1f}%){on}"
        facts["error"] = _percent(1.0 - scores.accuracy)
    if found.trained_on:
        facts["optimistic"] = Text("the model was trained on these very rows", style="yellow")
    if scores.rejected:
        rejected = f"{scores.rejected:,} of {counted(scores.rows, 'row')} rejected"
        facts["coverage"] = f"{_percent(scores.coverage)} ({rejected})"
    for name, value in (
        ("log loss", scores.log_loss),
        ("Brier score", scores.brier),
        ("mean cost", scores.mean_cost),
    ):
        if value is not None:
            facts[name] = f"{value:.4f}"
    return facts


def _confusion(scores: ClassificationScores) -> Grid:
    names = [_short(label) for label in scores.labels]
    shown = grid("", *names, right=range(1, len(names) + 1))
    for name, place in zip(names, range(len(names)), strict=True):
        cells = []
        for said, count in enumerate(scores.confusion[place].tolist()):
            style = "green" if said == place else "red" if count else "dim"
            cells.append(Text(f"{count:,}", style=style))
        shown.add_row(Text(name, style="bold"), *cells)
    return shown


def _classes(scores: ClassificationScores) -> Grid:
    shown = grid("class", "rows", "error", "precision", "recall", "F1", right=range(1, 6))
    for score in scores.classes:
        shares = (score.error, score.precision, score.recall, score.f1)
        shown.add_row(Text(_short(score.label)), f"{score.rows:,}", *map(_percent, shares))
    return shown


def _short(label: Any) -> str:
    text = " ".join(str(label).split())
    return text if len(text) <= 20 else text[:19] + "…"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}%"
