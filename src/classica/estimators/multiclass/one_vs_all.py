r"""One against all: a machine for each class, and the highest score wins.

.. math:: \hat y(x) = \arg\max_c s_c(x)
"""

from __future__ import annotations

from classica.estimators.gaussian.nearest_mean import NearestMeanClassifier
from classica.estimators.multiclass.binary_classifiers import BinaryMachines
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.registry import FitTime, register


@register(
    slug="one-vs-all",
    family="multiclass",
    rule=r"\hat y(x) = \arg\max_c s_c(x)",
    plain_rule="ŷ(x) = the class whose machine scores x highest against all others",
    source="C, T: one-vs-all, the highest score wins",
    fit_cost="C fits of the machine on all rows",
    predict_cost="C predictions of the machine",
    test_parameters=(
        {},
        {"estimator": DecisionTreeClassifier(max_depth=3)},
        {"estimator": NearestMeanClassifier(metric="scaled")},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0043, rows=0.4, columns=0.5, classes=0.3),
)
class OneVsAllClassifier(BinaryMachines):
    r"""Set each class against all others by a two-class machine of any kind, and let the highest score win.

    The rule, where :math:`s_c(x)` is how much machine c prefers its class to the rest:

    .. math:: \hat y(x) = \arg\max_c s_c(x)

    It learns a clone of `estimator` for each class from all rows, labelled 1 for that class and 0 for the
    others; for two classes a single one, which speaks for the second. The score is the machine's
    ``decision_function``, else the difference of its two probabilities, else 1 or -1 as it predicts.

    Parameters
    ----------
    estimator : classifier or None, default=None
        The machine: any classifier, of this package or another. None: `FisherClassifier`.
    random_state : int, RandomState instance or None, default=None
        For machines that draw and have no seed of their own.
    n_jobs : int or None, default=None
        Threads in which machines are learned; None means every available core. The result is the same for any
        number. A machine that does not say how many it takes itself gets one of these.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    estimators_ : list of classifiers
        The machines: one per class, in their order; one for two classes, none for one.
    n_parameters_ : int
        Free parameters: those of all machines, where each tells its own.

    Notes
    -----
    Cost: C fits on all rows. Ties go to the first class. Rows come to the machines as they were given, so
    that categories and missing cells are welcome where the machine takes them; so is `sample_weight`. It
    assumes that scores of different machines can be compared. Each machine sees few rows of its own class
    against many others. A class that lies between others is often lost by linear machines, because no line
    cuts it off: `AllVsAllClassifier` finds it.

    Use it to give a two-class machine several classes at the price of one machine per class, whose scores can
    be read class by class. Not where a linear machine meets a class that lies between others, nor where rare
    classes drown among the rest.

    Examples
    --------
    Three classes around a triangle, each of which one line cuts off:

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
