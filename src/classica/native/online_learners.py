"""Binary classifiers that learn online, from rows presented one after the other."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats, Rows
from classica.native.kernels import KernelRules
from classica.native.row_arguments import row_arguments

Longs = NDArray[np.int64]

#: What a perceptron may keep beside its weights.
KEEP: tuple[str, ...] = _core.KEPT_WEIGHTS

#: Shuffle, draw with replacement, seed, first epoch; what a score of zero speaks for: 1, -1 or (a mistake) 0.
Presentations = tuple[bool, bool, int, int, int]

#: Weights now and kept (last column: intercept), presentations seen, survived by those now, longest survived.
PerceptronState = tuple[Floats, Floats, Longs, Longs, Longs]

#: Threshold, the factors of promotion and demotion, the least and the largest weight.
WinnowRules = tuple[float, float, float, float, float]

#: Mistakes per binary classifier and epoch (-1: no such epoch), and which binary classifiers have converged.
Progress = tuple[Longs, NDArray[np.bool_]]

#: The rows that changed each binary classifier, and after how many presentations.
Changes = list[tuple[Longs, Longs]]


def train_perceptrons(
    X: Rows,
    codes: Codes,
    sides: NDArray[np.int8],
    how: Presentations,
    keep: str,
    intercept: bool,
    epochs: int,
    state: PerceptronState,
    *,
    record: bool,
    threads: int,
) -> tuple[Progress, Changes]:
    """Present rows to all binary classifiers until an epoch without mistakes; ``state`` is changed in place.

    ``sides`` has a row per binary classifier and a column per class: 1 for its first side, -1 for its second,
    0 for neither.
    """
    progress = _progress(len(sides), epochs)
    changes: Changes | None = [] if record else None
    rest = (keep, intercept, threads, *state, *_seen_by_kernel(progress), changes)
    _core.train_perceptrons(*row_arguments(X), codes, sides, how, *rest)
    return progress, changes or []


def train_kernel_perceptrons(
    X: Floats,
    kernel: KernelRules,
    codes: Codes,
    sides: NDArray[np.int8],
    how: Presentations,
    offset: float,
    epochs: int,
    scores: Floats,
    seen: Longs,
    *,
    room: int,
    threads: int,
) -> tuple[Progress, Changes]:
    """Do the same in the space of a kernel, to which ``offset`` is added.

    ``scores`` has a row per binary classifier, its score of each row of X; ``seen`` is how many presentations
    came before. Both are changed in place. The kernel of ``room`` rows with all others is kept.
    """
    progress = _progress(len(sides), epochs)
    changes: Changes = []
    rest = offset, room, threads, scores, seen, *_seen_by_kernel(progress), changes
    _core.train_kernel_perceptrons(X, kernel, codes, sides, how, *rest)
    return progress, changes


def train_winnow(
    ones: sp.csr_array,
    codes: Codes,
    sides: NDArray[np.int8],
    how: Presentations,
    rules: WinnowRules,
    epochs: int,
    weights: Floats,
    opposed: Floats | None,
    threads: int,
) -> Progress:
    """Do the same for weights that change by factors; ``ones`` is CSR, and only its structure counts."""
    progress = _progress(len(sides), epochs)
    arrays = ones.indices, ones.indptr, codes, sides
    _core.train_winnow(*arrays, how, rules, threads, weights, opposed, *_seen_by_kernel(progress))
    return progress


def epoch_order(seed: int, epoch: int, count: int) -> Longs:
    """Return the order in which so many rows are presented in an epoch."""
    order: Longs = _core.epoch_order(seed, epoch, count)
    return order


def running_votes(
    products: Floats, indices: Codes, signs: Floats, survivals: Longs, of_zero: float, threads: int
) -> Floats:
    """Return the votes of all weights a binary classifier ever had, each by how long it survived.

    ``products`` has a row per query and a column per row of the changes, which ``places`` names.
    """
    out = np.empty(len(products))
    _core.running_votes(products, indices, signs, survivals, of_zero, threads, out)
    return out


def _progress(machines: int, epochs: int) -> Progress:
    return np.full((machines, epochs), -1, dtype=np.int64), np.zeros(machines, dtype=bool)


def _seen_by_kernel(progress: Progress) -> tuple[Longs, NDArray[np.uint8]]:
    return progress[0], progress[1].view(np.uint8)
