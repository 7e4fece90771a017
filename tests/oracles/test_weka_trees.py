"""The trees of WEKA's J48 and Id3, on real tables: every question, cut, and class weight."""

import numpy as np
import pytest

from classica.trees.growing.growth import GrowthRules, Target
from tests.oracles.tree_tables import WEKA, rank, read

#: J48 -U without collapsing: C4.5's rules of choosing and cutting, two cases in two branches.
J48 = GrowthRules(
    criterion="entropy", selection="gain_ratio", categories="multiway", missing="fraction", min_cases_leaf=2,
    min_cases_split=4, zero_gain=False, zero_up_to=1e-6, wide_branches=True, smallest_gap=1e-5,
    cuts_cost=True,
)  # fmt: skip


def grow(name, rules, threshold="midpoint"):
    table = read(name)
    target = Target(table.y.astype(np.int32), len(WEKA[name]["classes"]))
    return rank(table).grow(target, rules, 1, threshold=threshold)


def pairs(oracle, tree):
    """Yield WEKA's nodes with ours, and with -1 its branches without cases, which we do not have."""
    waiting = [(oracle, 0)]
    while waiting:
        theirs, ours = waiting.pop()
        yield theirs, ours
        if ours < 0 or not isinstance(theirs, dict) or "children" not in theirs or tree.is_leaf[ours]:
            continue
        branches = tree.levels_of(ours).tolist() or [0, 1]
        below = [int(tree.first_child[ours]) + branch if branch >= 0 else -1 for branch in branches]
        waiting += zip(theirs["children"], below, strict=True)


@pytest.mark.parametrize("name", WEKA)
def test_trees_equal_those_of_j48(name):
    tree = grow(name, J48, "data")
    seen = 0
    for theirs, ours in pairs(WEKA[name]["j48"], tree):
        if ours < 0:
            assert theirs == {"dist": []}
            continue
        seen += 1
        assert tree.feature[ours] == theirs.get("column", -1)
        np.testing.assert_allclose(tree.value[ours], theirs["dist"], rtol=1e-9, atol=1e-9)
        if "at" in theirs:
            # It moves cuts to values of the table with a tolerance of its own, by the order of rows.
            assert tree.threshold[ours] == pytest.approx(theirs["at"], rel=0, abs=2e-6)
        if "gain" in theirs:
            assert tree.gain[ours] / tree.weight[ours] == pytest.approx(theirs["gain"], rel=1e-9)
    assert seen == len(tree)


@pytest.mark.parametrize("zero_gain", [True, False])
@pytest.mark.parametrize("name", [name for name, oracle in WEKA.items() if "id3" in oracle])
def test_trees_equal_those_of_id3(name, zero_gain):
    """No node of these tables is left with divisions that gain nothing."""
    tree = grow(name, GrowthRules(criterion="entropy", categories="multiway", zero_gain=zero_gain))
    classes, seen = WEKA[name]["classes"], 0
    for theirs, ours in pairs(WEKA[name]["id3"], tree):
        if ours < 0:
            assert theirs is None
            continue
        seen += 1
        if isinstance(theirs, dict):
            assert tree.feature[ours] == theirs["column"]
        else:
            assert tree.is_leaf[ours]
            assert classes[tree.value[ours].argmax()] == theirs
    assert seen == len(tree)
