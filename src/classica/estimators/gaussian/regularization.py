r"""How much of the covariance within all classes goes into the covariance of each class.

.. math:: \Sigma_c(\lambda_c) = (1 - \lambda_c)\,\Sigma_c + \lambda_c\,\Sigma

This is one of the two ways in which Friedman regularises ("Regularized discriminant analysis", 1989); the
other is shrinkage. "moments" asks whether there are directions in which the rows of a class do not vary, so
that the share is a function of the sums alone; "loo" takes the share with the fewest leave-one-out errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica.estimators.gaussian.shrinkage import Shrinkage
from classica.native import Floats
from classica.params import OneOf, Real

#: What the parameter `regularization` may be.
REGULARIZATION = OneOf("moments", "loo") | Real(at_least=0, at_most=1)

#: The share of "moments" where a class is singular, chosen on nineteen tables with such classes (ADR 0021).
SINGULAR_SHARE = 0.8


@dataclass(frozen=True)
class CovarianceRules:
    """How the covariances of classes become regular."""

    shrinkage: Shrinkage
    least_share: float  # of the covariance within all classes
    from_moments: bool  # whether a singular class raises it
    tol: float
    floor: float

    def shares(self, counts: Floats, is_singular: NDArray[np.bool_], columns: int) -> Floats:
        """Return the weight of the pooled covariance in that of each class.

        A class of n rows in d columns, n at most d, is filled up with d + 1 - n rows of it. A class that is
        singular although it has more rows tells that the table has too few values for covariances of their
        own: then every class leans on the others. Shrinkage gives variance to every direction already.
        """
        extra = np.maximum(columns + 1 - np.maximum(counts, 1.0), 0.0)
        filled = np.where(counts > 0, extra / max(columns, 1), 1.0)
        singular = self.from_moments and self.shrinkage is None and (is_singular & (counts > columns)).any()
        return np.maximum(filled, max(self.least_share, SINGULAR_SHARE if singular else 0.0))
