"""The out-of-bag error of a random forest by the Gini index: plain, not fast."""

import numpy as np


def out_of_bag_error(X, y, trees, columns, stops, rng):
    """Return the share of rows the trees that have not seen them get wrong, by a vote.

    A node that none of the drawn columns divides is a leaf (`stops`), or the others get their turn.
    """
    classes = np.eye(y.max() + 1)[y]
    votes = np.zeros(classes.shape)
    for _ in range(trees):
        rows = rng.integers(0, len(y), len(y))
        open_nodes = [(rows, np.setdiff1d(np.arange(len(y)), rows))]
        while open_nodes:
            inside, asked = open_nodes.pop()
            counts = classes[inside].sum(axis=0)
            drawn = rng.permutation(X.shape[1])
            split = None if counts.max() == len(inside) else _split(X, classes, inside, drawn, columns, stops)
            if split is None:
                votes[asked, counts.argmax()] += 1
                continue
            column, cut = split
            left, goes_left = X[inside, column] <= cut, X[asked, column] <= cut
            open_nodes += [(inside[left], asked[goes_left]), (inside[~left], asked[~goes_left])]
    judged = votes.sum(axis=1) > 0
    return np.mean(votes.argmax(axis=1)[judged] != y[judged])


def _split(X, classes, rows, drawn, columns, stops):
    """Return the best cut of the columns drawn, or else of the first other that has one."""
    groups = [drawn[:columns]] + ([] if stops else [[column] for column in drawn[columns:]])
    for group in groups:
        cuts = [_best_cut(X[rows, column], classes[rows], column) for column in group]
        known = [cut for cut in cuts if cut is not None]
        if known:
            return max(known)[1:]
    return None


def _best_cut(values, classes, column):
    """Return the purity of the best cut of a column, the column, and the cut between two values of it."""
    known, places = np.unique(values, return_inverse=True)
    if len(known) == 1:
        return None
    counts = np.zeros((len(known), classes.shape[1]))
    np.add.at(counts, places, classes)
    left = counts.cumsum(axis=0)[:-1]
    sides = left, counts.sum(axis=0) - left
    purity = sum((side**2).sum(axis=1) / side.sum(axis=1) for side in sides)
    best = int(np.argmax(purity))
    return purity[best], column, (known[best] + known[best + 1]) / 2
