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
from classica.data.wording import counted
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._grids import facts_grid
from classica.interfaces.cli._models import require_place
from classica.interfaces.cli._notes import read_notes, tell
from classica.interfaces.cli._options import (
    costs_option,
    json_option,
    model_option,
    schema_option,
    set_option,
    target_option,
    words_of,
    write_schema_option,
)
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._tables import open_table
from classica.training import Recipe, Training, learn, parameter_values

if TYPE_CHECKING:
    from classica.data import Schema, Table


@click.command(cls=TableCommand)
@click.argument("table")
@target_option
@model_option("c45")
@set_option
@costs_option
@click.option("--priors", help="How frequent classes will be: uniform, or LABEL=SHARE,LABEL=SHARE,...")
@click.option("--reject-cost", type=float, help="What giving no answer costs.")
@click.option(
    "--calibration",
    type=click.Choice(["auto", "sigmoid", "isotonic", "none"]),
    default="auto",
    show_default=True,
    help="How scores become probabilities; auto: sigmoid for models that have none, such as svm.",
)
@schema_option
@write_schema_option
@click.option("--folds", type=int, help="Cross-validate in so many parts.")
@click.option("--seed", type=int, default=0, show_default=True, help="For everything that is drawn.")
@click.option("--out", type=click.Path(), help="The model file to write.")
@reading_options
@json_option
@click.option("--quiet", is_flag=True, help="Print errors only.")
def command(
    table: str,
    target: str | None,
    model: str,
    pairs: tuple[str, ...],
    schema: str | None,
    write_schema: str | None,
    folds: int | None,
    seed: int,
    out: str | None,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
    **decision: Any,
) -> None:
    """Learn a classifier from TABLE: a file, an address of a database, "-", or a table that comes along.

    Columns are typed first. Those that only name the rows, never vary or hold free text are left out; a
    schema file (classica profile --write-schema) changes that. Rows without a label are left out, too. The
    model file then knows the columns and needs nothing else.

    \b
    Examples:
      classica train golf --model c45 --out golf.classica
      classica train iris --model knn --set n_neighbors=5 --folds 10
      classica train vote --model tree --reject-cost 0.1 --out vote.classica
    """  # noqa: D301  (click reads \b)
    if out is not None:
        require_place(out)
    decision["priors"] = _priors(decision["priors"])
    decision["calibration"] = None if decision["calibration"] == "none" else decision["calibration"]
    recipe = Recipe(model, parameter_values(model, words_of(pairs)), seed=seed, **decision)
    recipe.classifier()
    typed, found = open_table(table, target=target, schema=schema, reading=reading)
    notes = read_notes(found)
    with busy(f"Learning {model} from {table}"), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        done = learn(typed, recipe, folds=folds, declared=schema is not None)
    notes += dict.fromkeys(str(warning.message) for warning in warned)
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
    title = ((done.recipe.model, "bold"), f"  learned from {rows} of {table}")
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
    wrong = round((1.0 - done.accuracy) * len(known))
    facts["training error"] = f"{_percent(wrong, len(known))}, optimistic: of rows it knows"
    tested = done.cross_validation
    if tested is not None:
        facts["test error"] = (
            f"{_percent(tested.wrong, tested.rows)}, cross-validated in {tested.folds} parts"
        )
    facts["took"] = f"{done.seconds:.2g} s"
    return facts


def _some(names: list[str], most: int = 12) -> str:
    shown = ", ".join(names[:most])
    return f"{len(names)}: {shown}" + (f" and {len(names) - most} more" if len(names) > most else "")


def _percent(wrong: int, rows: int) -> str:
    return f"{100 * wrong / rows:.1f} % ({wrong:,} of {rows:,} rows)"


def _print_next(console: Console, out: str | None) -> None:
    if out is None:
        console.print("\nThe model is not saved: name a file with --out.", style="yellow")
        return
    size = os.path.getsize(out)
    console.print(Text(f"\nThe model is in {out} ({size:,} bytes). Next:"))
    name = shlex.quote(out)
    for line in (f"evaluate {name} TABLE", f"predict {name} TABLE", f"explain {name}"):
        console.print(Text(f"  classica {line}", style="cyan"))
