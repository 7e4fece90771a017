"""A tree as a picture: SVG text that needs nothing else."""

from __future__ import annotations

import colorsys
from xml.sax.saxutils import escape

import numpy as np

from classica.trees.ruling.questions import branch_words, condition_words
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.svg_layout import (
    BOLD,
    CARD_HEIGHT,
    MARGIN,
    PLAIN,
    SMALL,
    STEM,
    WIDEST_LABEL,
    Layout,
    layout,
    text_width,
)
from classica.wording import count_words, number_words, plain_words

#: Colours that most people can tell apart (Okabe and Ito), then others around the circle.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b5a600", "#555555")
_BORDER, _LEGEND_HEIGHT, _MOST_IN_LEGEND = 16, 30, 12
_STYLE = (
    "text{font:12px system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;fill:#1b1f24}"
    ".name{font-weight:600}.small{font-size:11px;fill:#57606a}.branch{font-size:11.5px}"
    ".card{fill:#fff;stroke:#8c959f}.leaf{fill:#f3f5f7}.more{stroke-dasharray:4 3}"
    ".line{fill:none;stroke:#c3cad1}"
)


def tree_svg(named: NamedTree, max_nodes: int = 30) -> str:
    """Return the picture; subtrees there is no room for become one marked node, small ones first."""
    return _Picture(named, max_nodes).text()


class _Picture:
    def __init__(self, named: NamedTree, max_nodes: int) -> None:
        self.named, self.sizes = named, named.sizes
        self.positions: Layout = layout(named, max_nodes, self.card_width, self.label_width)
        self.colours = _colours(0 if named.names.classes is None else len(named.names.classes))
        values = named.tree.value[:, 0]
        self.low, self.high = float(values.min()), float(values.max())

    def text(self) -> str:
        top = _BORDER + (_LEGEND_HEIGHT if self.named.names.classes is not None else 0)
        width = max(self.positions.width, self._legend_width()) + 2 * _BORDER
        height = self.positions.height + top + _BORDER
        size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
        expanded = [node for node in self.positions.nodes if node in self.positions.is_open]
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            f"<title>{self._title()}</title>",
            f"<style>{_STYLE}</style>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            self._legend(),
            f'<g transform="translate({_BORDER} {top})">',
            *(self._branches(node) for node in expanded),
            *(self._card(node) for node in self.positions.nodes),
            "</g>",
            "</svg>",
        ]
        return "\n".join(part for part in parts if part) + "\n"

    # ---- Words.

    def card_text(self, node: int, is_open: bool) -> tuple[str, str, str]:
        """Return what a node asks or answers, how many nodes are not drawn, and its cases."""
        tree, names = self.named.tree, self.named.names
        cases = _cases(tree.weight[node])
        if is_open:
            return f"{plain_words(names.columns[tree.feature[node]])}?", "", cases
        more = f"+ {int(self.sizes[node]) - 1} nodes" if tree.feature[node] >= 0 else ""
        if names.classes is None:
            return _short(float(self.named.answers[node])), more, cases
        wrong = count_words(tree.risk[node])
        return self.named.answer_words(node), more, cases if wrong == "0" else f"{cases}, {wrong} wrong"

    def card_width(self, node: int, is_open: bool) -> float:
        """Return the room the text of a card needs."""
        name, more, cases = self.card_text(node, is_open)
        return max(text_width(name, BOLD) + _room_for(more), text_width(cases, SMALL))

    def label_width(self, node: int) -> float:
        """Return the room the longest label at the branches of a node needs."""
        return max(text_width(label) for label in self.labels(node))

    def labels(self, node: int) -> list[str]:
        """Return the words at the branches of a node."""
        count = int(self.named.tree.child_count[node])
        conditions = [self.named.condition(node, branch) for branch in range(count)]
        return [
            branch_words(one, self.named.names, missing=self.named.is_told(node, one), number=_short)
            for one in conditions
        ]

    def _details(self, node: int) -> str:
        """Return what is shown when the pointer rests on a node."""
        tree, classes = self.named.tree, self.named.names.classes
        lines = [f"node {node}: {self.named.answer_words(node)}", _cases(tree.weight[node])]
        if classes is not None:
            counts = zip(classes, tree.value[node].tolist(), strict=True)
            lines += [f"{plain_words(label)}: {count_words(count)}" for label, count in counts if count]
        if tree.feature[node] >= 0:
            lines.append(f"split on {plain_words(self.named.names.columns[tree.feature[node]])}")
        return escape("\n".join(lines))

    def _title(self) -> str:
        leaves = self.named.tree.leaf_count
        return f"A decision tree of {len(self.named.tree)} nodes, {leaves} of them leaves"

    # ---- Shapes.

    def _branches(self, node: int) -> str:
        positions, tree = self.positions, self.named.tree
        start = positions.x[node] + positions.card[node]
        stem = start + STEM
        parts = []
        for branch, (child, label) in enumerate(zip(tree.children(node), self.labels(node), strict=True)):
            y, end = positions.y[child], positions.x[child]
            thick = 1.2 + 6.0 * float(tree.weight[child]) / float(tree.weight[0])
            path = f"M{start:.1f} {positions.y[node]:.1f}H{stem:.1f}V{y:.1f}H{end:.1f}"
            parts.append(f'<path class="line" d="{path}" stroke-width="{thick:.1f}"/>')
            full = condition_words(self.named.condition(node, branch), self.named.names, missing=False)
            shown = _fitted(label, WIDEST_LABEL - 2 * MARGIN)
            middle = (stem + end) / 2
            parts.append(
                f'<text class="branch" x="{middle:.1f}" y="{y - 7:.1f}" text-anchor="middle">'
                f"{escape(shown)}<title>{escape(full)}</title></text>"
            )
        return "\n".join(parts)

    def _card(self, node: int) -> str:
        positions, is_open = self.positions, node in self.positions.is_open
        x, top, width = positions.x[node], positions.y[node] - CARD_HEIGHT / 2, positions.card[node]
        name, more, cases = self.card_text(node, is_open)
        room = width - 2 * MARGIN
        left = _fitted(name, room - _room_for(more), BOLD)
        kind = "card" if is_open else "card more" if more else "card leaf"
        return "\n".join(
            [
                f'<g transform="translate({x:.1f} {top:.1f})"><title>{self._details(node)}</title>',
                f'<rect class="{kind}" width="{width:.1f}" height="{CARD_HEIGHT}" rx="5"/>',
                f'<text class="name" x="{MARGIN}" y="16">{escape(left)}</text>',
                f'<text class="small" x="{width - MARGIN:.1f}" y="16" text-anchor="end">{more}</text>',
                f'<text class="small" x="{MARGIN}" y="31">{escape(_fitted(cases, room, SMALL))}</text>',
                *self._bar(node, room),
                "</g>",
            ]
        )

    def _bar(self, node: int, room: float) -> list[str]:
        """Return the class shares side by side, or where a number lies between the lowest and the highest."""
        value = self.named.tree.value[node]
        top = CARD_HEIGHT - 11
        if self.named.names.classes is None:
            share = (float(value[0]) - self.low) / (self.high - self.low) if self.high > self.low else 0.5
            track = f'<rect x="{MARGIN}" y="{top}" width="{room:.1f}" height="6" fill="#dfe4e9"/>'
            filled = (
                f'<rect x="{MARGIN}" y="{top}" width="{share * room:.1f}" height="6" fill="{_COLOURS[0]}"/>'
            )
            return [track, filled]
        shares = value / value.sum()
        ends = MARGIN + room * np.concatenate([[0.0], np.cumsum(shares)])
        return [
            f'<rect x="{ends[c]:.1f}" y="{top}" width="{share * room:.1f}" height="6" fill="{colour}"/>'
            for c, (share, colour) in enumerate(zip(shares, self.colours, strict=True))
            if share > 0
        ]

    # ---- Legend.

    def _legend_labels(self) -> list[str]:
        labels = [_fitted(plain_words(label), 140) for label in self.named.names.classes or ()]
        shown = labels[:_MOST_IN_LEGEND]
        return shown + ([f"and {len(labels) - len(shown)} more"] if len(labels) > len(shown) else [])

    def _legend_width(self) -> float:
        return sum(text_width(label) + 30 for label in self._legend_labels())

    def _legend(self) -> str:
        parts, x = [], float(_BORDER)
        for index, label in enumerate(self._legend_labels()):
            if index < min(len(self.colours), _MOST_IN_LEGEND):
                parts.append(
                    f'<rect x="{x:.1f}" y="{_BORDER}" width="11" height="11" fill="{self.colours[index]}"/>'
                )
            parts.append(f'<text x="{x + 16:.1f}" y="{_BORDER + 10}">{escape(label)}</text>')
            x += text_width(label) + 30
        return "\n".join(parts)


def _cases(weight: float) -> str:
    return "1 row" if weight == 1 else f"{count_words(weight)} rows"


def _short(number: float) -> str:
    exact = number_words(number)
    return exact if len(exact) <= 9 else f"{number:.6g}"


def _room_for(more: str) -> float:
    return text_width(more, SMALL) + 10 if more else 0.0


def _fitted(text: str, room: float, letter: float = PLAIN) -> str:
    """Return as much of a text as there is room for."""
    if text_width(text, letter) <= room:
        return text
    while text and text_width(text + "…", letter) > room:
        text = text[:-1]
    return text + "…"


def _colours(count: int) -> list[str]:
    more = []
    for index in range(count - len(_COLOURS)):
        red, green, blue = colorsys.hls_to_rgb((index * 0.381966) % 1.0, 0.45 + 0.2 * (index % 2), 0.6)
        more.append(f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}")
    return [*_COLOURS[:count], *more]
