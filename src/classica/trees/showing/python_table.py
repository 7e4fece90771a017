"""A tree as Python source of another kind: a table of its nodes, and a loop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from classica.trees.growing.tree import Surrogates, Tree
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.python_words import PythonWords, function_head

_STEP = """
    def step(split):
        column, cuts, children, flipped = split
        name = {name}_columns[column]
        value = level(name, column) if cuts is None else number(name, column)
        if value is None or value != value:
            return None
        child = children.get(value if cuts is None else sum(value > cut for cut in cuts), -1)
        return 1 - child if flipped and child >= 0 else child
"""

_ONE_WAY = """
    node = 0
    while {name}_nodes[node]:
        split, surrogates, default, first, _ = {name}_nodes[node]
        child = step(split)
        if child is None:
            children = (step(other) for other in surrogates)
            child = next((other for other in children if other is not None and other >= 0), default)
        if child < 0:
            break
        node = first + child
    return {name}_predictions[node]
"""

_ALL_WAYS = """
    sums = [0.0] * len({name}_predictions[0])
    parts = [(0, 1.0)]
    while parts:
        node, part = parts.pop()
        split, _, _, first, weights = {name}_nodes[node] or (None, (), -1, -1, ())
        child = -1 if split is None else step(split)
        if child is None:
            total = 0.0
            for weight in weights:
                total += weight
            for index in reversed(range(len(weights))):
                parts.append((first + index, part * (weights[index] / total)))
        elif child >= 0:
            parts.append((first + child, part))
        else:
            for index, share in enumerate({name}_predictions[node]):
                sums[index] += part * share
    return {result}
"""


def table_python(named: NamedTree, name: str) -> str:
    """Return the tables of a tree and the function that reads them; nothing in it is nested."""
    words = PythonWords(named.names, name)
    classes = named.names.classes
    result = "sums[0]"
    if named.divides_rows:
        predictions = [_tuple(f"{share!r}" for share in shares) for shares in named.shares.tolist()]
        if classes is not None:
            result = f"{_tuple(words.literal(label) for label in classes)}[sums.index(max(sums))]"
    else:
        predictions = [words.literal(label) for label in named.answers]
    nodes = [_node(named, words, node) for node in range(len(named.tree))]
    columns = [repr(str(column)) for column in named.names.columns]
    tables = [_table(f"{name}_{what}", rows) for what, rows in _named(columns, nodes, predictions)]
    walk = _ALL_WAYS if named.divides_rows else _ONE_WAY
    body = _STEP.replace("{name}", name) + walk.replace("{name}", name).replace("{result}", result)
    return function_head(name, "\n".join(tables)) + body


def _named(columns: list[str], nodes: list[str], predictions: list[str]) -> list[tuple[str, list[str]]]:
    return [("columns", columns), ("nodes", nodes), ("predictions", predictions)]


def _table(name: str, rows: list[str]) -> str:
    return "\n".join([f"{name} = (", *(f"    {row}," for row in rows), ")"])


def _node(named: NamedTree, words: PythonWords, node: int) -> str:
    """Return split, surrogates, child of missing values, first child and weights of the children."""
    tree = named.tree
    if tree.feature[node] < 0:
        return "None"
    split = _split(words, tree, node)
    surrogates = []
    if tree.surrogates is not None:
        at = range(tree.surrogates.starts[node], tree.surrogates.starts[node + 1])
        surrogates = [_split(words, tree.surrogates, index) for index in at]
    children = tree.children(node)
    weights = tree.weight[children.start : children.stop].tolist()
    targets = str(tree.missing_child[node]), str(children.start)
    return _tuple([split, _tuple(surrogates), *targets, repr(tuple(weights))])


def _split(words: PythonWords, splits: Tree | Surrogates, index: int) -> str:
    """Return column, cuts (None for categories), the child of each level or interval, and whether flipped."""
    column, names = int(splits.feature[index]), words.names
    codes = splits.level_child[splits.levels_at[index] : splits.levels_at[index + 1]].tolist()
    cuts = names.edges[column] if column in names.edges else [float(splits.threshold[index])]
    keys: Iterable[Any] = names.levels[column] if names.holds_categories(column) else range(len(cuts) + 1)
    pairs = [f"{words.literal(key)}: {child}" for key, child in zip(keys, codes or [0, 1], strict=True)]
    shown = "None" if names.holds_categories(column) else _tuple(words.literal(float(cut)) for cut in cuts)
    flipped = bool(splits.flipped[index]) if isinstance(splits, Surrogates) else False
    return _tuple([str(column), shown, f"{{{', '.join(pairs)}}}", str(flipped)])


def _tuple(parts: Iterable[str]) -> str:
    listed = list(parts)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"
