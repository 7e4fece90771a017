r"""ID3: the question with the highest information gain, a branch for each answer.

.. math:: A^* = \arg\max_A \; H(S) - \sum_{v \in A} \frac{|S_v|}{|S|} H(S_v)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.base.estimator import TrainingData
from classica.estimators.trees.growth_limits import GROWTH_LIMITS, growth_limits
from classica.estimators.trees.tree_classifier import TreeClassifier
from classica.native import Floats
from classica.params import N_JOBS, Categorical, CategoricalFeatures, Integer, Nothing, OneOf, Real, Rule
from classica.registry import FitTime, register
from classica.trees.growing.growth import MISSING_POLICIES, GrowthRules, Target
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Longs
from classica.trees.growing.tree_names import Names


@register(
    slug="id3",
    title="ID3",
    family="trees",
    rule=r"A^* = \arg\max_A \; H(S) - \sum_{v \in A} \frac{|S_v|}{|S|} H(S_v)",
    plain_rule="split on the column with the highest information gain; a branch for each of its levels",
    source="R, B, T: ID3; Quinlan (1986)",
    fit_cost="O(n d) per level for categories, O(n d log n) for numbers",
    predict_cost="O(depth) per row",
    grid={"max_depth": [2, 4, 8, None], "min_samples_leaf": [5, 2, 1]},
    test_parameters=({}, {"n_bins": 4, "max_depth": 3}),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0023, rows=0.9, columns=0.5, classes=0.2, grid=2.3),
)
class ID3Classifier(TreeClassifier):
    r"""Grow a decision tree by information gain, with a branch for each level of a categorical column.

    A node with the rows :math:`S` splits on the column

    .. math:: A^* = \arg\max_A \; H(S) - \sum_{v \in A} \frac{|S_v|}{|S|} H(S_v)

    where :math:`H` is the entropy of the classes in bits. Numeric columns are split in two at the best
    midpoint between two values, possibly several times along a path, or binned once into `n_bins` intervals.

    Parameters
    ----------
    n_bins : int or None, default=None
        None: numeric columns are split at the threshold with the highest gain. Otherwise the range of each
        numeric column is divided into this many intervals of equal width, which are then its levels; values
        beyond the range belong to the outermost intervals.
    missing : {...}, default="direction"
        How missing values are routed: to the branch that gains most in training; to a branch of their own; to
        all branches in fractions.
    max_depth : int or None, default=None
        Maximum depth of the tree.
    min_samples_split : int or float, default=2
        Minimum number of rows to split a node; a float is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows on each side of a threshold, and in at least two branches of a multiway split.
    smoothing : float, default=0
        Added to the count of each class in a leaf; 1 is the Laplace estimate.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns: by the dtypes of the data frame, or listed by name or index.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : array
        The labels.
    tree_ : Tree
        The tree, as plain arrays.

    Notes
    -----
    Cost: O(n d) per level of the tree for categories, O(n d log n) in all for numeric columns. Ties go to the
    first column, then to the smallest threshold. A split without gain is taken if the node is impure and can
    be split, so every Boolean function can be learned. A level that does not occur in a node has no branch: a
    row with that level stops there and takes the node's most frequent class (`unseen` counts levels that
    never occurred in training). It is not pruned and overfits; `C45Classifier` is its successor. It is biased
    towards columns with many levels.

    Use it to teach how a tree is grown, and on small categorical tables without noise. Not on noisy tables,
    where it overfits, nor with columns that nearly identify the rows, which have the highest gain of all.

    Examples
    --------
    Golf is played depending on the weather:

    >>> import polars as pl
    >>> from classica import ID3Classifier
    >>> X = pl.DataFrame({
    ...     "outlook": "sun sun over rain rain rain over sun sun rain sun over over rain".split(),
    ...     "humidity": "high high high high norm norm norm high norm norm norm high norm high".split(),
    ...     "wind": "no yes no no no yes yes no no no yes yes no yes".split(),
    ... })
    >>> y = "no no yes yes yes no yes no yes yes yes yes yes no".split()
    >>> model = ID3Classifier().fit(X, y)
    >>> model.get_n_leaves(), model.score(X, y)
    (5, 1.0)
    >>> (model.tree_.gain[0] / 14).round(6)  # the gain of the outlook, in bits
    np.float64(0.24675)
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "n_bins": Nothing() | Integer(at_least=2),
        "missing": OneOf(*(policy for policy in MISSING_POLICIES if policy != "surrogate")),
        "max_depth": GROWTH_LIMITS["max_depth"],
        "min_samples_split": GROWTH_LIMITS["min_samples_split"],
        "min_samples_leaf": GROWTH_LIMITS["min_samples_leaf"],
        "smoothing": Real(at_least=0),
        "categorical_features": CategoricalFeatures(),
        "n_jobs": N_JOBS,
    }

    _binned_places: Longs
    _edges: Floats

    def __init__(
        self,
        n_bins: int | None = None,
        *,
        missing: str = "direction",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        smoothing: float = 0.0,
        categorical_features: Categorical = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.n_bins = n_bins
        self.missing = missing
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> ID3Classifier:
        """Grow the tree by the information gain.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows; missing values are NaN, None or null.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : ID3Classifier
        """
        data, positions = self._counted_rows(X, y, sample_weight)
        task = self._task(data, positions)
        self._store(self._pruning().grow(task))
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the most probable class of each row; of equal ones the first."""
        return self._labels(self._query(X))

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the share of each class where each row ends."""
        return self._posteriors(self._query(X))

    @property
    def names_(self) -> Names:
        """What columns, levels and classes are called; intervals by their ends."""
        names = super().names_
        edges = dict(zip(self._binned_places.tolist(), self._edges.tolist(), strict=True))
        levels = {j: _intervals(ends) for j, ends in edges.items()}
        return Names(names.columns, {**names.levels, **levels}, names.classes, edges)

    def _growth_rules(self, X: Rows, target: Target) -> GrowthRules:
        limits = growth_limits(self, X.shape[1], target)
        return GrowthRules(criterion="entropy", categories="multiway", missing=self.missing, **limits)

    def _task(self, data: TrainingData, indices: Longs | None) -> TreeTask:
        self._binned_places, self._edges = np.arange(0), np.empty((0, 0))
        if self.n_bins is not None:
            self._binned_places = np.flatnonzero(~self._categorical)
            self._edges = _edges(data.X[:, self._binned_places], self.n_bins)
            self._categorical = np.ones_like(self._categorical)
            data = replace(data, X=self._binned(data.X))
        return super()._task(data, indices)

    def _query(self, X: Rows) -> Any:
        matrix = super()._query(X)
        return self._binned(matrix) if len(self._edges) else matrix

    def _binned(self, matrix: Rows) -> Floats:
        binned = np.array(matrix, dtype=np.float64)
        cells = binned[:, self._binned_places]
        codes = sum(cells > edge for edge in self._edges.T)
        binned[:, self._binned_places] = np.where(np.isnan(cells), np.nan, codes)
        return binned


def _edges(cells: Floats, bins: int) -> Floats:
    """Return where the intervals of equal width of each column meet, a row per column.

    A number on an edge lies below it; of a column without numbers all edges are 0.
    """
    cells = cells.astype(np.float64)
    low, high = (np.nan_to_num(ends.reduce(cells, axis=0))[:, None] for ends in (np.fmin, np.fmax))
    shares = np.arange(1, bins) / bins
    edges: Floats = low * (1 - shares) + high * shares
    return edges


def _intervals(edges: list[float]) -> list[str]:
    ends = [f"{edge:.6g}" for edge in edges]
    between = [f"({low}, {high}]" for low, high in pairwise(ends)]
    return [f"<= {ends[0]}", *between, f"> {ends[-1]}"]
