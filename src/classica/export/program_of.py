"""From a model to what it computes: its classifier's program, with calibration and decision in it."""

from __future__ import annotations

from classica.explain.additive_models import built_program
from classica.explain.opened import Opened
from classica.export.decided import calibrated_program, decided_program
from classica.export.programs import Program


def program_of(opened: Opened) -> Program | None:
    """Return what the model computes; None where there is no way to write it down as a program."""
    if opened.calibration is not None:
        return calibrated_program(opened)
    program: Program | None = built_program(opened)
    return None if program is None else decided_program(program, opened)
