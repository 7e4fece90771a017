"""The table of all classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classica.registry import Card
from tools.pages.abilities import Abilities
from tools.pages.docstring import table, wrapped
from tools.pages.findings_page import NOTE

_LECTURES = """\
## Lectures

The letters by which pages name the lecture that teaches a rule: R Roweis, C CS 361, B Barra, T Torino and L
Lecture 12. Their numbers are tests: `tests/lectures/`."""

_INTRO = """\
One page for each: the rule, how it learns, when to use it and when not, parameters, what it tells, what it
costs. The same in the terminal: `classica models`, `classica models SLUG`. Which one is best on your table:
`classica compare` (see the [tutorial](../tutorial.md)).

*Categories* and *gaps*: taken as they are; elsewhere the commands encode and fill them. *P*: tells
probabilities. *Weights*: of rows. *Online*: takes more rows later."""

#: The name of a test of what data an estimator takes, by heading.
_TAKES = {"categories": "categorical columns", "gaps": "missing cells", "sparse": "sparse matrices"}


def models_index(abilities: Mapping[str, Abilities], cards: Sequence[Card]) -> str:
    """Return the page."""
    headings = ["model", "family", "what it does", *_TAKES, "P", "weights", "online"]
    grid = table(headings, [_row(card, abilities[card.slug]) for card in cards])
    blocks = [NOTE.format(source="the cards in src/classica/estimators"), "# Models", _INTRO, grid, _LECTURES]
    return "\n\n".join(map(wrapped, blocks)) + "\n"


def _row(card: Card, can: Abilities) -> list[str]:
    takes = [_tick(kind in card.takes) for kind in _TAKES.values()]
    return [
        f"[{card.slug}]({card.slug}.md)",
        card.family,
        card.summary,
        *takes,
        _tick(can.probabilities),
        _tick(can.weights),
        _tick(bool(card.learns_online)),
    ]


def _tick(has: bool) -> str:
    return "yes" if has else ""
