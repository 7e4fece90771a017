"""What most pictures share: colours, a headline with a note, a legend, rows by class, ranked bars."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
from classica.arrays import Label
from classica.errors import DataError, must

COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#8C8C2E", "#7F7F7F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")

RIGHT, WRONG = COLORS[0], COLORS[4]


def class_color(code: int) -> str:
    """Return the colour of a class; they repeat after eight."""
    return COLORS[code % len(COLORS)]


def class_marker(code: int) -> str:
    """Return the marker of a class, such that colour and marker together repeat after eighty."""
    return MARKERS[(code + code // len(COLORS)) % len(MARKERS)]


def foreground() -> Any:
    """Return the colour of text on the ground of the figure, dark or light as the style in force says."""
    from matplotlib import rcParams  # matplotlib is only for those who draw

    return rcParams["text.color"]


def read_table(values: Any, what: str) -> Floats:
    """Return numbers as a table of finite values, one line for a single list."""
    try:
        table = np.atleast_2d(np.asarray(values, dtype=np.float64))
    except (TypeError, ValueError):
        raise DataError(must(what, "numbers", values)) from None
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise DataError(must(what, "a table of finite numbers", np.shape(values) if table.size else values))
    return table


def read_names(names: Any, count: int) -> list[str]:
    """Return the names of columns, or their numbers."""
    if names is None:
        return [f"column {index}" for index in range(count)]
    if len(names) != count:
        raise DataError(must("names", f"{count} names, one for each column", len(names)))
    return [str(name) for name in names]


def draw_bars(ax: Axes, positions: Floats, values: Floats, labels: list[str], **style: Any) -> None:
    """Draw bars from the top down, with their names at the left and a line at 0."""
    ax.barh(positions, values, height=0.72, **style)
    ax.set_yticks(positions, labels)
    ax.axvline(0, color=foreground(), lw=0.8)
    quiet_frame(ax)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


MOST_ROWS = 600  # rows drawn as points; more would hide each other
_VECTOR_ROWS = 700  # beyond, points are a picture, which is smaller than their paths
_SMALL = 8.3  # points, the size of notes
#: Inches that a letter of a tick label takes, about.
_LETTER = 0.083
#: The note below a headline, among the texts of a picture.
_NOTE = "note"
#: Inches; in a narrower figure a legend at the side would leave no room for the picture.
_NARROW = 5.5
#: Inches that a letter of a legend takes, about, its mark, and a line of it.
_LEGEND_LETTER, _LEGEND_MARK, _LEGEND_LINE = 0.068, 0.4, 0.19


def shorten(text: object, longest: int = 24) -> str:
    """Return a name that fits."""
    shown = " ".join(str(text).split())
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def headline(ax: Axes, title: str, note: str = "") -> None:
    """Write what the picture is above it, and below that what else must be known."""
    figure = ax.get_figure(root=True)
    width = ax.get_position().width * (figure.get_figwidth() if figure else 6.4)
    title_lines = textwrap.wrap(title, max(24, int(width * 72 / 6.2))) or [""]
    if figure:  # long names of bars make the picture narrower than it is now
        names = max((len(label.get_text()) for label in ax.get_yticklabels()), default=0)
        width -= max(names * _LETTER - ax.get_position().x0 * figure.get_figwidth(), 0)
    lines = textwrap.wrap(note, max(30, int(width * 72 / (_SMALL * 0.5)))) if note else []
    ax.set_title("\n".join(title_lines), loc="left", fontsize=11, pad=7 + 10.5 * len(lines))
    if lines:
        ax.annotate(
            "\n".join(lines),
            (0, 1),
            xytext=(0, 5),
            xycoords="axes fraction",
            textcoords="offset points",
            va="bottom",
            fontsize=_SMALL,
            alpha=0.8,
            gid=_NOTE,
        )


def take_headline(ax: Axes) -> tuple[str, str]:
    """Remove title and note from a picture and return them: a page writes them in its own type.

    Names of axes that are longer than the picture go on in a second line.
    """
    figure = ax.get_figure(root=True)
    sides = (6.4, 4.4) if figure is None else figure.get_size_inches()
    for label, inches in zip((ax.xaxis.label, ax.yaxis.label), sides, strict=True):
        label.set_text("\n".join(textwrap.wrap(label.get_text(), max(20, int((inches - 1) / _LETTER)))))
    title, note = ax.get_title(loc="left"), ""
    ax.set_title("", loc="left")
    for text in [each for each in ax.texts if each.get_gid() == _NOTE]:
        note = " ".join(text.get_text().split())
        text.remove()
    return " ".join(title.split()), note


def legend_beside(ax: Axes, handles: Sequence[Any] | None = None, title: str | None = None) -> None:
    """Put the legend where it hides nothing: to the right of the picture, or below a narrow one."""
    shown = ax.get_legend_handles_labels()[0] if handles is None else list(handles)
    if not shown:
        return
    style: dict[str, Any] = {
        "title": title,
        "frameon": False,
        "fontsize": 9,
        "title_fontsize": 9,
        "alignment": "left",
        "borderaxespad": 0,
    }
    figure = ax.get_figure(root=True)
    if figure is None or figure.get_figwidth() > _NARROW:
        ax.legend(handles=shown, loc="upper left", bbox_to_anchor=(1.01, 1.01), **style)
        return
    longest = max(len(str(handle.get_label())) for handle in shown)
    room = figure.get_figwidth() / (_LEGEND_LETTER * longest + _LEGEND_MARK)
    columns = int(np.clip(room, 1, len(shown)))
    lines = -(-len(shown) // columns) + (title is not None)
    figure.set_size_inches(figure.get_figwidth(), figure.get_figheight() + _LEGEND_LINE * lines)
    # A legend of the figure is outside of all axes, so that labels of the axis are not below it.
    figure.legend(
        handles=shown,
        loc="outside lower left",
        ncols=columns,
        columnspacing=1.2,
        handlelength=1.6,
        **style,
    )


def percent_ticks(axis: Axis) -> None:
    """Write the ticks of shares in per cent, with as many digits as they need."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda share, _: f"{round(100 * share, 6):g}%"))


def quiet_frame(ax: Axes) -> None:
    """Leave the frame on two sides, faint."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(length=3)


def class_handle(code: int, label: Label) -> Any:
    """Return the entry of a class for the legend."""
    from matplotlib.lines import Line2D

    style: dict[str, Any] = {"marker": class_marker(code), "color": class_color(code)}
    return Line2D([], [], linestyle="none", label=shorten(label), markersize=6, **style)


def ring_handle(label: str) -> Any:
    """Return the entry of ringed rows for the legend."""
    from matplotlib.lines import Line2D

    ring: dict[str, Any] = {"marker": "o", "markerfacecolor": "none", "markeredgecolor": foreground()}
    return Line2D([], [], linestyle="none", label=label, markersize=9, **ring)


def draw_rows(
    ax: Axes,
    points: Floats,
    codes: NDArray[np.intp],
    ringed: NDArray[np.bool_] | None = None,
    size: float = 22,
) -> None:
    """Draw rows by class, and rings around some."""
    raster = len(points) > _VECTOR_ROWS
    for code in np.unique(codes):
        mine = points[codes == code]
        style: dict[str, Any] = {"marker": class_marker(int(code)), "color": class_color(int(code))}
        ax.scatter(mine[:, 0], mine[:, 1], s=size, linewidths=0, zorder=3, rasterized=raster, **style)
    if ringed is not None and ringed.any():
        ax.scatter(
            points[ringed, 0],
            points[ringed, 1],
            s=2.6 * size,
            facecolors="none",
            edgecolors=foreground(),
            linewidths=0.8,
            zorder=4,
            rasterized=raster,
        )


def one_path(lines: Sequence[Floats], *, closed: bool = False) -> Any:
    """Return many lines or polygons as one path, which takes far less room in a file than each by itself."""
    from matplotlib.path import Path

    if not len(lines):
        return Path(np.empty((0, 2)))
    parts = [Path(np.vstack([line, line[:1]]) if closed else line, closed=closed) for line in lines]
    return Path.make_compound_path(*parts)


def robust_ends(values: Floats) -> tuple[float, float]:
    """Return where an axis of these values ends, such that a few far away do not squeeze all others.

    That is the least and the greatest value, but no farther than the width of the middle 96% beyond it.

    Examples
    --------
    >>> robust_ends(np.arange(101.0)), robust_ends(np.append(np.arange(100.0), 1e6))
    ((0.0, 100.0), (0.0, 194.0))
    """
    known = values[np.isfinite(values)]
    low, high = np.percentile(known, [2, 98])
    wide = high - low
    if wide == 0:  # most values are the same: those that are not are what there is to see
        return float(known.min()), float(known.max())
    return float(max(known.min(), low - wide)), float(min(known.max(), high + wide))


def shown_rows(rows: int, most: int | None) -> NDArray[np.intp]:
    """Return which rows are drawn: all, or so many spread evenly over the table."""
    if most is None or rows <= most:
        return np.arange(rows)
    return np.linspace(0, rows - 1, most).round().astype(np.intp)
