"""From a model to what it can become, checked before it is given away."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from classica.errors import ExportError, ParameterError, must
from classica.explain.opened import Opened
from classica.export.check import check_export
from classica.export.edge_rows import edge_rows
from classica.export.onnx import can_be_onnx, program_onnx, run_onnx
from classica.export.program_of import program_of
from classica.export.programs import Program, edges_of
from classica.export.python import can_be_python, program_python
from classica.export.runs import run_python, run_sql
from classica.export.sql import can_be_sql, program_sql
from classica.export.views import has_rules, has_tree, model_json, model_rules, model_svg, model_text
from classica.whole_file import whole_file


@dataclass(frozen=True)
class Exported:
    """A model in another form.

    Attributes
    ----------
    content : bytes
        The file.
    checked : int
        On how many rows it was run against the model; 0 for forms that do not run.
    ties : int
        On how many of them the model holds two answers for equally good, but for rounding, and the export
        gives the other one.
    """

    content: bytes
    checked: int = 0
    ties: int = 0

    @property
    def text(self) -> str:
        """The file as text."""
        return self.content.decode()


def export_model(
    model: Any,
    to: str,
    *,
    table: str = "rows",
    check: Any = None,
    out: str | os.PathLike[str] | None = None,
) -> Exported:
    """Return a fitted model in another form, and write it to a file if so wished.

    What runs (SQL, Python, ONNX) is run against the model first: on rows made of gaps, levels seen and
    unseen, numbers at the cuts and right next to them, and on those of ``check``. A difference is an error,
    and nothing is written.

    Parameters
    ----------
    model : estimator
        A fitted classifier, a `TableClassifier`, or a decision around one.
    to : {"text", "json", "svg", "rules", "sql", "python", "onnx"}
        What it is to become.
    table : str, default="rows"
        The table that SQL selects from.
    check : table or frame, optional
        Further rows to run the export on.
    out : path, optional
        Where to write it; the file is there whole or not at all.

    Examples
    --------
    >>> from classica import ID3Classifier, TableClassifier
    >>> from classica.tables import load_table
    >>> from classica.export import export_model
    >>> golf = load_table("golf")
    >>> model = TableClassifier(ID3Classifier(), golf.schema).fit(golf, golf.y)
    >>> print(export_model(model, "sql", table="golf").text.strip())
    SELECT t.*,
    CASE
      WHEN "outlook" = 'cloudy' THEN 1
      WHEN ("outlook" = 'rain' OR "outlook" IS NULL) AND ("windy" = 'no' OR "windy" IS NULL) THEN 1
      WHEN ("outlook" = 'rain' OR "outlook" IS NULL) AND "windy" = 'yes' THEN 0
      WHEN "outlook" = 'sun' AND ("humidity" = 'high' OR "humidity" IS NULL) THEN 0
      WHEN "outlook" = 'sun' AND "humidity" = 'normal' THEN 1
      WHEN "outlook" = 'sun' THEN 0
      WHEN "outlook" = 'rain' OR "outlook" IS NULL THEN 1
      ELSE 1
    END AS "prediction"
    FROM "golf" AS t;
    """
    opened = Opened.of(model)
    if to not in FORMS:
        raise ParameterError(must("to", f"one of {', '.join(FORMS)}", to))
    if not FORMS[to].fits(opened):
        able = [name for name, form in FORMS.items() if form.fits(opened)]
        raise ExportError(
            f"Cannot export this {opened.kind} model to {to}: what it computes has no such form."
            f" It can become {', '.join(able)}."
        )
    rows = None if check is None else opened.features(check)
    exported = FORMS[to].make(opened, table, rows)
    if out is not None:
        with whole_file(out, ExportError) as file:
            file.write(exported.content)
    return exported


@dataclass(frozen=True)
class Form:
    """Something a model can become: for which it is possible, and how."""

    fits: Callable[[Opened], bool]
    make: Callable[[Opened, str, pl.DataFrame | None], Exported]


def _checked(
    opened: Opened,
    program: Program,
    content: Any,
    run: Callable[[pl.DataFrame], Any],
    rows: pl.DataFrame | None,
    what: str,
) -> Exported:
    """Return what was written after it has answered as the model does."""
    edges = edge_rows(opened.columns, edges_of(program))
    compared = check_export(opened, edges, run, what)
    if rows is not None:
        compared += check_export(opened, rows, run, what)
    return Exported(content if isinstance(content, bytes) else content.encode(), compared.rows, compared.ties)


def _sql(opened: Opened, table: str, rows: pl.DataFrame | None) -> Exported:
    program = _program(opened)
    query = program_sql(program, table)
    return _checked(opened, program, query, lambda part: run_sql(query, table, part), rows, "SQL")


def _python(opened: Opened, table: str, rows: pl.DataFrame | None) -> Exported:
    program = _program(opened)
    source = program_python(program)
    run = functools.partial(run_python, source)
    return _checked(opened, program, source, run, rows, "Python")


def _onnx(opened: Opened, table: str, rows: pl.DataFrame | None) -> Exported:
    program = _program(opened)
    written = program_onnx(program)
    run = functools.partial(run_onnx, written, opened.columns)
    return _checked(opened, program, written, run, rows, "ONNX")


def _program(opened: Opened) -> Program:
    program = program_of(opened)
    assert program is not None, "forms that do not fit are refused before"
    return program


def _plain(make: Callable[[Opened], str]) -> Callable[[Opened, str, pl.DataFrame | None], Exported]:
    return lambda opened, table, rows: Exported(make(opened).encode())


#: Everything a model may become.
FORMS: dict[str, Form] = {
    "text": Form(lambda opened: True, _plain(model_text)),
    "json": Form(lambda opened: True, _plain(model_json)),
    "svg": Form(has_tree, _plain(model_svg)),
    "rules": Form(has_rules, _plain(model_rules)),
    "sql": Form(lambda opened: _fits(opened, can_be_sql), _sql),
    "python": Form(lambda opened: _fits(opened, can_be_python), _python),
    "onnx": Form(lambda opened: _fits(opened, can_be_onnx), _onnx),
}


def _fits(opened: Opened, writer: Callable[[Program], bool]) -> bool:
    program = program_of(opened)
    return program is not None and writer(program)
