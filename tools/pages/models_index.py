"""The table of all classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classica.registry import Card
from tools.pages.abilities import Abilities
from tools.pages.docstring import table, wrapped
from tools.pages.findings_page import NOTE

_LECTURES = """\
## Lectures

Pages refer to the lectures that teach a rule by letters: R Roweis, C CS 361, B Barra, T Torino and L
Lecture 12. Their worked examples are tests: `tests/lectures/`."""

_INTRO = """\
Each page describes the decision rule, training, when to use the model, its parameters, input, output and
cost. The same in the terminal: `classica models` lists all models, `classica models NAME` describes one. To
find the best one for your table, use `classica compare` (see the [tutorial](../tutorial.md)).

*Categories* and *missing values*: handled natively; for the other models the commands encode and impute them.
*P*: predicts probabilities. *Weights*: supports sample weights. *Online*: can be updated with new rows."""

#: The name of a test of what data an estimator takes, by heading.
_TAKES = {
    "categories": "categorical columns",
    "missing values": "missing values",
    "sparse": "sparse matrices",
}


def models_index(abilities: Mapping[str, Abilities], cards: Sequence[Card]) -> str:
    """Return the page."""
    headings = ["model", "name", "family", "description", *_TAKES, "P", "weights", "online"]
    grid = table(headings, [_row(card, abilities[card.slug]) for card in cards])
    blocks = [NOTE.format(source="the cards in src/classica/estimators"), "# Models", _INTRO, grid, _LECTURES]
    return "\n\n".join(map(wrapped, blocks)) + "\n"


def _row(card: Card, can: Abilities) -> list[str]:
    takes = [_tick(kind in card.takes) for kind in _TAKES.values()]
    return [
        f"[{card.title}]({card.slug}.md)",
        f"`{card.slug}`",
        card.family,
        card.summary,
        *takes,
        _tick(can.probabilities),
        _tick(can.weights),
        _tick(bool(card.learns_online)),
    ]


def _tick(has: bool) -> str:
    return "yes" if has else ""
