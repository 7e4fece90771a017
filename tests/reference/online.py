"""Online machines, one presentation after the other, as the rules say."""

import numpy as np


def is_mistake(score, side, zero):
    """``zero``: a score of zero speaks for side 1 or -1, or is a mistake (0)."""
    return side * score < 0 or (score == 0 and side != zero)


def perceptron(X, sides, epochs, *, intercept=True, zero=0):
    """Present rows (the last column of ones: intercept) in the orders of the epochs.

    Returns all weights ever, the zero ones first, how long each survived (the presentation that made it
    included), and the mistakes of each epoch; ends after an epoch without any.
    """
    X = np.column_stack([X, np.full(len(X), float(intercept))])
    weights, survived, mistakes = [np.zeros(X.shape[1])], [0], []
    for order in epochs:
        mistakes.append(0)
        for i in order:
            if is_mistake(weights[-1] @ X[i], sides[i], zero):
                weights.append(weights[-1] + sides[i] * X[i])
                survived.append(0)
                mistakes[-1] += 1
            survived[-1] += 1
        if not mistakes[-1]:
            break
    return np.array(weights), np.array(survived), mistakes


def votes(X, weights, survived, *, intercept=True, of_zero=0.0):
    scores = np.column_stack([X, np.full(len(X), float(intercept))]) @ weights.T
    return np.where(scores == 0, of_zero, np.sign(scores)) @ survived / survived.sum()


def winnow(X, sides, epochs, *, alpha, threshold, begin, balanced):
    """The same with weights that change by factors."""
    up, down, mistakes = np.full(X.shape[1], begin), np.full(X.shape[1], begin * balanced), []
    for order in epochs:
        mistakes.append(0)
        for i in order:
            if is_mistake((up - down) @ X[i] - threshold, sides[i], -1):
                up, down = up * alpha ** (sides[i] * X[i]), down * alpha ** (-sides[i] * X[i])
                mistakes[-1] += 1
        if not mistakes[-1]:
            break
    return up, down, mistakes


def weighted_majority(answers, truths, beta, classes):
    """Return the weights (over the largest), and what a master who follows the majority says."""
    weights, said = np.ones(answers.shape[1]), []
    for of_experts, truth in zip(answers, truths, strict=True):
        said.append(np.argmax([weights[of_experts == c].sum() for c in range(classes)]))
        weights = np.where(of_experts == truth, weights, beta * weights)
    return weights / weights.max(), np.array(said)


def epoch_order(numbers, count):
    """Fisher and Yates, with the halves of 64-bit numbers, low ones first."""
    order = list(range(count))
    for i in range(count):
        half = int(numbers[i // 2]) >> (32 * (i % 2)) & 0xFFFFFFFF
        other = i + (half * (count - i) >> 32)
        order[i], order[other] = order[other], order[i]
    return order
