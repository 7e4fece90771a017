"""A confusion matrix as cells of a table, or as its worst pairs where it is too large for a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: A matrix of more classes does not fit a page.
_MOST = 40
#: Pairs and classes that are told instead.
_PAIRS = 15
#: How many shades the page knows.
_SHADES = 9


def confusion_table(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return labels and lines of a matrix, or the pairs of classes that are taken for one another most."""
    labels = found["classes"]
    if len(labels) > _MOST:
        return {"labels": [], "lines": [], "pairs": _worst_pairs(found), "classes": len(labels)}
    rows = zip(labels, found["matrix"], found["class_errors"], strict=True)
    lines = [
        {"label": label, "cells": _cells(counts, place), "error": _share(error)}
        for place, (label, counts, error) in enumerate(rows)
    ]
    return {"labels": labels, "lines": lines, "pairs": [], "classes": len(labels)}


def _cells(counts: list[int], right: int) -> list[dict[str, str]]:
    """Return a cell for each answer, shaded by its share of the class; what is right is marked."""
    total = max(sum(counts), 1)
    return [
        {
            "count": f"{count:,}" if count else "",
            "kind": _kind(count / total, right == place),
        }
        for place, count in enumerate(counts)
    ]


def _kind(share: float, right: bool) -> str:
    shade = f"s{max(round(_SHADES * share), 1)}" if share else ""
    return " ".join(word for word in ("ok" if right else "", shade) if word)


def _worst_pairs(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the mistakes that are made most often, with their share of the rows of the class."""
    labels = found["classes"]
    mistakes = [
        (count, true, said)
        for true, counts in enumerate(found["matrix"])
        for said, count in enumerate(counts)
        if true != said and count
    ]
    worst = sorted(mistakes, key=lambda mistake: (-mistake[0], mistake[1:]))[:_PAIRS]
    return [
        {
            "true": labels[true],
            "said": labels[said],
            "count": f"{count:,}",
            "share": _share(count / sum(found["matrix"][true])),
        }
        for count, true, said in worst
    ]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"
