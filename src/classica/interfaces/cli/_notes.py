"""What a command tells besides its result: to standard error, so that results can be piped on."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence

import click

#: More notes than this are counted only.
_MOST = 8


def tell(notes: Iterable[str], *, quiet: bool) -> None:
    """Print notes, a line each, unless nobody wants them."""
    found = list(notes)
    if quiet:
        return
    for note in found[:_MOST]:
        click.echo(_wrapped(f"Note: {_one_line(note)}"), err=True)
    if len(found) > _MOST:
        click.echo(f"Note: {len(found) - _MOST:,} more notes; classica profile shows all of them.", err=True)


def read_notes(notes: Sequence[str]) -> list[str]:
    """Return what was found when a table was read, in one line."""
    return [f"table read: {'; '.join(notes)}."] if notes else []


def misfits(extra: Sequence[str], unseen: Mapping[str, Mapping[str, int]]) -> Iterable[str]:
    """Give what of a new table did not fit the model: columns it does not know, and categories."""
    if extra:
        shown = ", ".join(extra[:5]) + (", ..." if len(extra) > 5 else "")
        yield f"columns that the model does not know are ignored: {shown}."
    for name, levels in unseen.items():
        cells = sum(levels.values())
        shown = ", ".join(f"{level!r} {count:,}" for level, count in list(levels.items())[:3])
        more = ", ..." if len(levels) > 3 else ""
        what = "cell has a category" if cells == 1 else "cells have categories"
        yield f"column {name!r}: {cells:,} {what} that the model has not seen ({shown}{more})."


def _wrapped(note: str) -> str:
    """Return a note broken between words where people read it; programs get it in one line."""
    if not sys.stderr.isatty():
        return note
    width = shutil.get_terminal_size().columns
    return click.wrap_text(note, width, subsequent_indent="  ")


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
