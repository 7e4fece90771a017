"""Where the nodes of a tree lie in a picture: the root on the left, leaves below each other."""

from __future__ import annotations

import heapq
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from classica.trees.showing.named_tree import NamedTree

CARD_HEIGHT, ROW_HEIGHT = 46, 58
NARROWEST_CARD, WIDEST_CARD, WIDEST_LABEL = 96, 220, 170
#: From a card to the line its branches leave from, and from a label to both its ends.
STEM, MARGIN = 14, 8
#: How wide a letter is: plain, bold and small.
PLAIN, BOLD, SMALL = 7.2, 8.2, 6.7


@dataclass(frozen=True)
class Layout:
    """The nodes that are drawn, each followed by those below it, and where."""

    nodes: list[int]
    #: Nodes whose subtree is drawn, the others end there.
    is_open: set[int]
    #: Left edge and middle of each node.
    x: dict[int, float]
    y: dict[int, float]
    #: How wide the card of each node is.
    card: dict[int, float]
    width: float
    height: float


def layout(
    named: NamedTree,
    max_nodes: int,
    card_width: Callable[[int, bool], float],
    label_width: Callable[[int], float],
) -> Layout:
    """Return where the nodes lie.

    Parameters
    ----------
    named : NamedTree
        The tree.
    max_nodes : int
        How many nodes may be drawn.
    card_width : function
        From a node, and whether its subtree is drawn, to the room its text needs.
    label_width : function
        From a node to the room the words at its branches need.
    """
    is_open = _expanded(named, max_nodes)
    nodes = _drawn(named, is_open)
    depth = named.tree.depth
    card_at: dict[int, float] = {}
    label_at: dict[int, float] = {}
    for node in nodes:
        d = int(depth[node])
        wide = card_width(node, node in is_open) + 2 * MARGIN
        card_at[d] = min(max(wide, card_at.get(d, NARROWEST_CARD)), WIDEST_CARD)
        if node in is_open:
            wide = label_width(node) + 2 * MARGIN
            label_at[d] = min(max(wide, label_at.get(d, 0.0)), WIDEST_LABEL)
    left = {0: 0.0}
    for d in range(max(card_at)):
        left[d + 1] = left[d] + card_at[d] + 2 * STEM + label_at[d]
    y = _heights(named, nodes, is_open)
    x = {node: left[int(depth[node])] for node in nodes}
    card = {node: card_at[int(depth[node])] for node in nodes}
    ends = sum(node not in is_open for node in nodes)
    return Layout(nodes, is_open, x, y, card, max(x[k] + card[k] for k in nodes), ends * ROW_HEIGHT)


def text_width(text: str, letter: float = PLAIN) -> float:
    """Return roughly how wide a text is, given the width of a common letter."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return letter * (len(text) - wide) + 2 * letter * wide


def _expanded(named: NamedTree, max_nodes: int) -> set[int]:
    """Return the nodes whose children are drawn: the largest first, as long as there is room."""
    tree, room = named.tree, max_nodes - 1
    expanded: set[int] = set()
    waiting = [(-float(tree.weight[0]), 0)]
    while waiting:
        _, node = heapq.heappop(waiting)
        children = tree.children(node)
        if not children or len(children) > room:
            continue
        room -= len(children)
        expanded.add(node)
        for child in children:
            heapq.heappush(waiting, (-float(tree.weight[child]), child))
    return expanded


def _drawn(named: NamedTree, is_open: set[int]) -> list[int]:
    nodes, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        if node in is_open:
            waiting += reversed(named.tree.children(node))
    return nodes


def _heights(named: NamedTree, nodes: list[int], is_open: set[int]) -> dict[int, float]:
    """Return the middle of each node: the ends one below the other, others halfway between their children."""
    y: dict[int, float] = {}
    for node in nodes:
        if node not in is_open:
            y[node] = (len(y) + 0.5) * ROW_HEIGHT
    for node in reversed(nodes):
        if node in is_open:
            children = named.tree.children(node)
            y[node] = (y[children[0]] + y[children[-1]]) / 2
    return y
