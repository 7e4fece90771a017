r"""Bayes' decision around any classifier: predict the class with the lowest expected cost, or reject.

.. math:: \hat y(x) = \arg\min_i \sum_j c_{ij} \, p(j \mid x)
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter
from sklearn.utils.validation import has_fit_parameter

from classica.decision.calibration import METHOD, CalibratedClassifier
from classica.decision.class_labels import known_codes
from classica.decision.costs import expected_costs, is_path, least_cost, read_costs
from classica.decision.coverage import RiskCoverage, risk_coverage
from classica.decision.priors import change_priors, class_shares, learned_priors, read_priors
from classica.decision.rejecting import rejected_rows
from classica.decision.threshold import cost_threshold
from classica.errors import DataError, ParameterError, must
from classica.metadata import fit_router, is_routing, member_params
from classica.native import Floats
from classica.params import Integer, Nothing, Real, Rule
from classica.sklearn_names import KeywordHints
from classica.targets import encode_target

_CALIBRATION: Rule = METHOD | Nothing()
_REJECT_COST: Rule = Real(at_least=0) | Nothing()


def _is_classifier(estimator: Any) -> bool:
    instance = hasattr(estimator, "__sklearn_tags__") and not isinstance(estimator, type)
    return instance and is_classifier(estimator)


def _is_frozen(estimator: Any) -> bool:
    """Return whether what classifies stays as it is when fitted; of a pipeline its last step does."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return isinstance(estimator, FrozenEstimator)


def _is_cv(cv: Any) -> bool:
    if cv is None or Integer(at_least=2).accepts(cv):
        return True
    return cv == "auto" if isinstance(cv, str) else hasattr(cv, "split") or isinstance(cv, Iterable)


class BayesDecisionClassifier(KeywordHints, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    r"""Predict by costs, priors and a reject option around any classifier.

    The rule:

    .. math:: \hat y(x) = \arg\min_i \sum_j c_{ij} \, p(j \mid x)

    where :math:`c_{ij}` is the cost of predicting i when j is true. With uniform costs this is the highest
    posterior (MAP); if the priors are equal too, the highest likelihood (ML). Where a class is more or less
    frequent than in the training rows, the posteriors follow:

    .. math:: p'(j \mid x) \propto p(j \mid x) \, \frac{\pi'_j}{\pi_j}

    Rows whose best prediction is expected to cost more than `reject_cost` are rejected (Chow's rule).
    With uniform costs that is where the highest posterior is below 1 − `reject_cost`.

    Training is that of the wrapped classifier. Costs, priors and reject cost are read when predicting: change
    them with ``set_params``, or wrap the same fitted classifier again with `with_costs`, `with_priors` or
    `with_reject_cost`. None of these trains again.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier. ``fit`` fits a clone of it. To keep a fitted classifier as it is, wrap it
        in scikit-learn's ``FrozenEstimator(model)``; ``fit`` may then be left out, unless there is a
        calibration to fit.
    costs : None, array-like, dict of dicts, frame or path, default=None
        The cost matrix (rows: predicted, columns: true); see `read_costs`. None: 0 for a correct prediction
        and 1 for a wrong one. A file is read by ``fit``, and its costs stay with the model.
    priors : None, "empirical", "uniform", sequence of float, dict or Series, default=None
        The class priors where the decisions are made: those of the model (None or "empirical"), equal ones
        (maximum likelihood), numbers in the order of the sorted classes, or a dict or pandas Series from
        labels to numbers.
    reject_cost : float or None, default=None
        The cost of rejecting a row. None: no row is rejected.
    calibration : {"auto", "sigmoid", "isotonic", "softmax"} or None, default=None
        How scores become probabilities: by a logistic curve for each class (Platt); by any curve that does
        not fall, for a thousand rows or more; by one softmax of all scores (temperature scaling), which keeps
        the predictions of the classifier; or by the better of sigmoid and softmax on held-out rows ("auto").
        See `classica.decision.calibration`. Needed by classifiers without ``predict_proba``; corrects
        over-confident probabilities of others.
    cv : int, splitter, iterable, "auto" or None, default=5
        The folds held out in turn, whose scores the curves are learned from; "auto": three, or fewer
        where classes have fewer rows, shuffled; None: 5.
    training_priors : None, "uniform", sequence of float, dict or Series, default=None
        The priors behind the posteriors of the wrapped classifier. None: those it states (``class_prior_``,
        ``priors_``, ``class_log_prior_``), else the class shares of the rows given to ``fit``, by weight. A
        frozen classifier that states none was not trained on these rows: other priors then need this. Use
        "uniform" for a classifier with ``class_weight="balanced"``.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier, calibrated if requested.
    classes_ : ndarray
        The class labels, sorted.
    costs_ : ndarray of shape (n_classes, n_classes)
        The costs in force.
    training_priors_ : ndarray of shape (n_classes,)
        The priors behind the posteriors of `estimator_`.
    priors_ : ndarray of shape (n_classes,)
        The priors in force.
    threshold_ : float
        For two classes: the posterior above which the second one is predicted. Missing where wrong
        predictions are cheaper than correct ones.

    Notes
    -----
    Cost: that of the wrapped classifier, and O(C²) per row. Ties go to the first class. ``predict`` always
    gives a class; what to do with rejected rows is up to the caller. Calibration is to the class shares of
    the training rows, so these are its training priors. A class of training prior 0 cannot be given another
    prior. The decision is as good as the probabilities: check them with scikit-learn's
    ``CalibrationDisplay``, and the effect of rejecting with `risk_coverage`.

    Examples
    --------
    The lecture's cancer test: 0.8% have this cancer; the test finds 98% of them, and 97% of the healthy
    test negative. A table with one weighted row for each outcome, and a decision tree:

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> positive, negative = [1], [0]
    >>> X, y = [positive, negative, positive, negative], ["cancer", "cancer", "healthy", "healthy"]
    >>> weights = [0.00784, 0.00016, 0.02976, 0.96224]
    >>> model = BayesDecisionClassifier(DecisionTreeClassifier()).fit(X, y, sample_weight=weights)
    >>> model.predict_proba([positive]).round(6)
    array([[0.208511, 0.791489]])
    >>> model.predict([positive])
    array(['healthy'], dtype='<U7')

    Missing a cancer is worse than a false alarm; the prediction changes at 0.02976 / 0.00784 = 3.796 times:

    >>> for miss in (3.79, 3.80):
    ...     costs = {"healthy": {"cancer": miss}, "cancer": {"healthy": 1}}
    ...     print(model.with_costs(costs).predict([positive]))
    ['healthy']
    ['cancer']

    Where every second patient has it, which is the decision by maximum likelihood:

    >>> model.with_priors("uniform").predict_proba([positive]).round(6)
    array([[0.970297, 0.029703]])

    Reject rows where more than one in ten predictions would be wrong:

    >>> model.with_reject_cost(0.1).rejects([positive, negative])
    array([ True, False])
    """

    #: Weights are for the classifier and its calibration, whose requests decide.
    __metadata_request__fit: ClassVar[Mapping[str, str]] = {"sample_weight": UNUSED}
    estimator_: Any

    def __init__(
        self,
        estimator: Any,
        *,
        costs: Any = None,
        priors: Any = None,
        reject_cost: float | None = None,
        calibration: str | None = None,
        cv: Any = 5,
        training_priors: Any = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.priors = priors
        self.reject_cost = reject_cost
        self.calibration = calibration
        self.cv = cv
        self.training_priors = training_priors

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> BayesDecisionClassifier:
        """Fit a clone of the classifier, with calibration if requested.

        Parameters
        ----------
        X : whatever the classifier takes
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts, for classifiers whose ``fit`` has a parameter of that name.
        **params : metadata
            What else the ``fit`` of the classifier or, for a calibration, the ``split`` of `cv` requests,
            with scikit-learn's metadata routing.

        Returns
        -------
        self : BayesDecisionClassifier
        """
        learner = self._learner()
        encode_target(y, np.asarray(y).size, type(self).__name__)  # only to refuse labels that are none
        frozen = _is_frozen(self.estimator)
        if frozen and hasattr(self.estimator, "classes_"):
            known_codes(y, self.estimator.classes_, np.asarray(y).size)
        wanted = self._wanted(sample_weight, params)
        self.estimator_ = learner.fit(X, y, **wanted)
        if frozen and self.calibration is None:
            self.__dict__.pop("_class_shares", None)  # nothing was learned from these rows
        else:
            self._class_shares = class_shares(y, wanted.get("sample_weight"), self.classes_)
        self._file_costs = self._costs_of_file()
        self.check_decision()
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata the classifier and its calibration request, for scikit-learn's routing."""
        calibrated = CalibratedClassifier(self.estimator, self.calibration or "sigmoid", self.cv)
        learner = self.estimator if self.calibration is None else calibrated
        return fit_router(self, {"estimator": learner})

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the label with the least expected cost for each row, rejected or not."""
        predicted: NDArray[Any] = self.classes_[self._predicted(self.predict_proba(X))]
        return predicted

    def predict_proba(self, X: Any) -> Floats:
        """Return the posterior probability of each class for each row, under the priors in force."""
        return self._under_priors(self.learned_posteriors(X))

    def expected_costs(self, X: Any) -> Floats:
        """Return the expected cost of predicting each class, for each row."""
        return expected_costs(self.predict_proba(X), self.costs_)

    def rejects(self, X: Any) -> NDArray[np.bool_]:
        """Return True for each row whose best prediction is expected to cost more than `reject_cost`.

        A row that the wrapped classifier rejects by a rule of its own, such as a distance, stays rejected.
        """
        _, doubt = self._decisions(X)
        return self._left_out(X, doubt)

    def mean_cost(self, X: Any, y: Any) -> float:
        """Return the mean cost per row: that of its prediction, or `reject_cost` where it is rejected.

        Without a `reject_cost`, rows that the wrapped classifier rejects are left out; NaN if these are all.
        """
        paid, doubt = self._paid(X, y)
        rejected = self._left_out(X, doubt)
        if self.reject_cost is None:
            return float(paid[~rejected].mean()) if not rejected.all() else float("nan")
        return float(np.where(rejected, self._reject_limit(), paid).mean())

    def risk_coverage(self, X: Any, y: Any) -> RiskCoverage:
        """Return the mean cost of the rows that are not rejected, for every coverage."""
        return risk_coverage(*self._paid(X, y))

    def with_costs(self, costs: Any) -> BayesDecisionClassifier:
        """Return the decision with other costs around the same fitted classifier."""
        return self._changed(costs=read_costs(costs, self.classes_))

    def with_priors(self, priors: Any) -> BayesDecisionClassifier:
        """Return the decision under other priors around the same fitted classifier."""
        return self._changed(priors=priors)

    def with_reject_cost(self, reject_cost: float | None) -> BayesDecisionClassifier:
        """Return the decision with another reject cost around the same fitted classifier."""
        return self._changed(reject_cost=reject_cost)

    @property
    def classes_(self) -> NDArray[Any]:
        """The class labels, sorted."""
        classes: NDArray[Any] = self._fitted().classes_
        return classes

    @property
    def n_features_in_(self) -> int:
        """The number of features, if the classifier has it."""
        columns: int = self._fitted().n_features_in_
        return columns

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """The names of the features, if the classifier has them."""
        names: NDArray[Any] = self._fitted().feature_names_in_
        return names

    @property
    def costs_(self) -> Floats:
        """The costs in force."""
        kept = self.__dict__.get("_file_costs")
        if kept is not None and is_path(self.costs) and kept[0] == self.costs:
            matrix: Floats = kept[1]
            return matrix
        return read_costs(self.costs, self.classes_)

    @property
    def training_priors_(self) -> Floats:
        """The priors behind the posteriors of the fitted classifier."""
        if self.training_priors is not None:
            return read_priors(self.training_priors, self.classes_, "training_priors")
        stated = learned_priors(self._fitted())
        if stated is not None and stated.shape == self.classes_.shape:
            return stated
        if "_class_shares" in self.__dict__:
            return self._class_shares
        rule = "given for a frozen classifier that neither states them nor is fitted here"
        raise ParameterError(must("training_priors", rule, None))

    @property
    def priors_(self) -> Floats:
        """The priors in force."""
        return self.training_priors_ if self.keeps_priors() else read_priors(self.priors, self.classes_)

    @property
    def threshold_(self) -> float:
        """For two classes: the posterior above which the second one is said."""
        if len(self.classes_) != 2:
            raise AttributeError(must("threshold_", "used with two classes", len(self.classes_)))
        costs = self.costs_
        try:
            return cost_threshold(costs)
        except ParameterError as error:  # the second class is predicted below a threshold, not above
            raise AttributeError(str(error)) from None

    def __sklearn_is_fitted__(self) -> bool:
        frozen = isinstance(self.estimator, FrozenEstimator) and self.calibration is None
        return "estimator_" in self.__dict__ or (frozen and self.estimator.__sklearn_is_fitted__())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if isinstance(self.estimator, type) or not hasattr(self.estimator, "__sklearn_tags__"):
            return tags  # of what is no estimator; fit will say so
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.non_deterministic = inner.non_deterministic
        if inner.classifier_tags is not None:
            tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
            tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags

    def _learner(self) -> Any:
        """Return an unfitted clone that will have probabilities."""
        if not _is_classifier(self.estimator):
            raise ParameterError(must("estimator", "a classifier", self.estimator))
        if not _is_cv(self.cv):
            rule = "an integer of at least 2, 'auto', a splitter, an iterable of splits or None"
            raise ParameterError(must("cv", rule, self.cv))
        if not _CALIBRATION.accepts(self.calibration):
            raise ParameterError(must("calibration", str(_CALIBRATION), self.calibration))
        if self.calibration is not None:
            return CalibratedClassifier(self.estimator, self.calibration, self.cv)
        if not hasattr(self.estimator, "predict_proba"):
            name = type(self.estimator).__name__
            rule = f"{METHOD} for {name}, which has no predict_proba"
            raise ParameterError(must("calibration", rule, None))
        return clone(self.estimator)

    def _wanted(self, sample_weight: Any, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the learner gets beside rows and labels."""
        wanted = member_params(self, sample_weight, params)
        if wanted and not is_routing() and not has_fit_parameter(self.estimator, "sample_weight"):
            name = type(self.estimator).__name__
            rule = f"None for {name}, whose fit has no parameter of that name"
            raise ParameterError(f"sample_weight must be {rule}, got weights.")
        return wanted

    def _costs_of_file(self) -> tuple[Any, Floats] | None:
        """Return path and costs if they come from a file, which may be gone when the model is used."""
        return (self.costs, read_costs(self.costs, self.classes_)) if is_path(self.costs) else None

    def _fitted(self) -> Any:
        if not self.__sklearn_is_fitted__():
            name = type(self).__name__
            raise NotFittedError(f"This {name} is not fitted yet; call fit() first.")
        return self.__dict__.get("estimator_", self.estimator)

    def check_decision(self) -> None:
        """Check costs, priors and reject cost at once and not at the first prediction."""
        self._under_priors(np.full((1, len(self.classes_)), 1.0 / len(self.classes_)))
        if self.costs is not None:
            _ = self.costs_
        self._reject_limit()

    def _changed(self, **parameters: Any) -> BayesDecisionClassifier:
        changed = copy.copy(self)
        changed.set_params(**parameters)
        changed.check_decision()
        return changed

    def learned_posteriors(self, X: Any) -> Floats:
        """Return the posteriors of the classifier, under the priors it has learned."""
        model = self._fitted()
        posteriors: Floats = np.asarray(model.predict_proba(X), dtype=np.float64)
        if not np.isfinite(posteriors).all():
            row = int(np.argmin(np.isfinite(posteriors).all(axis=1)))
            got = f"{posteriors[row].tolist()} in row {row}"
            raise DataError(f"The probabilities of {type(model).__name__} must be finite, got {got}.")
        return posteriors

    def _under_priors(self, posteriors: Floats) -> Floats:
        if self.keeps_priors():
            return posteriors
        return change_priors(posteriors, self.training_priors_, self.priors_)

    def keeps_priors(self) -> bool:
        """Return whether the priors are those that the classifier has learned."""
        return self.priors is None or (isinstance(self.priors, str) and self.priors == "empirical")

    def _predicted(self, posteriors: Floats) -> NDArray[np.intp]:
        return posteriors.argmax(axis=1) if self.costs is None else least_cost(posteriors, self.costs_)

    def _decisions(self, X: Any) -> tuple[NDArray[np.intp], Floats]:
        """Return the class predicted for each row, and its expected cost: how uncertain it is."""
        posteriors = self.predict_proba(X)
        predicted = self._predicted(posteriors)
        doubt = expected_costs(posteriors, self.costs_)[np.arange(len(predicted)), predicted]
        return predicted, doubt

    def _left_out(self, X: Any, doubt: Floats) -> NDArray[np.bool_]:
        """Return which rows are rejected, given how uncertain each prediction is."""
        doubtful: NDArray[np.bool_] = doubt > self._reject_limit()
        inside = self._fitted()
        if isinstance(inside, CalibratedClassifier):
            inside = inside.estimator_
        own = rejected_rows(inside, X)
        return doubtful if own is None else doubtful | own

    def _reject_limit(self) -> float:
        if not _REJECT_COST.accepts(self.reject_cost):
            raise ParameterError(must("reject_cost", str(_REJECT_COST), self.reject_cost))
        return np.inf if self.reject_cost is None else float(self.reject_cost)

    def _paid(self, X: Any, y: Any) -> tuple[Floats, Floats]:
        """Return the cost of the prediction of each row, and how uncertain it is."""
        predicted, doubt = self._decisions(X)
        paid: Floats = self.costs_[predicted, known_codes(y, self.classes_, len(predicted))]
        return paid, doubt
