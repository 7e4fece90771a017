"""Map names of scikit-learn and WEKA to their counterparts in Classica, for error messages."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Iterable, Mapping
from typing import Any, Self

from classica.errors import ParameterError, must

#: Class in scikit-learn or WEKA → our class, where the names differ.
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
_DETERMINISTIC = "training is deterministic"
_UNPENALISED = "the perceptron has no penalty; use LogisticClassifier or LinearSVMClassifier for one"
_UNPRUNED = "the trees of a forest are not pruned; limit them by `max_depth` or `min_samples_leaf`"
_POCKET = 'use `variant="pocket"`, which keeps the weights that survive longest'
_CONVERGED = "training ends after an epoch without a mistake, or after `max_iter` epochs"

#: scikit-learn's parameter → what to use instead; for one class, or for any that has no such parameter.
_PARAMETERS = {
    "probability": _CALIBRATE,
    "SVMClassifier.decision_function_shape": "use `multi_class`",
    "SVMClassifier.break_ties": "`predict` is always the argmax of `decision_function`",
    "SVMClassifier.random_state": _DETERMINISTIC,
    "LogisticClassifier.penalty": "use `l1_ratio` (0 for L2, 1 for L1) and `C` (inf for no penalty)",
    "LogisticClassifier.multi_class": "more than two classes are always multinomial",
    "LogisticClassifier.random_state": _DETERMINISTIC,
    "LogisticClassifier.dual": "use `solver`",
    "LinearSVMClassifier.C": "use `alpha` = 1 / (C × number of rows)",
    "LinearSVMClassifier.penalty": "the penalty is always L2; its strength is `alpha`",
    "LinearSVMClassifier.loss": "the loss is always the hinge loss",
    "LinearSVMClassifier.dual": "the solver chooses the formulation by the shape of the table",
    "PerceptronClassifier.penalty": _UNPENALISED,
    "PerceptronClassifier.alpha": _UNPENALISED,
    "PerceptronClassifier.l1_ratio": _UNPENALISED,
    "PerceptronClassifier.tol": _CONVERGED,
    "PerceptronClassifier.n_iter_no_change": _CONVERGED,
    "PerceptronClassifier.eta0": "predictions do not depend on the learning rate, which is 1",
    "PerceptronClassifier.early_stopping": _POCKET,
    "PerceptronClassifier.validation_fraction": _POCKET,
    "PerceptronClassifier.class_weight": "use LinearSVMClassifier, which has `class_weight`",
    "NearestMeanClassifier.shrink_threshold": "the class means are not shrunk",
    "LinearDiscriminantClassifier.solver": "one solver serves every `shrinkage`",
    "QuadraticDiscriminantClassifier.solver": "one solver serves every `shrinkage`",
    "QuadraticDiscriminantClassifier.reg_param": "use `shrinkage` or `regularization`",
    "covariance_estimator": "use `shrinkage`",
    "store_covariance": "the covariance is always available",
    "NaiveBayesClassifier.var_smoothing": "use `variance_floor`",
    "NaiveBayesClassifier.class_prior": _PRIORS,
    "NaiveBayesClassifier.fit_prior": 'use `priors="uniform"` instead of False',
    "NaiveBayesClassifier.force_alpha": "`alpha` is always used as given",
    "NaiveBayesClassifier.min_categories": "pass a frame whose categorical columns declare all levels",
    "AdaBoostClassifier.algorithm": "use `multiclass`",
    "ChanceClassifier.constant": "the constant prediction is the majority class",
    "RandomForestClassifier.ccp_alpha": _UNPRUNED,
    "RandomForestRegressor.ccp_alpha": _UNPRUNED,
    "ccp_alpha": "use `prune`, which takes the alpha of cost-complexity pruning",
    "splitter": "the best split is always taken; `max_features` draws columns at random",
    "monotonic_cst": "monotonicity constraints are not supported",
    "BayesDecisionClassifier.method": "use `calibration`",
    "BayesDecisionClassifier.ensemble": "one model is fitted on all rows; held-out rows calibrate it",
    "BayesDecisionClassifier.n_jobs": "set `n_jobs` of the classifier inside",
    "base_estimator": "use `estimator`",
    "intercept_scaling": "the intercept is not penalised",
    "flatten_transform": "there is no `transform`; call `predict_proba` of the members",
    "warm_start": "use `partial_fit` where the model has it",
    "verbose": "training prints nothing",
}


def meant_class(name: str, there: Iterable[str]) -> str | None:
    """Return the class or function that a foreign or misspelt name most likely means.

    Examples
    --------
    >>> meant_class("SVC", []), meant_class("SVMClasifier", ["SVMClassifier", "train"])
    ('SVMClassifier', 'SVMClassifier')
    """
    if name in CLASSES:
        return CLASSES[name]
    return next(iter(difflib.get_close_matches(name, list(there), n=1)), None)


def parameter_hint(owner: str, name: str, there: Iterable[str]) -> str:
    """Return a sentence on what to use for a parameter that a class does not have, or an empty string.

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


def unknown_parameter(owner: str, name: str, there: Iterable[str]) -> ParameterError:
    """Return the error about a parameter that a class does not have, with what to use instead.

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
    >>> print(unknown_parameter("SVMClassifier", "gama", ["C", "gamma"]))
    A parameter of SVMClassifier must be one of C, gamma, got 'gama'. Did you mean 'gamma'?
    """
    own = list(there)
    rule = f"one of {', '.join(own) or 'none'}"
    return ParameterError(must(f"A parameter of {owner}", rule, name) + parameter_hint(owner, name, own))


def check_keywords(kind: type[Any], keywords: Mapping[str, Any]) -> None:
    """Raise `ParameterError` for a keyword that the constructor of a class does not have.

    Called by ``__new__``, ahead of ``__init__``, whose signature stays the only list of parameters.
    """
    if keywords:
        constructed: Any = kind
        accepted = _accepted_keywords(constructed)
        if accepted is not None and not accepted.issuperset(keywords):
            unknown = next(name for name in keywords if name not in accepted)
            raise unknown_parameter(kind.__name__, unknown, sorted(accepted))


class KeywordHints:
    """Check the keywords of the constructor of derived classes.

    A class that defines ``__init__`` cannot define ``__new__`` as well: `inspect.signature`
    would show the latter.
    """

    def __new__(cls, *args: Any, **keywords: Any) -> Self:
        """Return an unconfigured object; refuse keywords that the constructor does not have, with a hint."""
        check_keywords(cls, keywords)
        return object.__new__(cls)


@functools.cache
def _accepted_keywords(kind: type[Any]) -> frozenset[str] | None:
    """Return the keywords that a class can be constructed with; None if it takes any."""
    parameters = inspect.signature(kind.__init__).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return frozenset(parameter.name for parameter in parameters) - {"self"}
