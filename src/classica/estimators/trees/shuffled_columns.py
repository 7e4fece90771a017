"""What a column is worth: how much worse the answers are once its cells are exchanged between rows."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.metrics import r2_score

from classica.errors import DataError, must
from classica.estimators.trees.coded_columns import CodedColumns
from classica.native import Floats
from classica.targets import encode_target, numeric_target, row_weights


class ShuffledColumns(CodedColumns):
    """An estimator whose columns can be shuffled one by one."""

    def permutation_importances(
        self, X: Any, y: Any, *, n_repeats: int = 5, sample_weight: Any = None, random_state: Any = None
    ) -> Any:
        """Return by how much the score falls when the cells of one column are exchanged between rows.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows; best such as were not learned from.
        y : array-like of shape (n_samples,)
            The labels, or the numbers.
        n_repeats : int, default=5
            How often each column is shuffled.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts in the score.
        random_state : int, RandomState or None, default=None
            Of the shuffling.

        Returns
        -------
        result : Bunch
            ``importances_mean``, ``importances_std`` and ``importances``, as scikit-learn has them; falls of
            the accuracy, or of the coefficient of determination.
        """
        # Here, because it brings half of scikit-learn along.
        from sklearn.inspection import permutation_importance

        matrix = self._query(X)
        return permutation_importance(
            self,
            matrix,
            self._known_target(y, matrix.shape[0]),
            scoring=_score,
            n_repeats=n_repeats,
            sample_weight=row_weights(sample_weight, matrix.shape[0]),
            random_state=random_state,
        )

    @abstractmethod
    def _answers(self, X: Any) -> Floats:
        """Return the posteriors of coded rows, or the predicted numbers as one column."""

    def _known_target(self, y: Any, rows: int) -> NDArray[Any]:
        """Return numbers, or the codes of labels that were learned."""
        if not is_classifier(self):
            return numeric_target(y, rows, type(self).__name__)
        labels, codes = encode_target(y, rows, type(self).__name__)
        known = self.classes_.tolist()
        unknown = [label for label in labels.tolist() if label not in known]
        if unknown:
            raise DataError(must("y", "made of labels that were learned", unknown[0]))
        places = np.array([known.index(label) for label in labels.tolist()], dtype=np.int32)
        return places[codes]


def _score(model: ShuffledColumns, X: Any, truth: Any, sample_weight: Any = None) -> float:
    """Return the accuracy for coded rows, or the coefficient of determination."""
    found = model._answers(X)
    if is_classifier(model):
        return float(np.average(found.argmax(axis=1) == truth, weights=sample_weight))
    return float(r2_score(truth, found[:, 0], sample_weight=sample_weight))
