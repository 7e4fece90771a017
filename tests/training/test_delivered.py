"""Every model that is handed over has probabilities, and is judged with them."""

import numpy as np
import polars as pl
import pytest

from classica import BayesDecisionClassifier, SVMClassifier, predict_batches, train
from classica.errors import ParameterError
from classica.tables import decide_types, load_table, read_table
from classica.training import Recipe, evaluate, learn
from tests.training.test_train import rows

MARGINS = ("linear-svm", "svm", "perceptron", "kernel-perceptron", "winnow", "one-vs-all", "all-vs-all")


@pytest.mark.parametrize("name", MARGINS)
def test_margin_machines_have_probabilities(name):
    model = train(rows(), "y", model=name)
    found = pl.concat(predict_batches(model, rows(), probabilities=True))
    shares = found.select("p(no)", "p(yes)").to_numpy()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert found["prediction"].to_list() == model.classes_[shares.argmax(axis=1)].tolist()


def test_scores_of_a_calibrated_machine_are_its_own():
    iris = load_table("iris")
    model = train(iris, model="linear-svm")
    found = pl.concat(predict_batches(model, iris, scores=True))
    bare = train(iris, model="linear-svm", calibration=None)
    np.testing.assert_allclose(found.select(pl.selectors.starts_with("score(")), bare.decision_function(iris))


def test_calibration_can_be_left_out():
    model = train(rows(), "y", model="svm", calibration=None)
    assert isinstance(model.estimator_, SVMClassifier)
    with pytest.raises(ParameterError, match=r"only scores.*calibration"):
        predict_batches(model, rows(), probabilities=True)
    with pytest.raises(
        ParameterError, match="calibration must be 'auto', 'sigmoid', 'isotonic' or 'softmax'"
    ):
        train(rows(), "y", model="svm", calibration=None, reject_cost=0.1)


def test_a_model_with_probabilities_is_left_as_it_is():
    assert not isinstance(train(rows(), "y", model="lda").estimator_, BayesDecisionClassifier)
    assert Recipe("lda").calibrates is None
    assert Recipe("svm").calibrates == "auto"


@pytest.mark.parametrize("labels", [["a", "b"], ["a", "b", "b"], ["a", "b", "c"], ["a", "a", "b", "b", "c"]])
def test_a_few_rows_are_enough(labels):
    table = pl.DataFrame({"x": np.arange(len(labels)) * 2.5, "y": labels})
    model = train(table, "y", model="linear-svm")
    assert np.isfinite(model.predict_proba(table)).all()


def test_the_cross_validation_judges_what_is_delivered():
    table = load_table("iris")
    done = learn(table, Recipe("perceptron"), folds=3)
    assert isinstance(done.model.estimator_, BayesDecisionClassifier)
    assert done.metadata()["options"]["calibration"] == "auto"


def test_the_rows_a_model_was_trained_on_are_recognised():
    table = decide_types(read_table(rows()), target="y")
    done = learn(table, Recipe("svm"))
    known = done.metadata()["rows_fingerprint"]
    assert evaluate(done.model, rows(), trained_on=known, batch_rows=7).trained_on is True
    # Other columns, their order and rows without a label change nothing of what was learned.
    more = rows().select("y", "c", "x").with_columns(extra=1)
    assert evaluate(done.model, more, trained_on=known).trained_on is True
    assert evaluate(done.model, rows()[1:], trained_on=known).trained_on is False
    assert evaluate(done.model, rows().with_columns(x=pl.col("x") + 1), trained_on=known).trained_on is False
    assert evaluate(done.model, rows()).trained_on is None
