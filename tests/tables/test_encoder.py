"""Numbers for learners that take nothing else: learned in fit alone, and told."""

import datetime
import re

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from classica import (
    AdaBoostClassifier,
    BayesDecisionClassifier,
    C45Classifier,
    ChanceClassifier,
    KNeighborsClassifier,
    LinearSVMClassifier,
    LogisticClassifier,
    MLPClassifier,
    NaiveBayesClassifier,
    OneVsAllClassifier,
    QuadraticDiscriminantClassifier,
    SVMClassifier,
    catalog,
)
from classica.errors import DataError
from classica.tables import Schema, TableEncoder, decide_types, load_table
from tests.tables.tables import EVERYTHING, raw_of, typed

TOLD = {
    "columns": [
        {"name": "grade", "kind": "ordinal", "levels": ["low", "mid", "high"]},
        {"name": "colour", "kind": "categorical", "levels": ["red", "green", "blue"]},
    ]
}
FRAME = pl.DataFrame(
    {
        "x": [1.0, None, 3.0, 8.0],
        "grade": ["low", "high", None, "high"],
        "colour": ["red", None, "green", "red"],
        "wet": [True, False, None, True],
        "when": [datetime.date(2024, 1, 5), datetime.date(2025, 1, 5), None, datetime.date(2025, 1, 5)],
        "y": ["a", "b", "a", "b"],
    }
)
TABLE = decide_types(raw_of(FRAME), target="y", schema=Schema.from_record(TOLD))


def test_every_kind_becomes_what_is_documented():
    encoder = TableEncoder(TABLE.schema).fit(TABLE.X)
    out = encoder.transform(TABLE.X)
    assert out.columns == encoder.get_feature_names_out().tolist()
    assert out.to_dict(as_series=False) == {
        "x": [1.0, 4.0, 3.0, 8.0],
        "grade": [0.0, 2.0, 2.0, 2.0],
        "colour=red": [1.0, 1.0, 0.0, 1.0],
        "colour=green": [0.0, 0.0, 1.0, 0.0],
        "colour=blue": [0.0, 0.0, 0.0, 0.0],
        "wet": [1.0, 0.0, 1.0, 1.0],
        "when.year": [2024.0, 2025.0, pytest.approx(2024 + 2 / 3), 2025.0],
        "when.weekday": [5.0, 7.0, pytest.approx(19 / 3), 7.0],
    }


def test_unseen_levels_are_all_zero_and_missing_ones_the_most_frequent():
    encoder = TableEncoder(TABLE.schema).fit(TABLE.X)
    rows = FRAME.with_columns(pl.Series("colour", ["pink", None, "red", "blue"]))
    new = TABLE.schema.apply(raw_of(rows.drop("y")))
    out = encoder.transform(new.X).select("colour=red", "colour=green", "colour=blue")
    assert out.rows() == [(0, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 1)]


def test_nothing_is_learned_from_what_is_transformed():
    encoder = TableEncoder(TABLE.schema, standardise=True).fit(TABLE.X)
    known = encoder.columns_
    alone = [encoder.transform(TABLE.X[i]).row(0) for i in range(4)]
    assert alone == encoder.transform(TABLE.X).rows()
    assert encoder.columns_ == known


def test_numbers_and_ranks_are_standardised_and_zeros_and_ones_are_not():
    out = TableEncoder(TABLE.schema, standardise=True).fit(TABLE.X).transform(TABLE.X)
    for name in ("x", "grade", "when.year"):
        assert out[name].mean() == pytest.approx(0, abs=1e-12)
        assert out[name].std(ddof=0) == pytest.approx(1)
    assert set(out["colour=red"]) == set(out["wet"]) == {0.0, 1.0}


@pytest.mark.parametrize(
    "cells", [[5.0] * 4, [0.1] * 4, [None] * 4, [1e300, -1e300, 1e300, None], [1e-310, 0.0] * 2]
)
def test_odd_scales_give_finite_numbers(cells):
    told = Schema.from_record({"columns": [{"name": "x", "kind": "numeric"}]})
    table = decide_types(raw_of(pl.DataFrame({"x": pl.Series(cells, dtype=pl.Float64)})), schema=told)
    out = TableEncoder(table.schema, standardise=True).fit(table.X).transform(table.X)["x"].to_numpy()
    assert np.isfinite(out).all()
    assert np.abs(out).max() < 10


#: What each learner gets: categories encoded, gaps filled, columns standardised.
WANTED = {
    C45Classifier(): (False, False, False),
    NaiveBayesClassifier(): (False, False, False),
    AdaBoostClassifier(): (False, False, False),
    KNeighborsClassifier(): (True, True, True),
    KNeighborsClassifier(metric="heom"): (False, False, False),
    LinearSVMClassifier(): (True, True, True),
    SVMClassifier(): (True, True, True),
    LogisticClassifier(): (True, True, True),
    MLPClassifier(): (True, True, False),
    QuadraticDiscriminantClassifier(): (True, True, False),
    ChanceClassifier(): (True, False, False),
    OneVsAllClassifier(SVMClassifier()): (True, True, True),
    BayesDecisionClassifier(LogisticClassifier()): (True, True, True),
    LogisticRegression(): (True, True, False),
}


@pytest.mark.parametrize("estimator", WANTED, ids=repr)
def test_tags_say_what_a_learner_needs(estimator):
    encoder = TableEncoder.for_estimator(estimator, TABLE.schema)
    assert (encoder.encode, encoder.fill, encoder.standardise) == WANTED[estimator]
    assert TableEncoder.for_estimator(estimator, TABLE.schema, standardise=True).standardise


def test_a_learner_of_categories_gets_the_table_as_it_is():
    encoder = TableEncoder.for_estimator(C45Classifier(), TABLE.schema).fit(TABLE.X)
    assert encoder.transform(TABLE.X).equals(TABLE.X)
    assert encoder.describe() == []


def test_categories_can_stay_while_gaps_are_filled():
    out = TableEncoder(TABLE.schema, encode=False).fit(TABLE.X).transform(TABLE.X)
    assert out.null_count().sum_horizontal().item() == 0
    assert out["colour"].to_list() == ["red", "red", "green", "red"]
    assert out["wet"].to_list() == [True, False, True, True]
    assert out.columns == TABLE.X.columns


def test_gaps_can_stay_while_categories_are_encoded():
    out = TableEncoder(TABLE.schema, fill=False, standardise=True).fit(TABLE.X).transform(TABLE.X)
    assert np.isnan(out["x"].to_numpy()).tolist() == [False, True, False, False]
    assert np.isnan(out["colour=red"].to_numpy()).tolist() == [False, True, False, False]
    assert np.nanmean(out["x"].to_numpy()) == pytest.approx(0, abs=1e-12)


CLASSIFIERS = [
    card for card in catalog.cards() if hasattr(card.estimator, "predict") and "regressor" not in card.slug
]


@pytest.mark.parametrize("card", CLASSIFIERS, ids=lambda card: card.slug)
@pytest.mark.parametrize("name", ["hepatitis", "golf"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_classifier_learns_from_a_table_with_everything(card, name):
    table = load_table(name)
    model = card.build(**card.test_parameters[0])
    encoder = TableEncoder.for_estimator(model, table.schema).fit(table.X)
    model.fit(encoder.transform(table.X), table.y)
    again = encoder.transform(table.X)
    assert set(model.predict(again)) <= set(table.y)
    assert list(model.feature_names_in_) == encoder.get_feature_names_out().tolist()


def test_a_pipeline_learns_means_from_training_rows_only():
    table = load_table("hepatitis")
    pipeline = make_pipeline(
        TableEncoder.for_estimator(LogisticClassifier(), table.schema), LogisticClassifier()
    )
    scores = cross_val_score(pipeline, table.X, table.y, cv=5)
    assert scores.mean() > 0.8
    half = clone(pipeline).fit(table.X.head(80), table.y[:80])
    ages = {column.name: column.fill for column in half[0].columns_}
    assert ages["AGE"] == pytest.approx(table.X["AGE"].head(80).mean())


def test_what_becomes_of_each_column_is_told():
    told = TableEncoder(TABLE.schema, standardise=True).fit(TABLE.X).describe()
    assert all(part in told[0] for part in ("x ", " 4 ", "2.54951", "(1 in training)"))
    colour = next(text for text in told if text.startswith("colour "))
    assert "3 columns" in colour
    assert "'red'" in colour


def test_errors_are_one_sentence():
    encoder = TableEncoder(TABLE.schema)
    with pytest.raises(NotFittedError):
        encoder.transform(TABLE.X)
    with pytest.raises(DataError, match=r"Cannot encode X: .*'grade'"):
        encoder.fit(TABLE.X.drop("grade"))
    with pytest.raises(DataError, match=r"X must be a polars frame with the features, got ndarray"):
        encoder.fit(np.ones((2, 2)))
    clash = decide_types(raw_of(pl.DataFrame({"a": ["x", "y"], "a=x": [1.5, 2.5]})))
    with pytest.raises(DataError, match="two columns would be named 'a=x'"):
        TableEncoder(clash.schema).fit(clash.X)


@pytest.mark.parametrize("settings", [{}, {"standardise": True}, {"fill": False}])
@pytest.mark.parametrize("block", [7, 8192])
def test_an_array_holds_what_the_frame_holds(settings, block, monkeypatch):
    monkeypatch.setattr("classica.tables.encoding.table_encoder._BLOCK", block)
    table = typed(target="y", **EVERYTHING)
    encoder = TableEncoder(table.schema, **settings).fit(table.X[:40])
    frame, array = encoder.transform(table.X), encoder.matrix(table.X)
    assert array.flags.c_contiguous
    assert array.tobytes() == np.ascontiguousarray(frame.to_numpy()).tobytes()


def test_an_array_of_a_table_that_is_passed_on_has_its_numbers():
    iris = load_table("iris")
    encoder = TableEncoder.for_estimator(C45Classifier(), iris.schema).fit(iris.X)
    assert encoder.passes_on
    assert encoder.gives_numbers
    assert np.array_equal(encoder.matrix(iris.X), iris.X.to_numpy())


def test_categories_are_no_array():
    golf = load_table("golf")
    encoder = TableEncoder(golf.schema, encode=False).fit(golf.X)
    assert not encoder.gives_numbers
    with pytest.raises(DataError, match=r"Cannot return an array: .*categorical"):
        encoder.matrix(golf.X)


def test_levels_are_encoded_alike_as_text_and_as_categories():
    levels = ["a", "b", "c"]
    schema = Schema.from_record({"columns": [{"name": "x", "kind": "categorical", "levels": levels}]})
    cells = ["b", None, "new", "a", "b"]
    text = pl.DataFrame({"x": pl.Series(cells, dtype=pl.String)})
    for declared in (["a", "b", "c", "new"], ["new", "c", "b", "a"], ["b", "new", "a"]):
        frame = text.cast(pl.Enum(declared))
        for fill in (True, False):
            encoder = TableEncoder(schema, fill=fill).fit(text)
            assert TableEncoder(schema, fill=fill).fit(frame).columns_ == encoder.columns_
            assert encoder.transform(frame).equals(encoder.transform(text))


@pytest.mark.parametrize("estimator", [LogisticClassifier(), C45Classifier()], ids=["encoded", "as it is"])
def test_groups_are_the_columns_that_a_feature_becomes(estimator):
    encoder = TableEncoder.for_estimator(estimator, TABLE.schema).fit(TABLE.X)
    groups, names = encoder.column_groups(), [str(name) for name in encoder.get_feature_names_out()]
    assert [*groups] == TABLE.schema.names("feature")
    assert [place for own in groups.values() for place in own] == [*range(len(names))]
    for feature, own in groups.items():
        assert own
        assert all(re.split(r"[=.]", names[place])[0] == feature for place in own)
