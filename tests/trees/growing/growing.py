"""Short ways to grow a tree on a matrix, and to see which rows ended where."""

import numpy as np

from classica.native import trees as native
from classica.trees.growing.growth import NUMBER_CRITERIA, GrowthRules, Target, TreeTable

NUMBERS = NUMBER_CRITERIA
NAN = np.nan


def table_of(X, categorical=(), levels=None, threads=1):
    """Return the ranks of a matrix; the codes of categories are counted if their number is not given."""
    kinds = np.zeros(X.shape[1], dtype=bool)
    kinds[list(categorical)] = True
    counts = np.zeros(X.shape[1], dtype=np.int64)
    for j in categorical:
        counts[j] = np.nanmax(X[:, j], initial=-1) + 1 if levels is None else levels
    return TreeTable.of(X, kinds, counts, threads)


def target_of(y, criterion="gini", weights=None, cases=None, classes=None):
    if criterion in NUMBERS:
        return Target(values=np.asarray(y, dtype=np.float64), weights=weights, cases=cases)
    codes = np.asarray(y, dtype=np.int32)
    return Target(codes, int(codes.max()) + 1 if classes is None else classes, weights=weights, cases=cases)


def grown(
    X, y, *, categorical=(), weights=None, cases=None, threads=1, threshold="midpoint", rows=None, **rules
):
    X = np.asarray(X) if np.asarray(X).dtype.kind == "f" else np.asarray(X, dtype=np.float64)
    target = target_of(y, rules.get("criterion", "gini"), weights, cases)
    table = table_of(X, categorical, threads=threads)
    return table.grow(target, GrowthRules(**rules), threads, threshold=threshold, rows=rows)


def last_nodes(tree, X, threads=1):
    return native.apply_tree(X, tree.arrays(), threads)


def paths(tree, nodes):
    """Yield rows and the nodes they were in, from where they ended upwards."""
    rows, parent = np.arange(len(nodes)), tree.parent
    while len(rows):
        yield rows, nodes
        nodes = parent[nodes]
        rows, nodes = rows[nodes >= 0], nodes[nodes >= 0]


def assert_same_tree(one, other):
    for name in ("feature", "threshold", "levels_at", "level_child", "missing_child", "first_child"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for name in ("child_count", "cases", "weight", "gain", "value", "risk"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert (one.surrogates is None) == (other.surrogates is None)
    if one.surrogates is not None:
        for name, values in vars(one.surrogates).items():
            np.testing.assert_array_equal(values, getattr(other.surrogates, name), err_msg=name)


def mixed_table(rows, seed=0, missing=0.1, classes=3):
    """Return cells, class codes, and which columns are categories: every kind of column there is."""
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.normal(size=rows),  # all different
            random.normal(size=rows).round(1),
            random.integers(0, 5, rows),  # few numbers
            random.integers(0, 4, rows),  # categories
            random.integers(0, 40, rows),
            np.full(rows, 3.0),
            np.full(rows, NAN),
        ]
    )
    X[:, :5][random.random((rows, 5)) < missing] = NAN
    signal = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) + (X[:, 3] == 2) - (X[:, 4] > 30)
    y = np.digitize(signal + random.normal(size=rows), np.linspace(-0.7, 0.7, classes - 1))
    return X, y, [3, 4]


def plain_table(rows=400, seed=0, columns=5):
    """Return numbers all different, and classes that depend on all columns a little."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns))
    total = X @ np.linspace(1.5, 0.5, columns) + random.normal(size=rows)
    return X, np.digitize(total, [-1.0, 1.0])
