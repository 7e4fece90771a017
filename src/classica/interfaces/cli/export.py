"""``classica export``: a model in another form, which was run against the model first."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from classica.export import FORMS, export_model
from classica.interfaces.cli._options import json_option, model_file, out_option, quiet_option
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._screen import busy, print_notes
from classica.interfaces.cli._tables import load_model, rows_for
from classica.tables.typing.date_parts import part_names
from classica.wording import counted, listed

if TYPE_CHECKING:
    from classica.export import Exported
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: Forms that run, and so can be checked.
_RUNNING = tuple(name for name, form in FORMS.items() if form.runs)


@click.command(cls=TableCommand)
@model_file
@click.option("--to", required=True, type=click.Choice(list(FORMS)), metavar="FORMAT", help="Export format.")
@out_option("File to write. [default: standard output]")
@click.option(
    "--from",
    "sql_table",
    metavar="NAME",
    default="rows",
    show_default=True,
    help="Table in the FROM clause of the SQL.",
)
@click.option("--check", metavar="TABLE", help="Also verify the predictions on the rows of this table.")
@reading_options
@json_option
@quiet_option
def command(
    file: str,
    to: str,
    out: str | None,
    sql_table: str,
    check: str | None,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Export the model in FILE as text, JSON, a picture, rules, SQL, Python or ONNX.

    SQL, Python and ONNX are verified before they are written: they are run on edge cases (missing values,
    unseen categories, numbers at and next to the thresholds) and on the rows of --check. If a prediction
    differs from that of the model, nothing is written. They predict every row, including rows that the model
    would reject.

    \b
    Examples:
      classica export golf.classica --to rules
      classica export golf.classica --to sql --from golf --check golf
      classica export golf.classica --to python --out golf_model.py
    """  # noqa: D301  (click reads \b)
    to_screen = out is None or out == "-"
    if not FORMS[to].is_text and to_screen and (as_json or sys.stdout.isatty()):
        raise click.UsageError(f"--to {to} needs --out FILE, because the output is binary.")
    if check is not None and to not in _RUNNING:
        raise click.UsageError(f"--check needs a format that can be run: --to {', '.join(_RUNNING)}.")
    model = load_model(file)
    rows, notes = (None, []) if check is None else rows_for(model, check, reading)
    with busy(f"Exporting {file}"):
        made = export_model(model, to, table=sql_table, check=rows, out=None if to_screen else out)
    if as_json:
        record = _record(made, file, to, None if to_screen else out) | {"notes": notes}
        click.echo(json.dumps(record, indent=2, ensure_ascii=False))
        return
    if to_screen:
        click.echo(made.content, nl=False)
    print_notes([*notes, *_dates(model, to), _result(made, to, None if to_screen else out)], quiet=quiet)


def _record(made: Exported, file: str, to: str, out: str | None) -> dict[str, Any]:
    record: dict[str, Any] = {"model": file, "to": to, "out": out, "bytes": len(made.content)}
    record |= {"rows_checked": made.checked, "ties_broken_otherwise": made.ties}
    return record if out is not None else record | {"content": made.text}


def _dates(model: BaseEstimator, to: str) -> list[str]:
    """Return which columns an export needs in addition to those of the table."""
    schema = getattr(model, "schema", None)
    if to not in _RUNNING or schema is None:
        return []
    dates = [schema[name] for name in schema.names("feature") if schema[name].kind == "date"]
    parts = [part for column in dates for part in part_names(column)]
    return [f"the export needs the parts of dates as columns: {listed(parts, 8)}."] if parts else []


def _result(made: Exported, to: str, out: str | None) -> str:
    wrote = f"exported {len(made.content):,} bytes of {to}{'' if out is None else f' to {out}'}"
    if not made.checked:
        return f"{wrote}."
    ties = f" ({counted(made.ties, 'tie')} broken differently by rounding)" if made.ties else ""
    return f"{wrote}; its predictions equal those of the model on {counted(made.checked, 'row')}{ties}."
