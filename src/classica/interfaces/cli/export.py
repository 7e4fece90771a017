"""``classica export``: a model in another form, which was run against the model first."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from classica import load
from classica.data.wording import counted
from classica.export import FORMS, export_model
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._model_rows import rows_for

if TYPE_CHECKING:
    from classica.export import Exported


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--to", required=True, type=click.Choice(list(FORMS)), help="What the model is to become.")
@click.option("--out", type=click.Path(), help="The file to write; standard output unless told.")
@click.option("--table", default="rows", show_default=True, help="The table that SQL selects from.")
@click.option("--check", metavar="TABLE", help="A table on whose rows the export must agree with the model.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON about the export instead of text.")
@click.option("--quiet", is_flag=True, help="Print no notes.")
def command(
    file: str, to: str, out: str | None, table: str, check: str | None, as_json: bool, quiet: bool
) -> None:
    """Turn the model in FILE into text, JSON, a picture, rules, SQL, Python or ONNX.

    SQL, Python and ONNX are run before they are written: on rows made of gaps, levels seen and unseen, and
    numbers at the cuts of the model and right next to them, and on those of --check. If an answer is not the
    model's, that is an error, and nothing is written. They answer every row, also those the model would
    rather not.

    \b
    Examples:
      classica export golf.classica --to rules
      classica export golf.classica --to sql --table golf --check golf
      classica export golf.classica --to python --out golf_model.py
    """  # noqa: D301  (click reads \b)
    to_screen = out is None or out == "-"
    if to == "onnx" and to_screen and (as_json or sys.stdout.isatty()):
        raise click.UsageError("--to onnx needs --out FILE: it is no text.")
    model = load(file)
    rows = None if check is None else rows_for(model, check)
    with busy(f"Exporting {file}"):
        made = export_model(model, to, table=table, check=rows, out=None if to_screen else out)
    if as_json:
        click.echo(json.dumps(_record(made, file, to, None if to_screen else out), indent=2))
        return
    if to_screen:
        click.echo(made.content, nl=False)
    if not quiet:
        click.echo(f"Note: {_told(made, to, None if to_screen else out)}", err=True)


def _record(made: Exported, file: str, to: str, out: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"model": file, "to": to, "out": out, "bytes": len(made.content)}
    found |= {"rows_checked": made.checked, "ties_broken_otherwise": made.ties}
    return found if out is not None else found | {"content": made.text}


def _told(made: Exported, to: str, out: str | None) -> str:
    where = "" if out is None else f" and is in {os.fspath(out)}"
    if not made.checked:
        return f"{to} of {len(made.content):,} bytes{where}."
    ties = f" ({counted(made.ties, 'tie')} broken another way by rounding)" if made.ties else ""
    return f"{to} gave the model's answer on {counted(made.checked, 'row')}{ties}{where}."
