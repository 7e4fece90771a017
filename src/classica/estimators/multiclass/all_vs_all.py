r"""All against all: a binary classifier for every two classes, and most wins decide.

.. math:: \hat y(x) = \arg\max_c \sum_{k \ne c} [s_{ck}(x) \ge 0]
"""

from __future__ import annotations

from typing import Any

from classica.arrays import MatrixLike, VectorLike
from classica.estimators.base.contests import warn_of_many_pairs
from classica.estimators.base.margins import MarginClassifier, binary_contests, class_margins
from classica.estimators.members.member_rows_passed import MadeOfMembers
from classica.estimators.multiclass.binary_classifiers import BinaryClassifiers
from classica.native import Floats
from classica.params import check_parameters
from classica.registry import FitTime, register


@register(
    slug="all-vs-all",
    title="all-vs-all",
    family="multiclass",
    rule=r"\hat y(x) = \arg\max_c \sum_{k \ne c} [s_{ck}(x) \ge 0]",
    plain_rule="ŷ(x) = the class with most wins over the other classes, ties broken by summed scores",
    source="C, T: all-vs-all, most wins",
    fit_cost="C (C - 1) / 2 fits of the binary classifier, each on the rows of two classes",
    predict_cost="C (C - 1) / 2 predictions of the binary classifier",
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0037, rows=0.4, columns=0.5, classes=1.3),
)
class AllVsAllClassifier(BinaryClassifiers, MarginClassifier, MadeOfMembers):
    r"""Fit a binary classifier to every pair of classes and predict the class with most wins.

    The rule, where :math:`s_{ck}(x) = -s_{kc}(x)` is the score of the binary classifier for classes c and k
    in favour of c:

    .. math:: \hat y(x) = \arg\max_c \sum_{k \ne c} [s_{ck}(x) \ge 0]

    Ties in the number of wins are broken by the sum of the scores (the confidence). For each pair of classes
    a clone of `estimator` is fitted to the rows of these two, labelled 1 for the first and 0 for the second;
    with only two classes the single binary classifier has the second as its positive class. The score is its
    ``decision_function``, else the difference of its two probabilities, else 1 or -1 by its prediction.

    Parameters
    ----------
    estimator : classifier or None, default=None
        The binary classifier: any classifier, of this package or another. None: `FisherClassifier`.
    random_state : int, RandomState instance or None, default=None
        Random seed for binary classifiers that have none of their own.
    n_jobs : int or None, default=None
        Number of threads that fit binary classifiers in parallel; None uses every available core. The result
        does not depend on it. A binary classifier that does not set its own `n_jobs` runs on one thread.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    estimators_ : list of classifiers
        The binary classifiers of the pairs (0, 1), (0, 2), ..., (1, 2), ...; none for one class.
    n_parameters_ : int
        Number of free parameters of all binary classifiers, if each reports its own.

    Notes
    -----
    Cost: every row takes part in C - 1 small fits; if the cost of a fit grows faster than linearly in the
    rows, this is cheaper than one-vs-all. A score of zero is a win of the first class; if wins and sums are
    equal, the first class is predicted. ``decision_function`` of three or more classes is the number of wins
    and, as less than a third of one, the sum of the scores. Binary classifiers receive the rows as given, so
    categories, missing values and `sample_weight` are supported if `estimator` supports them. Binary
    classifiers also predict rows of classes they were not trained on: those predictions are noise, which the
    others must outvote.

    Use it to extend a binary classifier to several classes if its cost grows faster than linearly in the
    rows, or if a class lies between others. Not with very many classes, since every pair needs a binary
    classifier.

    Examples
    --------
    Three classes in a row. No line separates the middle one from the rest, but lines separate every pair:

    >>> from classica import AllVsAllClassifier
    >>> X = [[0, 0], [1, 1], [2, 0], [4, 0], [5, 1], [6, 0], [8, 0], [9, 1], [10, 0]]
    >>> y = ["a", "a", "a", "b", "b", "b", "c", "c", "c"]
    >>> AllVsAllClassifier().fit(X, y).predict([[1, 0], [5, 0.5], [9, 0]]).tolist()
    ['a', 'b', 'c']
    """

    _one_vs_all = False

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None, **params: Any
    ) -> AllVsAllClassifier:
        """Learn a binary classifier for every two classes.

        Parameters
        ----------
        X : whatever the binary classifier takes, of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts, for a binary classifier that takes such weights.
        **params : metadata
            What else the ``fit`` of the binary classifier requests, with scikit-learn's metadata routing.

        Returns
        -------
        self : AllVsAllClassifier
        """
        check_parameters(self)  # before the estimator is asked for its requests
        seen = self._read_rows(X, y, sample_weight, params)
        warn_of_many_pairs(len(seen.data.classes), False, "OneVsAllClassifier needs only one for each class")
        contests = binary_contests(len(seen.data.classes), self._one_vs_all)
        columns = self._seen_columns(contests, seen)
        members = self._machines(contests, seen, columns)
        self._store(seen.data.classes, members, columns)
        return self

    def decision_function(self, X: MatrixLike) -> Floats:
        """Return the contests each class wins and, as less than a third of one, the sum of its scores."""
        scores = self._binary_scores(self._query(X))
        return class_margins(scores, len(self.classes_), self._one_vs_all)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags
