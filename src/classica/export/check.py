"""An export is run against its model before anybody gets it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from classica.errors import ExportError
from classica.explain.opened import Opened


@dataclass(frozen=True)
class Compared:
    """How many answers were compared, and how many of them are ties that rounding broke another way."""

    rows: int = 0
    ties: int = 0

    def __add__(self, other: Compared) -> Compared:
        return Compared(self.rows + other.rows, self.ties + other.ties)


#: Scores of two answers that differ by no more, relative to their size, are equal up to rounding.
ROUNDING = 1e-9


def check_export(
    opened: Opened, features: pl.DataFrame, run: Callable[[pl.DataFrame], Sequence[Any]], what: str
) -> Compared:
    """Compare the answers of an export with those of its model.

    Where they differ, and not only because rounding breaks a tie of the model's own scores another way, that
    is an error that names the row and both answers.
    """
    if not features.height:
        return Compared()
    expected = opened.answers(features).tolist()
    found = list(run(features))
    if len(found) != len(expected):
        raise ExportError(f"The {what} export must answer {len(expected)} rows, got {len(found)} answers.")
    differing = [at for at, pair in enumerate(zip(expected, found, strict=True)) if not _same(*pair)]
    tied = _are_tied(opened, features, differing, expected, found)
    wrong = [at for at, tie in zip(differing, tied, strict=True) if not tie]
    if wrong:
        at = wrong[0]
        row = features.row(at, named=True)
        raise ExportError(
            f"The {what} export must answer as the model does, got {found[at]!r} instead of "
            f"{expected[at]!r} for the row {_short(row)}."
        )
    return Compared(len(expected), len(differing))


def _same(expected: Any, found: Any) -> bool:
    if isinstance(expected, bool) and isinstance(found, int):  # SQLite has no Booleans
        return expected == bool(found)
    if isinstance(expected, float) and isinstance(found, int | float):
        return bool(np.isclose(found, expected, rtol=1e-12, atol=0.0))
    return type(expected) is type(found) and bool(expected == found)


def _are_tied(
    opened: Opened, features: pl.DataFrame, rows: list[int], expected: list[Any], found: list[Any]
) -> list[bool]:
    """Return where the model itself holds both answers for equally good, but for rounding."""
    labels = opened.classes
    if not rows or labels is None:
        return [False] * len(rows)
    scores = _class_scores(opened, features[rows])
    if scores is None:
        return [False] * len(rows)
    tied = []
    for at, own in zip(rows, scores, strict=True):
        if found[at] not in labels:
            tied.append(False)
            continue
        best, other = own[labels.index(expected[at])], own[labels.index(found[at])]
        tied.append(bool(abs(best - other) <= ROUNDING * max(1.0, abs(best))))
    return tied


def _class_scores(opened: Opened, features: pl.DataFrame) -> Any:
    """Return a score per class: expected savings, probabilities or margins."""
    seen, model = opened.seen(features), opened.decides
    if hasattr(model, "expected_costs"):
        return -model.expected_costs(seen)
    if hasattr(model, "predict_proba"):
        return model.predict_proba(seen)
    if hasattr(model, "decision_function"):
        margins = model.decision_function(seen)
        return np.column_stack([np.zeros(len(margins)), margins]) if margins.ndim == 1 else margins
    return None


def _short(row: dict[str, Any]) -> str:
    text = repr(row)
    return text if len(text) <= 300 else text[:297] + "..."
