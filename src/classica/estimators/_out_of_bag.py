"""What members say about the rows that are not in their samples: an honest error at the price of one fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.estimators._bag import Bag
from classica.estimators._member_rows import take_rows
from classica.native import Floats
from classica.samples import Samples


@dataclass(frozen=True)
class OutOfBag:
    """The share of each class for each row, by the members that have not seen it; errors by their number.

    Rows that every member has seen are NaN and do not count for the errors.
    """

    shares: Floats
    errors: Floats

    @classmethod
    def of(cls, bag: Bag, X: Any, labels: NDArray[Any], weights: Floats | None, samples: Samples) -> OutOfBag:
        """Ask each member about the rows it has not seen."""
        rows = len(labels)
        counted = np.ones(rows) if weights is None else weights
        sums, voters, wrong = np.zeros((rows, len(bag.classes))), np.zeros(rows), np.zeros(rows, dtype=bool)
        errors = np.full(len(bag), np.nan)
        for number in range(len(bag)):
            unseen = np.flatnonzero(samples.counts(number) == 0)
            if len(unseen):
                sums[unseen] += bag.ballots(number, take_rows(X, unseen))
                voters[unseen] += 1
                wrong[unseen] = bag.classes[sums[unseen].argmax(axis=1)] != labels[unseen]
            asked = counted * (voters > 0)
            if asked.any():
                errors[number] = asked @ wrong / asked.sum()
        shares = np.full_like(sums, np.nan)
        np.divide(sums, voters[:, None], out=shares, where=voters[:, None] > 0)
        return cls(shares, errors)
