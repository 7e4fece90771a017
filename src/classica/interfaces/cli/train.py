"""``classica train``: from a table to a model file."""

from __future__ import annotations

import json
import os
import shlex
import warnings
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.text import Text

from classica import save
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._grids import facts_grid
from classica.interfaces.cli._models import require_place
from classica.interfaces.cli._notes import read_notes, tell
from classica.interfaces.cli._options import (
    MODEL_HELP,
    costs_option,
    ignore_option,
    json_option,
    schema_option,
    set_option,
    target_option,
    words_of,
    write_schema_option,
)
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._tables import open_table
from classica.training import Recipe, Training, learn, parameter_values
from classica.wording import counted

if TYPE_CHECKING:
    from classica.tables import Schema, Table


@click.command(cls=TableCommand)
@click.argument("table")
@target_option
@click.option("--model", help=f"{MODEL_HELP}  [default: {Recipe.model}, a decision tree]")
@set_option
@costs_option
@click.option("--priors", help="Class frequencies to expect: uniform, or LABEL=SHARE,LABEL=SHARE,...")
@click.option(
    "--reject-cost",
    type=float,
    help="Cost of rejecting a row: rows whose prediction is expected to cost more get none.",
)
@click.option(
    "--calibration",
    type=click.Choice(["auto", "sigmoid", "isotonic", "none"]),
    default="auto",
    show_default=True,
    help="How scores become probabilities; auto: sigmoid for models that have none, such as svm.",
)
@schema_option
@ignore_option
@write_schema_option
@click.option(
    "--folds", type=int, help="Estimate the error on new data by cross-validation with this many folds."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option("--out", type=click.Path(), help="Model file to write.")
@reading_options
@json_option
@click.option("--quiet", is_flag=True, help="Print errors only.")
def command(
    table: str,
    target: str | None,
    model: str | None,
    pairs: tuple[str, ...],
    schema: str | None,
    ignore: tuple[str, ...],
    write_schema: str | None,
    folds: int | None,
    seed: int,
    out: str | None,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
    **decision: Any,
) -> None:
    """Train a classifier on TABLE: a file, the address of a database, "-", or a built-in dataset.

    Without --model a decision tree is trained (C4.5), whose rules can be read; classica compare finds out
    which classifier predicts best. Columns are typed first: those that only name the rows, never vary or hold
    free text are left out, unless a schema file says otherwise (classica profile --write-schema). Rows
    without a label are left out, too. The model file then knows the columns and needs nothing else.

    \b
    Examples:
      classica train golf --model c45 --out golf.classica
      classica train iris --model knn --set n_neighbors=5 --folds 10
      classica train vote --model tree --reject-cost 0.1 --out vote.classica

    \b
    A file for --costs, where to miss a "yes" costs as much as 5 false alarms:
      predicted,no,yes
      no,0,5
      yes,1,0
    """  # noqa: D301  (click reads \b)
    if out is not None:
        require_place(out)
    decision["priors"] = _priors(decision["priors"])
    decision["calibration"] = None if decision["calibration"] == "none" else decision["calibration"]
    chosen = model or Recipe.model
    recipe = Recipe(chosen, parameter_values(chosen, words_of(pairs)), seed=seed, **decision)
    recipe.classifier()
    typed, found = open_table(table, target=target, schema=schema, ignore=ignore, reading=reading)
    notes = read_notes(found)
    with busy(f"Training {chosen} on {table}"), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        done = learn(typed, recipe, folds=folds)
    notes += dict.fromkeys(str(warning.message) for warning in warned)
    if model is None:
        notes.insert(0, _taken(table, target))
    if write_schema is not None:
        typed.schema.save(write_schema)
    if out is not None:
        save(done.model, out, metadata=done.metadata())
    if as_json:
        click.echo(json.dumps(_record(done, typed, notes, out), indent=2, ensure_ascii=False))
        return
    tell([*notes, *_findings(typed), *_calibrated(recipe)], quiet=quiet)
    if not quiet:
        _print(done, table, out, write_schema)


def _taken(table: str, target: str | None) -> str:
    """Return which model was trained because none was named, and how to find a better one."""
    named = "" if target is None else f" --target {shlex.quote(target)}"
    return (
        f"no --model given: trained {Recipe.model}, a decision tree (C4.5) whose rules can be read. To find"
        f" the classifier that predicts best: classica compare {shlex.quote(table)}{named}"
    )


def _priors(text: str | None) -> Any:
    if text is None or text in ("uniform", "empirical"):
        return text
    parts = [part.rpartition("=") for part in text.split(",")]
    try:
        numbers = [float(number) for _, _, number in parts]
    except ValueError:
        rule = "uniform, or LABEL=SHARE,LABEL=SHARE,..."
        raise click.UsageError(f"--priors takes {rule}, got {text!r}.") from None
    labelled = all(sign for _, sign, _ in parts)
    return dict(zip((name.strip() for name, _, _ in parts), numbers, strict=True)) if labelled else numbers


def _findings(table: Table) -> list[str]:
    """Return what was decided about columns, except about those that the summary lists."""
    unused = _unused(table.schema)
    found = [finding for finding in table.decisions if finding.column not in unused]
    return [f"{finding.column}: {finding.text}" if finding.column else finding.text for finding in found]


def _calibrated(recipe: Recipe) -> list[str]:
    if recipe.calibration != "auto" or recipe.calibrates is None:
        return []
    return [
        f"{recipe.model} has no probabilities of its own; they are calibrated on held-out rows"
        " (--calibration none leaves that out)."
    ]


def _unused(schema: Schema) -> dict[str, str]:
    return {column.name: column.kind for column in schema.columns if column.role == "ignored"}


def _record(done: Training, typed: Table, notes: list[str], out: str | None) -> dict[str, Any]:
    return {
        "file": out,
        "class": type(done.model.estimator_).__name__,
        "classes": done.model.classes_.tolist(),
        "features": done.model.feature_names_in_.tolist(),
        **done.metadata(),
        "schema": typed.schema.record(),
        "findings": [finding.record() for finding in typed.decisions],
        "notes": notes,
    }


def _print(done: Training, table: str, out: str | None, schema: str | None) -> None:
    console = Console(highlight=False)
    rows = counted(len(done.table), "row")
    title = ((done.recipe.model, "bold"), f"  trained on {rows} of {table}")
    console.print(Text.assemble(*title))
    console.print(facts_grid(_facts(done)))
    if schema is not None:
        console.print(Text(f"\nThe schema is in {schema}."))
    _print_next(console, out)


def _facts(done: Training) -> dict[str, str]:
    known, model = done.table, done.model
    labels = [str(label) for label in model.classes_.tolist()]
    shown = ", ".join(labels[:8]) + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")
    facts = {
        "target": f"{known.schema.target}: {shown}",
        "columns": _some(model.schema.names("feature")),
    }
    unused = _unused(known.schema)
    if unused:
        facts["not used"] = _some([f"{name} ({kind})" for name, kind in unused.items()])
    if done.unlabelled:
        facts["left out"] = counted(done.unlabelled, "row without a label", "rows without a label")
    error = _error(done.wrong, len(known), done.rejected)
    facts["training error"] = f"{error}; optimistic: on its own training rows"
    tested = done.cross_validation
    if tested is not None:
        error = _error(tested.wrong, tested.rows, tested.rejected)
        facts["test error"] = f"{error}; {tested.folds}-fold cross-validation"
    facts["took"] = f"{done.seconds:.2g} s"
    return facts


def _some(names: list[str], most: int = 12) -> str:
    shown = ", ".join(names[:most])
    return f"{len(names)}: {shown}" + (f" and {len(names) - most} more" if len(names) > most else "")


def _error(wrong: int, rows: int, rejected: int) -> str:
    """Return the share of wrong predictions, and how many rows got none."""
    answered = rows - rejected
    left = f", {rejected:,} of {rows:,} rows rejected" if rejected else ""
    if not answered:
        return f"unknown{left}"
    return f"{100 * wrong / answered:.1f}% ({wrong:,} of {answered:,} rows){left}"


def _print_next(console: Console, out: str | None) -> None:
    if out is None:
        console.print("\nThe model is not saved: name a file with --out.", style="yellow")
        return
    size = os.path.getsize(out)
    console.print(Text(f"\nThe model is in {out} ({size:,} bytes). Next:"))
    name = shlex.quote(out)
    for line in (f"evaluate {name} TABLE", f"predict {name} TABLE", f"explain {name}"):
        console.print(Text(f"  classica {line}", style="cyan"))
