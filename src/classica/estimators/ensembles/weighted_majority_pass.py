"""A pass of the weighted majority over rows: whose mistakes cost what, all rows of a block at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica.native import Codes, Floats
from classica.native.online_learners import Longs


@dataclass(frozen=True)
class MajorityPass:
    """What happened when rows came one after the other."""

    expert_mistakes: Longs  # of each expert
    mistakes: int  # of the master who follows the weighted majority, or an expert drawn
    expected_mistakes: float  # the sum of the shares of weight that were wrong


def weights_after(mistakes: Longs, beta: float) -> Floats:
    """Return beta to the number of mistakes, over that of the best: the largest weight is 1."""
    # One table entry per number of mistakes: every weight of so many has the same bits.
    excess = mistakes - mistakes.min(axis=-1, keepdims=True)
    table = beta ** np.arange(int(excess.max(initial=0)) + 1, dtype=np.float64)
    weights: Floats = table[excess]
    return weights


def majority_pass(
    answers: Codes, truths: Codes, before: Longs, beta: float, classes: int, draws: Floats | None
) -> MajorityPass:
    """Let a master follow experts through rows, in their order.

    Parameters
    ----------
    answers : array of shape (n_rows, n_experts)
        The class each expert says.
    truths : array of shape (n_rows,)
        The true classes.
    before : array of shape (n_experts,)
        The mistakes of each expert so far.
    beta : float
        What a mistake leaves of a weight.
    classes : int
        How many classes there are.
    draws : array of shape (n_rows,) or None
        Uniform numbers that tell whom to follow in each row; None: the majority.
    """
    wrong = answers != truths[:, None]
    after = before + np.cumsum(wrong, axis=0, dtype=np.int64)
    weights = weights_after(after - wrong, beta)  # as they are when a row comes
    weights /= weights.sum(axis=1, keepdims=True)
    if draws is None:
        predicted = _majority(answers, weights, classes)
    else:
        followed = _drawn(weights, draws)
        predicted = answers[np.arange(len(answers)), followed]
    expected = float((weights * wrong).sum())
    last = after[-1] if len(after) else before
    return MajorityPass(last, int(np.count_nonzero(predicted != truths)), expected)


def _drawn(weights: Floats, draws: Floats) -> NDArray[np.intp]:
    """Return the expert that a uniform number picks from the weights of its row."""
    up_to = np.cumsum(weights, axis=-1)
    picked = (up_to <= draws[:, None] * up_to[:, -1:]).sum(axis=1)
    last = (up_to < up_to[:, -1:]).sum(axis=1)  # nobody beyond the last expert with any weight
    experts: NDArray[np.intp] = np.minimum(picked, last)
    return experts


def _majority(answers: Codes, weights: Floats, classes: int) -> Codes:
    """Return the class with the most weight in each row, the first of equals."""
    rows = np.repeat(np.arange(len(answers)) * classes, answers.shape[1])
    sums = np.bincount(rows + answers.ravel(), weights.ravel(), minlength=len(answers) * classes)
    best: Codes = sums.reshape(-1, classes).argmax(axis=1).astype(np.int32)
    return best
