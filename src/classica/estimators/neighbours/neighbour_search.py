"""What the nearest-neighbour classifier and regressor share: the rows, the search, the weights."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike, Rows
from classica.columns import Accepts, Columns, read_columns
from classica.errors import DataError, ParameterError, must
from classica.estimators.base.estimator import Estimator
from classica.estimators.neighbours.neighbour_index import NeighbourIndex
from classica.estimators.neighbours.row_metric import MIXED, NAMES, RowMetric, make_metric
from classica.native import Codes, Floats, Lists
from classica.params import (
    N_JOBS,
    Boolean,
    CategoricalFeatures,
    Dictionary,
    Function,
    Integer,
    Nothing,
    OneOf,
    Real,
    Rule,
)

NEIGHBOUR_RULES: Mapping[str, Rule] = {
    "weights": OneOf("uniform", "distance") | Function(),
    "algorithm": OneOf("auto", *native.STRUCTURES),
    "leaf_size": Integer(at_least=1),
    "p": Real(above=0),
    "metric": OneOf(*NAMES, "precomputed") | Function(),
    "metric_params": Nothing() | Dictionary(),
    "approximate": Boolean(),
    "categorical_features": CategoricalFeatures(),
    "n_jobs": N_JOBS,
}


class Neighbours(Estimator):
    """Holds training rows and finds the nearest of them."""

    parameter_rules: ClassVar[Mapping[str, Rule]] = NEIGHBOUR_RULES
    n_neighbors: Any
    weights: str | Callable[[Any], Any]
    algorithm: str
    leaf_size: int
    p: float
    metric: str | Callable[[Any, Any], float]
    metric_params: dict[str, Any] | None
    approximate: bool
    categorical_features: Any

    n_neighbors_: int
    n_samples_fit_: int
    algorithm_: str
    _index: NeighbourIndex | None
    _raw: Any  # rows as given, where the index holds something else

    @property
    def accepts(self) -> Accepts:  # type: ignore[override]
        """What rows are taken: mixed metrics know missing values and categories."""
        mixed = self.metric in MIXED if isinstance(self.metric, str) else False
        return Accepts(missing=mixed, categorical=mixed, largest=1e150)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.positive_only = self.metric == "precomputed"
        return tags

    def _warn_of_few_rows(self) -> None:
        """Say that fewer rows vote than were asked for."""
        rows, wanted = self.n_samples_fit_, self.n_neighbors
        if not isinstance(wanted, str) and wanted > rows:
            text = f"n_neighbors must be at most {rows}, the number of rows, got {wanted}: all rows vote."
            warnings.warn(text, UserWarning, stacklevel=3)

    def kneighbors(
        self, X: MatrixLike | None = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Return the distances and training rows of the K nearest neighbours, nearest first.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), optional
            The queries. None: every training row, which does not count as its own neighbour.
        n_neighbors : int, optional
            How many; the model's own K by default.
        return_distance : bool, default=True
            Whether to return the distances too.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            Only with ``return_distance``.
        rows : ndarray of shape (n_queries, n_neighbors)
            Rows of the training data; equal distances are in the order of the rows.
        """
        self._require_fitted()
        most = self.n_samples_fit_ - (X is None)
        wanted = self.n_neighbors_ if n_neighbors is None else n_neighbors
        if not Integer(at_least=1, at_most=most).accepts(wanted):
            raise ParameterError(must("n_neighbors", f"an integer from 1 to {most} (the rows)", wanted))
        starts, ranks, rows = self._find(X, wanted)
        if len(rows) > (len(starts) - 1) * wanted:  # lists with ties are longer
            indices = starts[:-1, None] + np.arange(wanted)
            ranks, rows = ranks[indices], rows[indices]
        neighbours = rows.reshape(-1, wanted).astype(np.int64)
        return (self._distances(ranks).reshape(-1, wanted), neighbours) if return_distance else neighbours

    def recall(self, X: MatrixLike) -> float:
        """Return the share of true neighbours the (approximate) search finds for these queries."""
        starts, _, indices = self._find(X, self.n_neighbors_)
        true_starts, _, true = self._find(X, self.n_neighbors_, backtrack=True)
        queries = range(len(starts) - 1)
        pairs = (
            (indices[starts[i] : starts[i + 1]], true[true_starts[i] : true_starts[i + 1]]) for i in queries
        )
        return sum(len(np.intersect1d(a, b)) for a, b in pairs) / len(true)

    @property
    def n_parameters_(self) -> int:
        """What is kept: every value of every training row."""
        return self.n_samples_fit_ * int(self.n_features_in_)

    def _read(self, X: Rows, *, reset: bool, grow: bool = False) -> Columns:
        wanted = self.categorical_features
        return read_columns(self, X, self.accepts, self._threads, wanted, reset=reset, grow=grow)

    def _query(self, X: Rows) -> Any:
        """Check the rows of a prediction against what was learned."""
        self._require_fitted()
        return self._read(X, reset=False).matrix

    def _learn_rows(self, columns: Columns) -> None:
        """Build the search structure."""
        X, categorical = columns.matrix, columns.categorical
        self.n_samples_fit_ = X.shape[0]
        self._raw = X
        self._index = None
        self.algorithm_ = "brute"
        if self.metric == "precomputed" or callable(self.metric):
            self._require_plain_search()
            return
        metric = make_metric(self.metric, self.p, self.metric_params, X, categorical)
        self.algorithm_ = self._structure(metric, X)
        rows = metric.prepare(X)
        self._index = NeighbourIndex.build(rows, self.algorithm_, metric, self.leaf_size, self._threads)
        if rows is X:
            self._raw = None

    def _rows(self) -> Any:
        """Return the training rows as they were given."""
        if self._raw is not None:
            return self._raw
        assert self._index is not None  # one of the two holds the rows
        return self._index.rows()

    def _add_rows(self, columns: Columns) -> None:
        """Take in further rows; a metric that depends on the data is made anew."""
        if self.metric == "precomputed":
            raise ParameterError(must("metric", "computed from rows to add rows", self.metric))
        if self._index is None or self._raw is not None:
            self._learn_rows(Columns(np.concatenate([self._rows(), columns.matrix]), columns.categorical))
            return
        self._index = self._index.plus(columns.matrix, self._threads)
        self.n_samples_fit_ = self._index.count

    def _remove_rows(self, gone: NDArray[np.bool_]) -> None:
        if gone.all():
            raise DataError("forget must leave at least one row, got all of them.")
        if self._index is None or self._raw is not None:
            categorical = None if self._index is None else self._index.metric.categorical
            kept = self._rows()[~gone]
            if self.metric == "precomputed":
                kept = kept[:, ~gone]
                self.n_features_in_ = kept.shape[1]
            none = np.zeros(kept.shape[1], dtype=bool)
            self._learn_rows(Columns(kept, none if categorical is None else categorical.astype(bool)))
            return
        self._index = self._index.without(gone, self._threads)
        self.n_samples_fit_ = self._index.count

    def _matching(self, columns: Columns, targets: NDArray[Any], stored: NDArray[Any]) -> NDArray[np.bool_]:
        """Mark one training row for each given row: the first that is equal, target and all."""
        indices: dict[bytes, list[int]] = {}
        mine = np.ascontiguousarray(self._rows()) + 0.0  # -0 is 0
        for i in range(len(mine) - 1, -1, -1):
            indices.setdefault(mine[i].tobytes() + repr(stored[i]).encode(), []).append(i)
        gone = np.zeros(len(mine), dtype=bool)
        theirs = np.ascontiguousarray(columns.matrix.astype(mine.dtype)) + 0.0
        for i, row in enumerate(theirs):
            matches = indices.get(row.tobytes() + repr(targets[i]).encode())
            if not matches:
                raise DataError(f"Cannot forget row {i}: it is not a training row.")
            gone[matches.pop()] = True
        return gone

    def _require_plain_search(self) -> None:
        if self.metric == "precomputed" and self._raw.shape[0] != self._raw.shape[1]:
            raise DataError(must("X of precomputed distances", "square", self._raw.shape))
        if self.algorithm not in ("auto", "brute") or self.approximate:
            rule = f"'auto' or 'brute' for the metric {self.metric!r}"
            raise ParameterError(must("algorithm", rule, self.algorithm))

    def _structure(self, metric: RowMetric, X: Rows) -> str:
        wanted = "kd_tree" if self.approximate and self.algorithm == "auto" else self.algorithm
        if wanted == "auto":
            return _fastest(metric, *X.shape)
        if wanted not in metric.structures:
            rule = f"one of {', '.join(metric.structures)} for the metric {metric.name!r}"
            raise ParameterError(must("algorithm", rule, wanted))
        if self.approximate and wanted != "kd_tree":
            raise ParameterError(must("algorithm", "'kd_tree' (or 'auto') for approximate search", wanted))
        return wanted

    def _find(self, X: Rows, neighbours: int, *, backtrack: bool | None = None) -> Lists:
        """Return the neighbour lists of queries; X None means every training row, left out."""
        if X is None:
            return self._find_left_out(self._every_row(), neighbours)
        exact = not self.approximate if backtrack is None else backtrack
        return self._search(self._query(X), neighbours, backtrack=exact)

    def _every_row(self) -> NDArray[np.intp]:
        if self.n_samples_fit_ < 2:
            raise DataError("The training data must have at least 2 rows for leave-one-out, got 1.")
        return np.arange(self.n_samples_fit_)

    def _find_left_out(self, rows: NDArray[np.intp], neighbours: int) -> Lists:
        """Return the neighbour lists of training rows, none of which finds itself."""
        excluded = rows.astype(np.int32)
        if self._index is None:
            return self._search(self._raw[rows], neighbours, excluded=excluded)
        queries = self._index.rows()[rows]
        threads = self._threads
        return self._index.find(queries, neighbours, excluded=excluded, backtrack=True, threads=threads)

    def _search(
        self, X: Rows, neighbours: int, *, excluded: Codes | None = None, backtrack: bool = True
    ) -> Lists:
        """Find neighbours of checked queries."""
        if self._index is not None:
            queries = self._index.metric.prepare(X)
            return self._index.find(
                queries, neighbours, excluded=excluded, backtrack=backtrack, threads=self._threads
            )
        ranks = X if self.metric == "precomputed" else self._call_metric(X)
        ranks = np.ascontiguousarray(ranks, dtype=np.float64)
        return native.select_neighbours(ranks, neighbours, excluded=excluded, threads=self._threads)

    def _call_metric(self, queries: Rows) -> Floats:
        metric: Any = self.metric
        parameters = self.metric_params or {}
        return np.array([[metric(query, row, **parameters) for row in self._raw] for query in queries])

    def _distances(self, ranks: Floats) -> Floats:
        return ranks if self._index is None else self._index.metric.distances(ranks, int(self.n_features_in_))

    def _weights(self, lists: Lists) -> Floats | None:
        """Return the weight of each list entry; None when all are one."""
        if self.weights == "uniform":
            return None
        starts, ranks, _ = lists
        distances = self._distances(ranks)
        if callable(self.weights):
            return _called_weights(self.weights, starts, distances)
        # 1/d up to a factor per query: the nearest counts one. Zero distances take all the weight.
        nearest = np.repeat(distances[starts[:-1]], np.diff(starts))
        ratio = np.divide(nearest, distances, out=np.ones_like(distances), where=distances > 0)
        return np.where(nearest > 0, ratio, (distances == 0).astype(np.float64))


def _fastest(metric: RowMetric, rows: int, columns: int) -> str:
    """Choose the structure by the shape.

    Measured on 1,000 to 500,000 rows: in few dimensions the k-d tree wins; beyond 8 the sieve of Euclidean
    brute force is faster on batches (2.5 times in 10 dimensions), while other metrics have no sieve.
    """
    euclidean = metric.kernel == "euclidean"
    if "kd_tree" in metric.structures and rows >= 500 and columns <= (8 if euclidean else 12):
        return "kd_tree"
    return "brute" if euclidean else "partial"


def _called_weights(function: Callable[[Any], Any], starts: NDArray[Any], distances: Floats) -> Floats:
    """Call the function once per list length, on an array of one row per query, as scikit-learn does."""
    lengths = np.diff(starts)
    weights = np.empty_like(distances)
    for length in np.unique(lengths):
        indices = starts[:-1][lengths == length, None] + np.arange(length)
        weights[indices] = function(distances[indices])
    totals = np.add.reduceat(weights, starts[:-1])
    if not (np.isfinite(weights) & (weights >= 0)).all() or not (totals > 0).all():
        raise ParameterError("weights must return finite weights, not negative and not all zero, got others.")
    return weights


class SharedSearch:
    """Remembers the last queries and their lists, which are long enough for every K up to the largest."""

    def __init__(self, largest: int) -> None:
        self.largest = largest
        self._asked: Any = None
        self._queries: Any = None
        self._lists: Lists | None = None

    def lists(self, model: Neighbours, X: MatrixLike) -> tuple[Any, Lists]:
        """Return the checked queries and their lists; the same object is searched for once."""
        if self._lists is None or self._asked is not X:
            self._asked, self._queries = X, model._query(X)
            self._lists = model._lists(self._queries, None, self.largest)
        return self._queries, self._lists
