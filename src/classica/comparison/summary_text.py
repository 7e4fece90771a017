"""The result of a comparison as plain text."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, log10
from typing import Any

from classica.comparison.sentences import shown

#: The finding after which scores mean nothing.
_LEAK = "E501"
#: The column of the names, and how much of one is shown at least.
_NAME, _LEAST_OF_A_NAME = 1, 8
#: Letters of a metric's name that fit above its numbers.
_LONGEST = 12

LEGEND = (
    "* tied for best: not shown to be worse than the first."
    " training: the same score on the rows learned from."
    " fit, per row: time to learn, and to answer for a row. size: of the model's file."
)


def summary_text(summary: Mapping[str, Any]) -> str:
    """Return the answer, the table of models below it, and a warning if no score is to be believed."""
    failed = [
        f"{entry['title']}: {entry['reason']}" for entry in summary["models"] if entry["status"] != "done"
    ]
    careful = [
        f"Careful: {finding['detail']} {finding['remedy']}"
        for finding in summary["findings"]
        if finding["code"] == _LEAK
    ]
    return "\n".join([summary["answer"], "", *board_lines(summary), *failed, *careful])


def board_lines(summary: Mapping[str, Any], wide: int | None = None) -> list[str]:
    """Return the heading and a line for every model that was judged.

    Parameters
    ----------
    summary : mapping
        The summary.
    wide : int, optional
        The room there is: a name may be cut to keep to it, a number not.
    """
    done = [entry for entry in summary["models"] if entry["status"] == "done"]
    rows = [_headings(summary), *(row(entry, summary) for entry in done)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if wide is not None:
        room = wide - sum(width + 2 for width in widths) + widths[_NAME] + 2
        widths[_NAME] = min(widths[_NAME], max(room, _LEAST_OF_A_NAME))
    return ["  ".join(map(_fitted, range(len(widths)), cells, widths)).rstrip() for cells in rows]


def _fitted(place: int, cell: str, width: int) -> str:
    if place > _NAME:
        return cell.rjust(width)
    return (cell if len(cell) <= width else f"{cell[: width - 1]}…").ljust(width)


def _headings(summary: Mapping[str, Any]) -> tuple[str, ...]:
    title, level = summary["metric"]["title"], 100 * summary["settings"]["confidence"]
    score = title if len(title) <= _LONGEST else "score"
    coverage = ["coverage"] if _rejects(summary) else []
    return "", "model", score, f"{level:g} % interval", *coverage, "training", "fit", "per row", "size"


def _rejects(summary: Mapping[str, Any]) -> bool:
    """Return whether models may reject rows, so that how many they predict is a column of its own."""
    return summary["settings"].get("reject_cost") is not None


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
        *([shown(entry["coverage"], share=True)] if _rejects(summary) else []),
        shown(entry["train_score"], share=share),
        seconds(entry["fit_seconds"]),
        seconds(entry["predict_seconds_per_row"]),
        size(entry["bytes"]),
    )


def seconds(value: float | None) -> str:
    """Return a time as people read it; more than two digits of it are noise.

    Examples
    --------
    >>> seconds(0.0123), seconds(48.2), seconds(200), seconds(9000)
    ('12 ms', '48 s', '3.3 min', '2.5 h')
    """
    if value is None:
        return "–"
    units = ((3600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
    # Rounded first: 59.9 seconds are a minute.
    near = _two_digits(value)
    unit, name = next((pair for pair in units if near >= pair[0]), units[-1])
    return f"{_two_digits(value / unit):g} {name}"


def size(value: int | None) -> str:
    """Return a number of bytes as people read it.

    Examples
    --------
    >>> size(532), size(5599), size(125_900)
    ('530 B', '5.6 kB', '130 kB')
    """
    if value is None:
        return "–"
    near = _two_digits(value)
    units = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))
    unit, name = next((pair for pair in units if near >= pair[0]), units[-1])
    return f"{_two_digits(value / unit):g} {name}"


def _two_digits(value: float) -> float:
    return round(value, 1 - floor(log10(value))) if value > 0 else 0.0
