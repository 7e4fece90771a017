"""Trees made by hand or at random, with nothing grown."""

import numpy as np

from classica.trees.growing.growth import GrowthRules, Target, TreeTable
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Tree


def task_of(X, codes=None, values=None, weights=None, **rules):
    """Return the task of growing a tree on numbers; weights are cases, too."""
    X = np.asarray(X, dtype=float)
    table = TreeTable.of(X, np.zeros(X.shape[1], dtype=bool), np.zeros(X.shape[1], dtype=np.int64), 1)
    classes = 0 if codes is None else int(codes.max()) + 1
    target = Target(codes, classes, values, weights, weights)
    return TreeTask(X, table, target, GrowthRules(**rules), "midpoint", 1)


def tree_of(child_count, value, feature=None, threshold=None, levels=None):
    """Return a tree from the number of children of each node, level by level, and its class counts."""
    child_count, value = np.asarray(child_count, dtype=np.int32), np.asarray(value, dtype=float)
    inner, lists = child_count > 0, levels or [[]] * len(child_count)
    first = np.where(inner, np.cumsum(child_count) - child_count + 1, -1).astype(np.int32)
    weight = value.sum(axis=1)
    return Tree(
        feature=np.where(inner, 0 if feature is None else feature, -1).astype(np.int32),
        threshold=np.where(inner, np.nan if threshold is None else threshold, np.nan),
        levels_at=np.cumsum([0, *map(len, lists)]).astype(np.int64),
        level_child=np.array([child for one in lists for child in one], dtype=np.int32),
        missing_child=np.where(inner, 0, -1).astype(np.int32),
        first_child=first,
        child_count=child_count,
        cases=weight.copy(),
        weight=weight,
        gain=np.where(inner, 1.0, 0.0),
        value=value,
        risk=weight - value.max(axis=1),
    )


def random_shape(random, inner, most=2):
    """Return the numbers of children of a random tree with so many inner nodes, level by level."""
    child_count, waiting = [], 1
    while waiting:
        is_inner = inner > 0 and (waiting == 1 or random.random() < 0.6)
        child_count.append(int(random.integers(2, most + 1)) if is_inner else 0)
        inner -= is_inner
        waiting += child_count[-1] - 1
    return np.array(child_count, dtype=np.int32)


def random_tree(random, inner, most=2, classes=3, most_in_leaf=9):
    """Return a random tree whose leaves hold random counts of classes."""
    child_count = random_shape(random, inner, most)
    value = random.integers(0, most_in_leaf, (len(child_count), classes)).astype(float)
    value[:, 0] += 1  # no leaf is empty
    tree = tree_of(child_count, value)
    for k in np.flatnonzero(child_count)[::-1]:
        value[k] = value[tree.children(k)].sum(axis=0)
    return tree_of(child_count, value)


def chain(levels, rows_each=1):
    """Return the tree that cuts off one value after the other, of two classes in turn, and its rows."""
    child_count = [2, *([0, 2] * (levels - 1)), 0, 0]
    classes = np.arange(levels + 1) % 2
    counts = np.zeros((levels + 1, 2))
    counts[np.arange(levels + 1), classes] = rows_each
    rest = counts[::-1].cumsum(axis=0)[::-1]
    value, threshold = [rest[0]], [0.5]
    for k in range(levels):
        value += [counts[k], rest[k + 1]]
        threshold += [np.nan, k + 1.5]
    X = np.repeat(np.arange(levels + 1.0), rows_each)[:, None]
    return tree_of(child_count, value, threshold=threshold), X, np.repeat(classes, rows_each).astype(np.int32)
