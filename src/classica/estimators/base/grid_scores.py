"""Scores of many parameters on many splits, from as few fits as will do.

An estimator says which of its parameters are `free_parameters`: those that can change without learning all
over again, and how models that differ in them only are fitted together (`_fit_alike`). In return it has
``grid_scores``, the one door of all searches to these shortcuts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, TypeVar

from sklearn.base import clone

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.base.estimator import Estimator
from classica.estimators.base.grid_task import GridTask, Points, RowPair, Scoring, SplitPairs
from classica.native import Floats

M = TypeVar("M", bound=Estimator)


class GridScores:
    """What a classifier mixes in to fit and score many parameters at once."""

    #: What can change without learning all over again.
    free_parameters: ClassVar[frozenset[str]] = frozenset()

    def grid_scores(
        self, X: MatrixLike, y: VectorLike, *, points: Points, splits: SplitPairs, scoring: Scoring = None
    ) -> Floats:
        """Return the score on the test part of each split, for many parameters at once.

        What can be shared is learned once for each split. The scores are those of fresh fits.

        Parameters
        ----------
        X : as in ``fit``
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        points : sequence of dicts
            Values of parameters; others are the model's own.
        splits : sequence of (train, test)
            Places of the rows to learn from and to predict.
        scoring : None, str or function, default=None
            As scikit-learn takes it; None: accuracy. A function that is not made by ``make_scorer`` may look
            at anything, so it gets fresh fits.

        Returns
        -------
        scores : ndarray of shape (n_points, n_splits)
            Minus infinity for parameters that are refused.
        """
        models = [clone(self).set_params(**point) for point in points]
        return GridTask(self, models, X, y, list(splits), scoring).scores()

    def pair_scores(self, pair: RowPair, *, points: Points, scoring: Scoring = None) -> Floats:
        """Return the score of each point on rows that are two tables: one to learn from, one to predict."""
        models = [clone(self).set_params(**point) for point in points]
        return GridTask(self, models, None, None, [], scoring).scores_on(pair)

    @abstractmethod
    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        """Fit models that differ in free parameters only; yield the index of each, and it fitted."""


def taught_by(model: M, teacher: Estimator) -> M:
    """Return the model with everything another has learned; the parameters stay its own."""
    learned = {name: value for name, value in vars(teacher).items() if name not in model.parameter_rules}
    model.__dict__.update(learned)
    return model
