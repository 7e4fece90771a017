"""A tree written as Python or SQL answers as the tree does: for every row, gap and unknown level."""

import sqlite3

import numpy as np
import pandas as pd
import pytest

from classica import (
    C45Classifier,
    CARTClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ID3Classifier,
    RuleSetClassifier,
)
from classica.errors import ParameterError
from classica.trees.growing.tree_names import Names
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.python_source import DEEPEST_NESTING, tree_python
from classica.trees.showing.tree_sql import tree_sql
from tests.trees.tables import chain, mixed_table, with_unseen_levels

HOSTILE = ('a "quoted"; DROP TABLE t --', "b\nc'd", "lambda", "row", "größe 日本")

CLASSIFIERS = [
    DecisionTreeClassifier(criterion, categories=categories, missing=missing, threshold=threshold)
    for criterion in ("gini", "gain_ratio")
    for categories in ("subset", "multiway", "one_level")
    for missing in ("direction", "own_branch", "fraction", "surrogate")
    for threshold in ("midpoint", "data")
    if (categories, missing) != ("multiway", "surrogate")
] + [
    DecisionTreeClassifier(max_depth=2),
    DecisionTreeClassifier(max_depth=0),
    DecisionTreeClassifier(smoothing=1.0, class_weight="balanced", max_leaf_nodes=7),
    ID3Classifier(),
    ID3Classifier(n_bins=4),
    ID3Classifier(n_bins=3, missing="own_branch"),
    ID3Classifier(n_bins=3, missing="fraction"),
    C45Classifier(),
    CARTClassifier(cv=3),
    CARTClassifier(prune=None),
    RuleSetClassifier(),
]
REGRESSORS = [
    DecisionTreeRegressor(categories=categories, missing=missing, max_depth=depth)
    for categories in ("subset", "multiway")
    for missing in ("direction", "own_branch", "fraction", "surrogate")
    for depth in (3, None)
    if (categories, missing) != ("multiway", "surrogate")
]


def shown(model):
    return model.rules_ if isinstance(model, RuleSetClassifier) else model


def divides(model):
    return not isinstance(model, RuleSetClassifier) and model._divides_rows()


def by_python(source, rows, name="predict"):
    scope = {}
    exec(compile(source, "written", "exec"), scope)
    return [scope[name](row) for row in rows]


def meets_gap(model, table):
    """Return for which rows a missing cell is asked for."""
    asked = model.tree_.feature[model.tree_.feature >= 0]
    alone = model._query(table)
    found = np.zeros(len(alone), dtype=bool)
    for row, path in enumerate(model.decision_path(table).toarray().astype(bool)):
        columns = model.tree_.feature[path]
        found[row] = np.isnan(alone[row, columns[columns >= 0]]).any()
    assert len(asked)
    return found


def by_sql(expression, table, name="t"):
    base = sqlite3.connect(":memory:")
    quoted = ", ".join('"' + column.replace('"', '""') + '"' for column in table.columns)
    base.execute(f'CREATE TABLE "{name}" ({quoted})')
    marks = ", ".join("?" * len(table.columns))
    rows = [
        [None if pd.isna(cell) else cell for cell in row] for row in table.itertuples(index=False, name=None)
    ]
    base.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)
    return [answer for (answer,) in base.execute(f'SELECT {expression} FROM "{name}" ORDER BY rowid')]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
@pytest.mark.parametrize("seed", [0, 1])
def test_classes_are_those_predicted(model, seed):
    learned, y, _ = mixed_table(seed=seed, names=HOSTILE)
    weights = np.random.default_rng(seed).integers(0, 4, len(y)) if seed else None
    model.fit(learned, y, sample_weight=weights)
    asked = with_unseen_levels(pd.concat([learned, mixed_table(seed=9, missing=0.3, names=HOSTILE)[0]]))
    wanted = model.predict(asked).tolist()
    source = shown(model).to_python()
    assert by_python(source, asked.to_dict("records")) == wanted
    assert by_python(source, asked.itertuples(index=False, name=None)) == wanted
    if divides(model):
        wanted = [None if gap else label for gap, label in zip(meets_gap(model, asked), wanted, strict=True)]
    assert by_sql(shown(model).to_sql(), asked) == wanted
    assert by_sql(shown(model).to_sql("t"), asked) == wanted


@pytest.mark.parametrize("model", REGRESSORS, ids=str)
def test_numbers_are_those_predicted(model):
    learned, _, y = mixed_table()
    weights = np.random.default_rng(0).random(len(y))
    model.fit(learned, y, sample_weight=weights)
    asked = with_unseen_levels(pd.concat([learned, mixed_table(seed=9, missing=0.3)[0]]))
    wanted = model.predict(asked).tolist()
    assert by_python(model.to_python(), asked.to_dict("records")) == wanted
    if not divides(model):  # SQLite may read a literal one unit in the last place off
        np.testing.assert_allclose(by_sql(model.to_sql(), asked), wanted, rtol=1e-15)


def test_categories_of_an_array_are_numbers():
    random = np.random.default_rng(0)
    X = np.c_[random.integers(0, 5, 200) * 1.5, random.normal(size=200).round(1)]
    y = np.isin(X[:, 0], [1.5, 6.0]) ^ (X[:, 1] > 0.3)
    model = DecisionTreeClassifier(categorical_features=[0]).fit(X, y)
    asked = np.vstack([X, [[9.0, 0.0], [np.nan, 1.0], [1.5, np.nan]]])
    wanted = model.predict(asked).tolist()
    assert by_python(model.to_python(), asked.tolist()) == wanted
    assert by_sql(model.to_sql(), pd.DataFrame(asked, columns=["0", "1"])) == wanted


def test_a_tree_without_questions_is_a_constant():
    model = DecisionTreeClassifier().fit([[1.0], [2.0]], ["it's", "it's"])
    assert model.to_sql() == "'it''s'"
    assert by_python(model.to_python("f"), [{}], "f") == ["it's"]


@pytest.mark.parametrize("depth", [1, DEEPEST_NESTING, DEEPEST_NESTING + 1, 90, 10_000])
def test_deep_trees(depth):
    tree, names = chain(depth)
    named = NamedTree.of(tree, names)
    random = np.random.default_rng(0)
    rows = random.integers(0, depth + 2, size=(200, 2)) + 0.5
    rows[random.random(rows.shape) < 0.1] = np.nan
    nodes = []
    for row in rows:
        node = 0
        while tree.feature[node] >= 0:
            node = tree.first_child[node] + (not row[tree.feature[node]] <= tree.threshold[node])
        nodes.append(node)
    wanted = [named.answers[node] for node in nodes]
    assert by_python(tree_python(named, "predict"), rows.tolist()) == wanted
    assert by_sql(tree_sql(named), pd.DataFrame(rows, columns=["x", "y"])) == wanted


@pytest.mark.parametrize("name", ["1st", "def", "a b", "", None])
def test_the_function_needs_a_name(name):
    model = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ParameterError, match=r"^name must be"):
        model.to_python(name)


def test_what_source_cannot_hold_is_refused():
    tree, _ = chain(1)
    when = Names(["x", "y"], classes=[pd.Timestamp("2020-01-01"), "b"])
    with pytest.raises(ParameterError, match=r"^A label or level in source text must be"):
        tree_python(NamedTree.of(tree, when), "predict")
    nul = NamedTree.of(tree, Names(["x\0", "y"], classes=["a", "b"]))
    with pytest.raises(ParameterError, match=r"^A name or level in SQL must be"):
        tree_sql(nul)


def test_variables_are_called_like_columns_where_they_can_be():
    X = pd.DataFrame({"petal length (cm)": [1.0, 2.0, 3.0, 3.0], "class": [0.0, 0.0, 0.0, 5.0]})
    source = DecisionTreeClassifier().fit(X, [0, 0, 1, 2]).to_python()
    assert "\n    petal_length_cm = number('petal length (cm)', 0)\n    _1 = number('class', 1)\n" in source
    assert "\n    if petal_length_cm <= 2.5" in source
