"""One palette for all pictures: told apart by people with any colour vision, on white and on black.

The hues are those of Okabe and Ito; their yellow and black, which vanish on one of the two grounds, are
replaced by an olive and a grey. Classes differ by marker as well, so that no picture rests on colour alone.
"""

from __future__ import annotations

from typing import Any

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
