"""Disjoint training sets from one table, or independent ones from a generator.

Disjoint subsets of a random sample are independent. Where the class counts of a table were fixed,
unstratified subsets are not: if one has too many rows of a class, the other has too few. Stratified sets are
independent given the class shares of the table; variation of these shares is then not part of the variance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.decision.rows import one_per_row
from classica.errors import DataError, ParameterError, must
from classica.params import Integer
from classica.row_taking import as_table, take_rows
from classica.statistics.stratified_order import stratified_order

#: Generates a table with a given number of rows: X, y and optionally what is known about its noise.
Generate = Callable[[int, np.random.Generator], tuple[Any, ...]]

Table = tuple[Any, Any]
_RETURNED = (2, 3)


@dataclass(frozen=True)
class TrainingSets:
    """Training sets of one size, in partitions of disjoint sets.

    Attributes
    ----------
    size : int
        Number of rows of each set.
    partitions, in_each : int
        Number of partitions, and of sets in each of them.
    draw : function
        ``draw(partition, number)`` returns the rows of a set and their labels.
    """

    size: int
    partitions: int
    in_each: int
    draw: Callable[[int, int], Table]

    def __iter__(self) -> Iterator[Iterator[Table]]:
        for partition in range(self.partitions):
            yield (self.draw(partition, number) for number in range(self.in_each))


def sets_of_table(
    table: Table, size: int | None, n_samples: int, seed: int, *, stratify: bool
) -> TrainingSets:
    """Return disjoint training sets from as many partitions of a table as necessary.

    Parameters
    ----------
    table : (X, y)
        The rows and their labels.
    size : int or None
        Number of rows of a training set; None for half of the table, the largest size that leaves two sets.
    n_samples : int
        The minimum number of training sets.
    seed : int
        Random seed of the shuffling.
    stratify : bool
        Whether each set has the class shares of the table.
    """
    X, labels = as_table(table[0]), one_per_row(table[1], "y")
    size = _checked_size(size, len(labels))
    in_each = min(len(labels) // size, n_samples)
    partitions = ceil(n_samples / in_each)
    orders = [_order(labels, np.random.default_rng([seed, each]), stratify) for each in range(partitions)]

    def draw(partition: int, number: int) -> Table:
        rows = orders[partition][number * size : (number + 1) * size]
        return take_rows(X, rows), labels[rows]

    return TrainingSets(size, partitions, in_each, draw)


def sets_of_generator(generate: Generate, size: int | None, n_samples: int, seed: int) -> TrainingSets:
    """Return independently generated training sets.

    Parameters
    ----------
    generate : function
        Generates a table.
    size, n_samples, seed
        As above; the size must be given.
    """
    rule = Integer(at_least=1)
    if not rule.accepts(size) or size is None:
        raise ParameterError(must("training_size", f"{rule}, where tables are generated", size))

    def draw(partition: int, number: int) -> Table:
        X, y, *_ = fresh_table(generate, size, [seed, number])
        return X, y

    return TrainingSets(int(size), 1, n_samples, draw)


def fresh_table(generate: Generate, rows: int, seed: list[int]) -> tuple[Any, ...]:
    """Generate a table: X, y, and what is known about its noise (or None)."""
    made = generate(int(rows), np.random.default_rng(seed))
    if not isinstance(made, tuple) or len(made) not in _RETURNED:
        raise DataError("generate must return (X, y) or (X, y, truth), got something else.")
    return made


def held_out(table: Table, share: float, seed: int, *, stratify: bool) -> tuple[Table, Table]:
    """Split a table into training and test rows.

    Parameters
    ----------
    table : (X, y)
        The rows and their labels.
    share : float
        The share of rows to hold out.
    seed, stratify
        As above.
    """
    X, labels = as_table(table[0]), one_per_row(table[1], "y")
    order = _order(labels, np.random.default_rng(seed), stratify)
    tests = min(max(1, round(share * len(labels))), len(labels) - 2)
    test, rest = np.sort(order[:tests]), np.sort(order[tests:])
    return (take_rows(X, rest), labels[rest]), (take_rows(X, test), labels[test])


def _order(labels: NDArray[Any], rng: np.random.Generator, stratify: bool) -> NDArray[np.intp]:
    """Return the rows in an order of which every contiguous stretch is a random sample, stratified or not."""
    shuffled = rng.permutation(len(labels))
    return shuffled[stratified_order(labels[shuffled], rng)] if stratify else shuffled


def _checked_size(size: Any, rows: int) -> int:
    most = rows // 2
    if most < 1:
        raise DataError(must("y", "at least two rows long besides those for testing", rows))
    rule = Integer(at_least=1, at_most=most)
    if size is not None and not rule.accepts(size):
        why = f"half of the {rows:,} rows that are not for testing"
        raise ParameterError(must("training_size", f"{rule}, {why}", size))
    return most if size is None else int(size)
