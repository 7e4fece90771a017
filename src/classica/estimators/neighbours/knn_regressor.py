r"""K nearest neighbours for numbers: the (weighted) mean target of the K nearest training rows.

.. math:: \hat y(x) = \frac{\sum_{i \in N_K(x)} w_i y_i}{\sum_{i \in N_K(x)} w_i}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import RegressorMixin

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.neighbours.neighbour_search import NEIGHBOUR_RULES, Neighbours
from classica.native import Floats
from classica.params import Categorical, Integer, OneOf, Rule, check_parameters
from classica.registry import register
from classica.targets import numeric_target


@register(
    slug="knn-regressor",
    title="k-NN regression",
    family="neighbours",
    rule=r"\hat y(x) = \frac{\sum_{i \in N_K(x)} w_i y_i}{\sum_{i \in N_K(x)} w_i}",
    plain_rule="ŷ(x) = the (weighted) mean target of the K nearest training rows",
    source="B (Barra): regression with nearest neighbours",
    fit_cost="O(n d), trees O(n d + n log² n)",
    predict_cost="O(n d) per row, trees about O(d log n) in few dimensions",
    grid={"weights": ["uniform", "distance"], "n_neighbors": [25, 15, 9, 5, 3, 1]},
    test_parameters=({}, {"algorithm": "kd_tree", "weights": "distance", "ties": "lowest"}),
)
class KNeighborsRegressor(RegressorMixin, Neighbours):
    r"""Predict the mean target of the k nearest training rows.

    The rule:

    .. math:: \hat y(x) = \frac{\sum_{i \in N_K(x)} w_i y_i}{\sum_{i \in N_K(x)} w_i}

    Search, metrics, weights and exactness are those of `KNeighborsClassifier`.

    Parameters
    ----------
    n_neighbors : int, default=5
        K; if there are fewer rows, all of them count, and ``fit`` warns.
    weights : {"uniform", "distance"} or function, default="uniform"
        The weight of a neighbour: 1, or 1/distance (neighbours at distance 0 take all the weight), or a
        function from an array of distances to weights.
    algorithm : {...}, default="auto"
        The search structure; all of them return the same neighbours.
    leaf_size : int, default=32
        Rows per leaf of a tree, rounded to a multiple of eight; affects speed only.
    p : float, default=2
        Power of the Minkowski metric.
    metric : str or function, default="minkowski"
        As for `KNeighborsClassifier`.
    metric_params : dict or None, default=None
        V or VI of the Mahalanobis metric; keyword arguments of a function.
    ties : {"include", "lowest"}, default="include"
        All rows at exactly the K-th distance count, or only the first of them up to K.
    approximate : bool, default=False
        Whether to search a single leaf of the k-d tree only.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns, for "heom" and "gower".
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    n_neighbors_ : int
        K.
    algorithm_ : str
        The search structure in use.
    n_samples_fit_ : int
        Number of training rows.

    Notes
    -----
    Cost and edge cases are those of `KNeighborsClassifier`. It cannot extrapolate: every prediction lies
    between the smallest and the largest target.

    Use it where nearby rows have similar targets and the form of the function is unknown. Not to extrapolate,
    nor with many irrelevant columns, which dominate the distance.

    Examples
    --------
    >>> from classica import KNeighborsRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [9.0]], [0.0, 1.0, 4.0, 81.0]
    >>> KNeighborsRegressor(n_neighbors=2).fit(X, y).predict([[1.4], [1.0]])
    array([2.5       , 1.66666667])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **NEIGHBOUR_RULES,
        "n_neighbors": Integer(at_least=1),
        "ties": OneOf("include", "lowest"),
    }

    _targets: Floats

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: str | Callable[[Floats], Floats] = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 32,
        p: float = 2,
        metric: str | Callable[..., float] = "minkowski",
        metric_params: dict[str, Any] | None = None,
        ties: str = "include",
        approximate: bool = False,
        categorical_features: Categorical = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.ties = ties
        self.approximate = approximate
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike) -> KNeighborsRegressor:
        """Keep the rows and build the search structure.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows; for ``metric="precomputed"`` their distances from each other.
        y : array-like of shape (n_samples,)
            The targets.

        Returns
        -------
        self : KNeighborsRegressor
        """
        self._fit_rows(X, y)
        self._warn_of_few_rows()
        return self

    def _fit_rows(self, X: Rows, y: VectorLike) -> KNeighborsRegressor:
        """Learn without a word on how many rows there are: more may come."""
        check_parameters(self)
        columns = self._read(X, reset=True)
        targets = numeric_target(y, columns.matrix.shape[0], type(self).__name__)
        self._learn_rows(columns)
        self._keep(targets)
        return self

    def partial_fit(self, X: MatrixLike, y: VectorLike) -> KNeighborsRegressor:
        """Add rows: the result equals a fresh fit on all rows so far.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows to add.
        y : array-like of shape (n_samples,)
            Their targets.

        Returns
        -------
        self : KNeighborsRegressor
        """
        if not self._is_fitted():
            return self._fit_rows(X, y)
        columns = self._read(X, reset=False, grow=True)
        targets = numeric_target(y, columns.matrix.shape[0], type(self).__name__)
        self._add_rows(columns)
        self._keep(np.concatenate([self._targets, targets]))
        return self

    def forget(self, X: MatrixLike, y: VectorLike) -> KNeighborsRegressor:
        """Remove rows learned before: the result equals a fresh fit on the rows that are left.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows the model has learned; of several equal ones the first is removed.
        y : array-like of shape (n_samples,)
            Their targets.

        Returns
        -------
        self : KNeighborsRegressor
        """
        self._require_fitted()
        columns = self._read(X, reset=False)
        targets = numeric_target(y, columns.matrix.shape[0], type(self).__name__)
        gone = self._matching(columns, targets, self._targets)
        self._remove_rows(gone)
        self._keep(self._targets[~gone])
        return self

    def predict(self, X: MatrixLike) -> Floats:
        """Return the mean target of each query; ``X=None`` asks for every training row, left out."""
        self._require_fitted()
        k = max(1, min(self.n_neighbors_, self.n_samples_fit_ - (X is None)))
        lists = self._find(X, k)
        starts, _, rows = lists
        weights = self._weights(lists)
        weights = np.ones(len(rows)) if weights is None else weights
        if self.ties == "lowest":
            weights[np.arange(len(rows)) - np.repeat(starts[:-1], np.diff(starts)) >= k] = 0.0
        total = np.add.reduceat(weights * self._targets[rows], starts[:-1])
        mean: Floats = total / np.add.reduceat(weights, starts[:-1])
        return mean

    def _is_fitted(self) -> bool:
        return "n_neighbors_" in self.__dict__

    def _keep(self, targets: Floats) -> None:
        self._targets = targets
        self.n_neighbors_ = min(self.n_neighbors, self.n_samples_fit_)
