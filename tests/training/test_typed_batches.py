"""Classifiers that learned from a frame answer for tables: their columns by name, their levels by value."""

import pandas as pd
import polars as pl
import pytest

from classica import (
    BayesDecisionClassifier,
    C45Classifier,
    LogisticClassifier,
    NearestMeanClassifier,
    predict_batches,
)
from classica import NaiveBayesClassifier as Bayes
from classica import RandomForestClassifier as Forest
from classica.errors import ParameterError
from classica.tables import load_table
from classica.training import evaluate
from tests.training.test_train import rows

GOLF, IRIS = load_table("golf"), load_table("iris")


def answers(model, source, **more):
    return pl.concat(list(predict_batches(model, source, **more)))["prediction"].to_list()


@pytest.mark.parametrize(
    "estimator", [C45Classifier(), Bayes(), Forest(5, random_state=0)], ids=lambda e: type(e).__name__
)
def test_categories_go_by_name_and_level(tmp_path, estimator):
    model = estimator.fit(GOLF.X, GOLF.y)
    turned = GOLF.frame.select(*reversed(GOLF.frame.columns)).with_columns(more=pl.lit(1))
    turned.write_csv(tmp_path / "t.csv")
    assert answers(model, tmp_path / "t.csv") == model.predict(GOLF.X).tolist()
    name = GOLF.schema.target
    found = evaluate(model, tmp_path / "t.csv", target=name)
    assert found.scores.accuracy == pytest.approx((model.predict(GOLF.X) == GOLF.y).mean())
    assert found.extra == ["more"]


@pytest.mark.parametrize("around", [lambda m: m, lambda m: BayesDecisionClassifier(m, reject_cost=0.1)])
def test_numbers_are_taken_as_they_are(around):
    model = around(LogisticClassifier()).fit(IRIS.X, IRIS.y)
    assert answers(model, IRIS, batch_rows=7)[:49] == model.predict(IRIS.X).tolist()[:49]
    assert predict_batches(model, IRIS).model.estimator_ is model


@pytest.mark.parametrize("levels", [[True, False], [1, 2], [1.5, 2.5], ["1", "2"]])
def test_levels_are_found_by_value(levels):
    cells = pd.Series(levels * 10)
    frame = pd.DataFrame({"a": cells if levels[0] is True else cells.astype("category"), "b": range(20)})
    labels = [str(level) for level in levels * 10]
    model = C45Classifier().fit(frame, labels)
    assert model.predict(frame).tolist() == labels
    text = "a,b\n" + "".join(f"{cell},{place}\n" for place, cell in enumerate(levels * 10))
    found = predict_batches(model, text.encode())
    assert pl.concat(list(found))["prediction"].to_list() == labels
    assert found.unseen == {}


def test_a_target_of_another_name():
    frame = rows().rename({"y": "truth"})
    model = C45Classifier().fit(rows().select("x", "c"), rows()["y"])
    with pytest.raises(ParameterError, match="target must be named for a model that does not know it"):
        evaluate(model, frame)
    with pytest.raises(ParameterError, match="not a feature of the model"):
        evaluate(model, frame, target="x")
    assert evaluate(model, frame, target="truth").scores.rows == 60


def test_columns_without_names_are_one_sentence():
    model = NearestMeanClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ParameterError, match=r"column names .* data frame"):
        predict_batches(model, rows())
