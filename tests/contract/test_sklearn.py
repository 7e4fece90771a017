"""Every scikit-learn estimator check, for every card and setting; none is expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from classica import catalog

ESTIMATORS = [card.build(**p) for card in catalog.cards() for p in card.test_parameters]


@parametrize_with_checks(ESTIMATORS)
def test_sklearn_check(estimator, check):
    check(estimator)
