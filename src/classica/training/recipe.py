"""What to learn with: a classifier of the catalog, its parameters, and the decision around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from classica import catalog
from classica.decision import BayesDecisionClassifier, calibration_for, read_cost_file, read_priors
from classica.errors import ParameterError, must
from classica.native import Floats
from classica.params import check_parameters
from classica.training.parameter_words import owner_of


@dataclass(frozen=True)
class Recipe:
    """What to learn with.

    Attributes
    ----------
    model : str
        A classifier, by its name in the catalog.
    parameters : mapping
        Its parameters, those of a classifier inside with two underscores.
    costs, priors, reject_cost
        As `classica.BayesDecisionClassifier` takes them.
    calibration : {"auto", "sigmoid", "isotonic"} or None, default="auto"
        How scores become probabilities. "auto": by "sigmoid" where the classifier has only scores, so that
        every model has probabilities; it then predicts the most probable class. None: not at all.
    seed : int or None
        The ``random_state`` wherever there is one that the parameters do not name.
    """

    model: str = "c45"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    costs: Any = None
    priors: Any = None
    reject_cost: float | None = None
    calibration: str | None = "auto"
    seed: int | None = 0

    @property
    def decides(self) -> bool:
        """Whether there is a decision around the classifier."""
        terms = (self.costs, self.priors, self.reject_cost, self.calibrates)
        return any(term is not None for term in terms)

    def classifier(self) -> Any:
        """Return the classifier with its parameters, not fitted."""
        estimator = catalog.card(self.model).build()
        if not is_classifier(estimator):
            rule = "a classifier (classes are learned here, not quantities)"
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
        """How scores become probabilities, None if they need not."""
        if self.calibration != "auto":
            return self.calibration
        return calibration_for(self.classifier())

    def around(self, classes: NDArray[Any], kept: Any = None) -> Any:
        """Return the classifier with its decision.

        Parameters
        ----------
        classes : ndarray
            The labels that costs and priors are about.
        kept : ndarray of int, optional
            Places of those that the rows have; all unless told.
        """
        estimator = self.classifier()
        if not self.decides:
            return estimator
        places = np.arange(len(classes)) if kept is None else kept
        return BayesDecisionClassifier(
            estimator,
            costs=self._costs(classes, places),
            priors=self._priors(classes, places),
            reject_cost=self.reject_cost,
            calibration=self.calibrates,
            cv="auto",
        )

    def _costs(self, classes: NDArray[Any], places: Any) -> Floats | None:
        # As numbers: a model does not depend on a file, nor tell where it was.
        return None if self.costs is None else read_cost_file(self.costs, classes)[np.ix_(places, places)]

    def _priors(self, classes: NDArray[Any], places: Any) -> Any:
        if self.priors is None or (isinstance(self.priors, str) and self.priors in ("empirical", "uniform")):
            return self.priors
        shares = read_priors(self.priors, classes)[places]
        return shares / shares.sum() if shares.sum() > 0 else "uniform"
