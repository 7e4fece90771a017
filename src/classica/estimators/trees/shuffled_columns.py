"""What a column is worth: how much worse the answers are once its cells are exchanged between rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.metrics import r2_score

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import DataError, must
from classica.native import Floats
from classica.params import RandomState
from classica.targets import encode_target, numeric_target, row_weights


class ShuffledColumns:
    """Mixed into an estimator of coded rows whose columns can be shuffled one by one."""

    classes_: NDArray[Any]
    _query: Callable[..., Any]

    def permutation_importances(
        self,
        X: MatrixLike,
        y: VectorLike,
        *,
        n_repeats: int = 5,
        sample_weight: VectorLike | None = None,
        random_state: RandomState = None,
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
    def _answers(self, X: Rows) -> Floats:
        """Return the posteriors of coded rows, or the predicted numbers as one column."""

    def _known_target(self, y: VectorLike, rows: int) -> NDArray[Any]:
        """Return numbers, or the codes of labels that were learned."""
        if not is_classifier(self):
            return numeric_target(y, rows, type(self).__name__)
        labels, codes = encode_target(y, rows, type(self).__name__)
        classes = self.classes_.tolist()
        unknown = [label for label in labels.tolist() if label not in classes]
        if unknown:
            raise DataError(must("y", "made of labels seen in training", unknown[0]))
        indices = np.array([classes.index(label) for label in labels.tolist()], dtype=np.int32)
        return indices[codes]


def _score(
    model: ShuffledColumns, X: Rows, truth: NDArray[Any], sample_weight: Floats | None = None
) -> float:
    """Return the accuracy for coded rows, or the coefficient of determination."""
    predictions = model._answers(X)
    if is_classifier(model):
        return float(np.average(predictions.argmax(axis=1) == truth, weights=sample_weight))
    return float(r2_score(truth, predictions[:, 0], sample_weight=sample_weight))
