"""Exports are run against their models: all kinds of models, all tables, gaps and unseen levels."""

import json
import sqlite3

import numpy as np
import polars as pl
import pytest

from classica import (
    AdaBoostClassifier,
    BaggingClassifier,
    BayesDecisionClassifier,
    C45Classifier,
    CARTClassifier,
    DecisionTreeClassifier,
    ID3Classifier,
    KNeighborsClassifier,
    LinearDiscriminantClassifier,
    LogisticClassifier,
    MLPClassifier,
    NaiveBayesClassifier,
    NearestMeanClassifier,
    PerceptronClassifier,
    RandomForestClassifier,
    RuleSetClassifier,
    TableClassifier,
    WinnowClassifier,
)
from classica.errors import ExportError, ParameterError
from classica.explain.model_layers import ModelLayers
from classica.export import FORMS, export_model
from classica.persist.decoder import Decoder
from classica.tables import ColumnSchema, RawTable, Schema, load_table
from tests.explain.models import CLASSIFIERS, fitted

TABLES = ("golf", "vote", "soybean", "iris")
RUNNING = ("sql", "python", "onnx")

#: One of each kind of program, small.
MODELS = {
    "tree": DecisionTreeClassifier(),
    "surrogates": CARTClassifier(),
    "own branch": DecisionTreeClassifier(missing="own_branch", max_depth=4),
    "fractions": C45Classifier(),
    "multiway": ID3Classifier(),
    "rules": RuleSetClassifier(),
    "forest": RandomForestClassifier(5, max_depth=4, random_state=0),
    "boosted trees": AdaBoostClassifier(n_estimators=8),
    "bag": BaggingClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=4, random_state=0),
    "means": NearestMeanClassifier(),
    "lda": LinearDiscriminantClassifier(),
    "logistic": LogisticClassifier(),
    "bayes": NaiveBayesClassifier(),
    "zeros": NaiveBayesClassifier(alpha=0),
    "intervals": NaiveBayesClassifier(numeric="discretized"),
    "all-vs-all": PerceptronClassifier(multi_class="all-vs-all", random_state=0),
    "winnow": WinnowClassifier(random_state=0),
    "network": MLPClassifier(4, solver="lbfgs", random_state=0, max_iter=2000),
}
REFUSED = {("rules", "onnx"), ("network", "sql")}


def model_of(estimator, name):
    table = load_table(name)
    return TableClassifier(estimator, table.schema).fit(table, table.y), table


#: On the table of 19 classes these take longer.
LONG = ("all-vs-all", "zeros", "intervals", "bag", "means", "lda", "network", "winnow")
CASES = [
    pytest.param(name, kind, marks=[pytest.mark.full] if name == "soybean" and kind in LONG else [])
    for name in TABLES
    for kind in MODELS
]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_exports_answer_as_their_models(name, kind):
    model, table = model_of(MODELS[kind], name)
    for form in RUNNING:
        if (kind, form) in REFUSED:
            with pytest.raises(ExportError, match="forms: text, json"):
                export_model(model, form)
        else:
            made = export_model(model, form, check=table)
            assert made.checked > 200 + len(table)


@pytest.mark.full
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("slug", "number"), CLASSIFIERS)
def test_all_settings_of_all_classifiers_answer_as_their_models(name, slug, number):
    model, table = fitted(name, slug, number), load_table(name)
    if model is None:
        return
    able = [form for form in RUNNING if FORMS[form].fits(ModelLayers.of(model))]
    checked = sum(export_model(model, form, check=table).checked for form in able)
    print(f"{slug} {number} of {name}: {checked} answers compared in {', '.join(able) or 'nothing'}")
    for form in ("text", "json"):
        assert export_model(model, form).content


def test_exports_of_bare_classifiers_answer_as_they_do():
    iris, vote = load_table("iris"), load_table("vote")
    X = iris.X.to_numpy()
    for estimator, rows, labels in (
        (CARTClassifier(), X, iris.y),
        (LogisticClassifier(), X, iris.y),
        (NaiveBayesClassifier(categorical_features=[0]), X, iris.y),
        (DecisionTreeClassifier(categorical_features=[0, 1]), X, iris.y),
        (RandomForestClassifier(3, random_state=0), vote.X, vote.y),
    ):
        model = estimator.fit(rows, labels)
        for form in RUNNING:
            assert export_model(model, form, check=rows).checked > 200 + len(rows)


@pytest.mark.parametrize("labels", [[0, 1], [False, True], [-3, 7], ["it's", 'a "b"\n; --']])
def test_labels_of_every_type_come_back(labels):
    golf = load_table("golf")
    y = np.array(labels)[golf.y]
    for estimator in (CARTClassifier(), NaiveBayesClassifier(), AdaBoostClassifier(n_estimators=3)):
        model = estimator.fit(golf.X, y)
        for form in RUNNING:
            assert export_model(model, form, check=golf.X).checked


@pytest.mark.parametrize("kind", ["tree", "fractions", "rules", "forest", "bayes", "logistic", "network"])
def test_costs_and_priors_are_in_the_export(kind):
    costs = {0: {1: 7.0}, 1: {0: 1.0}}
    decision = BayesDecisionClassifier(
        MODELS[kind], costs=costs, priors=[0.2, 0.8], training_priors=[0.5, 0.5]
    )
    model, table = model_of(decision, "golf")
    for form in RUNNING:
        if (kind, form) not in REFUSED:
            assert export_model(model, form, check=table).checked


def test_costs_that_no_program_can_hold_are_refused():
    costs = np.array([[0, 1, 5], [2, 0, 1], [9, 1, 0.0]])
    model, _ = model_of(BayesDecisionClassifier(LogisticClassifier(), costs=costs), "iris")
    with pytest.raises(ExportError, match="forms: text, json"):
        export_model(model, "sql")
    model, table = model_of(BayesDecisionClassifier(DecisionTreeClassifier(), costs=costs), "iris")
    assert export_model(model, "sql", check=table).checked


def test_what_a_model_cannot_become_is_one_sentence_naming_what_it_can():
    model, _ = model_of(KNeighborsClassifier(), "iris")
    with pytest.raises(ExportError) as told:
        export_model(model, "sql")
    assert str(told.value) == (
        "Cannot export this knn model to sql: this form cannot express it. Possible forms: text, json."
    )
    with pytest.raises(ParameterError, match="to must be one of text, json, svg"):
        export_model(model, "pmml")


def test_large_forests_are_refused_in_sql():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 4)), rng.integers(0, 2, 4000)
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    with pytest.raises(ParameterError, match="A forest in SQL must be of at most 20,000 nodes"):
        export_model(forest, "sql")


def test_a_python_export_needs_only_the_standard_library():
    model, table = model_of(MODELS["forest"], "iris")
    space = {}
    exec(export_model(model, "python").text, space)
    said = [space["predict"](row) for row in table.X.to_dicts()]
    assert said == model.predict(table).tolist()


def test_sql_keeps_all_columns_and_answers_without_scores_are_null():
    iris = load_table("iris")
    model = LogisticClassifier().fit(iris.X, iris.y)
    query = export_model(model, "sql", table="flowers").text
    with sqlite3.connect(":memory:") as database:
        names = ", ".join(f'"{name}"' for name in iris.X.columns)
        database.execute(f"CREATE TABLE flowers (id, {names})")
        database.execute("INSERT INTO flowers VALUES (7, 5.1, 3.5, 1.4, 0.2), (8, NULL, 3.5, 1.4, 0.2)")
        cursor = database.execute(query)
        columns = [entry[0] for entry in cursor.description]
        rows = cursor.fetchall()
    database.close()
    assert columns[:5] == ["id", *iris.X.columns]
    assert columns[-1] == "prediction"
    assert [row[-1] for row in rows] == ["Iris-setosa", None]


@pytest.mark.parametrize("kind", ["tree", "logistic", "bayes", "forest", "network"])
def test_the_json_form_is_complete(kind):
    model, table = model_of(MODELS[kind], "vote")
    record = json.loads(export_model(model, "json").text)
    arrays = [
        np.array(_numbers(entry["values"]), dtype=entry["type"]).reshape(entry["shape"])
        for entry in record["arrays"]
    ]
    rebuilt = Decoder(arrays).model(record["objects"])
    encoded = model.encoded(table)
    np.testing.assert_array_equal(rebuilt.predict(encoded), model.predict(table))
    assert record["schema"] == model.schema.record()
    assert (record["encoder"] is None) == model.encoder_.passes_on


def _numbers(values):
    return [float(value) if value in ("nan", "inf", "-inf") else value for value in values]


def test_forms_to_look_at():
    model, _ = model_of(C45Classifier(), "golf")
    assert export_model(model, "svg").text.startswith("<svg")
    assert "then 1" in export_model(model, "rules").text
    assert "outlook = cloudy" in export_model(model, "text").text


def test_the_same_model_gives_the_same_bytes():
    for form in FORMS:
        first, _ = model_of(MODELS["tree"], "golf")
        second, _ = model_of(MODELS["tree"], "golf")
        assert export_model(first, form).content == export_model(second, form).content


def test_regression_trees_become_sql_and_python():
    from classica import DecisionTreeRegressor

    iris = load_table("iris")
    X = iris.X.to_numpy()[:, :3]
    model = DecisionTreeRegressor(max_depth=4).fit(X, iris.X.to_numpy()[:, 3])
    for form in ("sql", "python"):
        assert export_model(model, form, check=X).checked
    with pytest.raises(ExportError, match="Cannot export this tree-regressor model to onnx"):
        export_model(model, "onnx")


def test_rows_to_check_are_read_like_those_of_the_model():
    model, table = model_of(C45Classifier(), "vote")
    raw = pl.DataFrame({name: table.frame[name].cast(pl.String) for name in table.frame.columns})
    assert export_model(model, "python", check=raw).checked > len(table)


def test_dates_booleans_and_ordinal_levels_go_through():
    rng = np.random.default_rng(0)
    days = [f"20{year}-0{month}-1{day}" for year, month, day in rng.integers([18, 1, 0], [24, 9, 9], (80, 3))]
    size = rng.choice(["small", "middle", "large"], 80)
    flag, x = rng.random(80) < 0.5, rng.normal(size=80).round(1)
    y = np.where((x > 0) == flag, "a", "b")
    columns = (
        ColumnSchema("day", "date", format="%Y-%m-%d", parts=("year", "month")),
        ColumnSchema("size", "ordinal", levels=("small", "middle", "large")),
        ColumnSchema("flag", "boolean"),
        ColumnSchema("x", "numeric"),
        ColumnSchema("y", "categorical", "target", levels=("a", "b")),
    )
    frame = pl.DataFrame({"day": days, "size": size, "flag": flag, "x": x, "y": y})
    table = Schema(columns).apply(RawTable(frame, "mixed", "frame"))
    for kind in ("surrogates", "fractions", "forest", "bayes", "logistic", "network", "rules"):
        model = TableClassifier(MODELS[kind], table.schema).fit(table, table.y)
        for form in RUNNING:
            if (kind, form) not in REFUSED:
                assert export_model(model, form, check=table).checked > 280
