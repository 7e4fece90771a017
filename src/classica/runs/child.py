"""The launcher's view of a worker."""

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

#: The intervals at which a worker is checked.
SLOWEST_LOOK, FASTEST_LOOK = 0.05, 0.002
#: The rate at which a process can allocate memory; it is checked again before it could exhaust its limit.
_BYTES_PER_SECOND = 4e9
_READ = 1 << 20


class Child:
    """A worker and its current unit.

    Attributes
    ----------
    unit : Unit or None
        The current unit.
    tail : Tail
        The end of the unit's output.
    peak : int
        The peak memory of this unit, above what the process held at its start.
    gone : bool
        Whether it has ended or closed its socket.
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
        """Start a unit with a function from the table of the program."""
        self.unit, self.started, self.tail, self.peak = unit, time.monotonic(), Tail(), 0
        self._next_look = self.started + FASTEST_LOOK
        order = {"key": unit.key, "work": function, "folder": str(folder), "arguments": unit.arguments}
        # If it has ended meanwhile, the next check notices.
        with contextlib.suppress(ConnectionError):
            self.line.setblocking(True)
            messages.send(self.line, order)
        self.line.setblocking(False)

    @property
    def handles(self) -> list[int]:
        """The handles to wait for: the socket, and the output unless the unit has closed it."""
        return [self.line.fileno()] if self._is_silent else [self.line.fileno(), self.output]

    @property
    def seconds(self) -> float:
        """The running time of the current unit."""
        return time.monotonic() - self.started

    def reply(self) -> dict[str, Any] | None:
        """Return the result of the unit, or None if it is still running; does not block."""
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
        """Read a bounded amount of its output; does not block."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(16):
                data = os.read(self.output, _READ)
                if not data:
                    self._is_silent = True
                    break
                self.tail.add(data)

    def look(self, limit: int | None) -> None:
        """Check its memory, and whether it is alive, if a check is due."""
        now = time.monotonic()
        if now < self._next_look:
            return
        used = self.growth()
        self.peak = max(self.peak, used)
        self.gone = self.gone or is_over(self.pid)
        wait = SLOWEST_LOOK if limit is None else (limit - used) / _BYTES_PER_SECOND
        self._next_look = now + min(max(wait, FASTEST_LOOK), SLOWEST_LOOK)

    def growth(self) -> int:
        """Return its memory above what it held at its start, in bytes."""
        return held_above(self.pid, self._baseline)

    @property
    def next_look(self) -> float:
        """The time of the next check, on the monotonic clock."""
        return self._next_look

    def close(self) -> None:
        """Close the socket and the output."""
        if self.line.fileno() >= 0:
            self.line.close()
            os.close(self.output)


#: Enough for the stack trace of a fault and the list of modules after it.
_MOST = 16_000


class Tail:
    """The end of a stream of bytes, in bounded memory.

    Attributes
    ----------
    total : int
        Total number of bytes.
    """

    def __init__(self) -> None:
        self.total = 0
        self._end = b""

    def add(self, data: bytes) -> None:
        """Append bytes."""
        self.total += len(data)
        self._end = (self._end + data[-_MOST:])[-_MOST:]

    @property
    def text(self) -> str:
        """The end as text, with a note if it is truncated."""
        end = self._end.decode(errors="replace")
        left_out = self.total - len(self._end)
        return f"[{left_out} bytes before this]\n{end}" if left_out else end
