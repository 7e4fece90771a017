"""What explanations say adds up to what models answer."""

import collections
import json
import warnings

import numpy as np
import polars as pl
import pytest

from classica import (
    AllVsAllClassifier,
    BayesDecisionClassifier,
    C45Classifier,
    CARTClassifier,
    FisherClassifier,
    KernelPerceptronClassifier,
    KNeighborsClassifier,
    LinearSVMClassifier,
    MLPClassifier,
    NaiveBayesClassifier,
    NearestMeanClassifier,
    PerceptronClassifier,
    QuadraticDiscriminantClassifier,
    RandomForestClassifier,
    RuleSetClassifier,
    SVMClassifier,
    TableClassifier,
    VotingClassifier,
    WinnowClassifier,
)
from classica.decision.calibration import CalibratedClassifier
from classica.errors import DataError, ExportError
from classica.explain import explain_model
from classica.explain.additive_models import additive_of
from classica.explain.binary_scores import votes_section
from classica.explain.model_layers import ModelLayers
from classica.export import export_model
from classica.tables import load_table
from tests.explain.models import CLASSIFIERS, fitted

GOLF, IRIS, VOTE = load_table("golf"), load_table("iris"), load_table("vote")


def model_of(estimator, table=GOLF):
    return TableClassifier(estimator, table.schema).fit(table, table.y)


def section(explanation, title, row=0):
    found = [part for part in explanation.rows[row].sections if part.title.startswith(title)]
    return found[0]


@pytest.mark.parametrize("table", ["golf", pytest.param("iris", marks=pytest.mark.full)])
@pytest.mark.parametrize(("slug", "number"), CLASSIFIERS)
def test_every_classifier_is_explained(table, slug, number):
    model, rows = fitted(table, slug, number), load_table(table)
    if model is None:  # these settings are for another kind of table
        assert slug == "naive-bayes"
        return
    found = explain_model(model, rows, [1, len(rows)])
    assert [row.answer for row in found.rows] == model.predict(rows)[[0, -1]].tolist()
    assert found.text().startswith("Row 1: ")
    assert explain_model(model).text().strip()
    json.dumps(found.record(), allow_nan=False)


#: Classifiers that decide by sums over columns, and tell them.
SUMS = ("lda", "linear-svm", "logistic", "naive-bayes", "perceptron", "winnow", "svm")


@pytest.mark.parametrize("table", ["golf", "iris", "vote"])
@pytest.mark.parametrize("slug", SUMS)
def test_sums_over_columns_are_the_scores(table, slug):
    compared = 0
    for number in (number for one, number in CLASSIFIERS if one == slug):
        model = fitted(table, slug, number)
        sums = None if model is None else additive_of(ModelLayers.of(model))
        if sums is not None:
            require_same_scores(model, sums, load_table(table))
            compared += 1
    assert compared or slug == "svm"  # whose kernels are not linear by default


def test_a_linear_kernel_is_a_sum_over_columns():
    model = model_of(SVMClassifier(kernel="linear"), IRIS)
    require_same_scores(model, additive_of(ModelLayers.of(model)), IRIS)


def require_same_scores(model, sums, rows):
    features = model.features(rows)
    parts = sums.contributions(features)
    np.testing.assert_allclose(sums.constant + parts.sum(axis=1), sums.scores(features), rtol=0, atol=1e-12)
    expected, found = model.decision_function(rows), sums.standings(features)
    if expected.ndim == 1:
        found = found[:, 1] - found[:, 0]
    possible = np.isfinite(found)  # an impossible class has the lowest finite score there is
    scale = max(1.0, np.abs(expected[possible]).max())
    assert np.abs(found[possible] - expected[possible]).max() <= 1e-9 * scale


def test_the_way_through_a_tree_has_questions_and_cells():
    found = explain_model(model_of(CARTClassifier(), IRIS), IRIS, [60])
    rows = section(found, "The path").rows
    cells = IRIS.X.row(59, named=True)
    assert rows[0][0] == "all rows"
    assert all(str(cells[row[0].split()[0]]) == row[1] for row in rows[1:])
    assert rows[-1][3].startswith("Iris-versicolor (")


def test_the_parts_of_a_divided_row_add_up_to_its_probabilities():
    model = model_of(C45Classifier())
    gap = GOLF.frame.with_columns(pl.lit(None, dtype=GOLF.frame["outlook"].dtype).alias("outlook"))
    table = model.schema.apply(type_of_raw(gap))
    found = explain_model(model, table, [1])
    ends = [row for row in section(found, "The path").rows if row[3]]
    assert len(ends) > 1
    assert sum(row[2] for row in ends) == pytest.approx(1.0, abs=1e-12)
    says_one = sum(row[2] for row in ends if row[3].startswith("1"))
    assert says_one == pytest.approx(model.predict_proba(table)[0, 1], abs=1e-12)


def type_of_raw(frame):
    from classica.tables import RawTable

    return RawTable(frame, "golf with gaps", "frame")


def test_the_rule_that_fired_holds():
    model = model_of(RuleSetClassifier(), VOTE)
    for number in (1, 50, 400):
        found = explain_model(model, VOTE, [number])
        facts = section(found, "The rule that fired").facts
        place = int(model.estimator_.deciding_rule(model.encoded(VOTE))[number - 1])
        rules = model.estimator_.rules_
        assert facts["rule"] == ("none holds" if place == len(rules) else place + 1)


def test_log_odds_of_naive_bayes_add_up():
    model = model_of(NaiveBayesClassifier(), VOTE)
    found = explain_model(model, VOTE, [1, 7, 100])
    for row, number in zip(range(3), (0, 6, 99), strict=True):
        rows = section(found, "Contribution of each column", row).rows
        odds = sum(one[-1] for one in rows if one[0] != "sum")
        assert odds == pytest.approx(model.decision_function(VOTE)[number], abs=1e-9)


def test_neighbours_are_training_rows_with_their_distances():
    model = model_of(KNeighborsClassifier(3), IRIS)
    rows = section(explain_model(model, IRIS, [101]), "Neighbours").rows
    X = model.encoded(IRIS).to_numpy()
    for number, distance, label in rows:
        assert distance == pytest.approx(np.linalg.norm(X[100] - X[number - 1]), abs=1e-9)
        assert label == IRIS.y[number - 1]
    assert rows[0][:2] == [101, 0.0]


def test_support_vectors_and_offset_add_up_to_the_score():
    model = model_of(SVMClassifier(), GOLF)
    rows = section(explain_model(model, GOLF, [4]), "Contribution of each support vector").rows
    assert sum(row[2] for row in rows[1:]) == pytest.approx(model.decision_function(GOLF)[3], abs=1e-9)


def test_neurons_add_up_to_the_scores():
    model = model_of(MLPClassifier(5, solver="lbfgs", random_state=0, max_iter=2000), IRIS)
    rows = section(explain_model(model, IRIS, [77]), "Contribution of each neuron").rows
    sums = np.array([row[2:] for row in rows[1:]]).sum(axis=0)
    np.testing.assert_allclose(sums, model.decision_function(IRIS)[76], atol=1e-9, rtol=1e-9)


def test_density_parts_of_gaussian_classes_add_up():
    model = model_of(QuadraticDiscriminantClassifier(), IRIS)
    rows = section(explain_model(model, IRIS, [77]), "Log density").rows
    sums = np.array([row[1:] for row in rows[:-1]]).sum(axis=0)
    np.testing.assert_allclose(sums, model.decision_function(IRIS)[76], atol=1e-9)


@pytest.mark.parametrize(
    "estimator", [RandomForestClassifier(7, random_state=0), VotingClassifier(voting="soft")]
)
def test_members_have_the_probability_for_their_mean(estimator):
    model = model_of(estimator, IRIS)
    title = (
        "Predictions of the trees"
        if isinstance(estimator, RandomForestClassifier)
        else "Predictions of the members"
    )
    [mean, *members] = section(explain_model(model, IRIS, [70]), title).rows
    width = len(IRIS.schema["class"].levels or ()) if "class" in IRIS.schema else 3
    given = np.array([row[-width:] for row in members], dtype=float).mean(axis=0)
    np.testing.assert_allclose(given, mean[-width:], atol=1e-12)
    np.testing.assert_allclose(given, model.predict_proba(IRIS)[69], atol=1e-12)


def test_a_decision_is_told_with_costs_and_expected_costs():
    costs = {0: {1: 5.0}, 1: {0: 1.0}}
    decision = BayesDecisionClassifier(NaiveBayesClassifier(), costs=costs, reject_cost=0.2, priors="uniform")
    model = model_of(decision)
    found = explain_model(model, GOLF, [1])
    assert "Row 1: 1, but rejected" in found.text()
    rows = section(found, "Decision").rows
    expected = model.estimator_.expected_costs(model.encoded(GOLF))[0]
    np.testing.assert_allclose([row[3] for row in rows], expected, atol=1e-12)
    text = explain_model(model).text()
    assert "rejecting" in text
    assert "priors" in text


@pytest.mark.parametrize("decides", [False, True])
@pytest.mark.parametrize("method", ["auto", "sigmoid", "isotonic", "softmax"])
def test_what_is_calibrated_is_explained_by_the_model_within(method, decides):
    inside = NearestMeanClassifier()
    calibrated = CalibratedClassifier(inside, method)
    model = model_of(BayesDecisionClassifier(inside, calibration=method) if decides else calibrated, IRIS)
    found, plain = explain_model(model, IRIS, [1, 60]), explain_model(model_of(inside, IRIS), IRIS, [1, 60])
    assert found.kind == plain.kind == "nearest-mean"
    assert [part.record() for part in found.sections[: len(plain.sections)]] == [
        part.record() for part in plain.sections
    ]
    assert any(part.title == "Calibration" for part in found.sections)
    assert [row.answer for row in found.rows] == model.predict(IRIS)[[0, 59]].tolist()
    rows = section(found, "Calibration", 1).rows
    np.testing.assert_array_equal([row[2] for row in rows], model.predict_proba(IRIS)[59])
    json.dumps(found.record(), allow_nan=False)


def test_what_is_calibrated_is_written_down_whole_or_not_as_a_program():
    model = model_of(CalibratedClassifier(C45Classifier()), IRIS)
    assert "curves_" in export_model(model, "json").text
    with pytest.raises(ExportError, match="forms: text, json, svg, rules"):
        export_model(model, "sql")


def test_a_row_that_is_not_there_is_refused():
    with pytest.raises(DataError, match="row number must be from 1 to 14, got 15"):
        explain_model(fitted("golf", "c45"), GOLF, [15])


def test_top_shows_the_first_rows_and_counts_the_others():
    text = explain_model(fitted("vote", "logistic"), top=3).text()
    assert "more: --top" in text
    assert "more: --top" not in explain_model(fitted("vote", "logistic"), top=None).text()


PAIRS = [
    "Iris-setosa vs. Iris-versicolor",
    "Iris-setosa vs. Iris-virginica",
    "Iris-versicolor vs. Iris-virginica",
]
IN_PAIRS = [
    SVMClassifier(),
    SVMClassifier(kernel="linear"),
    LinearSVMClassifier(multi_class="all-vs-all"),
    PerceptronClassifier(multi_class="all-vs-all", max_iter=3, random_state=0),
    PerceptronClassifier("voted", multi_class="all-vs-all", max_iter=3, random_state=0),
    WinnowClassifier(multi_class="all-vs-all", max_iter=3, random_state=0),
    KernelPerceptronClassifier(multi_class="all-vs-all", max_iter=3, random_state=0),
    FisherClassifier(multi_class="all-vs-all"),
    AllVsAllClassifier(),
]


@pytest.mark.parametrize("estimator", IN_PAIRS, ids=lambda one: type(one).__name__)
def test_three_classes_told_apart_in_pairs_are_explained_by_pair(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # three epochs are few
        model = model_of(estimator, IRIS)
    found = explain_model(model, IRIS, [1, 71, 150])
    for row in found.rows:
        votes = next(part for part in row.sections if part.title.startswith("Votes"))
        assert sorted(name for name, _, _ in votes.rows) == PAIRS
        counts = collections.Counter(vote for _, _, vote in votes.rows)
        assert counts[row.answer] == max(counts.values())
        assert f"{row.answer} has the most and wins." in votes.note or "classes have the most" in votes.note
        sums = [part for part in row.sections if part.title.startswith("Contribution")]
        assert all(list(part.headings[2:]) == PAIRS for part in sums)
    record = json.dumps(found.record())
    assert PAIRS[0] in record
    assert "has the most and wins" in record
    weights = [part for part in found.sections if part.title.startswith("Weights")]
    assert all(list(part.headings[1:]) == PAIRS for part in weights)


def test_tied_votes_are_decided_by_the_sums_of_scores():
    note = votes_section(["a", "b", "c"], np.array([1.0, -4.0, 2.0])).note
    assert note.startswith(
        "Votes: 1 for c and b and a. 3 classes have the most; c wins, which has the largest"
    )
    assert votes_section(["a", "b", "c"], np.array([1.0, -1.0, 1.0])).note.endswith(
        "a wins, which is the first of the tied classes."
    )
