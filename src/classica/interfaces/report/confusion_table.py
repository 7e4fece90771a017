"""A confusion matrix as cells of a table, shaded by the share of their class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: A matrix of more classes does not fit a page.
_MOST = 40


def confusion_table(found: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return labels and lines of a matrix, or None if it is too large to be looked at."""
    labels = found["classes"]
    if len(labels) > _MOST:
        return None
    lines = []
    rows = zip(labels, found["matrix"], found["class_errors"], strict=True)
    for place, (label, counts, error) in enumerate(rows):
        total = max(sum(counts), 1)
        cells = [
            {
                "count": f"{count:,}" if count else "",
                "shade": f"{0.75 * count / total:.3f}",
                "right": place == column,
            }
            for column, count in enumerate(counts)
        ]
        told = "–" if error is None else f"{error:.1%}"
        lines.append({"label": label, "cells": cells, "error": told})
    return {"labels": labels, "lines": lines}
