"""What a form of a model is: for which models there is one, how it is written, and how it is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from classica.beside import modules_in
from classica.explain.additive_models import built_program
from classica.explain.model_layers import ModelLayers
from classica.export.check import check_export, edge_rows
from classica.export.decided import calibrated_program, decided_program
from classica.export.programs import Program, edges_of


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


@dataclass(frozen=True)
class Form:
    """Something a model can become.

    Attributes
    ----------
    name : str
        What it is asked for by.
    fits : function
        Whether there is such a form of a model.
    make : function
        ``make(opened, table, rows)`` returns it; `table` is the name of the table that a query selects from,
        and `rows` are those on which a form that runs is checked, besides those made for it.
    runs : bool
        Whether it predicts, and so can be checked.
    is_text : bool
        Whether it can be shown on a screen.
    order : int
        Its rank in lists: forms with a lower one are named first.
    """

    name: str
    fits: Callable[[ModelLayers], bool]
    make: Callable[[ModelLayers, str, pl.DataFrame | None], Exported]
    runs: bool = False
    is_text: bool = True
    order: int = 100


def export_forms() -> dict[str, Form]:
    """Return every form by its name: those that the modules in the folder of forms define."""
    modules = modules_in("classica.export.forms")
    forms = {
        each.name: each for module in modules for each in vars(module).values() if isinstance(each, Form)
    }
    return {each.name: each for each in sorted(forms.values(), key=lambda each: (each.order, each.name))}


def shown_as(
    name: str, write: Callable[[ModelLayers], str], fits: Callable[[ModelLayers], bool], *, order: int = 100
) -> Form:
    """Return a form that is only looked at: text that a function writes."""
    return Form(name, fits, lambda layers, table, rows: Exported(write(layers).encode()), order=order)


def program_of(layers: ModelLayers) -> Program | None:
    """Return what the model computes, calibration and decision included; None where no program says it."""
    if layers.calibration is not None:
        return calibrated_program(layers)
    program: Program | None = built_program(layers)
    return None if program is None else decided_program(program, layers)


def running_form(
    name: str,
    fits: Callable[[Program], bool],
    write: Callable[[Program, str], str | bytes],
    run: Callable[[Any, ModelLayers, str, pl.DataFrame], Sequence[Any]],
    *,
    title: str,
    is_text: bool = True,
    order: int = 100,
) -> Form:
    """Return a form that predicts: it is given away only after it has predicted as the model does.

    Parameters
    ----------
    name, title : str
        What it is asked for by, and what errors call it.
    fits : function
        Whether a program can be written this way.
    write : function
        ``write(program, table)`` returns the file.
    run : function
        ``run(written, opened, table, rows)`` returns the prediction for each row.
    is_text, order
        As in `Form`.
    """

    def make(layers: ModelLayers, table: str, rows: pl.DataFrame | None) -> Exported:
        program = program_of(layers)
        assert program is not None, "forms that do not fit are refused before"
        written = write(program, table)
        edges = edge_rows(layers.columns, edges_of(program))
        verified = check_export(layers, edges, lambda part: run(written, layers, table, part), title)
        if rows is not None:
            verified += check_export(layers, rows, lambda part: run(written, layers, table, part), title)
        content = written if isinstance(written, bytes) else written.encode()
        return Exported(content, verified.rows, verified.ties)

    def fits_model(layers: ModelLayers) -> bool:
        program = program_of(layers)
        return program is not None and fits(program)

    return Form(name, fits_model, make, runs=True, is_text=is_text, order=order)
