"""The end of a text of any length."""

from __future__ import annotations

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
