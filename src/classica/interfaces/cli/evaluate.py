"""``classica evaluate``: evaluate a model on a table with known classes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from rich.console import Console
from rich.text import Text

from classica.decision.class_labels import named_class
from classica.interfaces.cli._options import (
    batch_rows_option,
    costs_option,
    json_option,
    model_file,
    positive_option,
    quiet_option,
)
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._screen import (
    busy,
    facts_grid,
    grid,
    misfits,
    print_notes,
    read_notes,
    width_of,
)
from classica.interfaces.cli._tables import ambiguity_notes, load_model, table_source, training_rows
from classica.training import Judged, evaluate
from classica.wording import counted

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from classica.metrics.prediction_scores import ClassificationScores, ClassScore
from classica.arrays import Label

#: More classes than this do not fit side by side.
_MOST_CLASSES = 8


@click.command(cls=TableCommand)
@model_file
@click.argument("table")
@click.option("--target", metavar="COLUMN", help="Column with the true classes. [default: as in training]")
@costs_option
@positive_option
@batch_rows_option
@reading_options
@json_option
@quiet_option
def command(
    file: str,
    table: str,
    target: str | None,
    costs: str | None,
    positive: str | None,
    batch_rows: int,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Evaluate the model in FILE on TABLE, whose true classes are known.

    Prints the confusion matrix; error, precision, recall and F1 of each class; accuracy with its 95%
    confidence interval; log loss, Brier score and mean cost. If the model rejects rows, the accuracy is that
    of the other rows, and the coverage is their share. Use rows that the model was not trained on: scores on
    the training set are optimistic.

    \b
    Examples:
      classica evaluate golf.classica golf
      classica evaluate vote.classica vote --json

    \b
    A cost matrix for --costs, where a missed "yes" costs 5 times a false alarm:
      predicted,no,yes
      no,0,5
      yes,1,0
    """  # noqa: D301  (click reads \b)
    model, source = load_model(file), table_source(table, reading)
    label = None if positive is None else named_class(positive, np.asarray(model.classes_).tolist())
    with busy(f"Predicting {table}") as progress:
        options = {**reading, "progress": progress}
        evaluation = evaluate(
            model,
            source,
            target=target,
            costs=costs,
            batch_rows=batch_rows,
            reading=options,
            trained_on=training_rows(file),
        )
    evaluation.notes.extend(ambiguity_notes(table))
    if as_json:
        found = _record(evaluation)
        if positive is not None:
            found["positive"] = vars(_of_class(evaluation.scores, label))
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    notes = [*read_notes(evaluation.notes), *misfits(evaluation.extra, evaluation.unseen)]
    print_notes([*notes, *_left_out(evaluation)], quiet=quiet)
    _print(evaluation, None if positive is None else _of_class(evaluation.scores, label))


def _of_class(scores: ClassificationScores, label: Label | None) -> ClassScore:
    return next(each for each in scores.classes if each.label == label)


def _left_out(found: Judged) -> list[str]:
    notes = []
    if found.unlabelled:
        rows = counted(found.unlabelled, "row without a label was", "rows without a label were")
        notes.append(f"{rows} left out.")
    if found.scores.unknown:
        rows = counted(found.scores.unknown, "row")
        notes.append(f"{rows} of classes that were not in the training set count as errors.")
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


def _print(found: Judged, positive: ClassScore | None) -> None:
    console, scores = Console(highlight=False), found.scores
    size = counted(scores.rows, "row")
    console.print(Text.assemble((found.source, "bold"), f"  {size}\n"))
    matrix = _confusion(scores)
    fits = len(scores.labels) <= _MOST_CLASSES and width_of(matrix, console) <= console.width
    if fits:
        console.print("confusion matrix (rows: true class, columns: predicted class)", style="dim")
        console.print(matrix)
        console.print()
    console.print(_classes(scores))
    if not fits:
        console.print("Too many classes to print the confusion matrix: use --json.", style="dim")
    console.print()
    console.print(facts_grid(_facts(found) | _positive_facts(positive)))


def _facts(found: Judged) -> dict[str, str | Text]:
    scores = found.scores
    facts: dict[str, str | Text] = {}
    if scores.accuracy is not None and scores.interval is not None:
        low, high = (100 * end for end in scores.interval)
        predicted = counted(scores.answered, "row")
        on = f", on the {predicted} with a prediction" if scores.rejected else ""
        facts["accuracy"] = f"{_percent(scores.accuracy)} (95% CI {low:.1f}–{high:.1f}%){on}"
        facts["error"] = _percent(1.0 - scores.accuracy)
    if found.trained_on:
        facts["optimistic"] = Text("the model was trained on these rows", style="yellow")
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


def _positive_facts(positive: ClassScore | None) -> dict[str, str | Text]:
    if positive is None:
        return {}
    rates = {"precision": positive.precision, "recall": positive.recall, "F1": positive.f1}
    return {f"{name} of {_short(positive.label)}": _percent(value) for name, value in rates.items()}


def _confusion(scores: ClassificationScores) -> Grid:
    names = [_short(label) for label in scores.labels]
    shown = grid("", *names, right=range(1, len(names) + 1))
    for true, name in enumerate(names):
        cells = []
        for predicted, count in enumerate(scores.confusion[true].tolist()):
            style = "green" if predicted == true else "red" if count else "dim"
            cells.append(Text(f"{count:,}", style=style))
        shown.add_row(Text(name, style="bold"), *cells)
    return shown


def _classes(scores: ClassificationScores) -> Grid:
    shown = grid("class", "rows", "error", "precision", "recall", "F1", right=range(1, 6))
    for score in scores.classes:
        shares = (score.error, score.precision, score.recall, score.f1)
        shown.add_row(Text(_short(score.label)), f"{score.rows:,}", *map(_percent, shares))
    return shown


def _short(label: Label) -> str:
    text = " ".join(str(label).split())
    return text if len(text) <= 20 else text[:19] + "…"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}%"
