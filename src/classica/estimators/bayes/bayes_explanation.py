"""Why naive Bayes decides as it does for one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import DataError, must
from classica.native import Floats


@dataclass(frozen=True)
class BayesExplanation:
    """What the prior and each column add to the score of each class.

    Attributes
    ----------
    label : object
        The class decided for.
    classes : ndarray of shape (n_classes,)
        The class labels.
    log_prior : ndarray of shape (n_classes,)
        The logarithm of the priors.
    log_likelihoods : ndarray of shape (n_features, n_classes)
        log p(value | class) of each column; zero for a missing value and a column left out.
    posterior : ndarray of shape (n_classes,)
        The posterior probabilities.
    columns : sequence of str
        What the columns are called.

    Printed, it is the lecture's computation: the prior and the probability (for a number, the density) of
    each cell in each class, and the posterior that their product leads to. Of many columns those that speak
    most clearly are shown.
    """

    label: Any
    classes: NDArray[Any]
    log_prior: Floats
    log_likelihoods: Floats
    posterior: Floats
    columns: Sequence[str]

    def __str__(self) -> str:
        shown = self._clearest(20)
        rows = [("", *(str(label) for label in self.classes)), _row("prior", np.exp(self.log_prior))]
        rows += [_row(self.columns[index], np.exp(self.log_likelihoods[index])) for index in shown]
        if len(shown) < len(self.columns):
            left_out = len(self.columns) - len(shown)
            rows.append((f"({left_out} more columns)", *("" for _ in self.classes)))
        rows.append(_row("posterior", self.posterior))
        widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
        lines = [
            row[0].ljust(widths[0])
            + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
            for row in rows
        ]
        return "\n".join(line.rstrip() for line in lines)

    def _clearest(self, most: int) -> list[int]:
        """Return the columns whose classes differ most, in the order of the columns."""
        finite = np.maximum(self.log_likelihoods, -1e300)
        clarity = np.ptp(finite, axis=1) if len(finite) else np.zeros(0)
        return sorted(np.argsort(-clarity, kind="stable")[:most].tolist())

    def log_odds(self, label: Any, against: Any) -> Floats:
        """Return how much each column speaks for one class against another."""
        one, other = (self._class_index(name) for name in (label, against))
        first, second = self.log_likelihoods[:, one], self.log_likelihoods[:, other]
        with np.errstate(invalid="ignore"):  # impossible in both classes: it speaks for neither
            odds: Floats = np.where(first == second, 0.0, first - second)
        return odds

    def _class_index(self, label: Any) -> int:
        matches = np.flatnonzero(self.classes == label)
        if not len(matches):
            raise DataError(must("label", "one of the classes", label))
        return int(matches[0])


def _row(name: str, numbers: Floats) -> tuple[str, ...]:
    return name, *(f"{number:.4g}" for number in numbers)
