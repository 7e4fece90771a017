"""What classifiers made of others pass on of the metadata their members request from scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from classica import (
    AdaBoostClassifier,
    AllVsAllClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    OneVsAllClassifier,
    VotingClassifier,
)
from classica.decision import BayesDecisionClassifier
from classica.decision.calibration import CalibratedClassifier
from classica.errors import ParameterError

RNG = np.random.default_rng(0)
ROWS = 60
#: The first column is different in every row, so that a member can tell which rows it was given.
X = np.column_stack([np.arange(ROWS) / ROWS, RNG.normal(size=(ROWS, 2))])
Y = np.arange(ROWS) % 3
X[:, 1] += Y
WEIGHTS = RNG.integers(0, 4, size=ROWS).astype(float)

PASS_WEIGHTS_ON = {
    "one-vs-all": OneVsAllClassifier,  # in threads, which must know that metadata are routed
    "all-vs-all": AllVsAllClassifier,
    "decision": BayesDecisionClassifier,
    "calibrated": lambda member: BayesDecisionClassifier(member, calibration="sigmoid", cv=3),
    "voting": lambda member: VotingClassifier([("member", member)], voting="soft"),
    "learned votes": lambda member: VotingClassifier(
        [("member", member), ("other", member)], voting="soft", weights="learned", cv=2, random_state=0
    ),
}
KEEP_WEIGHTS = {
    "bagging": lambda member: BaggingClassifier(member, n_estimators=3, random_state=0),
    "adaboost": lambda member: AdaBoostClassifier(member, n_estimators=2),
    "resampled": lambda member: AdaBoostClassifier(member, n_estimators=2, method="resample", random_state=0),
}
ALL = PASS_WEIGHTS_ON | KEEP_WEIGHTS

of_all = pytest.mark.parametrize("made", ALL.values(), ids=ALL)
of_those_that_pass_weights_on = pytest.mark.parametrize("made", PASS_WEIGHTS_ON.values(), ids=PASS_WEIGHTS_ON)


class Tagged(ClassifierMixin, BaseEstimator):
    """Naive Bayes that insists on a tag, which is the first column of each row, and on a note."""

    def fit(self, X, y, sample_weight=None, tag=None, note=None):
        """Check that the metadata are those of the rows."""
        rows = np.asarray(X)[:, 0]
        values = tag.toarray() if hasattr(tag, "toarray") else tag
        np.testing.assert_array_equal(np.asarray(values).reshape(-1), rows)
        assert note == "whole"
        self.model_ = GaussianNB().fit(X, y, sample_weight)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        """Predict as naive Bayes does."""
        return self.model_.predict(X)

    def predict_proba(self, X):
        """Return the probabilities of naive Bayes."""
        return self.model_.predict_proba(X)


@pytest.fixture
def routing():
    """Metadata routing as scikit-learn has it, for the time of a test."""
    with config_context(enable_metadata_routing=True):
        yield


def weighted(alias=True):
    return GaussianNB().set_fit_request(sample_weight=alias)


def tagged():
    return Tagged().set_fit_request(tag=True, note=True, sample_weight=False)


@of_those_that_pass_weights_on
def test_requested_weights_do_what_they_do_without_routing(made):
    plain = made(GaussianNB()).fit(X, Y, sample_weight=WEIGHTS)
    with config_context(enable_metadata_routing=True):
        routed = made(weighted()).fit(X, Y, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(routed.predict(X), plain.predict(X))
    ask = "predict_proba" if hasattr(plain, "predict_proba") else "decision_function"
    np.testing.assert_array_equal(getattr(routed, ask)(X), getattr(plain, ask)(X))


@of_those_that_pass_weights_on
def test_weights_under_another_name_reach_the_member(made, routing):
    even, uneven = made(weighted("w")).fit(X, Y), made(weighted("w")).fit(X, Y, w=WEIGHTS + 1)
    ask = "predict_proba" if hasattr(even, "predict_proba") else "decision_function"
    assert np.abs(getattr(even, ask)(X) - getattr(uneven, ask)(X)).max() > 1e-3


@of_those_that_pass_weights_on
def test_weights_no_member_has_decided_about_are_refused(made, routing):
    with pytest.raises(UnsetMetadataPassedError, match=r"\[sample_weight\] are passed .* GaussianNB"):
        made(GaussianNB()).fit(X, Y, sample_weight=WEIGHTS)


@pytest.mark.parametrize("made", [OneVsAllClassifier, AllVsAllClassifier, BayesDecisionClassifier])
def test_weights_the_member_does_not_want_are_refused(made, routing):
    with pytest.raises(TypeError, match=r"unexpected argument.*sample_weight"):
        made(weighted(False)).fit(X, Y, sample_weight=WEIGHTS)


@of_all
@pytest.mark.parametrize(
    "kind",
    [np.asarray, list, csr_matrix, lambda tags: pd.Series(tags, index=tags[::-1])],
    ids=["array", "list", "sparse", "series"],
)
def test_metadata_come_with_their_rows_and_others_whole(made, kind, routing):
    tags = kind(X[:, 0].tolist())
    made(tagged()).fit(X, Y, tag=tags.T if kind is csr_matrix else tags, note="whole")


@of_all
def test_rows_without_weight_leave_with_their_metadata(made, routing):
    member = Tagged().set_fit_request(tag=True, note=True, sample_weight=True)
    made(member).fit(X, Y, sample_weight=WEIGHTS, tag=X[:, 0], note="whole")


@of_all
def test_what_nobody_requests_is_refused(made, routing):
    with pytest.raises(TypeError, match=r"unexpected argument.*colour"):
        made(tagged()).fit(X, Y, tag=X[:, 0], note="whole", colour="red")
    with pytest.raises(UnsetMetadataPassedError, match=r"\[tag\] are passed .* Tagged"):
        made(Tagged().set_fit_request(note=True)).fit(X, Y, tag=X[:, 0], note="whole")


@of_all
def test_without_routing_other_arguments_stay_unexpected(made):
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'tag'.*enable_metadata_routing=True"):
        made(Tagged()).fit(X, Y, tag=X[:, 0])


@pytest.mark.parametrize("made", KEEP_WEIGHTS.values(), ids=KEEP_WEIGHTS)
def test_weights_of_those_that_use_them_themselves_need_no_request(made):
    plain = made(GaussianNB()).fit(X, Y, sample_weight=WEIGHTS)
    with config_context(enable_metadata_routing=True):
        routed = made(GaussianNB()).fit(X, Y, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(routed.predict_proba(X), plain.predict_proba(X))


@of_those_that_pass_weights_on
def test_cross_validation_passes_through(made, routing):
    params, scores = {"sample_weight": WEIGHTS + 1}, []
    for wanted in (False, True):
        model = made(weighted()).set_score_request(sample_weight=wanted)
        scores.append(cross_validate(model, X, Y, cv=3, params=params)["test_score"])
    assert (scores[0] != scores[1]).any()  # the same models, judged by rows and by weights


@of_those_that_pass_weights_on
def test_a_pipeline_inside_gets_what_its_steps_request(made, routing):
    pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), weighted())
    even, uneven = made(pipeline).fit(X, Y), made(pipeline).fit(X, Y, sample_weight=WEIGHTS + 1)
    ask = "predict_proba" if hasattr(even, "predict_proba") else "decision_function"
    assert np.abs(getattr(even, ask)(X) - getattr(uneven, ask)(X)).max() > 1e-3


def test_each_member_of_a_vote_gets_its_own(routing):
    members = [("tagged", tagged()), ("weighted", weighted()), ("neither", weighted(False)), ("out", "drop")]
    model = VotingClassifier(members).fit(X, Y, sample_weight=WEIGHTS + 1, tag=X[:, 0], note="whole")
    expected = GaussianNB().fit(X, Y, WEIGHTS + 1)
    np.testing.assert_allclose(model.named_estimators_["weighted"].theta_, expected.theta_, rtol=1e-9)
    expected = GaussianNB().fit(X, Y)
    np.testing.assert_allclose(model.named_estimators_["neither"].theta_, expected.theta_, rtol=1e-9)


def test_weights_of_a_vote_of_fitted_members_are_for_the_vote(routing):
    members = [("one", GaussianNB().fit(X, Y)), ("two", DecisionTreeClassifier().fit(X, Y))]
    VotingClassifier(members, weights="learned", prefitted=True).fit(X, Y, sample_weight=WEIGHTS)
    with pytest.raises(ParameterError, match=r"^sample_weight must be None"):
        VotingClassifier(members, prefitted=True).fit(X, Y, sample_weight=WEIGHTS)


def test_groups_reach_the_folds_of_a_calibration(routing):
    groups = np.arange(ROWS) // 3 % 4
    model = BayesDecisionClassifier(GaussianNB(), calibration="sigmoid", cv=GroupKFold(4))
    found = model.fit(X, Y, groups=groups).predict_proba(X)
    folds = [(np.flatnonzero(groups != group), np.flatnonzero(groups == group)) for group in range(4)]
    by_hand = BayesDecisionClassifier(GaussianNB(), calibration="sigmoid", cv=folds).fit(X, Y)
    np.testing.assert_allclose(found, by_hand.predict_proba(X), rtol=1e-6)


def test_a_calibration_weighs_its_curves_whether_or_not_the_classifier_weighs(routing):
    even = CalibratedClassifier(weighted(False), cv=3).fit(X, Y)
    uneven = CalibratedClassifier(weighted(False), cv=3).fit(X, Y, sample_weight=WEIGHTS + 1)
    np.testing.assert_array_equal(even.estimator_.theta_, uneven.estimator_.theta_)
    assert even.curves_ != uneven.curves_


def test_weights_of_a_member_cannot_be_boosted_too(routing):
    model = AdaBoostClassifier(weighted("w"), n_estimators=2)
    with pytest.raises(ParameterError, match=r"^method must be 'resample' for .* weights of its own"):
        model.fit(X, Y, w=WEIGHTS)
    model.set_params(method="resample").fit(X, Y, w=WEIGHTS + 1)


def test_trees_weighed_by_themselves_are_bagged_one_by_one(routing):
    tree = DecisionTreeClassifier(max_depth=1).set_fit_request(sample_weight="w")
    model = BaggingClassifier(tree, n_estimators=3, random_state=0)
    even, uneven = (model.fit(X, Y, w=w).predict_proba(X) for w in (None, np.where(Y == 0, 9.0, 1.0)))
    assert uneven[:, 0].mean() > even[:, 0].mean() + 0.1


@pytest.mark.parametrize("kind", [OneVsAllClassifier, AllVsAllClassifier])
def test_a_machine_inside_machines_gets_its_metadata(kind, routing):
    kind(OneVsAllClassifier(tagged())).fit(X, Y, tag=X[:, 0], note="whole")


@pytest.mark.parametrize("made", [OneVsAllClassifier, BaggingClassifier, AdaBoostClassifier])
def test_what_is_no_classifier_is_refused_before_it_is_asked_for_requests(made, routing):
    with pytest.raises(ParameterError, match=r"^estimator must be None or a classifier"):
        made(GaussianNB).fit(X, Y, sample_weight=WEIGHTS, tag=X[:, 0])
