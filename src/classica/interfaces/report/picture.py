"""A picture within the page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True)
class Picture:
    """A picture within the page.

    Attributes
    ----------
    svg : Markup
        The ``<svg>`` element; its names are its own on the page, and it has no rules for other pictures.
    caption : str
        What to see in it.
    is_wide : bool
        Whether it keeps its size, and is moved sideways where there is too little room.
    """

    svg: Markup
    caption: str
    is_wide: bool = False

    @classmethod
    def of(cls, svg: str, name: str, caption: str, *, is_wide: bool = False) -> Picture:
        """Return a picture whose names all begin with the one given, which no other picture has."""
        # A style sheet within a picture would hold for the whole page: the page's own has what is needed.
        bare = re.sub(r"(<defs>\s*)?<style[^>]*>[^<]*</style>\s*(?(1)</defs>\s*)", "", svg)
        placed = re.sub(r"<[^>]+>", lambda tag: _with_names(tag[0], name), bare)
        return cls(Markup(placed.strip()), caption, is_wide)


def _with_names(tag: str, name: str) -> str:
    """Return a tag with names of its own; texts between tags stay as they are."""
    return re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", tag)
