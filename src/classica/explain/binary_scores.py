"""Several classes told apart by binary classifiers of any kind: scores of a row, and the votes of pairs."""

from __future__ import annotations

import polars as pl

from classica.explain import any_model as other
from classica.explain.opened import Opened
from classica.explain.pair_votes import PAIRS_VOTE, votes_section
from classica.explain.section import Section
from classica.explain.shown_scores import outcome, score_names


def is_by_pair(opened: Opened) -> bool:
    """Return whether the binary classifiers tell pairs of classes apart."""
    several = len(opened.classes or ()) > 2
    return several and bool(getattr(opened.estimator, "tells_pairs_apart", False))


def describe(opened: Opened) -> list[Section]:
    """Return what can be said about any model and, where there are members, what each tells apart."""
    members = getattr(opened.estimator, "estimators_", None)
    if not members:
        return other.describe(opened)
    classes, by_pair = opened.classes or [], is_by_pair(opened)
    names = score_names(classes, by_pair=by_pair)
    names = names if by_pair else [f"{name} vs. all others" for name in names]
    names = names if len(classes) != 2 else score_names(classes[::-1], by_pair=True)
    rows = [[name, type(member).__name__] for name, member in zip(names, members, strict=True)]
    headings, note = ["tells apart", "kind"], PAIRS_VOTE if by_pair else ""
    return [*other.describe(opened), Section("Binary classifiers", headings=headings, rows=rows, note=note)]


def reasons(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return the votes of the pairs, if there are any, and the scores of the classes."""
    return [*pair_votes(opened, row), outcome(opened, row)]


def pair_votes(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return how the pairs of classes vote on a row; nothing where classes are not told apart in pairs."""
    if not is_by_pair(opened):
        return []
    scores = opened.estimator.binary_scores(opened.seen(row))[0]
    return [votes_section(opened.classes or [], scores)]
