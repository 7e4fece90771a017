"""``classica export``: a model in another form, which was run against the model first."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from classica.export import FORMS, export_model
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._models import load_model
from classica.interfaces.cli._notes import tell
from classica.interfaces.cli._options import model_file, quiet_option
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._tables import rows_for
from classica.tables.typing.date_parts import part_names
from classica.wording import counted, listed

if TYPE_CHECKING:
    from classica.export import Exported

#: Forms that run, and so can be checked.
_RUNNING = ("sql", "python", "onnx")


@click.command(cls=TableCommand)
@model_file
@click.option("--to", required=True, type=click.Choice(list(FORMS)), help="Form to export to.")
@click.option("--out", type=click.Path(), help="File to write.  [default: standard output]")
@click.option(
    "--from",
    "sql_table",
    metavar="NAME",
    default="rows",
    show_default=True,
    help="Table that the SQL selects from.",
)
@click.option("--check", metavar="TABLE", help="Table whose rows the export must predict like the model.")
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON about the export instead of text.")
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
    """Turn the model in FILE into text, JSON, a picture, rules, SQL, Python or ONNX.

    SQL, Python and ONNX are run before they are written: on rows made of missing values, levels seen and
    unseen, and numbers at the thresholds of the model and right next to them, and on the rows of --check. If
    a prediction is not the model's, that is an error, and nothing is written. They predict every row, also
    those that the model rejects.

    \b
    Examples:
      classica export golf.classica --to rules
      classica export golf.classica --to sql --from golf --check golf
      classica export golf.classica --to python --out golf_model.py
    """  # noqa: D301  (click reads \b)
    to_screen = out is None or out == "-"
    if to == "onnx" and to_screen and (as_json or sys.stdout.isatty()):
        raise click.UsageError("--to onnx needs --out FILE: it is not text.")
    if check is not None and to not in _RUNNING:
        raise click.UsageError(f"--check needs a form that can be run: --to {', '.join(_RUNNING)}.")
    model = load_model(file)
    rows, notes = (None, []) if check is None else rows_for(model, check, reading)
    with busy(f"Exporting {file}"):
        made = export_model(model, to, table=sql_table, check=rows, out=None if to_screen else out)
    if as_json:
        found = _record(made, file, to, None if to_screen else out) | {"notes": notes}
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    if to_screen:
        click.echo(made.content, nl=False)
    tell([*notes, *_dates(model, to), _told(made, to, None if to_screen else out)], quiet=quiet)


def _record(made: Exported, file: str, to: str, out: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"model": file, "to": to, "out": out, "bytes": len(made.content)}
    found |= {"rows_checked": made.checked, "ties_broken_otherwise": made.ties}
    return found if out is not None else found | {"content": made.text}


def _dates(model: Any, to: str) -> list[str]:
    """Return which columns an export needs that the table does not have."""
    schema = getattr(model, "schema", None)
    if to not in _RUNNING or schema is None:
        return []
    dates = [schema[name] for name in schema.names("feature") if schema[name].kind == "date"]
    parts = [part for column in dates for part in part_names(column)]
    return [f"the export needs the parts of dates as columns: {listed(parts, 8)}."] if parts else []


def _told(made: Exported, to: str, out: str | None) -> str:
    if not made.checked:
        return f"{to} of {len(made.content):,} bytes{'' if out is None else f' is in {out}'}."
    where = "" if out is None else f" and is in {out}"
    ties = f" ({counted(made.ties, 'tie')} broken differently by rounding)" if made.ties else ""
    return f"{to} predicts what the model predicts on {counted(made.checked, 'row')}{ties}{where}."
