"""How many of their errors models share, two by two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def overlap_table(
    found: Mapping[str, Any] | None, titles: Mapping[str, str] | None = None
) -> dict[str, Any] | None:
    """Return names and lines of the table and a sentence about the vote; None where there is nothing to tell.

    Parameters
    ----------
    found : mapping or None
        The ``diversity`` of a summary: of all rows that one of two models gets wrong, the share that both do.
    titles : mapping, optional
        What models are called on the page, where that is not their name.
    """
    if found is None or len(found["names"]) < 2:
        return None
    names = [(titles or {}).get(name, name) for name in found["names"]]
    lines = [
        {
            "name": name,
            "cells": ["" if place == column else _share(each) for column, each in enumerate(shares)],
        }
        for place, (name, shares) in enumerate(zip(names, found["measures"]["overlap"], strict=True))
    ]
    vote, best = found["vote_accuracy"], max(found["accuracies"])
    told = (
        f"A vote of these {len(lines)} gets {vote:.1%} of the rows right, the best of them alone {best:.1%}."
    )
    return {"names": names, "lines": lines, "text": told}


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
