"""A row that is rejected, by distance or by cost, is without a prediction wherever predictions are shown."""

import json

import numpy as np
import polars as pl
import pytest

from classica import BayesDecisionClassifier, NearestMeanClassifier, predict_batches, save, train
from classica.tables import load_table
from classica.training import Recipe, evaluate, learn
from tests.interfaces.test_help_examples import run

FAR = {"reject_distance": 0.8}


@pytest.fixture(scope="module")
def iris():
    return load_table("iris")


@pytest.fixture(scope="module")
def model(iris):
    return train(iris, model="nearest-mean", parameters=FAR)


def test_predict_leaves_out_what_is_too_far(iris, model):
    rejected = model.rejects(iris)
    assert 0 < rejected.sum() < len(rejected)
    answers = predict_batches(model, iris, 40)
    found = pl.concat(answers)
    assert found["rejected"].to_list() == rejected.tolist()
    assert found["prediction"].is_null().to_list() == rejected.tolist()
    assert answers.rejected == rejected.sum()


def test_evaluate_judges_what_is_answered(iris, model):
    rejected = model.rejects(iris)
    found = evaluate(model, iris, batch_rows=40).scores
    right = model.predict(iris) == iris.y
    assert found.rejected == rejected.sum()
    assert found.accuracy == right[~rejected].mean()
    assert found.record()["coverage"] == (~rejected).mean()
    assert found.mean_cost is None


def test_costs_without_a_price_of_rejecting_are_those_of_the_answered_rows(iris, model):
    rejected = model.rejects(iris)
    wrong = model.predict(iris) != iris.y
    found = evaluate(model, iris, costs=1.0 - np.eye(3)).scores
    assert found.mean_cost == pytest.approx(wrong[~rejected].mean())


def test_a_decision_keeps_what_its_classifier_rejects(iris):
    features = iris.X.to_numpy()
    inside = NearestMeanClassifier(reject_distance=0.8)
    decision = BayesDecisionClassifier(inside, reject_cost=0.1).fit(features, iris.y)
    by_distance = inside.fit(features, iris.y).rejects(features)
    by_cost = BayesDecisionClassifier(NearestMeanClassifier(), reject_cost=0.1).fit(features, iris.y)
    assert decision.rejects(features).tolist() == (by_distance | by_cost.rejects(features)).tolist()
    paid = np.where(decision.rejects(features), 0.1, decision.predict(features) != iris.y)
    assert decision.mean_cost(features, iris.y) == pytest.approx(paid.mean())
    free = decision.with_reject_cost(None)
    assert free.rejects(features).tolist() == by_distance.tolist()
    wrong = free.predict(features) != iris.y
    assert free.mean_cost(features, iris.y) == pytest.approx(wrong[~by_distance].mean())


def test_training_counts_rejects_on_its_own_rows_and_in_folds(iris):
    done = learn(iris, Recipe("nearest-mean", FAR), folds=5)
    rejected = done.model.rejects(iris)
    right = done.model.predict(iris) == iris.y
    assert done.rejected == rejected.sum()
    assert done.accuracy == right[~rejected].mean()
    tested = done.cross_validation
    assert 0 < tested.rejected < 150
    assert tested.error == tested.wrong / (150 - tested.rejected)
    assert done.scores["training"]["coverage"] == (~rejected).mean()
    assert done.scores["cross_validation"]["coverage"] == 1 - tested.rejected / 150


def test_a_model_that_rejects_all_has_no_accuracy(iris):
    done = learn(iris, Recipe("nearest-mean", {"reject_distance": 1e-9}), folds=2)
    assert (done.rejected, done.accuracy, done.cross_validation.error) == (150, None, None)
    json.dumps(done.metadata(), allow_nan=False)


def test_the_commands_show_rejects(tmp_path, monkeypatch, model):
    monkeypatch.chdir(tmp_path)
    save(model, "m.classica")
    text = " ".join(run("evaluate", "m.classica", "iris").stdout.split())
    assert "on the 75 rows with a prediction" in text
    assert "coverage 50.0% (75 of 150 rows rejected)" in text
    found = json.loads(run("evaluate", "m.classica", "iris", "--json").stdout)
    assert (found["rejected"], found["coverage"]) == (75, 0.5)
    done = run("predict", "m.classica", "iris", "--out", "p.csv")
    assert "75 of 150 rows (50.0%) rejected" in done.stderr
    assert pl.read_csv("p.csv")["prediction"].null_count() == 75
    arguments = ("--model", "nearest-mean", "--set", "reject_distance=0.8", "--folds", "5")
    shown = " ".join(run("train", "iris", *arguments, "--out", "n.classica").stdout.split())
    assert "75 of 150 rows rejected" in shown


def test_explain_says_that_a_row_is_rejected(tmp_path, monkeypatch, iris, model):
    monkeypatch.chdir(tmp_path)
    save(model, "m.classica")
    row = int(np.flatnonzero(model.rejects(iris))[0]) + 1
    assert "Rejected" in run("explain", "m.classica", "--rows", "iris", str(row)).stdout
