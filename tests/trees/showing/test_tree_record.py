"""A tree as plain data: JSON holds it, and it says everything the tree knows."""

import json

import numpy as np
import pytest

from classica import (
    C45Classifier,
    CARTClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ID3Classifier,
)
from tests.trees.tables import mixed_table, with_unseen_levels

MODELS = [
    DecisionTreeClassifier(max_depth=5),
    DecisionTreeClassifier(max_depth=5, categories="multiway", missing="own_branch"),
    ID3Classifier(n_bins=3, max_depth=4),
    CARTClassifier(prune=None, max_depth=4),
    C45Classifier(),
    DecisionTreeRegressor(max_depth=4),
]


def holds(condition, row, columns):
    """Return whether a written condition holds for a row of cells."""
    cell = row[columns[condition["column"]]]
    if cell is None or cell != cell:
        return condition["missing"]
    if not condition["known"]:
        return False
    if condition["levels"] is not None:
        return cell in condition["levels"]
    low, high = condition["above"], condition["at_most"]
    return (low is None or cell > low) and (high is None or cell <= high)


def walk(record, row):
    """Return the answer of a written tree, by nothing but what is written."""
    node = record["nodes"][0]
    while node["question"]:
        branches = node["question"]["branches"]
        taken = [k for k, branch in enumerate(branches) if holds(branch, row, record["columns"])]
        if not taken:
            break
        node = record["nodes"][node["children"][taken[0]]]
    return node["answer"]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_json_holds_it(model):
    X, y, values = mixed_table()
    model.fit(X, values if isinstance(model, DecisionTreeRegressor) else y)
    record = json.loads(json.dumps(model.to_json(), allow_nan=False))
    assert record["format"] == "classica-tree"
    assert record["version"] == 1
    assert record["columns"] == list(X.columns)
    assert len(record["nodes"]) == len(model.tree_)
    parents = [node["parent"] for node in record["nodes"]]
    assert parents[0] is None
    assert all(place in record["nodes"][parent]["children"] for place, parent in enumerate(parents) if place)
    np.testing.assert_array_equal([node["weight"] for node in record["nodes"]], model.tree_.weight)


@pytest.mark.parametrize(
    "model", [m for m in MODELS if not isinstance(m, C45Classifier | CARTClassifier)], ids=str
)
def test_what_is_written_predicts_the_same(model):
    X, y, values = mixed_table()
    model.fit(X, values if isinstance(model, DecisionTreeRegressor) else y)
    asked = with_unseen_levels(X)
    record = json.loads(json.dumps(model.to_json()))
    assert [walk(record, row) for row in asked.to_dict("records")] == model.predict(asked).tolist()


def test_surrogates_are_written():
    X, y, _ = mixed_table()
    model = CARTClassifier(prune=None, max_depth=3).fit(X, y)
    record = model.to_json()
    assert record["missing"] == "surrogates"
    written = [one for node in record["nodes"] if node["question"] for one in node["question"]["surrogates"]]
    np.testing.assert_array_equal([one["column"] for one in written], model.tree_.surrogates.feature)
    np.testing.assert_array_equal([one["agreement"] for one in written], model.tree_.surrogates.agreement)
    assert {one["level_child"] is None for one in written} == {True, False}


def test_the_kind_of_missing_is_told():
    X, y, _ = mixed_table()
    assert C45Classifier().fit(X, y).to_json()["missing"] == "fractions"
    assert DecisionTreeClassifier().fit(X, y).to_json()["missing"] == "child"
