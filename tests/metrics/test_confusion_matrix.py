"""Confusion matrices, the table of metrics and calibration: the lecture's numbers, scikit-learn, counting."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn import metrics as theirs
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from classica.errors import ClassicaError
from classica.metrics import METRICS, answer_scores, calibration, confusion, metric

LECTURE = [[151, 7, 2, 3, 1], [32, 5, 9, 9, 0], [10, 9, 7, 9, 1], [6, 13, 9, 5, 2], [2, 3, 2, 6, 0]]


def answers(matrix):
    truths, said = np.indices(np.shape(matrix)).reshape(2, -1)
    return np.repeat(truths, np.ravel(matrix)), np.repeat(said, np.ravel(matrix))


def test_the_lectures_matrix():
    found = confusion(*answers(LECTURE))
    assert (100 * found.class_errors).round(2).tolist() == [7.93, 90.91, 80.56, 85.71, 100.0]
    assert 1 - found.error == pytest.approx(0.554455, abs=5e-7)
    assert found.matrix.tolist() == LECTURE
    assert found.pairs(2) == [(1, 0, 32, 32 / 55), (3, 1, 13, 13 / 35)]
    assert "90.9%" in str(found)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1, max_size=30))
def test_rates_are_scikit_learns(pairs):
    y, said = [list(each) for each in zip(*pairs, strict=True)]
    found = confusion(y, said)
    assert found.classes.tolist() == sorted({*y, *said})
    counts = {(i, j): pairs.count((i, j)) for i in found.classes for j in found.classes}
    assert found.matrix.ravel().tolist() == list(counts.values())
    wanted = theirs.precision_recall_fscore_support(y, said, zero_division=np.nan)
    for got, want in zip((found.precision, found.recall, found.f1, found.support), wanted, strict=True):
        np.testing.assert_allclose(got, want, atol=1e-12)
    assert found.error == pytest.approx(1 - theirs.accuracy_score(y, said), abs=1e-12)
    json.dumps(found.record(), allow_nan=False)


def test_rejected_rows_count_for_no_rate():
    found = confusion(
        ["a", "a", "b", "b"], ["a", "b", "a", "b"], rejected=np.array([False, True, True, False])
    )
    assert found.error == 0
    assert found.rejected.tolist() == [1, 1]
    assert found.coverage == 0.5
    assert "2 rejected (coverage 50.0%)" in str(found)
    nothing = confusion(["a", "b"], ["a", "b"], rejected=np.array([True, True]))
    assert np.isnan(nothing.error)
    assert np.isnan(nothing.class_errors).all()


def test_costs_are_of_saying_what_is_not():
    costs = {"healthy": {"cancer": 50}, "cancer": {"healthy": 1}}
    y, said = ["cancer", "cancer", "healthy", "healthy"], ["healthy", "cancer", "cancer", "healthy"]
    found = confusion(y, said, costs=costs)
    assert found.mean_cost == (50 + 1) / 4
    assert "mean cost 12.75" in str(found)
    assert metric("cost")(y, said, costs=costs) == 51 / 4
    # Without looking: to say cancer always costs 1 for each healthy one.
    assert metric("cost").chance(y, costs=costs) == 0.5


def test_labels_give_the_order_and_the_classes_that_did_not_occur():
    found = confusion(["b", "a"], ["b", "b"], labels=["c", "b", "a"])
    assert found.matrix.tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert np.isnan(found.class_errors[0])
    assert found.class_errors[1:].tolist() == [0, 1]


def test_the_picture_names_the_class_errors():
    ax = confusion(["a", "b"], ["a", "a"]).plot(Figure().subplots())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a (1)", "b (1)"]
    texts = [text.get_text() for text in ax.texts]
    assert {"0.0%", "100.0%"} <= set(texts)


@pytest.fixture(scope="module")
def three_classes():
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(0, 0.8, X.shape)
    y = np.array(["c", "a", "b"])[y]
    return X[::2], y[::2], X[1::2], y[1::2]


@pytest.mark.parametrize("classes", [2, 3])
def test_metrics_are_scikit_learns(three_classes, classes):
    X, y, X_test, y_test = three_classes
    kept, kept_test = (y != "c") | (classes == 3), (y_test != "c") | (classes == 3)
    model = LogisticRegression().fit(X[kept], y[kept])
    X_test, y_test = X_test[kept_test], y_test[kept_test]
    said, probable = model.predict(X_test), model.predict_proba(X_test)
    area = probable if classes == 3 else probable[:, 1]
    wanted = {
        "accuracy": theirs.accuracy_score(y_test, said),
        "balanced_accuracy": theirs.balanced_accuracy_score(y_test, said),
        "f1": theirs.f1_score(y_test, said, average="macro"),
        "log_loss": theirs.log_loss(y_test, probable),
        "auc": theirs.roc_auc_score(y_test, area, multi_class="ovr", average="weighted"),
        "cost": 1 - theirs.accuracy_score(y_test, said),
    }
    if classes == 2:
        wanted["brier"] = theirs.brier_score_loss(y_test, area, pos_label=model.classes_[1])
    else:
        wanted["brier"] = np.mean(np.sum((probable - (y_test[:, None] == model.classes_)) ** 2, axis=1))
    assert wanted.keys() == METRICS.keys()
    for name, value in wanted.items():
        got = metric(name)(y_test, said, probable, model.classes_)
        assert got == pytest.approx(value, abs=1e-12), name
        # A model that learned something is above chance, and what chance gets is in the limits.
        floor = metric(name).chance(y_test)
        assert (got > floor) == METRICS[name].higher_is_better
        assert METRICS[name].limits[0] <= floor <= METRICS[name].limits[1]


def test_auc_of_margins_is_that_of_decision_function(three_classes):
    X, y, X_test, y_test = three_classes
    kept, kept_test = y != "c", y_test != "c"
    model = LinearSVC().fit(X[kept], y[kept])
    margins = answer_scores(model, X_test[kept_test])
    assert margins.ndim == 1
    got = metric("auc")(y_test[kept_test], None, margins, model.classes_)
    assert got == pytest.approx(theirs.roc_auc_score(y_test[kept_test], margins))
    hard = theirs.roc_auc_score(y_test[kept_test], model.predict(X_test[kept_test]) == "b")
    assert got != pytest.approx(hard)
    # Three classes: each against the rest, weighted by share; softmax changes no order within a column.
    model = LinearSVC().fit(X, y)
    margins = answer_scores(model, X_test)
    by_hand = np.mean([theirs.roc_auc_score(y_test == label, margins[:, i]) for i, label in enumerate("abc")])
    assert metric("auc")(y_test, None, margins, model.classes_) == pytest.approx(by_hand, abs=1e-3)


def test_classes_a_fold_lacks_do_no_harm():
    y, probable = np.array(["a", "b", "b"]), np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.5, 0.4, 0.1]])
    classes = ["a", "b", "c"]
    assert metric("auc")(y, None, probable, classes) == 1
    assert metric("log_loss")(y, None, probable, classes) == pytest.approx(-np.log([0.6, 0.7, 0.4]).mean())
    assert metric("balanced_accuracy")(y, ["a", "b", "c"], None, classes) == 0.75
    assert np.isnan(metric("auc")(["a", "a"], None, probable[:2], classes))


def test_chance_floors():
    y = ["a"] * 6 + ["b"] * 3 + ["c"] * 3
    assert metric("accuracy").chance(y) == 0.5
    assert metric("balanced_accuracy").chance(y) == pytest.approx(1 / 3)
    assert metric("auc").chance(y) == 0.5
    assert metric("brier").chance(y) == pytest.approx(1 - (0.25 + 2 / 16))
    assert metric("log_loss").chance(y) == pytest.approx(1.5 * np.log(2))


def test_calibration_by_hand():
    """Ten rows of confidence 0.9 with 6 right, ten of 0.7 with 7 right."""
    probable = np.array([[0.9, 0.1]] * 10 + [[0.3, 0.7]] * 10)
    y = [0] * 6 + [1] * 4 + [1] * 7 + [0] * 3
    found = calibration(y, probable, [0, 1])
    assert found.confidence.tolist() == pytest.approx([0.7, 0.9])
    assert found.accuracy.tolist() == pytest.approx([0.7, 0.6])
    assert found.ece == pytest.approx(0.15)
    assert found.bias == pytest.approx(0.15)
    assert "calibration error 15.00%" in str(found)


def test_perfect_probabilities_err_by_chance_alone():
    rng = np.random.default_rng(0)
    eces, expected = [], []
    for _ in range(30):
        p = rng.uniform(0, 1, 500)
        found = calibration((rng.uniform(size=500) < p).astype(int), np.column_stack([1 - p, p]), [0, 1])
        eces.append(found.ece)
        expected.append(found.by_chance)
    assert np.mean(eces) == pytest.approx(np.mean(expected), rel=0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: confusion([1, 2], [1]), "y_pred must be 2 labels long, as y_true, and at least 1, got 1."),
        (
            lambda: confusion([1, 2], [1, 3], labels=[1, 2]),
            "y must have classes of the model, got 3 in row 1.",
        ),
        (lambda: confusion([1], [1], labels=[1, 1]), "labels must be distinct, got [1, 1]."),
        (
            lambda: confusion([1, 2], [1, 2], rejected=[0, 1]),
            "rejected must be an array of 2 Booleans, one for each row, got [0, 1].",
        ),
        (lambda: metric("auc")([0, 1], [0, 1]), "scores must be given for this metric, got None."),
        (lambda: metric("accuracy")([0, 1]), "predictions must be given for this metric, got None."),
        (
            lambda: metric("brier")([0, 1], None, [[2, 1], [0, 1]]),
            "scores must be probabilities that sum to 1 for this metric, got other numbers.",
        ),
        (lambda: metric("auc")([0, 1], None, [[1], [2]]), "scores must be of shape (2, 2), got (2, 1)."),
        (lambda: calibration([0], [[1.0]], [0], bins=0), "bins must be an integer of at least 1, got 0."),
        (
            lambda: answer_scores(1, None),
            "estimator must be a classifier with predict_proba or decision_function, got 1.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, message):
    with pytest.raises(ClassicaError) as refused:
        call()
    assert str(refused.value) == message


def test_an_unknown_metric_is_refused_with_the_list():
    with pytest.raises(ClassicaError, match=r"metric must be 'accuracy', .* or 'cost', got 'auroc'\."):
        metric("auroc")
