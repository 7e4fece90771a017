"""Members of a boosted classifier that were learned one by one, of any kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from classica.arrays import MatrixLike
from classica.errors import DataError, must
from classica.estimators.ensembles.boost_rows import BoostRows
from classica.estimators.ensembles.boosting_weights import BoostRules, Rounds, WeighedRows
from classica.native import Codes, Floats
from classica.row_taking import as_table, take_rows
from classica.samples import Samples

#: How often a sample is drawn again that has rows of one class only.
_MOST_DRAWS = 20


@dataclass(frozen=True)
class BoostedMembers:
    """Fitted classifiers, and what they say as codes of all classes."""

    fitted: list[Any]
    classes: NDArray[Any]

    @property
    def reader(self) -> Any:
        """The first member, which knows the columns as all do."""
        return self.fitted[0]

    def first(self, count: int) -> BoostedMembers:
        """Return the first members alone."""
        return BoostedMembers(self.fitted[:count], self.classes)

    def estimators(self) -> list[Any]:
        """Return the fitted classifiers."""
        return self.fitted

    def answers(self, X: MatrixLike) -> Iterator[Codes]:
        """Yield the class of each row according to each member."""
        X = as_table(X)
        for member in self.fitted:
            yield codes_of(member.predict(X), self.classes)

    def votes(self, X: MatrixLike, alphas: Floats) -> Floats:
        """Return the sum of the votes for each class."""
        votes: Floats = np.array([])
        for predicted, alpha in zip(self.answers(X), alphas, strict=True):
            votes = votes if votes.size else np.zeros((len(predicted), len(self.classes)))
            votes[np.arange(len(predicted)), predicted] += alpha
        return votes


def boosted(
    base: BaseEstimator,
    rows: BoostRows,
    rules: BoostRules,
    seeds: NDArray[Any],
    samples: Samples | None,
    threads: int,
) -> tuple[BoostedMembers, Rounds]:
    """Learn one member after the other, from weighted rows or from samples of them."""
    rounds, members = Rounds(), []
    weighed = WeighedRows(rows.codes, len(rows.classes), rows.weights, rules, threads)
    labels = rows.classes[rows.codes]
    for number, seed in enumerate(seeds):
        member = _seeded(base, int(seed))
        if samples is None:
            # As heavy altogether as the rows were, so that smoothing and pruning see as many cases.
            weights = weighed.weights * weighed.total
            member.fit(rows.X, labels, sample_weight=weights, **rows.metadata.values)
        else:
            drawn = _drawn(samples, weighed.weights, rows.codes, number)
            member.fit(take_rows(rows.X, drawn), labels[drawn], **rows.metadata.take(drawn).values)
        if rounds.add(weighed.learn_from(codes_of(member.predict(rows.X), rows.classes))):
            members.append(member)
        if rounds.stopped:
            break
    return BoostedMembers(members, rows.classes), rounds


def codes_of(labels: NDArray[Any], classes: NDArray[Any]) -> Codes:
    """Return the codes of labels that a member gave."""
    labels = np.asarray(labels)
    indices = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    unknown = classes[indices] != labels
    if unknown.any():
        raise DataError(must("The prediction of a member", "a class seen in training", labels[unknown][0]))
    codes: Codes = indices.astype(np.int32)
    return codes


def _seeded(base: BaseEstimator, seed: int) -> Any:
    member = clone(base)
    names = [
        name for name in member.get_params() if name == "random_state" or name.endswith("__random_state")
    ]
    return member.set_params(**dict.fromkeys(names, seed))


def _drawn(samples: Samples, weights: Floats, codes: Codes, number: int) -> NDArray[np.int64]:
    """Return as many rows as there are cases, by weight; not all of one class, which some cannot learn."""
    order = samples.order  # in which a row that is several cases comes as often
    order = order[np.append(True, order[1:] != order[:-1])]
    by_weight = replace(samples, order=order, up_to=np.cumsum(weights[order]))
    for draw in range(_MOST_DRAWS):
        rows = by_weight.rows_of(number * _MOST_DRAWS + draw)
        if codes[rows].min() < codes[rows].max():
            break
    return rows
