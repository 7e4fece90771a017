"""A worker, seen from the run."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from pathlib import Path
from typing import Any

from classica.children import messages
from classica.children.processes import held, held_above, is_over
from classica.runs.unit import Unit

#: How often a worker is looked at, and how often at most.
SLOWEST_LOOK, FASTEST_LOOK = 0.05, 0.002
#: A process can touch new memory about this fast; we look again before it could use up what is left.
_BYTES_PER_SECOND = 4e9
_READ = 1 << 20


class Child:
    """A worker and the unit it does.

    Attributes
    ----------
    unit : Unit or None
        What it is doing.
    tail : Tail
        The end of what the unit has printed.
    peak : int
        The most memory seen with this unit, above what the process held at its start.
    gone : bool
        Whether it has ended, or has closed the line.
    """

    def __init__(self, pid: int, line: socket.socket, output: int) -> None:
        self.pid = pid
        self.line = line
        self.output = output
        self.unit: Unit | None = None
        self.started = 0.0
        self.tail = Tail()
        self.peak = 0
        self.gone = False
        self._inbox = messages.Inbox()
        self._is_silent = False
        self._next_look = 0.0
        self._baseline = held(pid)
        os.set_blocking(output, False)

    def start(self, unit: Unit, function: str, folder: Path) -> None:
        """Have it do a unit by a function, which comes from the table of the program."""
        self.unit, self.started, self.tail, self.peak = unit, time.monotonic(), Tail(), 0
        self._next_look = self.started + FASTEST_LOOK
        order = {"key": unit.key, "work": function, "folder": str(folder), "arguments": unit.arguments}
        # One that has ended meanwhile is found out by the next look.
        with contextlib.suppress(ConnectionError):
            self.line.setblocking(True)
            messages.send(self.line, order)
        self.line.setblocking(False)

    @property
    def handles(self) -> list[int]:
        """What to wait for: the line, and the output unless the unit has closed it."""
        return [self.line.fileno()] if self._is_silent else [self.line.fileno(), self.output]

    @property
    def seconds(self) -> float:
        """How long it has been doing its unit."""
        return time.monotonic() - self.started

    def reply(self) -> dict[str, Any] | None:
        """Return what the unit has come to, None if it is not over; never waits."""
        try:
            while data := self.line.recv(_READ):
                self._inbox.add(data)
            self.gone = True
        except BlockingIOError:
            pass
        except ConnectionError:
            self.gone = True
        try:
            return self._inbox.message()
        except ValueError:
            self.gone = True
            return None

    def listen(self) -> None:
        """Take what it has printed; never waits, and no more at a time than others can wait for."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(16):
                data = os.read(self.output, _READ)
                if not data:
                    self._is_silent = True
                    break
                self.tail.add(data)

    def look(self, limit: int | None) -> None:
        """See what memory it holds, and whether it lives, if it is time to."""
        now = time.monotonic()
        if now < self._next_look:
            return
        used = self.growth()
        self.peak = max(self.peak, used)
        self.gone = self.gone or is_over(self.pid)
        wait = SLOWEST_LOOK if limit is None else (limit - used) / _BYTES_PER_SECOND
        self._next_look = now + min(max(wait, FASTEST_LOOK), SLOWEST_LOOK)

    def growth(self) -> int:
        """Return the bytes it holds now, above what it held at its start."""
        return held_above(self.pid, self._baseline)

    @property
    def next_look(self) -> float:
        """When it should be looked at again, on the monotonic clock."""
        return self._next_look

    def close(self) -> None:
        """Close the line and the output."""
        if self.line.fileno() >= 0:
            self.line.close()
            os.close(self.output)


#: Enough for the stack that a fault prints, and the list of modules after it.
_MOST = 16_000


class Tail:
    """The end of a stream of bytes, in bounded memory.

    Attributes
    ----------
    total : int
        How many bytes there were.
    """

    def __init__(self) -> None:
        self.total = 0
        self._end = b""

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self.total += len(data)
        self._end = (self._end + data[-_MOST:])[-_MOST:]

    @property
    def text(self) -> str:
        """The end as text, with a note if something came before it."""
        end = self._end.decode(errors="replace")
        left_out = self.total - len(self._end)
        return f"[{left_out} bytes before this]\n{end}" if left_out else end
