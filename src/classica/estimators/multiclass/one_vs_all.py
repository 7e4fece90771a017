r"""One against all: a binary classifier for each class, and the highest score wins.

.. math:: \hat y(x) = \arg\max_c s_c(x)
"""

from __future__ import annotations

from typing import Any

from classica.arrays import MatrixLike, VectorLike
from classica.estimators.base.margins import MarginClassifier, binary_contests, class_margins
from classica.estimators.gaussian.nearest_mean import NearestMeanClassifier
from classica.estimators.members.member_rows_passed import MadeOfMembers
from classica.estimators.multiclass.binary_classifiers import BinaryClassifiers
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.native import Floats
from classica.params import check_parameters
from classica.registry import FitTime, register


@register(
    slug="one-vs-all",
    title="one-vs-all",
    family="multiclass",
    rule=r"\hat y(x) = \arg\max_c s_c(x)",
    plain_rule="ŷ(x) = the class whose binary classifier scores x highest",
    source="C, T: one-vs-all, the highest score wins",
    fit_cost="C fits of the binary classifier on all rows",
    predict_cost="C predictions of the binary classifier",
    test_parameters=(
        {},
        {"estimator": DecisionTreeClassifier(max_depth=3)},
        {"estimator": NearestMeanClassifier(metric="scaled")},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0043, rows=0.4, columns=0.5, classes=0.3),
)
class OneVsAllClassifier(BinaryClassifiers, MarginClassifier, MadeOfMembers):
    r"""Fit a binary classifier of each class against all others and predict the class with the highest score.

    The rule, where :math:`s_c(x)` is the score of binary classifier c in favour of its class:

    .. math:: \hat y(x) = \arg\max_c s_c(x)

    For each class a clone of `estimator` is fitted to all rows, labelled 1 for that class and 0 for the
    others; for two classes a single one, whose positive class is the second. The score is its
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
        The binary classifiers: one per class, in their order; one for two classes, none for one.
    n_parameters_ : int
        Number of free parameters of all binary classifiers, if each reports its own.

    Notes
    -----
    Cost: C fits on all rows. Ties go to the first class. Binary classifiers receive the rows as given, so
    categories, missing values and `sample_weight` are supported if `estimator` supports them. It assumes that
    scores of different binary classifiers are comparable. Each of them is trained on imbalanced classes: few
    rows of its own class against all others. Linear classifiers often never predict a class that lies between
    others, because no hyperplane separates it from the rest: use `AllVsAllClassifier`.

    Use it to extend a binary classifier to several classes at the cost of one fit per class, with a score for
    each class. Not with linear classifiers if a class lies between others, nor with rare classes, which are
    outnumbered by the rest.

    Examples
    --------
    Three classes around a triangle, each of which a line separates from the rest:

    >>> from classica import OneVsAllClassifier
    >>> X = [[0, 0], [1, 0], [0, 1], [9, 0], [8, 0], [9, 1], [0, 9], [1, 9], [0, 8]]
    >>> y = ["a", "a", "a", "b", "b", "b", "c", "c", "c"]
    >>> model = OneVsAllClassifier().fit(X, y)
    >>> model.predict([[1, 1], [7, 2], [2, 7]]).tolist(), len(model.estimators_)
    (['a', 'b', 'c'], 3)
    >>> (model.decision_function([[7, 2]]) > 0).tolist()
    [[False, True, False]]
    """

    _one_vs_all = True

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None, **params: Any
    ) -> OneVsAllClassifier:
        """Learn a binary classifier for each class, against all others.

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
        self : OneVsAllClassifier
        """
        check_parameters(self)  # before the estimator is asked for its requests
        seen = self._read_rows(X, y, sample_weight, params)
        contests = binary_contests(len(seen.data.classes), self._one_vs_all)
        columns = self._seen_columns(contests, seen)
        members = self._machines(contests, seen, columns)
        self._store(seen.data.classes, members, columns)
        return self

    def decision_function(self, X: MatrixLike) -> Floats:
        """Return the score of each class against the rest; for two classes that of the second."""
        scores = self._binary_scores(self._query(X))
        return class_margins(scores, len(self.classes_), self._one_vs_all)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags
