"""The Python that does a comparison again."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from classica.comparison.plan.settings import Settings
from classica.comparison.work.run_files import SCHEMA_FILE, TABLE_FILE

if TYPE_CHECKING:
    from classica.comparison.plan.workspace import Workspace


def python_source(workspace: Workspace, *, has_model: bool = True) -> str:
    """Return a script that gives the same table of results when it is run in the folder of the run.

    Where a model is recommended (`has_model`), it loads that. It takes table and schema from there: where the
    table came from may be gone, or was no file.
    """
    settings, table = workspace.settings, workspace.table
    changed = {
        field.name: getattr(settings, field.name)
        for field in fields(Settings)
        if getattr(settings, field.name) != field.default and field.name != "most_rows"
    }
    lines = [f"    schema={SCHEMA_FILE!r},", f"    models={list(workspace.models)!r},"]
    lines += [f"    {name}={value!r}," for name, value in changed.items()]
    body = "\n".join(lines)
    return (
        f"# In the folder of this run, which has the table as it was read from {table.source!r}.\n"
        "import classica\n\n"
        f"result = classica.compare(\n    {TABLE_FILE!r},\n{body}\n)\n"
        "print(result)\n" + ("model = result.best_model()\n" if has_model else "")
    )
