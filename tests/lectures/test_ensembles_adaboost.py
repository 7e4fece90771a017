"""AdaBoost as the lecture teaches it: three rounds by hand, and what must hold after every round."""

from fractions import Fraction

import numpy as np
import pytest

from classica import AdaBoostClassifier, LinearDiscriminantClassifier

# Ten points on a line, ten rows of weight 1/10.
LINE = np.arange(10.0)[:, None]
SIGNS = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])

# Round by round: the cut, the class up to it (the other one above), and the error as a fraction:
# 1. cut at 2.5: rows 6, 7, 8 are wrong, 3/10. They become (1/10) / (2 * 3/10) = 1/6, the others 1/14.
# 2. cut at 8.5: rows 3, 4, 5 are wrong, 3/14. They become (1/14) / (2 * 3/14) = 1/6; rows 6, 7, 8
#    (1/6) / (2 * 11/14) = 7/66; the others (1/14) / (11/7) = 1/22.
# 3. cut at 5.5, -1 up to it: rows 0, 1, 2 and 9 are wrong, 4/22 = 2/11.
ERRORS = [Fraction(3, 10), Fraction(3, 14), Fraction(2, 11)]
CUTS = [2.5, 8.5, 5.5]
LOW = [1, 1, -1]
WEIGHTS = [
    [Fraction(1, 10)] * 10,
    [Fraction(1, 6) if i in (6, 7, 8) else Fraction(1, 14) for i in range(10)],
    [
        Fraction(1, 6) if i in (3, 4, 5) else Fraction(7, 66) if i in (6, 7, 8) else Fraction(1, 22)
        for i in range(10)
    ],
]


def floats(fractions):
    return np.array([float(fraction) for fraction in fractions])


@pytest.fixture(scope="module")
def by_hand():
    return AdaBoostClassifier(n_estimators=3).fit(LINE, SIGNS)


def test_the_fractions_are_those_of_the_rule():
    """The numbers above, from the rule alone, in exact arithmetic."""
    weights = WEIGHTS[0]
    for t in range(3):
        assert weights == WEIGHTS[t]
        said = [LOW[t] if i <= CUTS[t] else -LOW[t] for i in range(10)]
        wrong = [said[i] != SIGNS[i] for i in range(10)]
        error = sum(w for w, bad in zip(weights, wrong, strict=True) if bad)
        assert error == ERRORS[t]
        weights = [
            w / (2 * error) if bad else w / (2 * (1 - error)) for w, bad in zip(weights, wrong, strict=True)
        ]


def test_errors_votes_and_stumps_by_hand(by_hand):
    alphas = [0.5 * np.log(float((1 - e) / e)) for e in ERRORS]
    np.testing.assert_allclose(by_hand.estimator_errors_, floats(ERRORS), rtol=0, atol=1e-12)
    np.testing.assert_allclose(by_hand.estimator_weights_, alphas, rtol=0, atol=1e-12)
    assert [member.tree_.threshold[0] for member in by_hand.estimators_] == CUTS
    assert [member.predict([[0.0]])[0] for member in by_hand.estimators_] == LOW


def test_weights_by_hand(by_hand):
    found = list(by_hand.staged_row_weights(LINE, SIGNS))
    np.testing.assert_allclose(found, [floats(weights) for weights in WEIGHTS], rtol=0, atol=1e-12)


def test_decisions_by_hand(by_hand):
    alphas = [0.5 * np.log(float((1 - e) / e)) for e in ERRORS]
    said = np.array([np.where(LINE[:, 0] <= cut, low, -low) for cut, low in zip(CUTS, LOW, strict=True)])
    votes = alphas @ said
    np.testing.assert_allclose(by_hand.decision_function(LINE), votes, rtol=0, atol=1e-12)
    np.testing.assert_allclose(by_hand.predict_proba(LINE)[:, 1], 1 / (1 + np.exp(-2 * votes)), atol=1e-12)
    np.testing.assert_allclose(by_hand.staged_errors_, [0.3, 0.3, 0.0], rtol=0, atol=1e-12)
    assert by_hand.predict(LINE).tolist() == SIGNS.tolist()


def overlapping(seed, classes=2, rows=300):
    random = np.random.default_rng(seed)
    y = random.integers(classes, size=rows)
    return random.normal(size=(rows, 4)) + 0.6 * y[:, None] * np.array([1, -1, 0.5, 0]), y


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("estimator", [None, LinearDiscriminantClassifier()])
def test_the_last_member_errs_on_half_of_the_new_weights(seed, estimator):
    X, y = overlapping(seed)
    model = AdaBoostClassifier(estimator, 15).fit(X, y)
    weights = list(model.staged_row_weights(X, y))
    for member, after in zip(model.estimators_, weights[1:], strict=False):
        assert after[member.predict(X) != y].sum() == pytest.approx(0.5, abs=1e-12)
        assert after.sum() == pytest.approx(1, abs=1e-12)
    assert len(weights) == model.n_rounds_ > 1


@pytest.mark.parametrize("seed", range(3))
def test_more_classes_leave_the_last_member_as_much_as_chance_would(seed):
    X, y = overlapping(seed, classes=4)
    model = AdaBoostClassifier(n_estimators=10).fit(X, y)
    weights = list(model.staged_row_weights(X, y))
    for member, after in zip(model.estimators_, weights[1:], strict=False):
        assert after[member.predict(X) != y].sum() == pytest.approx(3 / 4, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_training_error_stays_below_its_bound(seed):
    X, _ = overlapping(seed)
    y = X.sum(axis=1) > 0
    model = AdaBoostClassifier(n_estimators=100).fit(X, y)
    e = model.estimator_errors_
    bound = np.cumprod(2 * np.sqrt(e * (1 - e)))
    assert (model.staged_errors_ <= bound + 1e-12).all()
    assert bound[-1] < 0.2


def test_errors_of_members_grow_while_the_vote_gets_better():
    X, y = overlapping(0)
    model = AdaBoostClassifier(n_estimators=60).fit(X, y)
    assert model.estimator_errors_[-20:].mean() > model.estimator_errors_[0] + 0.05
    assert model.staged_errors_[-1] < model.staged_errors_[0] - 0.05
