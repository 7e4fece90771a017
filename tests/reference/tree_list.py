"""A forest as a list of trees, each grown alone on the rows it drew; all answers by loops over the trees."""

from dataclasses import replace

from classica.native.trees import apply_tree, spread_over_tree
from tests.reference.row_draws import philox


def grow(table, target, rules, trees, samples, threshold="midpoint"):
    def one(number):
        rows = None if samples is None else samples.rows_of(number)
        own = replace(rules, seed=int(philox(rules.seed, number, 2**192)[0]))
        return table.grow(target, own, 1, threshold=threshold, rows=rows)

    return [one(number) for number in range(trees)]


def said(tree, X, divides_rows, smoothing=0.0):
    """Return what a tree says of each row."""
    values = tree.value + smoothing
    values /= values.sum(axis=1, keepdims=True) if values.shape[1] > 1 else 1.0
    if divides_rows:
        return spread_over_tree(X, tree.arrays(), tree.weight, values, 1)
    return values[apply_tree(X, tree.arrays(), 1)]


def errors(answers, y):
    return answers.argmax(axis=1) != y if answers.shape[1] > 1 else (answers[:, 0] - y) ** 2


def shuffled(X, rows, column, stream, seed):
    """Return the rows with the cells of one column exchanged among them."""
    order, exchanged = rows.copy(), X[rows].copy()
    for k in range(len(rows), 1, -1):
        other = int((int(philox(seed, stream, k)[0]) >> 11) * 2.0**-53 * k)
        order[[k - 1, other]] = order[[other, k - 1]]
    exchanged[:, column] = X[order, column]
    return exchanged
