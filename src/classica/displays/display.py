"""What all displays share: axes to draw on, a small SVG, and a sentence."""

from __future__ import annotations

import io
import re
from abc import ABC, abstractmethod
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from classica.displays.canvas import take_headline
from classica.displays.drawn_data import drawn_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Stands for the colour of text while an SVG is drawn; no picture uses it for anything else.
_INK = "#010203"
_INKED = ("text.color", "axes.labelcolor", "axes.titlecolor", "axes.edgecolor", "xtick.color", "ytick.color")
_PLAIN: dict[Any, Any] = {
    "svg.hashsalt": "classica",
    "svg.fonttype": "none",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.facecolor": "none",
    "image.composite_image": True,
    "hatch.color": _INK,
    **dict.fromkeys(_INKED, _INK),
}
_RASTER = 144  # dots per inch of what is not drawn as lines


class Display(ABC):
    """A picture: data that was worked out before, which `plot` draws.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where `plot` has drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    headline_ : tuple of str
        Title and note of a picture that `to_svg` has drawn without them.
    """

    #: Width and height of a figure of its own, in inches.
    size: ClassVar[tuple[float, float]] = (6.4, 4.4)

    ax_: Axes
    figure_: Figure
    headline_: tuple[str, str] = ("", "")

    @abstractmethod
    def plot(self, ax: Axes | None = None) -> Display:
        """Draw, and return the display."""

    @abstractmethod
    def describe(self) -> str:
        """Return what the picture shows in a sentence, for those who cannot see it."""

    def data(self) -> list[list[Any]]:
        """Return the numbers behind the picture as a table, headings first.

        By default what `plot` has drawn last: lines, points and bars, by the names of legend and axes.
        """
        return drawn_data(self.ax_)

    def to_svg(
        self, *, size: tuple[float, float] | None = None, headed: bool = True, **options: object
    ) -> str:
        """Return the picture as an ``<svg>`` element for a page, in the page's own colour of text.

        The ground is clear, text is text, and lines drawn in the colour of text take the one of the page
        (``currentColor``), so that one picture serves light and dark. The same display gives the same bytes.

        Parameters
        ----------
        size : tuple of float, optional
            Width and height in inches.
        headed : bool, default=True
            Whether title and note are in the picture; otherwise they are kept in `headline_`, for a page that
            writes them in its own type.
        **options
            What `plot` takes besides `ax`.
        """
        from matplotlib import rc_context
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure

        drawn = io.StringIO()
        with rc_context({"axes.prop_cycle": _default_cycle(), **_PLAIN}):
            figure = Figure(figsize=size or self._size(), dpi=_RASTER, layout="constrained")
            self.plot(figure.subplots(), **options)
            if not headed:
                self.headline_ = take_headline(self.ax_)
            # Straight to the canvas: savefig would draw everything once before, for backends that need it.
            canvas: Any = FigureCanvasSVG(figure)
            canvas.print_svg(drawn, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
        return _for_page(drawn.getvalue(), self.describe())

    @property
    def inches(self) -> tuple[float, float]:
        """Width and height of a figure of its own."""
        return self._size()

    def _size(self) -> tuple[float, float]:
        """Return width and height of a figure of its own; some depend on what is drawn."""
        return self.size

    def _begin(self, ax: Axes | None) -> Axes:
        """Return where to draw: the axes given, or those of a new figure."""
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots(figsize=self._size(), layout="constrained")
        figure = ax.get_figure(root=True)
        if figure is None:
            raise AssertionError("Axes belong to a figure.")
        self.ax_, self.figure_ = ax, figure
        return ax


def _default_cycle() -> Any:
    from matplotlib import rcParamsDefault

    return rcParamsDefault["axes.prop_cycle"]


def _for_page(svg: str, description: str) -> str:
    """Return the element alone, described, with short numbers and without names nobody refers to."""
    element = svg[svg.index("<svg") :]
    element = re.sub(r"<metadata>.*?</metadata>\s*", "", element, flags=re.S)
    element = re.sub(r"<!--.*?-->\s*", "", element, flags=re.S)
    element = re.sub(r'<g id="[^"]*"', "<g", element)
    element = re.sub(r"font-family: [^;\"]*(; )?", "", element)  # that of the page
    element = re.sub(r'(?<= d=")[^"]*', _short_numbers, element)
    element = re.sub(r"(?<=<use )[^>]*", _short_numbers, element)
    element = re.sub(r'(<g[^>]*)>\s*((?:<use [^>]*style="([^"]*)"/>\s*){2,})</g>', _one_style, element)
    element = re.sub(r' transform="rotate\(-?0 [^"]*"', "", element)
    element = re.sub(r"(?<=<text )[^>]*", _short_numbers, element)
    element = re.sub(r"<g>\s*(<text[^>]*>[^<]*</text>)\s*</g>", r"\1", element)
    element = re.sub(r"\n\s*", "\n", element).replace("xlink:href", "href")
    element = element.replace(_INK, "currentColor").strip()
    spoken = f'<svg role="img" aria-label="{escape(description)}" '
    return element.replace("<svg ", spoken, 1)


def _short_numbers(text: re.Match[str]) -> str:
    return re.sub(r"(\.\d)\d+", r"\1", text[0])


def _one_style(group: re.Match[str]) -> str:
    """Give the style of many equal markers to their group."""
    opening, markers, style = group[1], group[2], f' style="{group[3]}"'
    if markers.count(style) != markers.count("<use "):
        return group[0]
    return f"{opening}{style}>{markers.replace(style, '')}</g>"
