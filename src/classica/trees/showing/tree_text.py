"""A tree as indented text."""

from __future__ import annotations

from classica.trees.ruling.questions import condition_words
from classica.trees.showing.named_tree import NamedTree
from classica.wording import count_words

#: Beyond it the depth is a number, or a deep tree would be mostly indentation.
DEEPEST_INDENTATION = 50


def tree_text(named: NamedTree, max_depth: int | None = None) -> str:
    """Return a line per branch: what leads there and, for a leaf, its answer with cases and errors."""
    tree, sizes = named.tree, named.sizes
    lines: list[str] = []
    open_nodes = [(0, "", 0)]
    while open_nodes:
        node, words, depth = open_nodes.pop()
        cut_off = max_depth is not None and depth >= max_depth
        ends = tree.feature[node] < 0 or cut_off
        if node or ends:
            lines.append(_line(named, node, words, depth, ends, int(sizes[node]) - 1))
        for branch, child in reversed(list(enumerate(tree.children(node)))) if not ends else ():
            condition = named.condition(node, branch)
            mentions_missing = named.is_told(node, condition)
            open_nodes.append(
                (child, condition_words(condition, named.names, missing=mentions_missing), depth + 1)
            )
    return "\n".join(lines)


def _line(named: NamedTree, node: int, words: str, depth: int, ends: bool, below: int) -> str:
    above = depth - 1
    bars = "|   " * min(above, DEEPEST_INDENTATION)
    deep = f"[{above}] " if above > DEEPEST_INDENTATION else ""
    if not ends:
        return bars + deep + words
    leaf = f"{named.answer_words(node)} {leaf_counts(named, node)}"
    more = f" + {below} nodes" if below else ""
    return bars + deep + (f"{words}: " if words else "") + leaf + more


def leaf_counts(named: NamedTree, node: int) -> str:
    """Return ``(cases)`` or ``(cases/errors)``; for numbers the errors are the sum of deviations."""
    weight, risk = count_words(named.tree.weight[node]), count_words(named.tree.risk[node])
    return f"({weight})" if risk == "0" else f"({weight}/{risk})"
