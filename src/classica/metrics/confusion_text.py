"""The confusion matrix as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from classica.metrics.confusion_matrix import Confusion

_CORNER = "true \\ said"
_RATES = "class error  precision   recall     F1  rows"


def confusion_table(found: Confusion) -> str:
    """Return the matrix with the rates of each class beside it."""
    labels = [str(label) for label in found.classes.tolist()]
    first = max(len(_CORNER), *(len(label) for label in labels))
    widths = [max(len(label), len(str(found.matrix.max()))) for label in labels]
    head = [f"{label:>{width}}" for label, width in zip(labels, widths, strict=True)]
    lines = [
        "  ".join([f"{_CORNER:<{first}}", *head, "class error", "precision", " recall", "   F1", "rows"])
    ]
    for place, label in enumerate(labels):
        row = found.matrix[place]
        cells = [f"{count:>{width}}" for count, width in zip(row, widths, strict=True)]
        rates = [
            _percent(found.class_errors[place], 11),
            _percent(found.precision[place], 9),
            _percent(found.recall[place], 7),
            "    –" if math.isnan(found.f1[place]) else f"{found.f1[place]:5.3f}",
            f"{found.support[place]:4}",
        ]
        lines.append("  ".join([f"{label:<{first}}", *cells, *rates]))
    return "\n".join([*lines, _total(found)])


def _total(found: Confusion) -> str:
    rows = int(found.support.sum())
    parts = [f"error {_percent(found.error, 0, 2)} on {rows:,} rows"]
    if found.rejected.any():
        parts.append(f"{int(found.rejected.sum()):,} rejected ({found.coverage:.1%} answered)")
    if not math.isclose(found.mean_cost, found.error, abs_tol=1e-12) and rows:
        parts.append(f"mean cost {found.mean_cost:.4g}")
    return ", ".join(parts)


def _percent(share: float, width: int, digits: int = 1) -> str:
    told = "–" if math.isnan(share) else f"{share:.{digits}%}"
    return f"{told:>{width}}"
