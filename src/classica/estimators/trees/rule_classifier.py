r"""Rules: the first of a short list of if-then rules that holds for a row.

.. math:: g(x) = c_k, \quad k = \min \{ i : x \text{ meets every condition of rule } i \}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.base.estimator import Classifier, TrainingData
from classica.estimators.trees.c45 import C45Classifier
from classica.estimators.trees.coded_columns import CodedColumns
from classica.native import Floats
from classica.params import N_JOBS, Categorical, CategoricalFeatures, Integer, Real, Rule
from classica.registry import FitTime, register
from classica.trees.growing.group_sums import group_sums
from classica.trees.growing.growth import Target, cases_of
from classica.trees.growing.tree import Tree
from classica.trees.ruling.rule import Rule as IfThen
from classica.trees.ruling.rule_list import RuleList
from classica.trees.ruling.rule_set import CodedRule, RuleSearch
from classica.trees.ruling.rule_table import RuleTable
from classica.trees.ruling.tree_rules import evidence
from classica.trees.showing.named_tree import NamedTree


@register(
    slug="rules",
    title="decision rules",
    family="trees",
    rule=r"g(x) = c_k, \quad k = \min \{ i : x \text{ meets every condition of rule } i \}",
    plain_rule="g(x) = the class of the first rule whose conditions x meets",
    source="R (Roweis): a tree as a set of rules; Quinlan (1993): C4.5rules",
    fit_cost="O(n d log n) for the tree, O(n depth) per leaf for the rules",
    predict_cost="O(conditions) per row",
    grid={"confidence": [0.05, 0.25, 0.5], "min_samples_leaf": [5, 2]},
    test_parameters=({}, {"confidence": 0.05, "min_samples_leaf": 5}),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.015, rows=1.2, columns=0.5, classes=0.5, grid=5.5),
)
class RuleSetClassifier(Classifier, CodedColumns):
    r"""Predict the class of the first if-then rule whose conditions hold.

    The rule:

    .. math:: g(x) = c_k, \quad k = \min \{ i : x \text{ meets every condition of rule } i \}

    and a default class if no rule holds. The rules are learned as by C4.5rules. An unpruned C4.5 tree is
    grown. The path to each leaf is a rule; its conditions are dropped one by one as long as the pessimistic
    error rate does not rise. For each class, a subset of its rules with a short description length is chosen:
    the bits of the rules themselves, and of their exceptions,

    .. math:: \log_2 \binom{\text{covered}}{\text{false positives}}
              + \log_2 \binom{\text{not covered}}{\text{false negatives}}

    by adding and dropping single rules until the length no longer falls, starting from no rule and from all
    rules. The classes are ordered by the number of false positives of their rules among the remaining rows.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence factor of the pessimistic error: the lower, the shorter and fewer the rules.
    min_samples_leaf : int, default=2
        Minimum number of rows in at least two branches of every split of the tree.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns: the text, categorical and Boolean columns of a data frame, or those listed.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    rules_ : RuleList
        The rules in order, with the training rows each is the first to cover, and the default.
    grown_tree_ : Tree
        The tree the rules were extracted from.
    n_parameters_ : int
        Number of thresholds and sets of levels in all rules, plus a class for each rule and the default.

    Notes
    -----
    Cost: the tree, then O(n) per condition of every path. Probabilities are the class frequencies of the
    training rows a rule is the first to cover, with one added to each class count; `predict` returns the
    class with the highest, the first of tied ones. A rule that covers no remaining training row is dropped,
    and so is one whose class is not the most frequent among those it covers. Rows that no rule covers get the
    most frequent class of such training rows (of all rows, if there are none). A condition does not hold for
    a missing value, nor for an unseen level. Sample weights act as counts. Rules overlap, so a rule must be
    read together with those before it. Like trees, it fails where classes depend on sums of columns.

    Use it where people must check or apply the model: a list of rules is often shorter than the tree it came
    from, and each rule can be inspected. Not with many classes or oblique boundaries, where the list grows
    too long to read.

    Examples
    --------
    When to play golf:

    >>> import polars as pl
    >>> from classica import RuleSetClassifier
    >>> X = pl.DataFrame({
    ...     "outlook": "sun sun cloudy rain rain rain cloudy sun sun rain sun cloudy cloudy rain".split(),
    ...     "humidity": [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91],
    ...     "windy": "no yes no no no yes yes no no no yes yes no yes".split(),
    ... })
    >>> y = "no no yes yes yes no yes no yes yes yes yes yes no".split()
    >>> model = RuleSetClassifier().fit(X, y)
    >>> print(model.rules_)
    1. if outlook = sun and humidity > 75 then no (3, confidence 0.63)
    2. if outlook = rain and windy = yes then no (2, confidence 0.50)
    3. if outlook = cloudy then yes (4, confidence 0.71)
    4. if outlook = rain and windy = no then yes (3, confidence 0.63)
    Otherwise yes (2, confidence 0.50)
    >>> model.predict(X[:3])
    array(['no', 'no', 'yes'], dtype='<U3')
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "confidence": Real(above=0, at_most=0.5),
        "min_samples_leaf": Integer(at_least=1),
        "categorical_features": CategoricalFeatures(),
        "n_jobs": N_JOBS,
    }

    rules_: RuleList
    grown_tree_: Tree
    _table_of_rules: RuleTable
    _shares: Floats

    def __init__(
        self,
        confidence: float = 0.25,
        *,
        min_samples_leaf: int = 2,
        categorical_features: Categorical = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> RuleSetClassifier:
        """Grow a tree, and make rules of it.

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
        self : RuleSetClassifier
        """
        data = self._training_data(X, y, sample_weight)
        self.classes_ = data.classes
        weights = np.ones(len(data.codes)) if data.weights is None else data.weights
        self.grown_tree_, values = self._grown(data)
        named = NamedTree.of(self.grown_tree_, self.names_, divides_rows=True)
        matrix = np.asarray(data.X, dtype=np.float64, order="F")
        classes = len(data.classes)
        search = RuleSearch(matrix, data.codes, weights, classes, values, self.confidence, self._threads)
        self._keep(*search.rules(named), group_sums(data.codes, weights, len(data.classes)))
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the class of the first rule that holds for each row."""
        codes = self._posteriors(self._query(X)).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[codes]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the class shares of the training rows that the first rule that holds was first for."""
        return self._posteriors(self._query(X))

    def deciding_rule(self, X: MatrixLike) -> NDArray[np.intp]:
        """Return which rule answers for each row, from 0; the number of rules where the default does."""
        X = self._query(X)
        return self._table_of_rules.first(X)

    @property
    def n_parameters_(self) -> int:
        """Bounds and sets of levels, and a class for each rule and the default."""
        table = self._table_of_rules
        bounds = np.isfinite(table.low).sum() + np.isfinite(table.high).sum() + len(table.on_categories)
        return int(bounds) + len(self._shares)

    def to_rules(self) -> RuleList:
        """Return the rules."""
        return self.rules_

    def _posteriors(self, X: Rows) -> Floats:
        shares: Floats = self._shares[self._table_of_rules.first(X)]
        return shares

    def _grown(self, data: TrainingData) -> tuple[Tree, list[int]]:
        """Return the unpruned tree of C4.5, and the number of different values of each column."""
        cases = cases_of(data.weights)
        target = Target(data.codes, len(data.classes), weights=data.weights, cases=cases)
        c45 = C45Classifier(min_samples_leaf=self.min_samples_leaf)
        rules, threshold = c45._growth_rules(data.X, target), c45._threshold_policy()
        table = self._table(data.X)
        return table.grow(target, rules, self._threads, threshold=threshold), table.levels.tolist()

    def _keep(self, rules: list[CodedRule], counts: Floats, all_rows: Floats) -> None:
        """Set everything `predict` needs; `counts` has a row per rule and one for the default."""
        default = counts[-1] if counts[-1].any() else all_rows
        smoothed = np.vstack([counts[:-1], default]) + 1.0
        self._shares = smoothed / smoothed.sum(axis=1, keepdims=True)
        answers = self.classes_[self._shares.argmax(axis=1)].tolist()
        conditions = [*(conditions for _, conditions in rules), ()]
        made = [self._rule(*parts) for parts in zip(conditions, answers, counts, strict=True)]
        self.rules_ = RuleList(tuple(made[:-1]), made[-1], self.names_)
        self._table_of_rules = RuleTable.of(self.rules_.rules)

    def _rule(self, conditions: Any, answer: Any, counts: Floats) -> IfThen:
        cases = float(counts.sum())
        errors = cases - float(counts.max())
        return IfThen(conditions, answer, cases, errors, evidence(cases, errors, self.confidence))
