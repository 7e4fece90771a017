r"""Measure how different the errors of ensemble members are.

.. math:: \text{overlap}(A, B) = \frac{|A \cap B|}{|A \cup B|}

where A and B are the rows that two members misclassify: the higher the overlap, the less they complement each
other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.arrays import MatrixLike, VectorLike
from classica.categories import is_missing
from classica.decision.rows import one_per_row
from classica.errors import DataError, ParameterError, must
from classica.native import Codes, Floats
from classica.params import OneOf
from classica.recorded import Recorded, plain
from classica.statistics.ensemble_diversity.majority import majority_accuracy, most_votes
from classica.statistics.ensemble_diversity.member_predictions import member_answers
from classica.statistics.ensemble_diversity.pair_measures import MEASURES, diversity_table, pair_measures
from classica.targets import encode_target

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Diversity(Recorded):
    """The pairwise similarity of classifiers on the same rows, and the accuracy of their vote.

    A matrix has a row and a column for each member. A measure that is not defined for a pair is NaN.

    Attributes
    ----------
    names : list of str
        The members.
    rows : int
        Number of rows.
    accuracies : ndarray of shape (n_members,)
        The accuracy of each member.
    vote_accuracy : float
        The accuracy of the majority vote of all members; ties go to the first class.
    overlap : ndarray of shape (n_members, n_members)
        The rows that both misclassify, as a share of those that at least one misclassifies; NaN if neither
        makes an error.
    disagreement : ndarray
        The share of rows that exactly one of them classifies correctly.
    q : ndarray
        Yule's Q: 0 for independent members, 1 for members that are right on the same rows, negative for
        members that are wrong on different rows; NaN where undefined, for example if one makes no error.
    double_fault : ndarray
        The share of rows that both misclassify.
    kappa : ndarray
        Cohen's kappa of their predictions: the agreement beyond what is expected by chance; NaN if both
        always predict the same single class.
    correlation : ndarray
        The correlation of correctness; NaN if one is always right or always wrong.
    """

    names: list[str]
    rows: int
    accuracies: Floats
    vote_accuracy: float
    overlap: Floats
    disagreement: Floats
    q: Floats
    double_fault: Floats
    kappa: Floats
    correlation: Floats

    def matrix(self, measure: str) -> Floats:
        """Return the matrix of a measure by its name."""
        rule = OneOf(*MEASURES)
        if not rule.accepts(measure):
            raise ParameterError(must("measure", str(rule), measure))
        matrix: Floats = getattr(self, measure)
        return matrix

    def means(self) -> dict[str, float]:
        """Return the mean of every measure over the pairs for which it is defined; NaN if there is none."""
        first, second = np.triu_indices(len(self.names), k=1)
        pairs = {measure: self.matrix(measure)[first, second] for measure in MEASURES}
        defined = {measure: values[~np.isnan(values)] for measure, values in pairs.items()}
        return {m: float(values.mean()) if len(values) else np.nan for m, values in defined.items()}

    def majority_accuracy(self) -> float:
        """Return the accuracy of the vote that `classica.majority_accuracy` predicts.

        Members are treated as exchangeable with their mean correlation, or as independent with their own
        accuracies if that correlation is not positive. Compare it with `vote_accuracy`.
        """
        correlation = self.means()["correlation"]
        return majority_accuracy(self.accuracies, correlation=correlation if correlation > 0 else 0.0)

    def table(self) -> str:
        """Return the members, the pairs from the most to the least similar, and the means, as text.

        For more than 15 members, only the most and the least similar pairs are shown.
        """
        return diversity_table(self)

    def __str__(self) -> str:
        return self.table()

    def record(self) -> dict[str, Any]:
        """Return all values as plain JSON-able values; undefined ones are None."""
        return {
            **super().record(),
            "majority_accuracy": self.majority_accuracy(),
            "means": plain(self.means()),
        }

    def plot(self, measure: str = "overlap", ax: Axes | None = None) -> Axes:
        """Plot the matrix of a measure as a heat map, with numbers where there is room.

        Parameters
        ----------
        measure : str, default="overlap"
            The name of a matrix of this result.
        ax : matplotlib Axes, optional
            The axes to draw on; by default a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.results.diversity_plot import (
            draw_matrix,  # matplotlib is needed for plots only
        )

        return draw_matrix(self, measure, ax)

    def plot_kappa_error(self, ax: Axes | None = None) -> Axes:
        """Plot the mean error of each pair of members against its kappa.

        Points of good ensembles are at the bottom (accurate) and on the left (diverse).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes to draw on; by default a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.results.diversity_plot import draw_kappa_error

        return draw_kappa_error(self, ax)


def diversity(members: object, X: MatrixLike | None, y: VectorLike) -> Diversity:
    """Measure the diversity of classifiers: compare the errors of every pair on labelled rows.

    Parameters
    ----------
    members : list, dict, ensemble or array
        Fitted classifiers in a list or by name; a fitted ensemble with `estimators_`, also scikit-learn's; or
        the predictions of the members, an array of shape (n_members, n_rows).
    X : table
        The rows, preferably not the training set, on which deep trees make no errors. May be None if
        `members` holds predictions.
    y : array-like of shape (n_rows,)
        The true labels.

    Returns
    -------
    Diversity

    Notes
    -----
    The cost for M members is M predictions, plus O(M² n).

    Examples
    --------
    Three members on ten rows of class 1. The first two misclassify three rows each, one of them in common:

    >>> answers = {
    ...     "a": [0, 0, 0, 1, 1, 1, 1, 1, 1, 1],
    ...     "b": [1, 1, 0, 0, 0, 1, 1, 1, 1, 1],
    ...     "c": [1, 1, 1, 1, 1, 0, 1, 1, 1, 1],
    ... }
    >>> found = diversity(answers, None, [1] * 10)
    >>> found.overlap.round(2)
    array([[1. , 0.2, 0. ],
           [0.2, 1. , 0. ],
           [0. , 0. , 1. ]])
    >>> found.accuracies, found.vote_accuracy
    (array([0.7, 0.7, 0.9]), 0.9)
    """
    rows = len(one_per_row(y, "y"))
    if not rows:
        raise DataError("y must hold at least one label, got none.")
    classes, inverse = encode_target(y, rows, "diversity")
    answers = {name: answer.tolist() for name, answer in member_answers(members, X).items()}
    for name, answer in answers.items():
        if len(answer) != rows:
            rule = f"{rows} predictions long, one for each label of y"
            raise DataError(must(f"member {name!r}", rule, len(answer)))
    codes, labels = _codes(answers, classes[inverse].tolist())
    truth, predicted = codes[0], codes[1:]
    return Diversity(
        names=list(answers),
        rows=rows,
        accuracies=(predicted == truth).mean(axis=1),
        vote_accuracy=float((most_votes(predicted, labels) == truth).mean()),
        **pair_measures(predicted, truth, labels),
    )


def _codes(answers: dict[str, Any], truth: list[Any]) -> tuple[Codes, int]:
    """Return the true labels and the members' predictions as codes, and the number of labels."""
    index: dict[Any, int] = {}
    text = isinstance(truth[0], str)
    codes = np.empty((1 + len(answers), len(truth)), dtype=np.int32)
    for row, (name, labels) in enumerate([("y", truth), *answers.items()]):
        for label in set(labels) - index.keys():
            if is_missing(label) or isinstance(label, str) != text:
                rule = f"predicting labels like those of y, which are {'text' if text else 'numbers'}"
                raise DataError(must(f"member {name!r}", rule, label))
            index[label] = len(index)
        codes[row] = [index[label] for label in labels]
    # Sorted labels: ties go to the first.
    rank = np.empty(len(index), dtype=np.int32)
    rank[[index[label] for label in sorted(index)]] = np.arange(len(index))
    return rank[codes], len(index)
