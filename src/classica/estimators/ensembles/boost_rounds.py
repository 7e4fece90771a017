"""What can be seen of a boosted classifier round by round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import DataError, must
from classica.estimators.base.estimator import Classifier
from classica.estimators.ensembles.boosted_members import BoostedMembers
from classica.estimators.ensembles.boosted_trees import BoostedTrees
from classica.estimators.ensembles.boosting_weights import posteriors_of, reweighted, scores_of, settled
from classica.native import Floats
from classica.targets import encode_target, row_weights

if TYPE_CHECKING:  # matplotlib takes long to import and few need it
    from matplotlib.axes import Axes


class BoostRounds(Classifier):
    """A fitted vote of members, and the same after each of its rounds."""

    estimator_weights_: Floats
    estimator_errors_: Floats
    staged_errors_: Floats
    _members: BoostedMembers | BoostedTrees

    def staged_decision_function(self, X: MatrixLike) -> Iterator[Floats]:
        """Yield what `decision_function` would say after each round."""
        for votes in self._staged_votes(X):
            yield scores_of(votes)

    def staged_predict_proba(self, X: MatrixLike) -> Iterator[Floats]:
        """Yield what `predict_proba` would say after each round."""
        for votes in self._staged_votes(X):
            yield posteriors_of(votes)

    def staged_predict(self, X: MatrixLike) -> Iterator[NDArray[Any]]:
        """Yield what `predict` would say after each round."""
        for shares in self.staged_predict_proba(X):
            yield self.classes_[shares.argmax(axis=1)]

    def staged_row_weights(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> Iterator[Floats]:
        """Yield the weights of the rows before each round, summing to one.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows that were learned from.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights at the start.
        """
        self._require_fitted()
        weights, codes = np.array([]), np.array([])
        for predicted, alpha in zip(self._members.answers(X), self.estimator_weights_, strict=True):
            if not weights.size:
                labels, indices = encode_target(y, len(predicted), type(self).__name__)
                given = row_weights(sample_weight, len(predicted))
                codes = self._known_codes(labels)[indices]
                weights = np.ones(len(predicted)) if given is None else given
                weights = weights / weights.sum()
            yield weights
            weights = reweighted(weights, predicted != codes, alpha)

    @property
    def estimators_(self) -> list[Any]:
        """The members, fitted."""
        self._require_fitted()
        return self._members.estimators()

    @property
    def feature_importances_(self) -> Floats:
        """The mean importance of each column to the members, by their votes, where they know it."""
        importances = [member.feature_importances_ for member in self.estimators_]
        mean: Floats = np.average(importances, axis=0, weights=self.estimator_weights_)
        return mean

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: those of the members, where they know them, and a vote each."""
        return sum(int(member.n_parameters_) + 1 for member in self.estimators_)

    def plot_rounds(self, ax: Axes | None = None) -> Any:
        """Draw errors and votes over the rounds.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default: a new figure.

        Returns
        -------
        ax : matplotlib Axes
        """
        self._require_fitted()
        # Here, because matplotlib takes long to import and few need it.
        from classica.estimators.ensembles import boost_plot as _boost_plot

        return _boost_plot.draw(self.staged_errors_, self.estimator_errors_, self.estimator_weights_, ax)

    def _staged_votes(self, X: Rows) -> Iterator[Floats]:
        self._require_fitted()
        votes, total = np.array([]), 0.0
        for predicted, alpha in zip(self._members.answers(X), self.estimator_weights_, strict=True):
            votes = votes if votes.size else np.zeros((len(predicted), len(self.classes_)))
            votes[np.arange(len(predicted)), predicted] += alpha
            total += float(alpha)
            yield settled(votes, total)

    def _known_codes(self, labels: NDArray[Any]) -> NDArray[np.int32]:
        """Return the codes of labels; those of rows without weight may be unknown, and are -1."""
        labels_in_order = self.classes_.tolist()
        unknown = [label for label in labels.tolist() if label not in labels_in_order]
        if len(unknown) == len(labels):
            raise DataError(must("y", "made of labels seen in training", unknown[0]))
        return np.array(
            [labels_in_order.index(x) if x in labels_in_order else -1 for x in labels.tolist()],
            dtype=np.int32,
        )
