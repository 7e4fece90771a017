"""Trees out of a forest send rows to the same nodes, with the same answers."""

import numpy as np
import pytest

from classica import DecisionTreeClassifier, RandomForestClassifier
from classica.errors import ParameterError
from classica.native.trees import apply_tree
from classica.tables import load_table
from classica.trees.growing.unpacked import unpacked_tree


@pytest.mark.parametrize("name", ["golf", "vote", "soybean", "iris"])
@pytest.mark.parametrize(
    "settings", [{}, {"categories": "multiway"}, {"categories": "one_level"}, {"missing": "own_branch"}]
)
def test_unpacked_trees_are_those_of_the_forest(name, settings):
    table = load_table(name)
    model = RandomForestClassifier(4, random_state=0, **settings).fit(table.X, table.y)
    X, nodes = model._query(table.X), model.apply(table.X)
    sums = np.zeros((len(table), len(model.classes_)))
    for number in range(4):
        tree, values = unpacked_tree(model.forest_, number)
        np.testing.assert_array_equal(apply_tree(X, tree.arrays(), 1), nodes[:, number])
        sums += model.forest_.values[values[nodes[:, number]]]
    np.testing.assert_array_equal(sums / 4, model.predict_proba(table.X))


@pytest.mark.parametrize("missing", ["surrogate", "fraction"])
def test_trees_that_need_more_than_is_packed_are_refused(missing):
    table = load_table("vote")
    model = RandomForestClassifier(2, random_state=0, missing=missing).fit(table.X, table.y)
    with pytest.raises(ParameterError, match="The forest must be one of classes"):
        unpacked_tree(model.forest_, 0)


def test_a_lone_leaf_is_a_tree():
    model = RandomForestClassifier(1, random_state=0).fit([[1.0], [2.0]], ["a", "a"])
    tree, values = unpacked_tree(model.forest_, 0)
    assert (len(tree), values.tolist()) == (1, [0])
    assert DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "a"]).get_n_leaves() == 1
