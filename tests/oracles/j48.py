"""The trees of WEKA's J48 (C4.5) on real tables, and how ours differ from them."""

import functools
import gzip
import hashlib
import json
from pathlib import Path

import numpy as np
import polars as pl

from classica.trees.growing.growth import GrowthRules, Target, TreeTable

DATA = Path(__file__).parents[1] / "data" / "oracles"
ORACLES = json.loads(gzip.decompress((DATA / "j48.json.gz").read_bytes()))
NAMES = list(ORACLES)


@functools.cache
def table(name):
    """Return the table with the declared levels, and the target with the declared classes, in their order."""
    oracle = ORACLES[name]
    file = DATA / f"{name}.csv.gz"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == oracle["sha256"]
    cells = pl.read_csv(file, infer_schema=False)
    columns = [
        cells[column].cast(pl.Float64 if levels is None else pl.Enum(levels))
        for column, levels in oracle["columns"].items()
    ]
    matrix = np.column_stack([column.to_physical().cast(pl.Float64).to_numpy() for column in columns])
    levels = np.array([len(declared or ()) for declared in oracle["columns"].values()])
    codes = cells[oracle["target"]].cast(pl.Enum(oracle["classes"])).to_physical().to_numpy().astype(np.int32)
    return matrix, TreeTable.of(matrix, levels > 0, levels, 1), Target(codes, len(oracle["classes"]))


def has_missing(name):
    return bool(np.isnan(table(name)[0]).any())


@functools.cache
def grown(name, least=2, categories="multiway"):
    """Return the tree before anything is taken from it; a branch of a cut has at least so many cases."""
    rules = GrowthRules(
        criterion="entropy",
        selection="gain_ratio",
        categories=categories,
        missing="fraction",
        min_cases_leaf=least,
        min_cases_split=2 * least,
        zero_gain=False,
        wide_branches=True,
        smallest_gap=1e-5,
        cuts_cost=True,
    )
    _, rows, target = table(name)
    return rows.grow(target, rules, 2, threshold="data")


def branches(tree, node, levels):
    """Return the child of each branch as J48 has them: one per declared level, -1 without a case."""
    of_level = tree.levels_of(node)
    if not len(of_level) or levels == 2:
        return list(tree.children(node))
    first = tree.first_child[node]
    return [int(first + child) if child >= 0 else -1 for child in of_level]


def counts(tree, categories="multiway"):
    """Return the number of leaves and of nodes as J48 counts them: branches without a case are leaves."""
    empty = int((tree.level_child < 0).sum()) if categories == "multiway" else 0
    return tree.leaf_count + empty, len(tree) + empty


def leaf_differs(tree, node, theirs):
    chosen, cases, errors = theirs
    value = tree.value[node]
    same = np.allclose([value.sum(), value.sum() - value.max()], [cases, errors], rtol=1e-9, atol=1e-9)
    return not same or not np.isclose(value[chosen], value.max(), rtol=1e-9, atol=1e-9)


def differences(name, tree, variant, categories="multiway"):
    """Return what differs, node by node: (our node, what it is here, what it is there)."""
    levels = list(ORACLES[name]["columns"].values())
    found, open_nodes = [], [(0, ORACLES[name]["trees"][variant]["tree"])]
    while open_nodes:
        node, theirs = open_nodes.pop()
        is_leaf_there = not isinstance(theirs[2], list)
        if node < 0 or is_leaf_there:
            agrees = (
                theirs[1] == 0 if node < 0 else tree.is_leaf[node] and not leaf_differs(tree, node, theirs)
            )
            if not (is_leaf_there and agrees):
                found.append((node, "empty" if node < 0 else tree.value[node].tolist(), theirs))
            continue
        column, cut, below = theirs
        if tree.feature[node] != column or not same_cut(tree, node, cut, levels[column]):
            found.append((node, (int(tree.feature[node]), float(tree.threshold[node])), (column, cut)))
            continue
        ours = branches(tree, node, 2 if categories != "multiway" else 0)
        open_nodes.extend(zip(ours, below, strict=True))
    return found


def same_cut(tree, node, cut, levels):
    """Return whether a split is that of J48; its thresholds may be off by a millionth."""
    if levels is None:
        return abs(tree.threshold[node] - cut) <= max(1e-9 * abs(cut), 2e-6)
    return cut is None or tree.levels_of(node)[levels.index(cut)] == 0
