"""Class means."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from classica.explain.additive_models import additive_of
from classica.explain.column_sums import sum_section
from classica.explain.opened import Opened
from classica.explain.section import Section
from classica.explain.shown_scores import outcome
from classica.wording import plain_words


def describe(opened: Opened) -> list[Section]:
    """Return means, and spreads where distances are measured by them."""
    model = opened.estimator
    labels = opened.classes or []
    owners = [plain_words(labels[place]) for place in model.mean_class_.tolist()]
    sections = [table("Means", opened, owners, model.means_)]
    if model.spreads_ is not None:
        sections.append(table("Standard deviations", opened, owners, model.spreads_))
    return sections


def table(title: str, opened: Opened, owners: list[str], numbers: Any) -> Section:
    """Return numbers with a row per column and a column per class."""
    named = zip(opened.seen_names, np.asarray(numbers).T.tolist(), strict=True)
    rows = [[plain_words(name), *row] for name, row in named]
    return Section(title, headings=["column", *owners], rows=rows)


def reasons(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return the distances to the classes, and what each column adds to half their squares."""
    distances = opened.estimator.distances(opened.seen(row))[0].tolist()
    labels = [plain_words(label) for label in opened.classes or ()]
    pairs = sorted(zip(labels, distances, strict=True), key=lambda pair: pair[1])
    near = Section("Distances to the means", headings=["class", "distance"], rows=pairs)
    found = additive_of(opened)
    return [near, *([] if found is None else [sum_section(found, row)]), outcome(opened, row)]
