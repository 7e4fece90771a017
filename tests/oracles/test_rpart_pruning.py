"""Cost-complexity pruning against rpart, on the trees it has grown."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from classica.trees.growing.growth import GrowthRules
from classica.trees.pruning.cp_table import CpTable
from classica.trees.pruning.pruning_path import pruning_path
from tests.oracles import j48
from tests.trees.made import tree_of

DATA = Path(__file__).parents[1] / "data" / "oracles"
ORACLES = json.loads(gzip.decompress((DATA / "cp_tables.json.gz").read_bytes()))
TABLES = [(name, variant) for name, variants in ORACLES.items() for variant in variants]


def grown_there(oracle):
    """Return the tree of node numbers and risks; its only class counts are right and wrong rows."""
    risk = dict(zip(oracle["node"], oracle["risk"], strict=True))
    numbers = sorted(risk)  # level by level, children side by side
    count = [2 if 2 * number in risk else 0 for number in numbers]
    wrong = np.array([risk[number] for number in numbers], dtype=float)
    right = np.full(len(wrong), wrong.max() + 1)
    return tree_of(count, np.column_stack([right, wrong]))


def table_there(oracle):
    """Return the cp table; of rows whose CP differs by rounding only the first: it has the smallest tree."""
    table = np.array(oracle["cp"], dtype=float)
    return table[np.append(True, np.diff(table[:, 0]) < -1e-9 * table[:-1, 0])]


def contradicts_itself(table):
    """Return whether some CP is not the error won per split from a row to the next.

    In passing errors up the tree, rpart forgets splits that would go first if their branch were alone. Where
    the whole branch goes before them, it comes out weaker than it is: they go with it but were not counted.
    """
    won = -np.diff(table[:, 2]) / np.diff(table[:, 1])
    return not np.allclose(table[:-1, 0], won, rtol=1e-6, atol=1e-12)


def table_here(tree):
    table = CpTable.of(tree, pruning_path(tree), None, None)
    return np.column_stack([table.cp, table.nsplit, table.rel_error])


@pytest.mark.parametrize(("name", "variant"), TABLES)
def test_cp_table_is_that_of_rpart_unless_it_contradicts_itself(name, variant):
    theirs = table_there(ORACLES[name][variant])
    ours = table_here(grown_there(ORACLES[name][variant]))
    assert not contradicts_itself(ours)
    if not contradicts_itself(theirs):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("name", "variant"), TABLES)
def test_no_tree_of_rpart_is_better_at_any_complexity(name, variant):
    theirs = table_there(ORACLES[name][variant])
    ours = table_here(grown_there(ORACLES[name][variant]))
    for cp in np.unique([*theirs[:, 0], *ours[:, 0]]):
        best_here = (ours[:, 2] + cp * ours[:, 1]).min()
        assert best_here <= (theirs[:, 2] + cp * theirs[:, 1]).min() + 1e-12


def test_most_tables_are_compared():
    sound = [case for case in TABLES if not contradicts_itself(table_there(ORACLES[case[0]][case[1]]))]
    assert len(sound) > 0.55 * len(TABLES)


def grown_here(name, criterion, minsplit):
    rules = GrowthRules(
        criterion=criterion,
        missing="surrogate",
        min_cases_split=minsplit,
        min_cases_leaf=round(minsplit / 3),
        zero_gain=False,
    )
    _, table, target = j48.table(name)
    return table.grow(target, rules, 1)


GROWN_HERE = ["iris", "wine", "glass", "sonar", "ionosphere", "car", "zoo", "titanic", "lymphography"]


@pytest.mark.parametrize("minsplit", [2, 20])
@pytest.mark.parametrize(("criterion", "word"), [("gini", "gini"), ("entropy", "information")])
@pytest.mark.parametrize("name", GROWN_HERE)
def test_growing_and_pruning_together(name, criterion, word, minsplit):
    oracle = ORACLES[name].get(f"minsplit{minsplit}_{word}_sur0")
    if oracle is None or contradicts_itself(table_there(oracle)):
        return
    np.testing.assert_allclose(table_here(grown_here(name, criterion, minsplit)), table_there(oracle))
