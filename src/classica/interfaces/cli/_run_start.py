"""Start a comparison: name its folder, and start the workers while the table is read."""

from __future__ import annotations

import itertools
import re
from contextlib import AbstractContextManager
from pathlib import Path

import click

from classica.runs import server_ahead
from classica.threads import cores

#: What workers import, which takes about as long as reading a table of a hundred thousand rows.
_MODULES = ("classica.comparison", "classica.estimators")


def new_folder(source: str) -> Path:
    """Return a path for a new run folder, named after the table."""
    stem = re.sub(r"[^\w.-]+", "-", Path(source).name.split(".")[0]).strip("-.") or "table"
    names = itertools.chain([f"{stem}-run"], (f"{stem}-run-{number}" for number in itertools.count(2)))
    return next(Path(name) for name in names if not Path(name).exists())


def prepare_folder(out: str | None, table: str, workers: int | None) -> Path:
    """Return the path of a new run folder; workers start their imports while the command goes on."""
    folder = Path(out) if out is not None else new_folder(table)
    click.get_current_context().with_resource(workers_ahead(folder, workers))
    return folder


def workers_ahead(folder: Path, workers: int | None) -> AbstractContextManager[None]:
    """Return a block in which the workers of a run import before it is opened."""
    return server_ahead(folder, _MODULES, workers or cores())
