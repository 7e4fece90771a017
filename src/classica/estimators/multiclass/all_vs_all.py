r"""All against all: a machine for every two classes, and most wins decide.

.. math:: \hat y(x) = \arg\max_c \sum_{k \ne c} [s_{ck}(x) \ge 0]
"""

from __future__ import annotations

from classica.estimators.multiclass.binary_classifiers import BinaryMachines
from classica.registry import FitTime, register


@register(
    slug="all-vs-all",
    family="multiclass",
    rule=r"\hat y(x) = \arg\max_c \sum_{k \ne c} [s_{ck}(x) \ge 0]",
    plain_rule="ŷ(x) = the class that wins most contests with one other, ties to the summed confidence",
    source="C, T: all-vs-all, most wins",
    fit_cost="C (C - 1) / 2 fits of the machine on the rows of two classes",
    predict_cost="C (C - 1) / 2 predictions of the machine",
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0037, rows=0.4, columns=0.5, classes=1.3),
)
class AllVsAllClassifier(BinaryMachines):
    r"""Set every two classes against each other by a two-class machine of any kind, and count the wins.

    The rule, where :math:`s_{ck}(x) = -s_{kc}(x)` is how much the machine of classes c and k prefers c:

    .. math:: \hat y(x) = \arg\max_c \sum_{k \ne c} [s_{ck}(x) \ge 0]

    Equal numbers of wins are told apart by the sum of the scores (the confidence). It learns a clone of
    `estimator` for each pair of classes from the rows of these two, labelled 1 for the first and 0 for the
    second; of only two classes the single machine speaks for the second. The score is the machine's
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
        The machines of the pairs (0, 1), (0, 2), ..., (1, 2), ...; none for one class.
    n_parameters_ : int
        Free parameters: those of all machines, where each tells its own.

    Notes
    -----
    Cost: every row takes part in C - 1 fits, which are small; for machines whose cost grows faster than
    the rows this is cheaper than one against all. A score of zero is a win of the first class; classes with
    equal wins and equal sums go to the first. ``decision_function`` of three or more classes is the number
    of wins and, as less than a third of one, the sum of the scores. Rows come to the machines as they were
    given, so that categories and missing cells are welcome where the machine takes them; so is
    `sample_weight`. Machines are asked about rows of classes they have never seen: what they say there is
    noise, which the wins of the others must outvote.

    Use it to give a two-class machine several classes where its cost grows faster than the rows, or where a
    class lies between others. Not with very many classes, of which every two have a machine.

    Examples
    --------
    Three classes in a row. One line cannot cut off the middle one, but lines tell it from each of the others:

    >>> from classica import AllVsAllClassifier
    >>> X = [[0, 0], [1, 1], [2, 0], [4, 0], [5, 1], [6, 0], [8, 0], [9, 1], [10, 0]]
    >>> y = ["a", "a", "a", "b", "b", "b", "c", "c", "c"]
    >>> AllVsAllClassifier().fit(X, y).predict([[1, 0], [5, 0.5], [9, 0]]).tolist()
    ['a', 'b', 'c']
    """

    _one_vs_all = False
