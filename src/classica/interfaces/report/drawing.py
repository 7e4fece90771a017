"""Drawing that never fails: what cannot be drawn is left out with one line."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from markupsafe import Markup

from classica.displays import Display
from classica.interfaces.report.picture import Picture


class CannotDraw(Exception):  # noqa: N818  (no error: a reason that readers of the report see)
    """There is nothing to draw, for a reason that readers of the report understand."""


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
        """Do something for a picture; a failure is told in a line.

        What other errors say is for who calls the functions behind a picture, not for who reads the report.
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
            self.skip(what, f"It could not be made for this model and table ({type(error).__name__}).")

    def skip(self, what: str, why: str) -> None:
        """Say that something is not drawn."""
        self.left_out.append(f"{what}: not drawn. {why[:300]}")
