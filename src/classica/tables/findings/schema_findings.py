"""Findings about a new table against the schema of a model (D6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classica.tables.table_finding import TableRule
from classica.wording import listed


class ExtraColumns(TableRule):
    """Columns that the schema does not list."""

    code = "D601"
    title = "Columns not in the schema"
    meaning = "The table has columns that the model was not trained on; they are not used."
    rule = "Reported when the table has columns that the schema does not list."
    remedy = (
        "Nothing, if these columns are meant to be extra. A renamed column is reported as missing under its "
        "old name."
    )
    shown_by = ("classica.tables.Schema",)

    @staticmethod
    def text(names: Sequence[str]) -> str:
        """Return the columns that are left out."""
        what = f"The column {names[0]!r} is" if len(names) == 1 else f"{len(names)} columns are"
        which = "" if len(names) == 1 else f" ({listed(names)})"
        return f"{what} not in the schema{which} and not used."


class UnseenLevels(TableRule):
    """Levels that did not occur in training."""

    code = "D602"
    title = "Unknown categories"
    meaning = (
        "These levels did not occur in training. Models treat them differently: trees stop at the node, "
        "naive Bayes uses a count of zero, one-hot encoding sets no column."
    )
    rule = "Reported when cells have levels that the schema does not list."
    remedy = (
        "Nothing, if they are few. If they are many, the data have changed or are written differently: train "
        "the model again."
    )
    shown_by = ("classica.tables.Schema",)

    @staticmethod
    def text(unseen: Mapping[str, int]) -> str:
        """Return the unknown levels and their counts."""
        cells = sum(unseen.values())
        shown = ", ".join(f"{level!r}: {count}" for level, count in list(unseen.items())[:3])
        more = ", ..." if len(unseen) > 3 else ""
        have = "cell has a level" if cells == 1 else "cells have levels"
        return f"{cells} {have} that did not occur in training ({shown}{more})."
