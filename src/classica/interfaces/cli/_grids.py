"""Tables on the screen: no lines, two blanks between columns, one look for all commands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as Grid
from rich.text import Text


def grid(*headings: str, right: Collection[int] = (), wrapped: Collection[int] = ()) -> Grid:
    """Return a table to be filled; some columns stand at the right, some may break into lines."""
    made = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for place, heading in enumerate(headings):
        side: Any = "right" if place in right else "left"
        made.add_column(Text(heading), justify=side, no_wrap=place not in wrapped)
    return made


def facts_grid(facts: Mapping[str, str | Text]) -> Grid:
    """Return names and what is to be said of each, side by side."""
    made = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column(style="bold", no_wrap=True)
    made.add_column(overflow="fold")
    for name, text in facts.items():
        made.add_row(Text(name), text if isinstance(text, Text) else Text(text))
    return made


def width_of(made: Grid, console: Console) -> int:
    """Return how wide a table is if nothing is cut off, however narrow the screen."""
    return Measurement.get(console, console.options.update(max_width=100_000), made).maximum
