"""What ensembles of other programs reach on real tables, and whether ours reach the same."""

import json
from collections import namedtuple

import numpy as np

from tests.oracles.tree_tables import DATA, read

#: A table, a method, and percentages of seeds: what another program has reached (mean, sd), and ours.
Cell = namedtuple("Cell", "table method theirs ours")


def told(file):
    return json.loads((DATA / file).read_text())


def categories(name):
    """Return the numbers of the columns that hold categories."""
    return np.flatnonzero(read(name).categorical).tolist()


def filled(name):
    """Return the table as R's na.roughfix fills it: medians, and the most frequent level."""
    table = read(name)
    X = table.X.copy()
    for column, is_category in zip(X.T, table.categorical, strict=True):
        gaps = np.isnan(column)
        if gaps.any():
            known = column[~gaps]
            column[gaps] = np.bincount(known.astype(int)).argmax() if is_category else np.median(known)
    return X


def cross_validated(make, name, seed, folds=10):
    """Return the percentage right of a stratified cross-validation; `make` takes the seed.

    Rows are shuffled, sorted by class, and dealt out to the folds in turn.
    """
    table = read(name)
    codes = table.y.astype(int)
    shuffled = np.random.default_rng(seed).permutation(len(codes))
    order = shuffled[np.argsort(codes[shuffled], kind="stable")]
    right = 0
    for fold in range(folds):
        test = order[fold::folds]
        rest = np.setdiff1d(order, test)
        said = make(seed).fit(table.X[rest], codes[rest]).predict(table.X[test])
        right += np.count_nonzero(said == codes[test])
    return 100 * right / len(codes)


def spread(cell):
    """Return the standard deviations between seeds; a program that has had time for one borrows ours."""
    ours = float(np.std(cell.ours, ddof=1))
    return (ours if cell.theirs["sd"] is None else cell.theirs["sd"]), ours


def distance(cell):
    """Return how far the means are apart, and how far they may be."""
    apart = float(np.mean(cell.ours)) - cell.theirs["mean"]
    return apart, 3 * float(np.hypot(*spread(cell))) + 0.5


def outside(cells):
    return [cell for cell in cells if abs(distance(cell)[0]) > distance(cell)[1]]


def leaning(cells):
    """Return, per method, the median of how far ours is above theirs: chance alone leans to no side."""
    methods = dict.fromkeys(cell.method for cell in cells)
    return {m: float(np.median([distance(cell)[0] for cell in cells if cell.method == m])) for m in methods}


def report(cells):
    """Return the cells as text, those outside marked."""
    lines = [f"{'table':<16} {'method':<18} {'theirs':>14} {'ours':>14} {'apart':>7} {'may':>5}"]
    for cell in cells:
        apart, allowed = distance(cell)
        theirs, own = spread(cell)
        lines.append(
            f"{cell.table:<16} {cell.method:<18} {cell.theirs['mean']:7.2f} ±{theirs:5.2f} "
            f"{np.mean(cell.ours):7.2f} ±{own:5.2f} {apart:+7.2f} {allowed:5.2f}"
            + (" outside" if abs(apart) > allowed else "")
        )
    lines += [f"median apart {median:+.2f}  {method}" for method, median in leaning(cells).items()]
    return "\n".join([*lines, f"{len(outside(cells))} of {len(cells)} cells outside"])
