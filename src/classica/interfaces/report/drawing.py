"""Draw plots without ever failing: a plot that cannot be drawn is replaced by one line."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from classica.displays import Display
from classica.interfaces.report.data_link import csv_link

#: Inches: pictures are drawn as wide as a telephone shows them, so that their letters can be read there.
_WIDTH = 4.4
#: Inches that title and note take within a picture; on the page they are not in it.
_HEADLINE = 0.45
#: Properties of ``style`` attributes that are attributes of SVG themselves.
_PROPERTIES = re.compile(
    r"fill|fill-opacity|fill-rule|stroke|stroke-(?:width|linecap|linejoin|dasharray|dashoffset|opacity|miterlimit)"
    r"|opacity|font-(?:size|weight|style)|text-anchor|image-rendering"
)
#: Defaults of the page's style sheet or of SVG, which need not be said.
_DEFAULTS = {("stroke-linejoin", "round"), ("stroke-linecap", "butt"), ("stroke-miterlimit", "10")}


@dataclass(frozen=True)
class Picture:
    """A picture within the page.

    Attributes
    ----------
    svg : Markup
        The ``<svg>`` element. Its names are its own on the page, it has no rules for other pictures, and no
        ``style`` attribute, which a strict policy of the page would not apply.
    caption : str
        What to see in it.
    title, note : str
        What it is, and what else must be known to read it.
    data : str
        The address of its numbers as CSV; empty if it has none.
    is_wide : bool
        Whether it keeps its size, and is moved sideways where there is too little room.
    file : str
        What the data is called when it is saved.
    """

    svg: Markup
    caption: str
    title: str = ""
    note: str = ""
    data: str = ""
    is_wide: bool = False
    file: str = "picture.csv"

    @classmethod
    def of(cls, svg: str, name: str, caption: str, **more: Any) -> Picture:
        """Return a picture whose names all begin with the one given, which no other picture has."""
        # A style sheet within a picture would hold for the whole page: the page's own has what is needed.
        bare = re.sub(r"(<defs>\s*)?<style[^>]*>[^<]*</style>\s*(?(1)</defs>\s*)", "", svg)
        placed = re.sub(r"<[^>]+>", lambda tag: _with_names(_without_style(tag[0]), name), bare)
        return cls(Markup(placed.strip()), caption, **more)


def _with_names(tag: str, name: str) -> str:
    """Return a tag with names of its own; texts between tags stay as they are."""
    return re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", tag)


def _without_style(tag: str) -> str:
    """Return a tag whose style is in attributes of its own.

    Examples
    --------
    >>> _without_style('<path style="fill: none; stroke-width: 2; stroke-linecap: butt" d="M0 0"/>')
    '<path fill="none" stroke-width="2" d="M0 0"/>'
    """
    return re.sub(r' style="([^"]*)"', lambda style: _attributes(style[1]), tag)


def _attributes(style: str) -> str:
    pairs = [[part.strip() for part in each.split(":", 1)] for each in style.split(";") if ":" in each]
    found: dict[str, str] = {}
    for name, value in pairs:
        if name == "font":  # weight, size and family at once; the family is that of the page
            sized = re.match(r"(?:(bold|\d{3}) )?(?:(italic) )?([\d.]+px)", value)
            if sized:
                found |= {"font-weight": sized[1] or "", "font-style": sized[2] or "", "font-size": sized[3]}
        elif _PROPERTIES.fullmatch(name) and (name, value) not in _DEFAULTS:
            found[name] = value
    return "".join(f' {name}="{value}"' for name, value in found.items() if value)


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
        self,
        what: str,
        make: Callable[[], Display | str],
        caption: str = "",
        *,
        is_wide: bool = False,
        title: str = "",
    ) -> None:
        """Draw a display, or take a picture as it is; by default the title is that of the display."""
        with self.guarded(what):
            made, name = make(), f"{self.name}-{len(self.pictures)}"
            if isinstance(made, Display):
                svg = made.to_svg(size=_fitted(made), headed=False)
                own, note = made.headline_
                file = re.sub(r"[^a-z0-9]+", "-", what.lower()).strip("-")
                more = {
                    "title": title or own,
                    "note": note,
                    "data": csv_link(made.data()),
                    "file": f"{file}.csv",
                }
            else:
                svg, more = made, {}
            self.pictures.append(
                Picture.of(svg, name, caption, is_wide=is_wide, **{"title": title or what} | more)
            )

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

    @property
    def first(self) -> Picture | None:
        """The picture that was drawn first."""
        return self.pictures[0] if self.pictures else None

    def skip(self, what: str, why: str) -> None:
        """Note that a plot was not drawn, and why."""
        self.left_out.append(f"{what}: not drawn. {why[:300]}")


def _fitted(display: Display) -> tuple[float, float]:
    """Return the size of a picture as wide as all others; one that grows with its rows keeps its height."""
    width, height = display.inches
    if (width, height) != display.size:
        return _WIDTH, max(height - _HEADLINE, 1.5)
    return _WIDTH, max(height * _WIDTH / width, min(height, 3.0))
