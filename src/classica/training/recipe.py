"""Recipes: a classifier, its parameters (parsed from text), and the decision around it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_classifier

from classica import catalog
from classica.decision import BayesDecisionClassifier, calibration_for, read_cost_file, read_priors
from classica.errors import ParameterError, must
from classica.native import Floats
from classica.params import Rule, check_parameters
from classica.sklearn_names import parameter_hint

_WORDS = {"none": None, "true": True, "false": False}


def parameter_values(model: str, words: Mapping[str, str]) -> dict[str, Any]:
    """Parse parameter values from text.

    A word is None, True, False, a number, text, a comma-separated list, JSON, or the slug of a classifier (or
    several): the first of these that the parameter's rule accepts. Parameters of nested classifiers are named
    with two underscores, as in scikit-learn.

    Parameters
    ----------
    model : str
        The slug of a classifier.
    words : mapping of str to str
        Parameter → word.

    Examples
    --------
    >>> parameter_values("tree", {"max_depth": "3", "criterion": "entropy", "class_weight": "none"})
    {'max_depth': 3, 'criterion': 'entropy', 'class_weight': None}
    """
    estimator = catalog.card(model).build()
    values: dict[str, Any] = {}
    for name, word in sorted(words.items(), key=lambda pair: pair[0].count("__")):
        owner, own_name = owner_of(estimator, name, model)
        # A plug-in without rules gets the simplest interpretation of a word.
        rule = getattr(type(owner), "parameter_rules", {}).get(own_name)
        values[name] = next(_meanings(word)) if rule is None else _value(word, rule, name)
        owner.set_params(**{own_name: values[name]})
    return {name: values[name] for name in words}


def owner_of(estimator: BaseEstimator, name: str, model: str) -> tuple[Any, str]:
    """Return the (nested) estimator that has a parameter, and the name of the parameter there."""
    parameters = estimator.get_params(deep=True)
    if name not in parameters:
        own = ", ".join(sorted(key for key in parameters if "__" not in key)) or "none"
        hint = parameter_hint(type(estimator).__name__, name, parameters)
        raise ParameterError(must(f"A parameter of {model}", f"one of {own}", name) + hint)
    return _inside(estimator, name), name.rpartition("__")[2]


def _inside(estimator: BaseEstimator, name: str) -> Any:
    """Return the estimator that ``a__b__c`` is a parameter of."""
    path = name.rpartition("__")[0]
    return estimator.get_params(deep=True)[path] if path else estimator


def _value(word: str, rule: Rule, name: str) -> Any:
    for value in _meanings(word):
        if rule.accepts(value):
            return value
    raise ParameterError(must(name, str(rule), word))


def _meanings(word: str) -> Iterator[Any]:
    yield from _single(word)
    if word[:1] in ("[", "{"):
        try:
            yield json.loads(word)
        except ValueError:
            return
    parts = [part.strip() for part in word.split(",") if part.strip()]
    numbers = [next((v for v in _single(part) if isinstance(v, int | float)), part) for part in parts]
    yield numbers
    yield tuple(numbers)
    yield from _classifiers(parts)


def _single(word: str) -> Iterator[Any]:
    if word.lower() in _WORDS:
        yield _WORDS[word.lower()]
    for kind in (int, float):
        try:
            yield kind(word)
        except ValueError:
            continue
    yield word


def _classifiers(slugs: list[str]) -> Iterator[Any]:
    """Yield the classifier, or the named classifiers, for slugs."""
    cards_by_slug = {card.slug: card for card in catalog.cards()}
    if not slugs or not all(slug in cards_by_slug for slug in slugs):
        return
    built = [(slug, cards_by_slug[slug].build()) for slug in slugs]
    if all(is_classifier(classifier) for _, classifier in built):
        yield built[0][1]
        yield [(slug.replace("-", "_"), classifier) for slug, classifier in built]


@dataclass(frozen=True)
class Recipe:
    """A classifier, its parameters and the decision around it.

    Attributes
    ----------
    model : str
        The slug of a classifier.
    parameters : mapping
        Its parameters; those of nested classifiers with two underscores.
    costs, priors, reject_cost
        As in `classica.BayesDecisionClassifier`.
    calibration : {"auto", "sigmoid", "isotonic", "softmax"} or None, default="auto"
        How to calibrate scores. "auto" uses the better of "sigmoid" and "softmax" on held-out rows if the
        classifier has only scores, so that every model has probabilities; it then predicts the most probable
        class. None for no calibration.
    seed : int or None
        The ``random_state`` of all estimators for which the parameters do not set it.
    """

    model: str = "c45"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    costs: Any = None
    priors: Any = None
    reject_cost: float | None = None
    calibration: str | None = "auto"
    seed: int | None = 0

    @property
    def title(self) -> str:
        """The display name of the classifier."""
        return catalog.card(self.model).title

    @property
    def decides(self) -> bool:
        """Whether there is a decision around the classifier."""
        terms = (self.costs, self.priors, self.reject_cost, self.calibrates)
        return any(term is not None for term in terms)

    def classifier(self) -> Any:
        """Return the classifier with its parameters, not fitted."""
        estimator = catalog.card(self.model).build()
        if not is_classifier(estimator):
            rule = "a classifier, not a regressor"
            raise ParameterError(must("The model", rule, self.model))
        for name in sorted(self.parameters, key=lambda name: name.count("__")):
            owner, own_name = owner_of(estimator, name, self.model)
            owner.set_params(**{own_name: self.parameters[name]})
        seeds = [name for name in estimator.get_params() if name.rpartition("__")[2] == "random_state"]
        given = {name: self.seed for name in seeds if name not in self.parameters}
        estimator.set_params(**given)
        if hasattr(type(estimator), "parameter_rules"):
            check_parameters(estimator)
        return estimator

    @property
    def calibrates(self) -> str | None:
        """The calibration in use; None for none."""
        if self.calibration != "auto":
            return self.calibration
        return calibration_for(self.classifier())

    def around(self, classes: NDArray[Any], kept: object = None) -> Any:
        """Return the classifier with its decision.

        Parameters
        ----------
        classes : ndarray
            The labels that costs and priors refer to.
        kept : ndarray of int, optional
            Indices of the classes that occur in the rows; by default all.
        """
        estimator = self.classifier()
        if not self.decides:
            return estimator
        indices = np.arange(len(classes)) if kept is None else kept
        return BayesDecisionClassifier(
            estimator,
            costs=self._costs(classes, indices),
            priors=self._priors(classes, indices),
            reject_cost=self.reject_cost,
            calibration=self.calibrates,
            cv="auto",
        )

    def _costs(self, classes: NDArray[Any], indices: Any) -> Floats | None:
        # As numbers, so that a model does not depend on a file or reveal its path.
        return None if self.costs is None else read_cost_file(self.costs, classes)[np.ix_(indices, indices)]

    def _priors(self, classes: NDArray[Any], indices: Any) -> Any:
        if self.priors is None or (isinstance(self.priors, str) and self.priors in ("empirical", "uniform")):
            return self.priors
        shares = read_priors(self.priors, classes)[indices]
        return shares / shares.sum() if shares.sum() > 0 else "uniform"
