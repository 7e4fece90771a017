"""Names that people know from scikit-learn and WEKA, and their counterparts here: for error messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

#: Class there → class here, where the names differ.
CLASSES = {
    "BernoulliNB": "NaiveBayesClassifier",
    "CalibratedClassifierCV": "BayesDecisionClassifier",
    "CategoricalNB": "NaiveBayesClassifier",
    "DummyClassifier": "ChanceClassifier",
    "GaussianNB": "NaiveBayesClassifier",
    "IBk": "KNeighborsClassifier",
    "J48": "C45Classifier",
    "LinearDiscriminantAnalysis": "LinearDiscriminantClassifier",
    "LinearSVC": "LinearSVMClassifier",
    "LogisticRegression": "LogisticClassifier",
    "MultinomialNB": "NaiveBayesClassifier",
    "NearestCentroid": "NearestMeanClassifier",
    "OneVsOneClassifier": "AllVsAllClassifier",
    "OneVsRestClassifier": "OneVsAllClassifier",
    "Perceptron": "PerceptronClassifier",
    "QuadraticDiscriminantAnalysis": "QuadraticDiscriminantClassifier",
    "SMO": "SVMClassifier",
    "SVC": "SVMClassifier",
    "SVR": "SVMRegressor",
}

_CALIBRATE = 'wrap the model for probabilities: BayesDecisionClassifier(model, calibration="sigmoid")'
_PRIORS = "use `priors`"

#: Parameter there → what to do here; of one class, or of any that has no such parameter.
_PARAMETERS = {
    "probability": _CALIBRATE,
    "SVMClassifier.decision_function_shape": "use `multi_class`",
    "SVMClassifier.random_state": "training is deterministic",
    "LogisticClassifier.penalty": "use `l1_ratio` (0 for L2, 1 for L1) and `C` (inf for no penalty)",
    "LogisticClassifier.multi_class": "more than two classes are always multinomial",
    "LogisticClassifier.random_state": "training is deterministic",
    "LinearSVMClassifier.C": "use `alpha` = 1 / (C × number of rows)",
    "LinearSVMClassifier.penalty": "the penalty is always L2; its strength is `alpha`",
    "LinearSVMClassifier.loss": "the loss is always the hinge loss",
    "LinearSVMClassifier.dual": "the solver chooses the formulation by the shape of the table",
    "NaiveBayesClassifier.var_smoothing": "use `variance_floor`",
    "NaiveBayesClassifier.class_prior": _PRIORS,
    "NaiveBayesClassifier.fit_prior": 'use `priors="uniform"` instead of False',
    "QuadraticDiscriminantClassifier.reg_param": "use `shrinkage` or `regularization`",
    "AdaBoostClassifier.algorithm": "use `multiclass`",
    "ChanceClassifier.constant": "the constant prediction is the majority class",
    "ccp_alpha": "use `prune`, which takes the alpha of cost-complexity pruning",
    "splitter": "the best split is always taken; `max_features` draws columns at random",
    "base_estimator": "use `estimator`",
    "store_covariance": "the covariance is always available",
    "warm_start": "use `partial_fit` where the model has it",
    "verbose": "training prints nothing",
}


def meant_class(name: str, there: Iterable[str]) -> str | None:
    """Return the class or function that a name from elsewhere, or a misspelt one, most likely means.

    Examples
    --------
    >>> meant_class("SVC", []), meant_class("SVMClasifier", ["SVMClassifier", "train"])
    ('SVMClassifier', 'SVMClassifier')
    """
    if name in CLASSES:
        return CLASSES[name]
    return next(iter(difflib.get_close_matches(name, list(there), n=1)), None)


def parameter_hint(owner: str, name: str, there: Iterable[str]) -> str:
    """Return a sentence on what to use for a parameter that a class has not, or nothing.

    Parameters
    ----------
    owner : str
        The name of the class.
    name : str
        The parameter.
    there : iterable of str
        The parameters that the class has.

    Examples
    --------
    >>> parameter_hint("CARTClassifier", "ccp_alpha", ["prune"])
    " For scikit-learn's `ccp_alpha`: use `prune`, which takes the alpha of cost-complexity pruning."
    >>> parameter_hint("CARTClassifier", "max_dept", ["max_depth"])
    " Did you mean 'max_depth'?"
    """
    advice = _PARAMETERS.get(f"{owner}.{name}") or _PARAMETERS.get(name)
    if advice:
        return f" For scikit-learn's `{name}`: {advice}."
    by_small_letters = {each.lower(): each for each in there}
    close = difflib.get_close_matches(name.lower(), by_small_letters, n=1)
    return f" Did you mean {by_small_letters[close[0]]!r}?" if close else ""
