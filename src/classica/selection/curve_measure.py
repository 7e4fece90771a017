"""What learning and validation curves measure: the error rate of a classifier, the RMSE of a regressor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.base import is_classifier

from classica.native import Floats
from classica.wording import points


@dataclass(frozen=True)
class CurveMeasure:
    """An error, and how it is written.

    Attributes
    ----------
    name : str
        What it is called.
    scoring : str or None
        The score of scikit-learn that it is made of; None for the estimator's own.
    is_share : bool
        Whether it is a share of the rows; if not, it has the unit of the target.
    """

    name: str
    scoring: str | None
    is_share: bool

    def errors(self, scores: Floats) -> Floats:
        """Return the errors behind scores of which high is good."""
        return 1 - scores if self.is_share else -scores

    def shown(self, value: float) -> str:
        """Return an error as people read it."""
        return f"{value:.2%}" if self.is_share else f"{value:.4g}"

    def difference(self, value: float) -> str:
        """Return a difference of errors as people read it."""
        return points(value) if self.is_share else f"{value:.3g}"


#: By their names.
MEASURES = {
    each.name: each
    for each in (
        CurveMeasure("error", None, is_share=True),
        CurveMeasure("RMSE", "neg_root_mean_squared_error", is_share=False),
    )
}


def measure_of(estimator: Any) -> CurveMeasure:
    """Return what the curves of an estimator measure."""
    return MEASURES["error" if is_classifier(estimator) else "RMSE"]
