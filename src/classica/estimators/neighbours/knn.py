r"""K nearest neighbours: the most common class among the K nearest training rows.

.. math:: \hat y(x) = \arg\max_c \sum_{i \in N_K(x)} w_i \, [y_i = c]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import ParameterError, must
from classica.estimators.base.estimator import Classifier
from classica.estimators.base.grid_scores import GridScores, taught_by
from classica.estimators.neighbours.neighbour_search import NEIGHBOUR_RULES, Neighbours, SharedSearch
from classica.estimators.neighbours.neighbour_votes import Explanation, LeaveOneOutErrors, replaced
from classica.native import Codes, Floats, Lists
from classica.params import Categorical, Integer, OneOf, Rule, check_parameters
from classica.registry import FitTime, register
from classica.targets import encode_labels, encode_target, label_union


@register(
    slug="knn",
    title="k-NN",
    family="neighbours",
    rule=r"\hat y(x) = \arg\max_c \sum_{i \in N_K(x)} w_i \, [y_i = c]",
    plain_rule="ŷ(x) = the most common class among the K nearest training rows",
    source="R (Roweis): vote, ties, look-up structures; B (Barra): choosing K, weights, trees; T, L: vote",
    fit_cost="O(n d), trees O(n d + n log² n)",
    predict_cost="O(n d) per row, trees about O(d log n) in few dimensions",
    grid={"weights": ["uniform", "distance"], "n_neighbors": [25, 15, 9, 5, 3, 1]},
    test_parameters=(
        {},
        {"algorithm": "kd_tree", "ties": "increase", "n_neighbors": 4},
        {"algorithm": "ball_tree", "weights": "distance", "metric": "manhattan"},
        {"algorithm": "annulus", "ties": "lowest", "n_neighbors": "sqrt"},
        {"algorithm": "partial", "metric": "chebyshev", "n_neighbors": "loo"},
        {"metric": "heom", "n_neighbors": 3},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0027, rows=1.1, columns=0.6, grid=3.3),
)
class KNeighborsClassifier(GridScores, Classifier, Neighbours):
    r"""Predict the majority class among the k nearest training rows.

    The rule:

    .. math:: \hat y(x) = \arg\max_c \sum_{i \in N_K(x)} w_i \, [y_i = c]

    and :math:`P(c \mid x)` is the fraction of the votes for c among the neighbours used.

    ``fit`` stores the rows and builds a search structure. Every structure is exact and returns the same
    neighbours, ordered by distance, then by row index. Distances are computed from differences in double
    precision, so neighbours do not depend on shifts, memory order or threads, and a row is at distance 0 from
    itself.

    Ties are broken as in the lecture: all rows at exactly the K-th distance vote, so K grows for that query.
    If several classes are then tied, K shrinks for that query, by whole groups of equal distance, until one
    class leads (``ties="decrease"``); or it grows (``"increase"``); or exactly K rows vote and the first of
    the tied classes wins (``"lowest"``, as in scikit-learn).

    Parameters
    ----------
    n_neighbors : int, "sqrt" or "loo", default=5
        K; if there are fewer rows, all of them vote, and ``fit`` warns. "sqrt": √(n/C), made odd for two
        classes. "loo": the K up to 50 with the fewest leave-one-out errors, the smallest of tied ones.
    weights : {"uniform", "distance"} or function, default="uniform"
        The weight of a neighbour: 1, or 1/distance (neighbours at distance 0 take all the weight), or a
        function from an array of distances to weights.
    algorithm : {...}, default="auto"
        The search structure. k-d tree and annulus: Minkowski metrics; ball tree: true metrics; brute force
        and partial distance: all. "auto" chooses the fastest for the shape of the data.
    leaf_size : int, default=32
        Rows per leaf of a tree, rounded to a multiple of eight; affects speed only.
    p : float, default=2
        Power of the Minkowski metric.
    metric : {...} or function, default="minkowski"
        The distance. "heom" and "gower" handle numeric, categorical and missing values together;
        "precomputed": X holds distances; a function takes two rows.
    metric_params : dict or None, default=None
        V or VI of the Mahalanobis metric (by default the covariance of the rows); keyword arguments of a
        function.
    ties : {...}, default="decrease"
        How ties between classes are broken.
    approximate : bool, default=False
        Whether to search a single leaf of the k-d tree only. `recall` measures what is lost.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns, for "heom" and "gower".
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    n_neighbors_ : int
        K, at most the number of rows.
    algorithm_ : str
        The search structure in use.
    n_samples_fit_ : int
        Number of training rows.

    Notes
    -----
    Cost: ``fit`` only builds the search structure; a query compares with all n rows (brute), or with few of
    them (trees, up to about a dozen dimensions). In high dimensions all rows are about equally far. As n
    grows, the error of 1-NN is at most twice the Bayes error. It assumes that distance means similarity:
    scale the columns. Sample weights are not supported. HEOM and Gower divide numeric columns by their range;
    an unseen category differs from all others, a missing value has the maximal distance (HEOM) or is left out
    (Gower). Values must not exceed 1e150 in magnitude.

    Use it where nearby rows tend to share a class, whatever the shape of the classes, with many rows and few
    columns; it makes no assumption about the classes, and every prediction can be explained by its
    neighbours. Not with many irrelevant columns, which dominate the distance, nor with columns of unequal
    scale, nor where predictions on large tables must be fast.

    Examples
    --------
    Two votes against two at K = 4: K shrinks until one class leads.

    >>> from classica import KNeighborsClassifier
    >>> X, y = [[1.0], [2.0], [4.0], [7.0]], ["a", "b", "b", "a"]
    >>> model = KNeighborsClassifier(n_neighbors=4).fit(X, y)
    >>> model.predict([[0.0]]), model.explain([[0.0]])[0].used
    (array(['b'], dtype='<U1'), 3)
    >>> model.leave_one_out_errors(3).decrease
    array([3, 4, 4])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **NEIGHBOUR_RULES,
        "n_neighbors": Integer(at_least=1) | OneOf("sqrt", "loo"),
        "ties": OneOf(*native.TIES),
    }

    free_parameters: ClassVar[frozenset[str]] = frozenset({"n_neighbors", "weights", "ties"})

    _codes: Codes
    #: Where many K ask for the neighbours of the same rows.
    _shared_search: SharedSearch | None = None

    def __init__(
        self,
        n_neighbors: int | str = 5,
        *,
        weights: str | Callable[[Floats], Floats] = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 32,
        p: float = 2,
        metric: str | Callable[..., float] = "minkowski",
        metric_params: dict[str, Any] | None = None,
        ties: str = "decrease",
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

    def fit(self, X: MatrixLike, y: VectorLike) -> KNeighborsClassifier:
        """Keep the rows and build the search structure.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows; for ``metric="precomputed"`` their distances from each other.
        y : array-like of shape (n_samples,)
            The labels.

        Returns
        -------
        self : KNeighborsClassifier
        """
        self._fit_rows(X, y)
        self._warn_of_few_rows()
        return self

    def _fit_rows(self, X: Rows, y: VectorLike) -> KNeighborsClassifier:
        """Learn without a word on how many rows there are: more may come."""
        check_parameters(self)
        columns = self._read(X, reset=True)
        classes, codes = encode_target(y, columns.matrix.shape[0], type(self).__name__)
        self._learn_rows(columns)
        self.classes_, self._codes = classes, codes
        self.n_neighbors_ = self._choose_k()
        return self

    def partial_fit(
        self, X: MatrixLike, y: VectorLike, classes: VectorLike | None = None
    ) -> KNeighborsClassifier:
        """Add rows: the result equals a fresh fit on all rows so far.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows to add.
        y : array-like of shape (n_samples,)
            Their labels; new labels are welcome at any time.
        classes : array-like, optional
            Labels that exist but may not have been seen yet.

        Returns
        -------
        self : KNeighborsClassifier
        """
        if not self._is_fitted():
            self._fit_rows(X, y)
            labels, codes = self.classes_, self._codes
        else:
            columns = self._read(X, reset=False, grow=True)
            labels, codes = encode_target(y, columns.matrix.shape[0], type(self).__name__)
            both = label_union(self.classes_, labels)
            self._add_rows(columns)
            mine = np.searchsorted(both, self.classes_)[self._codes]
            codes = np.concatenate([mine, np.searchsorted(both, labels)[codes]]).astype(np.int32)
            labels = both
        if classes is not None:
            announced = label_union(labels, np.asarray(classes))
            labels, codes = announced, np.searchsorted(announced, labels)[codes].astype(np.int32)
        self.classes_, self._codes = labels, codes
        self.n_neighbors_ = self._choose_k()
        return self

    def forget(self, X: MatrixLike, y: VectorLike) -> KNeighborsClassifier:
        """Remove rows learned before: the result equals a fresh fit on the rows that are left.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows the model has learned; of several equal ones the first is removed.
        y : array-like of shape (n_samples,)
            Their labels.

        Returns
        -------
        self : KNeighborsClassifier
            A class with no rows left is forgotten too.
        """
        self._require_fitted()
        columns = self._read(X, reset=False)
        labels, codes = encode_target(y, columns.matrix.shape[0], type(self).__name__)
        both = label_union(self.classes_, labels)
        theirs, mine = np.searchsorted(both, labels)[codes], np.searchsorted(both, self.classes_)[self._codes]
        gone = self._matching(columns, theirs, mine)
        self._remove_rows(gone)
        self.classes_, self._codes = encode_labels(self.classes_[self._codes[~gone]])
        self.n_neighbors_ = self._choose_k()
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the label of each query; ``X=None`` asks for every training row, left out."""
        shares = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return each class's share of the votes; ``X=None`` asks for every training row, left out."""
        return self._votes(X)[0]

    def neighbors_used(self, X: MatrixLike) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
        """Return, per query, the training rows that voted, and how many: the K actually used."""
        _, used, lists = self._votes(X)
        firsts = zip(lists[0][:-1], used, strict=True)
        return [lists[2][start : start + k].astype(np.int64) for start, k in firsts], used.astype(np.int64)

    def explain(self, X: MatrixLike) -> list[Explanation]:
        """Return, per query, the neighbours that voted, with their distances and labels."""
        shares, used, (starts, ranks, rows) = self._votes(X)
        distances = self._distances(ranks)
        explanations = []
        for i, k in enumerate(used):
            entries = slice(starts[i], starts[i] + k)
            label = self.classes_[shares[i].argmax()]
            by_class = dict(zip(self.classes_.tolist(), shares[i].tolist(), strict=True))
            voters = rows[entries].astype(np.int64)
            labels = self.classes_[self._codes[voters]]
            explanations.append(Explanation(label, by_class, voters, distances[entries], labels))
        return explanations

    def leave_one_out_errors(self, largest: int = 50) -> LeaveOneOutErrors:
        """Return the leave-one-out errors of every K up to ``largest``, under every rule, in one pass."""
        self._require_fitted()
        if not Integer(at_least=1).accepts(largest):
            raise ParameterError(must("largest", "an integer of at least 1", largest))
        rows = self._every_row()
        largest = min(largest, len(rows) - 1)
        lists = self._find_left_out(rows, largest)
        errors, unsettled = self._count_errors(lists, self._codes, largest, largest)
        if unsettled.any():
            errors[1] += self._grown_errors(np.flatnonzero(unsettled), largest)
        return LeaveOneOutErrors(self.n_samples_fit_, *errors)

    def _is_fitted(self) -> bool:
        return "n_neighbors_" in self.__dict__

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        # The one that asks for the fewest neighbours: that others ask for more than there are is no news.
        first = min(models, key=_fewest_neighbours).fit(X, y)
        for model in models:
            if model is not first:
                taught_by(model, first)
                model.n_neighbors_ = model._choose_k()
        search = SharedSearch(max(model.n_neighbors_ for model in models))
        for index, model in enumerate(models):
            # A function of weights sees whole lists; those of an approximate search depend on K.
            if not callable(model.weights) and not model.approximate:
                model._shared_search = search
            yield index, model

    def _choose_k(self) -> int:
        rows, classes = self.n_samples_fit_, len(self.classes_)
        if self.n_neighbors == "loo":
            return self._loo_k() if rows > 1 else 1
        if self.n_neighbors == "sqrt":
            k = max(1, round(float(np.sqrt(rows / classes))))
            return min(k + (k % 2 == 0) * (classes == 2), rows)
        return min(int(self.n_neighbors), rows)

    def _loo_k(self) -> int:
        self.n_neighbors_ = 1  # the errors below do not depend on it
        return self.leave_one_out_errors().best(self.ties)

    def _votes(self, X: Rows) -> tuple[Floats, Codes, Lists]:
        """Return shares, neighbours used and lists; lists grow for queries whose tie asks for it."""
        self._require_fitted()
        most = self.n_samples_fit_ - (X is None)
        k = wanted = max(1, min(self.n_neighbors_, most))
        queries, lists = self._first_lists(X, k)
        shares, used = self._count(lists, k, k >= most)
        while (open_ := np.flatnonzero(used < 0)).size:
            wanted = min(4 * wanted + 16, most)
            longer = self._lists(queries, open_, wanted)
            shares[open_], used[open_] = self._count(longer, k, wanted >= most)
            lists = replaced(lists, open_, longer)
        return shares, used, lists

    def _first_lists(self, X: Rows, k: int) -> tuple[Any, Lists]:
        """Return the checked queries, and lists of at least K neighbours."""
        if self._shared_search is not None and X is not None:
            return self._shared_search.lists(self, X)
        queries = None if X is None else self._query(X)
        return queries, self._lists(queries, None, k)

    def _lists(self, queries: Rows, chosen: NDArray[np.intp] | None, k: int) -> Lists:
        """Return the lists of chosen queries (None: all), or of left-out training rows if there are none."""
        if queries is None:
            return self._find_left_out(self._every_row() if chosen is None else chosen, k)
        return self._search(queries if chosen is None else queries[chosen], k, backtrack=not self.approximate)

    def _count(self, lists: Lists, k: int, complete: bool) -> tuple[Floats, Codes]:
        weights = self._weights(lists)
        classes = len(self.classes_)
        return native.count_votes(lists, weights, self._codes, classes, k, self.ties, complete, self._threads)

    def _count_errors(self, lists: Lists, truths: Codes, largest: int, listed: int) -> Any:
        complete = listed >= self.n_samples_fit_ - 1
        classes = len(self.classes_)
        weights = self._weights(lists)
        return native.leave_one_out_errors(lists, weights, self._codes, truths, classes, largest, complete)

    def _grown_errors(self, rows: NDArray[np.intp], largest: int) -> NDArray[np.int64]:
        """Return the errors of the rule "increase" for rows whose ties reach beyond their lists."""
        listed = largest
        total = np.zeros(largest, dtype=np.int64)
        while len(rows):
            listed = min(4 * listed + 16, self.n_samples_fit_ - 1)
            lists = self._find_left_out(rows, listed)
            errors, unsettled = self._count_errors(lists, self._codes[rows], largest, listed)
            total += errors[1]
            rows = rows[unsettled]
        return total


def _fewest_neighbours(model: KNeighborsClassifier) -> int:
    return 0 if isinstance(model.n_neighbors, str) else model.n_neighbors
