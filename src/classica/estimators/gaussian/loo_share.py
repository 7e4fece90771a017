"""The weight of the pooled covariance that makes the fewest leave-one-out errors."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from classica import native
from classica.estimators.base.class_priors import Priors, left_out_log_priors
from classica.estimators.base.estimator import TrainingData
from classica.estimators.gaussian.own_covariances import OwnCovariances
from classica.estimators.gaussian.regularization import CovarianceRules
from classica.estimators.gaussian.removal import Removal, degrees_of_freedom
from classica.estimators.gaussian.scatter import ClassSums
from classica.native import Floats

#: The shares to choose from, about half an order of magnitude apart.
SHARES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


@dataclass(frozen=True)
class LooShare:
    """Rows to learn from, one case of each left out in turn."""

    data: TrainingData
    statistics: ClassSums
    fourth_moments: Floats | None
    priors: Priors
    threads: int

    def chosen(self, rules: CovarianceRules) -> CovarianceRules:
        """Return the rules with the best share; of equal ones the largest, which leaves less to chance."""
        if not self.statistics.counts.sum() > self._cases().max():
            return rules  # without its only row there is no table
        candidates = [replace(rules, least_share=share) for share in SHARES]
        errors = [self._errors(candidate) for candidate in candidates]
        return min(reversed(candidates), key=lambda c: errors[candidates.index(c)])

    def _errors(self, rules: CovarianceRules) -> float:
        gaussians = OwnCovariances.of(self.statistics, rules, self.fourth_moments)
        counts, codes = self.statistics.counts, self.data.codes
        scores = left_out_log_priors(self.priors, counts, codes, self._cases())
        for c in np.flatnonzero(counts > 0):
            scores[:, c] += self._log_densities(gaussians, int(c))
        wrong = scores.argmax(axis=1) != codes
        weights = self.data.weights
        return float(wrong.sum() if weights is None else weights[wrong].sum())

    def _cases(self) -> Floats:
        """Return how much of each row is one case: a row of weight 2 is there twice."""
        weights = self.data.weights
        return np.ones(len(self.data.codes)) if weights is None else np.minimum(weights, 1.0)

    def _log_densities(self, gaussians: OwnCovariances, c: int) -> Floats:
        """Return the log density in a class of each row, had one case of it not been learned.

        Taking a row away changes the scatter of its class, and with it that within all classes, by a matrix
        of rank one, so distance and determinant follow by the formula of Sherman and Morrison. What else
        depends on the rows, such as floors and the amount of shrinkage, is held: this only serves to choose.
        """
        factor, codes = gaussians.whitenings[c].factor, self.data.codes
        white = native.linear_scores(
            self.data.X, (gaussians.center, factor, np.zeros(len(factor))), self.threads
        )
        means = np.einsum("ij,cj->ci", factor, gaussians.means)
        to_class, to_own = white - means[c], white - means[codes]
        removal, is_own = Removal.of(self._cases(), gaussians.counts[codes]), codes == c
        part, wider = self._change(gaussians, c, is_own)
        part = part * removal.factor
        left = np.maximum(1 - part * np.einsum("ij,ij->i", to_own, to_own), 1e-6)
        cross = np.einsum("ij,ij->i", to_class, to_own)
        squared = np.einsum("ij,ij->i", to_class, to_class) + part * cross**2 / left
        squared *= np.where(is_own, removal.stretch**2, 1.0) / wider
        log_determinant = np.log(left) + gaussians.columns * np.log(wider)
        densities: Floats = -0.5 * (squared + log_determinant + gaussians.whitenings[c].log_determinant)
        return densities

    def _change(self, gaussians: OwnCovariances, c: int, is_own: Floats) -> tuple[Floats, Floats]:
        """Return what the covariance of a class loses per unit of scatter, and how its divisor widens it."""
        counts, share = gaussians.counts, gaussians.regularization[c]
        kept = 1 - gaussians.shrinkage[c]
        degrees = degrees_of_freedom(counts[c], 1)
        shared = share / degrees_of_freedom(float(counts.sum()), int((counts > 0).sum()))
        part = kept * (shared + is_own * (1 - share) / degrees)
        cases = self._cases()
        widened = (1 - share) * cases / np.maximum(degrees - cases, 1.0)
        return part, 1 + np.where(is_own, widened, 0.0)
