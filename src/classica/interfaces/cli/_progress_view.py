"""Showing how a comparison is going: redrawn on a terminal, a log in a pipe, or JSON lines for a program."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import click

from classica.comparison.comparison_progress import ComparisonProgress
from classica.interfaces.cli._progress_text import ProgressLog, ProgressText, Scale

#: Is told how a comparison is going.
Listener = Callable[[ComparisonProgress], None]

#: Seconds between two drawings, and between two JSON lines without news.
_DRAWING, _JSON_LINE = 0.1, 1.0


@contextlib.contextmanager
def progress_view(text: ProgressText) -> Iterator[Listener]:
    """Show progress on standard error, in the way that suits it."""
    if not sys.stderr.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
        yield _log(ProgressLog(text))
    else:
        with _screen(text) as listener:
            yield listener


def json_lines() -> Listener:
    """Return what prints progress as JSON, an object per line: all news, and otherwise one a second."""
    last = -_JSON_LINE

    def listen(progress: ComparisonProgress) -> None:
        nonlocal last
        now = time.monotonic()
        if progress.is_new or now - last >= _JSON_LINE:
            last = now
            print_json_line("progress", progress.record())

    return listen


def print_json_line(event: str, content: dict[str, Any]) -> None:
    """Print one event to standard output."""
    click.echo(json.dumps({"event": event, **content}, ensure_ascii=False, allow_nan=False))


def _log(log: ProgressLog) -> Listener:
    def listen(progress: ComparisonProgress) -> None:
        for line in log.lines(progress, time.monotonic()):
            click.echo(line, err=True)

    return listen


@contextlib.contextmanager
def _screen(text: ProgressText) -> Iterator[Listener]:
    """Redraw a few lines in place; they vanish at the end, when the result says it all."""
    from rich.console import Console  # only where something is drawn
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    scale: Scale | None = None
    last = -_DRAWING
    # Drawn when there is something to draw, not by a timer of its own: nothing flickers.
    with Live(Text("Starting."), console=console, auto_refresh=False, transient=True) as live:

        def listen(progress: ComparisonProgress) -> None:
            nonlocal scale, last
            scale = Scale.around(progress.leaders, scale)
            now = time.monotonic()
            if now - last < _DRAWING:
                return
            last = now
            # The last line and column stay free: a full screen would scroll.
            size = console.size
            lines = text.panel(progress, size.width - 1, size.height - 1, scale)
            drawn = Text("\n", no_wrap=True, overflow="ellipsis").join(
                Text(line.text, style=line.style) for line in lines
            )
            live.update(drawn, refresh=True)

        live.refresh()
        yield listen
