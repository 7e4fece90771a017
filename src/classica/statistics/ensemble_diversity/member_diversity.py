r"""How different the members of an ensemble are, which is what a vote lives on.

.. math:: \text{overlap}(A, B) = \frac{|A \cap B|}{|A \cup B|}

where A and B are the rows that two members get wrong: the more overlap, the less one makes up for the other.
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
    """How alike every two of some classifiers are on some rows, and what their vote makes of it.

    A matrix has a row and a column for each member. A measure that is not defined for a pair is NaN.

    Attributes
    ----------
    names : list of str
        The members.
    rows : int
        How many rows they were asked about.
    accuracies : ndarray of shape (n_members,)
        The share of the rows each gets right.
    vote_accuracy : float
        The share of the rows the vote of all gets right: most votes win, the first class in a tie.
    overlap : ndarray of shape (n_members, n_members)
        Rows both get wrong, as a share of those at least one gets wrong; NaN if neither makes an error.
    disagreement : ndarray
        The share of the rows that exactly one of them gets right.
    q : ndarray
        Yule's Q: 0 for independent members, 1 for members right on the same rows, negative for members
        wrong on different ones; NaN for instance if one is never wrong.
    double_fault : ndarray
        The share of the rows both get wrong.
    kappa : ndarray
        Cohen's kappa of their answers: how far they agree beyond what their shares of classes would do by
        chance; NaN if both always give the same answer.
    correlation : ndarray
        The correlation of being right; NaN if one is always right or always wrong.
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
        """Return how often the majority would be right by `classica.majority_accuracy`.

        The members count as exchangeable, with the mean of their correlations, or as independent with their
        own accuracies if that is not above 0. Compare it with `vote_accuracy`.
        """
        correlation = self.means()["correlation"]
        return majority_accuracy(self.accuracies, correlation=correlation if correlation > 0 else 0.0)

    def table(self) -> str:
        """Return the members, the pairs from the most to the least alike, and the means, as text.

        Beyond 15 members only the pairs at both ends are shown.
        """
        return diversity_table(self)

    def __str__(self) -> str:
        return self.table()

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON; what is not defined is None."""
        return {
            **super().record(),
            "majority_accuracy": self.majority_accuracy(),
            "means": plain(self.means()),
        }

    def plot(self, measure: str = "overlap", ax: Axes | None = None) -> Axes:
        """Draw the matrix of a measure as a map of colours, with the numbers where there is room.

        Parameters
        ----------
        measure : str, default="overlap"
            The name of a matrix of this result.
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.results.diversity_plot import (
            draw_matrix,  # matplotlib is only for those who draw
        )

        return draw_matrix(self, measure, ax)

    def plot_kappa_error(self, ax: Axes | None = None) -> Axes:
        """Draw every pair as a point: its kappa, and the mean error of the two.

        Good ensembles lie low (accurate) and to the left (different).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.results.diversity_plot import draw_kappa_error

        return draw_kappa_error(self, ax)


def diversity(members: object, X: MatrixLike | None, y: VectorLike) -> Diversity:
    """Compare the errors of every two classifiers on rows with known labels.

    Parameters
    ----------
    members : list, dict, ensemble or array
        Fitted classifiers in a list or by name; a fitted ensemble with `estimators_`, also scikit-learn's; or
        what each member has answered, as an array of shape (n_members, n_rows).
    X : table
        The rows. Rows the members have not learned from tell more: on their own, deep trees make no error.
        None will do where the members are answers.
    y : array-like of shape (n_rows,)
        The true labels.

    Returns
    -------
    Diversity

    Notes
    -----
    With M members the cost is M predictions and of the order of M² n.

    Examples
    --------
    Three members on ten rows of class 1. The first two fail on three rows each, and share one of these:

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
    truth, said = codes[0], codes[1:]
    return Diversity(
        names=list(answers),
        rows=rows,
        accuracies=(said == truth).mean(axis=1),
        vote_accuracy=float((most_votes(said, labels) == truth).mean()),
        **pair_measures(said, truth, labels),
    )


def _codes(answers: dict[str, Any], truth: list[Any]) -> tuple[Codes, int]:
    """Return the truth and the members' answers as codes, a row for each, and how many labels there are."""
    place: dict[Any, int] = {}
    text = isinstance(truth[0], str)
    codes = np.empty((1 + len(answers), len(truth)), dtype=np.int32)
    for row, (name, labels) in enumerate([("y", truth), *answers.items()]):
        for label in set(labels) - place.keys():
            if is_missing(label) or isinstance(label, str) != text:
                rule = f"predicting labels like those of y, which are {'text' if text else 'numbers'}"
                raise DataError(must(f"member {name!r}", rule, label))
            place[label] = len(place)
        codes[row] = [place[label] for label in labels]
    # Labels in their order: a tie goes to the first.
    rank = np.empty(len(place), dtype=np.int32)
    rank[[place[label] for label in sorted(place)]] = np.arange(len(place))
    return rank[codes], len(place)
