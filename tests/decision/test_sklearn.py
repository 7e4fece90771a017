"""Every scikit-learn estimator check, around classifiers with and without probabilities."""

from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from classica import BayesDecisionClassifier, LinearSVMClassifier, NearestMeanClassifier

# Classifiers that take weights: scikit-learn sees them in the signature of fit and tries them.
ESTIMATORS = [
    BayesDecisionClassifier(NearestMeanClassifier()),
    BayesDecisionClassifier(NearestMeanClassifier(), priors="uniform", reject_cost=0.1),
    BayesDecisionClassifier(NearestMeanClassifier("scaled"), calibration="isotonic", cv=2),
    # Its usual tolerance is wider than that of the check of weights.
    BayesDecisionClassifier(LinearSVC(tol=1e-10), calibration="sigmoid", cv=3),
    BayesDecisionClassifier(LinearSVMClassifier(), calibration="sigmoid", cv=3),
]


@parametrize_with_checks(ESTIMATORS)
def test_sklearn_check(estimator, check):
    check(estimator)
