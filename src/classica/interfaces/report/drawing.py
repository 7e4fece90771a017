"""Draw plots without ever failing: a plot that cannot be drawn is replaced by one line."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from markupsafe import Markup

from classica.displays import Display


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


class CannotDraw(Exception):  # noqa: N818  (no error: a reason that readers of the report see)
    """There is nothing to draw; the message is for readers of the report."""


@dataclass
class Drawing:
    """The pictures of one part of the page, and a line for each that was left out.

    Attributes
    ----------
    name : str
        What all names within its pictures begin with.
    pictures : list of Picture
        What was drawn.
    left_out : list of str
        What was not, and why.
    sketches : list of Picture
        Small pictures.
    """

    name: str
    pictures: list[Picture] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    sketches: list[Picture] = field(default_factory=list)

    def add(
        self, what: str, make: Callable[[], Display | str], caption: str = "", *, is_wide: bool = False
    ) -> None:
        """Draw a display, or take a picture as it is."""
        with self.guarded(what):
            made = make()
            svg = made.to_svg() if isinstance(made, Display) else made
            name = f"{self.name}-{len(self.pictures)}"
            self.pictures.append(Picture.of(svg, name, caption, is_wide=is_wide))

    def add_sketch(self, what: str, make: Callable[[], tuple[Markup, str]]) -> None:
        """Take a small picture with its caption."""
        with self.guarded(what):
            self.sketches.append(Picture(*make()))

    @contextlib.contextmanager
    def guarded(self, what: str) -> Iterator[None]:
        """Draw a plot, or note in a line that it failed.

        The messages of other errors are meant for callers of the plotting functions, not for readers.
        """
        from matplotlib import rc_context

        try:
            # Names are names, also with dollar signs; letters that matplotlib has no shapes for are the
            # browser's to draw.
            with warnings.catch_warnings(), rc_context({"text.parse_math": False}):
                warnings.simplefilter("ignore")
                yield
        except CannotDraw as reason:
            self.skip(what, " ".join(str(reason).split()))
        except Exception as error:  # whatever it is, the rest of the report must not be lost
            self.skip(what, f"It could not be drawn for this model and table ({type(error).__name__}).")

    def skip(self, what: str, why: str) -> None:
        """Note that a plot was not drawn, and why."""
        self.left_out.append(f"{what}: not drawn. {why[:300]}")
