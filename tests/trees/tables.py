"""Tables of the lectures, random ones with everything a tree can meet, and trees made by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl

from classica.tables import load_table
from classica.trees.growing.tree import Tree
from classica.trees.growing.tree_names import Names


def _table(name):
    """Return a table of the lectures as text, so that no levels are declared."""
    return load_table(name).frame.cast(pl.String).to_pandas().astype(object)


GOLF, SHAPES, SAIL = _table("golf"), _table("shapes"), _table("sail")
TEN_POINTS = load_table("ten-points").frame.to_pandas()


def mixed_table(rows=300, seed=0, missing=0.1, names=("a", "b", "colour", "size", "wet")):
    """Return numbers, categories and Booleans with gaps, three classes and numbers that depend on them."""
    random = np.random.default_rng(seed)
    a, b = random.normal(size=rows).round(2), random.integers(0, 12, rows) / 4
    colour = random.choice(["red", "it's", 'a "b"', "grün", "two\nlines", ""], rows)
    size = random.choice(["s", "m", "l"], rows)
    wet = random.random(rows) < 0.4
    score = a + (colour == "red") * 1.5 - (size == "m") * b / 2 + wet * 0.7 + random.normal(size=rows) * 0.4
    y = np.array(["low", "mid's", "high"])[np.digitize(score, [0.0, 1.0])]
    table = pd.DataFrame(dict(zip(names, [a, b, colour, size, wet], strict=True)))
    table = table.astype({names[2]: object, names[3]: object, names[4]: object})
    for name in names:
        table.loc[random.random(rows) < missing, name] = None
    return table, y, score.round(3)


def with_unseen_levels(table, seed=0):
    """Return the rows with some categories that were never learned."""
    random = np.random.default_rng(seed)
    changed = table.copy()
    for place, level in ((2, "new'level"), (3, "xxl")):
        changed.iloc[random.random(len(table)) < 0.15, place] = level
    return changed


def chain(depth):
    """Return a tree in which one question follows the other, x <= 1, x <= 2, ... with two columns in turn."""
    nodes = 2 * depth + 1
    inner = np.zeros(nodes, dtype=bool)
    inner[0:-1:2] = True
    order = np.cumsum(inner) - 1
    value = np.zeros((nodes, 2))
    value[np.arange(nodes), order % 2] = 1.0
    tree = Tree(
        feature=np.where(inner, order % 2, -1).astype(np.int32),
        threshold=np.where(inner, order + 1.0, np.nan),
        levels_at=np.zeros(nodes + 1, dtype=np.int64),
        level_child=np.empty(0, dtype=np.int32),
        missing_child=np.where(inner, 1, -1).astype(np.int32),
        first_child=np.where(inner, 2 * order + 1, -1).astype(np.int32),
        child_count=np.where(inner, 2, 0).astype(np.int32),
        cases=np.ones(nodes),
        weight=np.ones(nodes),
        gain=np.zeros(nodes),
        value=value,
        risk=np.zeros(nodes),
    )
    return tree, Names(["x", "y"], classes=["a", "b"])
