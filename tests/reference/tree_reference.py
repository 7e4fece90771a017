"""Decision trees the plain way: every division of a node is tried, and its gain worked out from its rows."""

from collections import namedtuple
from itertools import combinations

import numpy as np

#: One way to divide rows: the column, the branch of each row (-1: its cell is missing and it is left out of
#: the comparison), and what that gains.
Division = namedtuple("Division", "column branch gain")


def cost(criterion, y, w):
    """Return what a node still has to explain: its impurity or deviation, summed over its rows."""
    w = w.astype(np.longdouble)
    if criterion == "squared_error":
        return (w * (y - (w * y).sum() / w.sum()) ** 2).sum()
    if criterion == "absolute_error":  # the median is one of the values
        return min((w * abs(y - value)).sum() for value in np.unique(y))
    counts = np.array([w[y == c].sum() for c in np.unique(y)])
    if criterion == "misclassification":
        return w.sum() - counts.max()
    shares = counts / counts.sum()
    return w.sum() * (1 - (shares**2).sum() if criterion == "gini" else -(shares * np.log2(shares)).sum())


def gain(criterion, y, w, branch):
    """Return what a division gains; for chi2 the statistic of branches and classes."""
    if criterion != "chi2":
        parts = [branch == b for b in np.unique(branch)]
        return cost(criterion, y, w) - sum(cost(criterion, y[part], w[part]) for part in parts)
    w = w.astype(np.longdouble)
    found = np.array([[w[(branch == b) & (y == c)].sum() for c in np.unique(y)] for b in np.unique(branch)])
    expected = found.sum(axis=1, keepdims=True) * found.sum(axis=0) / w.sum()
    return ((found - expected) ** 2 / expected).sum()


def divisions_of_known(x, categorical, categories):
    """Yield the branch of each row for every division of known cells: cuts from low to high, or levels."""
    values = np.unique(x)
    if not categorical:
        yield from (1 * (x > value) for value in values[:-1])
    elif categories == "multiway" and len(values) > 1:
        yield np.searchsorted(values, x)
    elif categories == "one_level" and len(values) > 1:
        yield from (1 * (x != value) for value in values)
    elif categories == "subset":  # the first level is always in the first set
        for size in range(len(values) - 1):
            yield from (1 - np.isin(x, [values[0], *others]) for others in combinations(values[1:], size))


def divisions(x, categorical, categories, missing):
    """Yield the branch of each row for every division by a column some cells of which may be missing."""
    known = ~np.isnan(x)
    inside = list(divisions_of_known(x[known], categorical, categories))
    if known.all() or not known.any():
        yield from inside
        return
    sides = {"own_branch": [None], "direction": range(max((b.max() for b in inside), default=0) + 1)}
    for side in sides.get(missing, [-1]):
        for branch in inside:
            everywhere = np.full(len(x), branch.max() + 1 if side is None else side)
            everywhere[known] = branch
            yield everywhere
    asked_alone = not categorical or len(np.unique(x[known])) == 1
    if missing == "own_branch" and asked_alone:
        yield 1 * ~known
    if missing == "direction" and (asked_alone or categories == "subset"):
        yield 1 * ~known


def all_divisions(X, y, w, categorical, criterion, categories, missing, min_cases=1):
    """Return every division of the rows that leaves enough rows in every branch."""
    found = []
    for j in range(X.shape[1]):
        for branch in divisions(X[:, j], categorical[j], categories, missing):
            looked_at = branch >= 0
            if np.unique(branch[looked_at], return_counts=True)[1].min() >= min_cases:
                value = gain(criterion, y[looked_at], w[looked_at], branch[looked_at])
                found.append(Division(j, branch, value))
    return found


def best(divisions, slack):
    """Return the division that gains most; of equal ones the first."""
    chosen = None
    for division in divisions:
        if chosen is None or division.gain > chosen.gain + slack:
            chosen = division
    return chosen


def grow(X, y, w, categorical, criterion, categories, missing):
    """Return the nodes of a full tree, level by level: column (-1: a leaf), gain, rows and their weights."""
    nodes, waiting = [], [(np.arange(len(X)), w)]
    for rows, weights in waiting:
        chosen = None
        if len(np.unique(y[rows])) > 1:
            told = categorical, criterion, categories, missing
            found = all_divisions(X[rows], y[rows], weights, *told)
            chosen = best(found, 1e-10 * weights.sum())
        nodes.append((chosen.column if chosen else -1, chosen.gain if chosen else 0.0, rows, weights))
        if not chosen:
            continue
        branch = chosen.branch
        known = [weights[branch == b].sum() for b in range(branch.max() + 1)]
        for b, share in enumerate(np.divide(known, sum(known))):
            left_out = {"fraction": share, "surrogate": float(b == np.argmax(known))}.get(missing, 0.0)
            taken = np.where(branch == b, 1.0, np.where(branch < 0, left_out, 0.0))
            waiting.append((rows[taken > 0], (weights * taken)[taken > 0]))
    return nodes


def surrogates(X, w, categorical, primary, branch, dissent=0.0):
    """Return the best imitation of a division by every other column, best first.

    Each is (column, agreement, advantage, branch of the rows or -1). Cuts leave two rows on either side, and
    levels go the way of most of their rows.
    """
    divided, found = branch >= 0, []
    sent = [w[branch == 0].sum(), w[branch == 1].sum()]
    for j in range(X.shape[1]):
        x = X[:, j]
        asked = divided & ~np.isnan(x)
        ways = []
        if categorical[j]:
            of_level = {
                v: [w[asked & (x == v) & (branch == b)].sum() for b in (0, 1)] for v in np.unique(x[asked])
            }
            ways = [np.array([1 * (of_level[v][1] > of_level[v][0]) if v in of_level else -1 for v in x])]
            if sum(min(pair) for pair in of_level.values()) < dissent:
                continue
        else:
            for value in np.unique(x[asked])[:-1]:
                if min((x[asked] <= value).sum(), (x[asked] > value).sum()) >= 2:
                    cut = np.where(np.isnan(x), -1, x > value)
                    ways += [cut, np.where(cut < 0, -1, 1 - cut)]
        agreeing = [w[asked & (way == branch)].sum() for way in ways]
        if j != primary and ways and max(agreeing) > max(sent) * (1 + 1e-12):
            most = int(np.argmax(agreeing))
            worth = (agreeing[most] - max(sent)) / (sum(sent) - max(sent))
            found.append((j, agreeing[most] / sum(sent), worth, ways[most]))
    return sorted(found, key=lambda one: -round(one[1], 12))


def relieff(X, y, w, categorical, levels, neighbours, compared):
    """Return the merit of each column, comparing some rows with the nearest of every class."""
    spread = np.nanmax(X, axis=0) - np.nanmin(X, axis=0)
    merits = np.zeros(X.shape[1])
    shares = {c: w[y == c].sum() / w.sum() for c in np.unique(y)}
    for i in compared:
        gaps = np.where(categorical, X[i] != X, abs(X - X[i]) / np.where(spread > 0, spread, 1))
        unknown = np.where(categorical, 1 - 1 / np.maximum(levels, 1), 1 / 3)
        gaps = np.where(np.isnan(X) | np.isnan(X[i]), unknown, gaps)
        for c, share in shares.items():
            # A row of weight two has itself as a neighbour once; equally near ones share what is left.
            left, taken = (w - (np.arange(len(X)) == i)).clip(0) * (y == c), np.zeros(len(X))
            distances = gaps.sum(axis=1)
            for distance in np.unique(distances[left > 0]):
                ring = np.where(distances == distance, left, 0)
                taken += ring * min(1, max(0, neighbours - taken.sum()) / ring.sum())
            if taken.any():
                factor = -1.0 if c == y[i] else share / (1 - shares[y[i]])
                merits += w[i] * factor * (taken @ gaps) / taken.sum()
    return merits / w[compared].sum()


def by_gain_ratio(best_of_columns, w):
    """Return the division of highest gain per bit of split information among those of at least mean gain.

    Rows that are left out are a branch of their own in the split information.
    """
    gains = np.array([float(division.gain) for division in best_of_columns])
    chosen, highest = None, -np.inf
    for division, value in zip(best_of_columns, gains, strict=True):
        sizes = np.array([w[division.branch == b].sum() for b in np.unique(division.branch)])
        bits = -(sizes * np.log2(sizes / w.sum())).sum()
        ratio = value / bits if bits > 0 else 0.0
        if value >= gains.mean() - 1e-3 * w.sum() and ratio > highest + 1e-6:
            chosen, highest = division, ratio
    return chosen
