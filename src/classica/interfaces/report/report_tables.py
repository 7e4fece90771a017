"""Tables of the report: the confusion matrix, and which errors models share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from classica.metrics.confusion_matrix import Confusion
from classica.statistics.ensemble_diversity.member_diversity import Diversity

#: A matrix of more classes does not fit a page.
_MOST = 40
#: Pairs and classes that are told instead.
_PAIRS = 15
#: How many shades the page knows.
_SHADES = 9


def confusion_table(found: Confusion) -> dict[str, Any]:
    """Return labels and lines of a matrix, or the pairs of classes that are taken for one another most."""
    labels = found.classes.tolist()
    if len(labels) > _MOST:
        return {"labels": [], "lines": [], "pairs": _worst_pairs(found), "classes": len(labels)}
    rows = zip(labels, found.matrix.tolist(), found.class_errors.tolist(), strict=True)
    lines = [
        {"label": label, "cells": _cells(counts, index), "error": _share(error)}
        for index, (label, counts, error) in enumerate(rows)
    ]
    return {"labels": labels, "lines": lines, "pairs": [], "classes": len(labels)}


def _cells(counts: Sequence[int], right: int) -> list[dict[str, str]]:
    """Return a cell for each answer, shaded by its share of the class; what is right is marked."""
    total = max(sum(counts), 1)
    return [
        {
            "count": f"{count:,}" if count else "",
            "kind": _kind(count / total, right == index),
        }
        for index, count in enumerate(counts)
    ]


def _kind(share: float, right: bool) -> str:
    shade = f"s{max(round(_SHADES * share), 1)}" if share else ""
    return " ".join(word for word in ("ok" if right else "", shade) if word)


def _worst_pairs(found: Confusion) -> list[dict[str, Any]]:
    """Return the mistakes that are made most often, with their share of the rows of the class."""
    return [
        {"true": true, "predicted": predicted, "count": f"{count:,}", "share": _share(share)}
        for true, predicted, count, share in found.pairs(_PAIRS)
    ]


def _share(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.1%}"


def overlap_table(found: Diversity | None, titles: Mapping[str, str] | None = None) -> dict[str, Any] | None:
    """Return the table of shared errors and a sentence about a vote; None for fewer than two models.

    Parameters
    ----------
    found : Diversity or None
        That of a summary: of all rows that one of two models misclassifies, the share that both do.
    titles : mapping, optional
        What models are called on the page, where that is not their name.
    """
    if found is None or len(found.names) < 2:
        return None
    names = [(titles or {}).get(name, name) for name in found.names]
    lines = [
        {
            "name": name,
            "cells": ["" if index == column else _overlap_share(each) for column, each in enumerate(shares)],
        }
        for index, (name, shares) in enumerate(zip(names, found.overlap.tolist(), strict=True))
    ]
    vote, best = found.vote_accuracy, float(found.accuracies.max())
    text = f"A majority vote of all {len(lines)} has {vote:.1%} accuracy, the best of them {best:.1%}."
    return {"names": names, "lines": lines, "text": text}


def _overlap_share(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.0%}"
