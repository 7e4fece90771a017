"""The result of a comparison as plain text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from classica.comparison.sentences import shown

#: The finding after which scores mean nothing.
_LEAK = "E501"
HEADINGS = ("", "model", "score", "interval", "training", "fit", "a row", "size")


def summary_text(summary: Mapping[str, Any]) -> str:
    """Return the answer, the table of models below it, and a warning if no score is to be believed."""
    rows = [HEADINGS, *(row(entry, summary) for entry in summary["models"] if entry["status"] == "done")]
    widths = [max(len(cells[place]) for cells in rows) for place in range(len(HEADINGS))]
    lines = [
        "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ).rstrip()
        for cells in rows
    ]
    failed = [
        f"{entry['title']}: {entry['reason']}" for entry in summary["models"] if entry["status"] != "done"
    ]
    careful = [
        f"Careful: {finding['detail']} {finding['remedy']}"
        for finding in summary["findings"]
        if finding["code"] == _LEAK
    ]
    return "\n".join([summary["answer"], "", *lines, *failed, *careful])


def row(entry: Mapping[str, Any], summary: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the cells of one model."""
    share, score = summary["metric"]["is_share"], entry["score"]
    ends = "–"
    if score["low"] is not None:
        ends = " to ".join(shown(score[end], share=share, unit=False) for end in ("low", "high"))
    return (
        "*" if entry["tied"] else " ",
        entry["title"],
        shown(score["mean"], share=share),
        ends,
        shown(entry["train_score"], share=share),
        seconds(entry["fit_seconds"]),
        seconds(entry["predict_seconds_per_row"]),
        size(entry["bytes"]),
    )


def seconds(value: float | None) -> str:
    """Return a time as people read it."""
    if value is None:
        return "–"
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value / 1e-9:.0f} ns"


def size(value: int | None) -> str:
    """Return a number of bytes as people read it."""
    if value is None:
        return "–"
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value} B"
