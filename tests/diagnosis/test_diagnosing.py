"""Every finding on a case made for it, and silence where there is nothing to say."""

import json

import numpy as np
import pytest

from classica.diagnosis import diagnose
from classica.diagnosis.finding import diagnosis_codes
from classica.errors import ClassicaError
from classica.selection.extrapolation import Extrapolation
from classica.statistics import BiasVariance, SquaredLossParts, ZeroOneLossParts, table_bayes_error
from classica.statistics.bayes_errors.table_bracket import TableBayesError

TEST = [0.80, 0.82, 0.78, 0.81, 0.79]
SMALL = np.array([0.0, 0.01, -0.01, 0.005, -0.005])


def finding(diagnosis, code):
    (found,) = [each for each in diagnosis.findings if each.code == code]
    assert found.title == diagnosis_codes()[code].title
    assert str(found).startswith(f"{code} {diagnosis_codes()[code].title}: ")
    json.dumps(diagnosis.record(), allow_nan=False)
    return found


def ahead(gain, low, high):
    return Extrapolation(500, 1000, 0.1, gain, low, high, 0.05, 0.5, 0.95, "")


def labels(rows, wrong, seed=0, classes=2):
    """Return labels, and answers that are wrong in the rows given."""
    y = np.random.default_rng(seed).integers(0, classes, rows)
    said = y.copy()
    said[wrong] = (said[wrong] + 1) % classes
    return y, said


def test_scores_alone_of_one_good_model_give_nothing_to_report():
    found = diagnose({"a": TEST}, 0.2)
    assert found.codes == []
    assert str(found) == "Nothing to report."


def test_overfitting_names_the_remedies_of_the_lecture():
    found = finding(diagnose({"a": TEST}, 0.2, train_scores={"a": [1.0] * 5}, baseline=[0.5] * 5), "E101")
    assert "1 against 0.8." in found.detail
    for remedy in ("simpler", "regularise", "more rows"):
        assert remedy in found.remedy
    assert " a is nevertheless the best " in found.remedy.lower()
    assert found.numbers["best_overfits"]
    assert found.numbers["models"]["a"].gap == pytest.approx(0.2)


@pytest.mark.parametrize(
    "train",
    [
        [0.83] * 5,  # a small gap
        [1.0, 0.6, 0.9, 0.5, 1.0],  # one that may be chance
        [np.nan] * 5,
    ],
)
def test_no_overfitting(train):
    assert diagnose({"a": TEST}, 0.2, train_scores={"a": train}, baseline=[0.5] * 5).codes == []


def test_one_fold_shows_no_overfitting():
    assert diagnose({"a": [0.8]}, 0.2, train_scores={"a": [1.0]}, baseline=[0.5]).codes == []


def test_overfitting_where_less_is_better():
    found = diagnose(
        {"a": [0.6, 0.62, 0.58]},
        1 / 3,
        train_scores={"a": [0.0] * 3},
        baseline=[0.7] * 3,
        higher_is_better=False,
    )
    assert finding(found, "E101").numbers["models"]["a"].test == pytest.approx(0.6)


def test_underfitting_is_worse_on_known_rows_than_the_best_on_new_ones():
    scores = {"simple": [0.6, 0.62, 0.58, 0.61, 0.59], "best": TEST}
    train = {"simple": [0.62, 0.63, 0.62, 0.61, 0.62], "best": [0.83] * 5}
    found = finding(diagnose(scores, 0.2, train_scores=train), "E102")
    assert found.numbers["models"] == {"simple": pytest.approx(0.62)}
    # One that is good on its own rows is not too simple; it overfits.
    assert diagnose(scores, 0.2, train_scores={**train, "simple": [0.82] * 5}).codes == ["E101"]


def test_an_overfitting_model_is_not_told_to_be_more_complex():
    scores = {"wild": [0.5, 0.52, 0.48, 0.51, 0.49], "best": TEST}
    train = {"wild": [0.75, 0.76, 0.75, 0.74, 0.75], "best": [0.83] * 5}
    found = diagnose(scores, 0.2, train_scores=train)
    assert found.codes == ["E101"]
    assert "more complex" not in str(found)


def test_overfitting_of_the_best_names_its_variance():
    parts = ZeroOneLossParts(None, 0.08, 0.12, 0.2)
    squared = SquaredLossParts(None, 0.2, 0.2, 0.4)
    known = BiasVariance(squared, parts, None, 150, 100, 20, 10, is_fresh=False, noise_known=False)
    given = {"train_scores": {"a": [1.0] * 5}, "baseline": [0.5] * 5}
    found = finding(diagnose({"a": TEST}, 0.2, **given, bias_variance=known), "E101")
    assert all(fact in found.detail for fact in ("150 training rows", "12.0 percentage points", "20.0%"))


def test_models_that_do_not_beat_the_baseline_are_named_with_their_scores():
    scores = {"good": 0.9 + SMALL, "qda": 0.6 + SMALL, "winnow": 0.7 + SMALL[::-1], "ok": 0.75 + SMALL}
    found = finding(diagnose(scores, 0.2, baseline=[0.7] * 5, titles={"qda": "QDA"}), "E507")
    assert found.detail == (
        "QDA (0.6) scores significantly worse than the majority-class baseline (0.7). "
        "winnow (0.7) scores no better than the majority-class baseline (0.7)."
    )
    assert found.numbers["worse"] == {"qda": pytest.approx(0.6)}
    assert found.numbers["no_better"] == {"winnow": pytest.approx(0.7)}
    assert "regularise" in found.remedy
    assert "E507" not in diagnose(scores, 0.2, baseline=[0.5] * 5).codes
    # Where no model beats the baseline that is said of all of them together.
    poor = diagnose({"a": 0.69 + SMALL, "b": 0.5 + SMALL}, 0.2, baseline=[0.7] * 5)
    assert finding(poor, "E503")
    assert finding(poor, "E507").numbers == {
        "worse": {"b": pytest.approx(0.5)},
        "no_better": {},
        "baseline": pytest.approx(0.7),
    }
    losses = diagnose(
        {"a": [0.3] * 5 + SMALL, "b": 0.9 + SMALL}, 0.2, baseline=[0.6] * 5, higher_is_better=False
    )
    assert "b (0.9) scores significantly worse than the baseline (0.6)." in finding(losses, "E507").detail


def test_more_rows():
    found = finding(diagnose({"a": TEST}, 0.2, learning=ahead(0.02, 0.01, 0.03)), "E103")
    assert found.detail == "Doubling the rows would lower the error by about 2.0 percentage points (1.0–3.0)."
    assert "more rows" in found.remedy
    found = finding(diagnose({"a": TEST}, 0.2, learning=ahead(0.001, 0.0, 0.004)), "E104")
    assert "at most 0.4 percentage points" in found.detail
    for unsure in (ahead(0.02, 0.0, 0.05), ahead(0.001, 0.0, 0.02)):
        assert diagnose({"a": TEST}, 0.2, learning=unsure).codes == []


def test_classes_taken_for_one_another():
    y, said = labels(300, [], classes=3)
    rows = np.flatnonzero(y == 1)[:20]
    said[rows] = 2
    found = finding(diagnose({"a": TEST}, 0.2, y=y, predictions={"a": said}), "E201")
    assert found.numbers["classes"] == [1, 2]
    assert found.detail == "a predicts 2 for 20 rows of 1 and 1 for 0 rows of 2: 100.0% of all its errors."


def test_a_missed_class_and_imbalance():
    y = np.array(["often"] * 90 + ["rare"] * 10)
    said = np.array(["often"] * 97 + ["rare"] * 3)
    found = diagnose({"a": TEST}, 0.2, y=y, predictions={"a": said})
    assert found.codes == ["E203", "E202"]
    assert "70.0% of 'rare'" in finding(found, "E202").detail
    assert finding(found, "E203").numbers == {"majority": "often", "share": 0.9}


def test_a_class_that_is_missed_as_often_as_not_is_not_mostly_missed():
    """16 of 30 rows of one class, as on every other table of noise."""
    y = np.array(["a"] * 30 + ["b"] * 30)
    said = np.array(["b"] * 16 + ["a"] * 14 + ["b"] * 30)
    assert diagnose({"a": TEST}, 0.2, y=y, predictions={"a": said}).codes == []


def test_a_vote_that_helps_and_one_that_does_not():
    rows = 300
    thirds = np.arange(90).reshape(3, 30)
    y, _ = labels(rows, [])
    apart = {name: labels(rows, wrong)[1] for name, wrong in zip("abc", thirds, strict=True)}
    scores = dict.fromkeys("abc", 0.9 + SMALL)
    found = finding(diagnose(scores, 0.2, y=y, predictions=apart), "E301")
    assert found.numbers["vote"] == 1
    assert found.numbers["overlap"] == 0
    assert "10.0 percentage points" in found.remedy
    alike = {name: labels(rows, thirds[0])[1] for name in "abc"}
    found = finding(diagnose(scores, 0.2, y=y, predictions=alike), "E302")
    assert found.numbers["gain"] == 0
    assert "On average, two of them share 100.0% of their errors." in found.detail
    assert "E302" not in diagnose({"a": TEST}, 0.2, y=y, predictions={"a": y}).codes


def test_tied_models_take_the_simpler():
    scores = {"forest": 0.901 + SMALL, "tree": 0.9 + SMALL[::-1] / 2, "poor": 0.5 + SMALL[::-1]}
    found = finding(diagnose(scores, 0.2, simplicity=["poor", "tree", "forest"]), "E303")
    assert found.models == ("forest", "tree")
    assert found.numbers == {"simplest": "tree"}
    assert "tree" in found.remedy
    # A wide spread ties a model that lost five points, but does not speak for it.
    wide = {"forest": 0.9 + SMALL, "tree": 0.9 + SMALL / 2, "stump": 0.85 + 10 * SMALL[::-1]}
    found = finding(diagnose(wide, 0.2, simplicity=["stump", "tree", "forest"]), "E303")
    assert set(found.models) == {"forest", "tree", "stump"}
    assert found.numbers["simplest"] == "tree"
    assert finding(diagnose(scores, 0.2), "E303").numbers["simplest"] is None


def test_calibration_has_a_direction():
    rng = np.random.default_rng(0)
    true = rng.uniform(0.5, 1, 2000)
    y = (rng.uniform(size=2000) < true).astype(int)

    def codes(claimed):
        table = np.column_stack([1 - claimed, claimed])
        return diagnose({"a": TEST}, 0.2, y=y, probabilities={"a": table}).codes

    assert codes(true) == []
    assert codes(0.5 + true / 2) == ["E401"]
    assert codes(0.5 + (true - 0.5) / 2) == ["E402"]


def test_leaks_are_named():
    y, said = labels(200, [])
    found = diagnose({"a": TEST}, 0.2, y=y, predictions={"a": said}, leaks={"outcome": 0.995})
    assert found.codes == ["E501"]
    assert "'outcome' (99.5% " in finding(found, "E501").detail
    assert diagnose({"a": TEST}, 0.2, y=y, predictions={"a": said}).codes == ["E502"]
    y, said = labels(200, [0, 1])
    assert diagnose({"a": TEST}, 0.2, y=y, predictions={"a": said}).codes == []
    assert diagnose({"a": TEST}, 0.2, y=y[:50], predictions={"a": y[:50]}).codes == []  # too few to tell


def test_no_model_better_than_chance():
    found = finding(diagnose({"a": 0.5 + SMALL}, 0.2, baseline=[0.5] * 5), "E503")
    assert found.models == ("a",)
    assert found.numbers == {"best": pytest.approx(0.5), "chance": 0.5}
    assert diagnose({"a": TEST}, 0.2, baseline=[0.5] * 5).codes == []


def test_where_no_model_is_better_than_chance_none_is_advised():
    y, said = labels(100, range(50))
    scores = dict.fromkeys("abc", 0.5 + SMALL)
    given = {"y": y, "predictions": dict.fromkeys("abc", said), "simplicity": list("abc")}
    assert {"E503", "E303", "E302"} & {*diagnose(scores, 0.2, **given, baseline=[0.5] * 5).codes} == {"E503"}
    assert {"E303", "E302"} <= {*diagnose(scores, 0.2, **given, baseline=[0.3] * 5).codes}


def test_sentences_call_models_by_their_titles_and_numbers_by_their_names():
    names, titles = ["m:A", "m:B", "m:C", "m:D"], {"m:A": "A", "m:B": "B", "m:C": "C", "m:D": "D"}
    y, said = labels(300, range(60), classes=3)
    found = diagnose(
        dict.fromkeys(names[:3], 0.8 + SMALL) | {"m:D": [np.nan] * 5},
        0.2,
        train_scores=dict.fromkeys(names[:3], [1.0] * 5),
        baseline=[0.5] * 5,
        y=y,
        predictions=dict.fromkeys(names[:3], said),
        probabilities=dict.fromkeys(names[:3], np.eye(3)[said]),
        bracket=bracket(0.01, 0.05),
        simplicity=names,
        titles=titles,
    )
    assert found.codes == ["E506", "E201", "E201", "E201", "E101", "E505", "E303", "E302", "E401"]
    for each in found.findings:
        assert "m:" not in each.detail
        assert "m:" not in each.remedy
        assert "m:" in str(each.models)


def test_only_scores_with_steps_have_a_resolution():
    """Folds that all differ by the same: one row of 100 is a step of an accuracy, a loss has none."""
    y, _ = labels(300, [])
    scores, known = {"a": [0.95] * 3}, {"y": y, "baseline": [0.9] * 3}
    assert diagnose(scores, 1 / 3, **known).codes == ["E503"]  # whatever the rows: a loss has no steps
    assert diagnose(scores, 1 / 3, **known, resolution=0.01).codes == []


def test_few_folds_are_told_where_nothing_is_better_than_chance():
    # Nine in ten against one in two: a single fold cannot show it, two say that they can hardly.
    assert diagnose({"a": [0.9]}, 0.2, baseline=[0.5]).codes == []
    two = finding(diagnose({"a": [0.85, 0.95]}, 0.5, baseline=[0.5] * 2), "E503")
    assert "2 folds are few" in two.remedy
    assert "folds" not in finding(diagnose({"a": 0.5 + SMALL}, 0.2, baseline=[0.5] * 5), "E503").remedy


def bracket(lower, upper):
    return TableBayesError(lower, upper, 0.2, upper - 0.01, 7, 2.0, 1000, 2, 0.95, [])


def test_the_bracket_is_never_called_a_floor():
    y, said = labels(1000, range(100))
    given = {"y": y, "predictions": {"a": said}}
    found = finding(diagnose({"a": TEST}, 0.2, **given, bracket=bracket(0.07, 0.13)), "E504")
    assert "estimated between 7.0% and 13.0%" in found.detail
    # The error is 10%: by the lower end of 7% another model may gain 3 points, and is not ruled out.
    assert "3.0 percentage points" in found.remedy
    assert "hardly" not in str(found)
    assert (
        finding(diagnose({"a": TEST}, 0.2, **given, bracket=bracket(0.01, 0.05)), "E505").numbers["upper"]
        == 0.05
    )
    for quiet in (bracket(0.0, 0.13), bracket(0.02, 0.13)):  # claims nothing; leaves much room
        assert diagnose({"a": TEST}, 0.2, **given, bracket=quiet).codes == []


def test_fifty_dimensions_do_not_make_it_claim_irreducible_error():
    X = np.random.default_rng(0).standard_normal((500, 50))
    y = (X[:, 0] > 0).astype(int)
    said = y.copy()
    said[:200] = 1 - y[:200]  # as bad as neighbours are
    found = diagnose({"a": TEST}, 0.2, y=y, predictions={"a": said}, bracket=table_bayes_error(X, y))
    assert "E504" not in found.codes


def test_failed_models_are_told_and_looked_at_no_further():
    scores = {"a": TEST, "broken": [np.nan] * 5}
    found = diagnose(scores, 0.2, train_scores={"a": [0.83] * 5, "broken": [1.0] * 5})
    assert found.codes == ["E506"]
    assert finding(found, "E506").models == ("broken",)
    everything = diagnose(
        {"broken": [np.nan] * 5}, 0.2, baseline=[0.5] * 5, y=[0, 1], predictions={"broken": [0, 0]}
    )
    assert everything.codes == ["E506"]


def test_what_does_not_fit_together_is_refused():
    with pytest.raises(ClassicaError, match=r"y must be given with predictions, got None\."):
        diagnose({"a": TEST}, 0.2, predictions={"a": [0]})
    with pytest.raises(ClassicaError, match=r"predictions\['a'\] must be 2 rows long, as y, got 1\."):
        diagnose({"a": TEST}, 0.2, y=[0, 1], predictions={"a": [0]})


def test_the_former_name_of_the_baseline_still_works():
    with pytest.warns(DeprecationWarning, match="baseline"):
        old = diagnose({"a": 0.5 + SMALL}, 0.2, floor=[0.5] * 5)
    assert old.codes == diagnose({"a": 0.5 + SMALL}, 0.2, baseline=[0.5] * 5).codes
