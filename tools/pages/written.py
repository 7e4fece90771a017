"""Which pages there are, and what is on each."""

from __future__ import annotations

import functools
from pathlib import Path

from classica import catalog
from classica.registry import Card
from tools.pages.abilities import Abilities
from tools.pages.findings_page import findings_page
from tools.pages.model_page import model_page
from tools.pages.models_index import models_index

DOCS = Path(__file__).parents[2] / "docs"


def own_cards() -> list[Card]:
    """Return the cards of this package, without those of plug-ins that happen to be installed."""
    return [card for card in catalog.cards() if card.estimator.__module__.startswith("classica.")]


@functools.cache
def pages() -> dict[Path, str]:
    """Return the text of every generated page."""
    cards = own_cards()
    can = {card.slug: Abilities.of(card) for card in cards}
    models = {DOCS / "models" / f"{card.slug}.md": model_page(card, can[card.slug], cards) for card in cards}
    return models | {
        DOCS / "models" / "README.md": models_index(can, cards),
        DOCS / "findings.md": findings_page(),
    }


def strangers() -> list[Path]:
    """Return files among the pages of the models that are none of them."""
    return sorted(set((DOCS / "models").glob("*")) - set(pages()))
