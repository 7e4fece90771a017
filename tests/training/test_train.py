"""From tables to models in Python."""

import json

import numpy as np
import polars as pl
import pytest

from classica import BayesDecisionClassifier, TableClassifier, load, save, train
from classica.errors import DataError, ParameterError
from classica.persist import inspect
from classica.tables import Schema, Table, decide_types, load_table, read_table
from classica.training import Recipe, learn, parameter_values
from classica.training.trained import cross_validate


def rows(n=60, **more):
    """Return a table with an id, a number that tells the class, a category, and labels."""
    random = np.random.default_rng(0)
    y = np.arange(n) % 2
    x = np.round(random.normal(size=n) + 2 * y, 3)
    words = np.array(["red", "green", "blue"])[random.integers(0, 3, n)]
    return pl.DataFrame({"id": range(1, n + 1), "x": x, "c": words, "y": np.array(["no", "yes"])[y], **more})


def test_a_frame_becomes_a_model():
    model = train(rows(), "y", model="logistic")
    assert isinstance(model, TableClassifier)
    assert model.feature_names_in_.tolist() == ["x", "c"]
    assert model.classes_.tolist() == ["no", "yes"]
    assert (model.predict(rows()) == rows()["y"].to_numpy()).mean() > 0.8


def test_the_same_call_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        save(train(rows(), "y", model="random-forest", parameters={"n_estimators": 5}), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    other = train(rows(), "y", model="random-forest", parameters={"n_estimators": 5}, seed=1)
    save(other, tmp_path / "c")
    assert (tmp_path / "c").read_bytes() != (tmp_path / "a").read_bytes()


def test_a_csv_file_and_its_options(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("x;y\n" + "\n".join(f"{k / 2};{'ab'[k % 2]}" for k in range(20)).replace(".", ","))
    model = train(path, "y", reading={"delimiter": ";", "decimal": ","})
    assert model.schema["x"].kind == "numeric"


def test_another_target_for_a_table_that_has_one():
    model = train(load_table("golf"), "windy", model="naive-bayes")
    assert (model.schema.target, model.classes_.tolist()) == ("windy", ["no", "yes"])
    assert "y" not in model.feature_names_in_


def test_rows_without_a_label_are_left_out_and_counted():
    labels = rows()["y"].to_list()
    labels[3] = labels[10] = None
    done = learn(decide_types(read_table(rows().with_columns(y=pl.Series(labels))), target="y"), Recipe())
    assert (done.unlabelled, len(done.table)) == (2, 58)
    assert done.metadata()["rows_without_label"] == 2


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (["a"] * 60, "at least 2 classes, .*'a'"),
        ([k / 7 for k in range(60)], "quantity, with 60 distinct numbers"),
        (list(range(1000, 1060)), "60 distinct numbers in 60 rows.*categorical in a schema"),
        ([f"name {k}" for k in range(60)], "60 rows has its own class"),
        ([None] * 60, "every label is missing"),
    ],
)
def test_a_target_without_classes_is_refused_in_one_sentence(labels, text):
    with pytest.raises(DataError, match=text) as caught:
        train(rows().with_columns(y=pl.Series(labels)), "y")
    assert "\n" not in str(caught.value)


def test_many_numbers_are_classes_if_a_schema_says_so():
    numbers = list(range(1000, 1030)) * 2
    schema = Schema.from_record({"columns": [{"name": "y", "kind": "categorical", "role": "target"}]})
    model = train(rows().with_columns(y=pl.Series(numbers)), "y", schema=schema)
    assert len(model.classes_) == 30


def test_a_target_that_is_not_there():
    with pytest.raises(DataError, match="has no such column"):
        train(rows(), "z")
    with pytest.raises(DataError, match="no target"):
        train(rows())


def test_nothing_to_learn_from():
    with pytest.raises(DataError, match="no column can be used as a feature"):
        train(rows().select("id", "y"), "y")


@pytest.mark.parametrize(
    ("recipe", "text"),
    [
        ({"model": "c46"}, "Did you mean 'c45'?"),
        ({"model": "tree-regressor"}, "a classifier"),
        ({"parameters": {"confidance": 0.1}}, "Did you mean 'confidence'?"),
        ({"parameters": {"confidence": 7}}, "confidence must be"),
        ({"model": "bagging", "parameters": {"estimator__nothing": 1}}, "A parameter of bagging"),
        ({"costs": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}, "costs must be of shape"),
        ({"priors": {"no": 0.5}}, "priors must name every class"),
        ({"reject_cost": -1.0}, "reject_cost must be"),
    ],
)
def test_what_cannot_be_learned_with(recipe, text):
    with pytest.raises(ParameterError, match=text) as caught:
        train(rows(), "y", **recipe)
    assert "\n" not in str(caught.value)


def test_a_decision_is_around_the_classifier_only_if_asked_for():
    assert not isinstance(train(rows(), "y").estimator_, BayesDecisionClassifier)
    model = train(rows(), "y", model="naive-bayes", costs={"no": {"yes": 9.0}, "yes": {"no": 1.0}})
    assert model.estimator_.costs_.tolist() == [[0.0, 9.0], [1.0, 0.0]]
    plain = train(rows(), "y", model="naive-bayes")
    assert (model.predict(rows()) == "yes").sum() > (plain.predict(rows()) == "yes").sum()


def test_costs_of_a_file_are_kept_without_its_path(tmp_path):
    path = tmp_path / "private folder" / "costs.csv"
    path.parent.mkdir()
    path.write_text("said,no,yes\nno,0,9\nyes,1,0\n")
    done = learn(decide_types(read_table(rows()), target="y"), Recipe("naive-bayes", costs=str(path)))
    save(done.model, tmp_path / "m", metadata=done.metadata())
    path.unlink()
    assert load(tmp_path / "m").estimator_.costs_.tolist() == [[0.0, 9.0], [1.0, 0.0]]
    assert b"private folder" not in (tmp_path / "m").read_bytes()
    assert inspect(tmp_path / "m")["metadata"]["options"]["costs"] == "costs.csv"


def test_machines_without_probabilities_are_calibrated_for_a_decision():
    recipe = Recipe("svm", reject_cost=0.2)
    assert recipe.calibrates == "auto"
    model = learn(decide_types(read_table(rows()), target="y"), recipe).model
    assert np.isfinite(model.predict_proba(rows())).all()


def weighted():
    given = {"columns": [{"name": "w", "kind": "numeric", "role": "weight"}]}
    return rows(w=pl.Series([1.0, 3.0] * 30)), Schema.from_record(given)


def test_weights_of_rows_are_used():
    frame, schema = weighted()
    with_weights = train(frame, "y", model="naive-bayes", schema=schema)
    assert "w" not in with_weights.feature_names_in_
    assert with_weights.estimator_.class_prior_.round(3).tolist() == [0.25, 0.75]


def test_weights_of_rows_are_refused_where_they_mean_nothing():
    frame, schema = weighted()
    with pytest.raises(ParameterError, match="must take weights of rows"):
        train(frame, "y", model="knn", schema=schema)


def test_cross_validation_is_that_of_scikit_learn():
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    table = decide_types(read_table(rows(90)), target="y")
    recipe = Recipe("knn", {"n_neighbors": 3})
    found = cross_validate(table, recipe, 5, None)
    splitter = StratifiedKFold(5, shuffle=True, random_state=0)
    model = TableClassifier(recipe.classifier(), table.schema)
    said = cross_val_predict(model, table.frame, table.y, cv=splitter)
    assert found.wrong == (said != table.y).sum() > 0
    assert found.record()["error"] == found.wrong / 90


def test_cross_validation_with_costs_and_a_class_of_one_row():
    labels = [*rows()["y"].to_list()[:-1], "rare"]
    table = decide_types(read_table(rows().with_columns(y=pl.Series(labels))), target="y")
    recipe = Recipe("naive-bayes", costs=np.ones((3, 3)) - np.eye(3), priors=[0.4, 0.2, 0.4])
    found = learn(table, recipe, folds=5).cross_validation
    assert found.rows == 60
    assert found.wrong >= 1
    with pytest.raises(ParameterError, match="folds must be an integer from 2 to 30"):
        learn(table, recipe, folds=31)


def test_metadata_tells_what_was_done(tmp_path):
    path = tmp_path / "days.csv"
    rows().write_csv(path)
    table = decide_types(read_table(path), target="y")
    done = learn(table, Recipe("tree", {"max_depth": 2}), folds=3)
    found = json.loads(json.dumps(done.metadata()))
    assert found["source"] == "days.csv"
    assert found["fingerprint"] == table.fingerprint()
    assert (found["target"], found["rows"]) == ("y", 60)
    assert found["options"] == {"model": "tree", "parameters": {"max_depth": 2}, "seed": 0}
    assert found["scores"]["training"]["accuracy"] == (done.model.predict(table) == table.y).mean()
    assert found["scores"]["cross_validation"]["folds"] == 3
    assert found["trained"].endswith("+00:00")
    assert str(tmp_path) not in json.dumps(found)


WORDS = [
    ("tree", "max_depth", "3", 3),
    ("tree", "max_depth", "none", None),
    ("tree", "criterion", "entropy", "entropy"),
    ("tree", "class_weight", '{"yes": 2, "no": 1}', {"yes": 2, "no": 1}),
    ("logistic", "fit_intercept", "False", False),
    ("c45", "confidence", "0.1", 0.1),
    ("logistic", "C", "inf", np.inf),
    ("knn", "n_neighbors", "7", 7),
    ("mlp", "hidden_layer_sizes", "10,5", None),
    ("naive-bayes", "numeric", '{"x": "kernel"}', {"x": "kernel"}),
]


@pytest.mark.parametrize(("model", "name", "word", "value"), WORDS)
def test_words_become_what_the_rule_accepts(model, name, word, value):
    found = parameter_values(model, {name: word})[name]
    if name == "hidden_layer_sizes":
        assert list(found) == [10, 5]
    else:
        assert (found, type(found)) == (value, type(value))


def test_classifiers_inside_others_are_named_by_their_slugs():
    values = parameter_values("bagging", {"estimator__max_depth": "2", "estimator": "tree"})
    estimator = Recipe("bagging", values).classifier().estimator
    assert (type(estimator).__name__, estimator.max_depth) == ("DecisionTreeClassifier", 2)
    members = parameter_values("voting", {"estimators": "c45, naive-bayes"})["estimators"]
    assert [name for name, _ in members] == ["c45", "naive_bayes"]


@pytest.mark.parametrize("word", ["-1", "2.5", "tree", "", "[1", "1,2"])
def test_words_that_are_nothing(word):
    with pytest.raises(ParameterError, match="max_depth must be"):
        parameter_values("tree", {"max_depth": word})


def test_seeds_reach_the_members():
    recipe = Recipe("bagging", {"estimator": Recipe("random-forest").classifier()}, seed=7)
    found = recipe.classifier()
    assert (found.random_state, found.estimator.random_state) == (7, 7)
    assert Recipe("bagging", {"random_state": 3}, seed=7).classifier().random_state == 3


def test_a_typed_table_is_not_read_again():
    table = load_table("golf")
    assert isinstance(table, Table)
    assert (train(table).predict(table) == table.y).all()
