"""The Python that does a comparison again."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from classica.comparison.settings import Settings

if TYPE_CHECKING:
    from classica.comparison.workspace import Workspace


def python_source(workspace: Workspace) -> str:
    """Return a script that gives the same table of results."""
    settings, table = workspace.settings, workspace.table
    changed = {
        field.name: getattr(settings, field.name)
        for field in fields(Settings)
        if getattr(settings, field.name) != field.default
    }
    lines = [f"    target={table.schema.target!r},", f"    models={list(workspace.models)!r},"]
    lines += [f"    {name}={value!r}," for name, value in changed.items()]
    body = "\n".join(lines)
    return (
        "import classica\n\n"
        f"result = classica.compare(\n    {table.source!r},\n{body}\n)\n"
        "print(result)\n"
        "model = result.best_model()\n"
    )
