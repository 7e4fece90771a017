"""How many of their errors models share, two by two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from classica.statistics.ensemble_diversity.member_diversity import Diversity


def overlap_table(found: Diversity | None, titles: Mapping[str, str] | None = None) -> dict[str, Any] | None:
    """Return names and lines of the table and a sentence about the vote; None where there is nothing to tell.

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
            "cells": ["" if place == column else _share(each) for column, each in enumerate(shares)],
        }
        for place, (name, shares) in enumerate(zip(names, found.overlap.tolist(), strict=True))
    ]
    vote, best = found.vote_accuracy, float(found.accuracies.max())
    told = f"A majority vote of these {len(lines)} is {vote:.1%} accurate, the best of them alone {best:.1%}."
    return {"names": names, "lines": lines, "text": told}


def _share(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.0%}"
