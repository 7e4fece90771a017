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
from classica.interfaces.cli._options import (
    MODEL_HELP,
    costs_option,
    ignore_option,
    json_option,
    out_option,
    parameter_pairs,
    reject_cost_option,
    schema_option,
    seed_option,
    set_option,
    target_option,
    write_schema_option,
)
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._screen import busy, facts_grid, print_notes, read_notes
from classica.interfaces.cli._tables import open_table, require_writable
from classica.training import Recipe, Training, learn, parameter_values
from classica.wording import counted, sentence_start

if TYPE_CHECKING:
    from classica.tables import Schema, Table


@click.command(cls=TableCommand)
@click.argument("table")
@target_option
@click.option("--model", metavar="MODEL", help=f"{MODEL_HELP} [default: {Recipe.model}]")
@set_option
@costs_option
@reject_cost_option
@click.option("--priors", metavar="PRIORS", help="Class priors: uniform, or LABEL=SHARE,LABEL=SHARE,...")
@click.option(
    "--calibration",
    type=click.Choice(["auto", "sigmoid", "isotonic", "softmax", "none"]),
    metavar="METHOD",
    default="auto",
    show_default=True,
    help="How to calibrate scores to probabilities.",
)
@schema_option
@ignore_option
@write_schema_option
@click.option("--folds", type=int, metavar="N", help="Estimate the test error by N-fold cross-validation.")
@seed_option
@out_option("Model file to write.")
@reading_options
@json_option
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
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
    """Train a model on TABLE and write it to a file.

    The default model is C4.5, an interpretable decision tree; classica compare recommends the best model for
    a table. Identifiers, constant columns and free text are left out unless a schema file includes them
    (classica profile --write-schema), and so are rows without a label. The model file contains all that is
    needed to predict new rows.

    \b
    Examples:
      classica train golf --model c45 --out golf.classica
      classica train iris --model knn --set n_neighbors=5 --folds 10
      classica train vote --model tree --reject-cost 0.1 --out vote.classica

    \b
    A cost matrix for --costs, where a missed "yes" costs 5 times a false alarm:
      predicted,no,yes
      no,0,5
      yes,1,0
    """  # noqa: D301  (click reads \b)
    if out is not None:
        require_writable(out)
    decision["priors"] = _priors(decision["priors"])
    decision["calibration"] = None if decision["calibration"] == "none" else decision["calibration"]
    chosen = model or Recipe.model
    recipe = Recipe(chosen, parameter_values(chosen, parameter_pairs(pairs)), seed=seed, **decision)
    recipe.classifier()
    typed, reading_notes = open_table(table, target=target, schema=schema, ignore=ignore, reading=reading)
    notes = read_notes(reading_notes)
    with busy(f"Training {chosen} on {table}"), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        done = learn(typed, recipe, folds=folds)
    notes += dict.fromkeys(str(warning.message) for warning in warned)
    if model is None:
        notes.insert(0, _default_model(table, target))
    if write_schema is not None:
        typed.schema.save(write_schema)
    if out is not None:
        save(done.model, out, metadata=done.metadata())
    if as_json:
        click.echo(json.dumps(_record(done, typed, notes, out), indent=2, ensure_ascii=False))
        return
    print_notes([*notes, *_findings(typed), *_calibrated(recipe)], quiet=quiet)
    if not quiet:
        _print(done, table, out, write_schema)


def _default_model(table: str, target: str | None) -> str:
    """Return which model was trained because none was named, and how to find the best one."""
    option = "" if target is None else f" --target {shlex.quote(target)}"
    return (
        f"no --model given; trained {Recipe.model}, an interpretable decision tree. To find the best model:"
        f" classica compare {shlex.quote(table)}{option}"
    )


def _priors(text: str | None) -> Any:
    if text is None or text in ("uniform", "empirical"):
        return text
    parts = [part.rpartition("=") for part in text.split(",")]
    try:
        numbers = [float(number) for _, _, number in parts]
    except ValueError:
        rule = "uniform, or LABEL=SHARE,LABEL=SHARE,..."
        raise click.UsageError(f"--priors must be {rule}, got {text!r}.") from None
    labelled = all(sign for _, sign, _ in parts)
    return dict(zip((name.strip() for name, _, _ in parts), numbers, strict=True)) if labelled else numbers


def _findings(table: Table) -> list[str]:
    """Return the decisions about columns, except those about columns that the summary lists."""
    unused = _unused(table.schema)
    others = [finding for finding in table.decisions if finding.column not in unused]
    return [f"{finding.column}: {finding.text}" if finding.column else finding.text for finding in others]


def _calibrated(recipe: Recipe) -> list[str]:
    if recipe.calibration != "auto" or recipe.calibrates is None:
        return []
    return [
        f"{recipe.title} has scores but no probabilities; the scores are calibrated on held-out rows"
        " (--calibration none turns this off)."
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
    title = ((sentence_start(done.recipe.title), "bold"), f", trained on {rows} of {table}")
    console.print(Text.assemble(*title))
    console.print(facts_grid(_facts(done)))
    if schema is not None:
        console.print(Text(f"\nWrote the schema to {schema}."))
    _print_next(console, out)


def _facts(done: Training) -> dict[str, str]:
    table, model = done.table, done.model
    labels = [str(label) for label in model.classes_.tolist()]
    shown = ", ".join(labels[:8]) + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")
    facts = {
        "target": f"{table.schema.target}: {shown}",
        "columns": _some(model.schema.names("feature")),
    }
    unused = _unused(table.schema)
    if unused:
        facts["not used"] = _some([f"{name} ({kind})" for name, kind in unused.items()])
    if done.unlabelled:
        facts["left out"] = counted(done.unlabelled, "row without a label", "rows without a label")
    error = _error(done.wrong, len(table), done.rejected)
    facts["training error"] = f"{error}; optimistic"
    tested = done.cross_validation
    if tested is not None:
        error = _error(tested.wrong, tested.rows, tested.rejected)
        facts["test error"] = f"{error}; {tested.folds}-fold cross-validation"
    facts["training time"] = f"{done.seconds:.2g} s"
    return facts


def _some(names: list[str], most: int = 12) -> str:
    shown = ", ".join(names[:most])
    return f"{len(names)}: {shown}" + (f" and {len(names) - most} more" if len(names) > most else "")


def _error(wrong: int, rows: int, rejected: int) -> str:
    """Return the share of misclassified rows, and how many rows were rejected."""
    predicted = rows - rejected
    also = f", {rejected:,} of {rows:,} rows rejected" if rejected else ""
    if not predicted:
        return f"unknown{also}"
    return f"{100 * wrong / predicted:.1f}% ({wrong:,} of {predicted:,} rows){also}"


def _print_next(console: Console, out: str | None) -> None:
    if out is None:
        console.print("\nThe model was not saved; use --out FILE to save it.", style="yellow")
        return
    size = os.path.getsize(out)
    console.print(Text(f"\nWrote the model to {out} ({size:,} bytes). Next:"))
    name = shlex.quote(out)
    for line in (f"evaluate {name} TABLE", f"predict {name} TABLE", f"explain {name}"):
        console.print(Text(f"  classica {line}", style="cyan"))
