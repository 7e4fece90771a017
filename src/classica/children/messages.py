"""Messages between a run and a worker: a length, then JSON of values that come back as they went in."""

from __future__ import annotations

import json
import math
import socket
import struct
from typing import Any


def encode(value: object) -> bytes:
    """Return plain values as one line of JSON."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def not_plain(value: object, where: str) -> str | None:
    """Return what in a value is not plain, and where; None if all of it is.

    Plain are None, truth values, whole numbers, finite numbers, text, and lists and dicts (keyed by text) of
    these.

    Examples
    --------
    >>> not_plain({"errors": [0.5, float("nan")]}, "result")
    "result['errors'][1] is nan"
    """
    if value is None or isinstance(value, (str, int)):
        return None
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{where} is {float(value)}"
    if isinstance(value, (list, tuple)):
        return _first_problem(enumerate(value), where)
    if isinstance(value, dict):
        wrong = [key for key in value if not isinstance(key, str)]
        return f"{where} has the key {wrong[0]!r:.40}" if wrong else _first_problem(value.items(), where)
    kind = type(value)
    return f"{where} is of type {kind.__module__}.{kind.__qualname__}"


def _first_problem(items: Any, where: str) -> str | None:
    problems = (not_plain(value, f"{where}[{key!r:.40}]") for key, value in items)
    return next((problem for problem in problems if problem), None)


_LENGTH = struct.Struct("<Q")
#: The longest message: larger results belong into a file of the run folder.
MOST_BYTES = 64 * 1024 * 1024


def send(line: socket.socket, message: dict[str, Any]) -> None:
    """Send a message, waiting until the other side has room for it."""
    text = encode(message)
    line.sendall(_LENGTH.pack(len(text)) + text)


def receive(line: socket.socket) -> dict[str, Any] | None:
    """Wait for a message; None if the other side has gone."""
    inbox = Inbox()
    while (message := inbox.message()) is None:
        data = line.recv(65536)
        if not data:
            return None
        inbox.add(data)
    return message


class Inbox:
    """Bytes that have arrived, until they are a whole message."""

    def __init__(self) -> None:
        self._data = bytearray()

    def add(self, data: bytes) -> None:
        """Take what has arrived."""
        self._data += data

    def message(self) -> dict[str, Any] | None:
        """Return the next message and forget it; None if it has not arrived as a whole.

        Raises
        ------
        ValueError
            If what has arrived is not a message.
        """
        if len(self._data) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._data)
        if length > 2 * MOST_BYTES:
            raise ValueError(f"A message must have at most {2 * MOST_BYTES} bytes, got {length}.")
        if len(self._data) < _LENGTH.size + length:
            return None
        message = json.loads(bytes(self._data[_LENGTH.size : _LENGTH.size + length]))
        del self._data[: _LENGTH.size + length]
        if not isinstance(message, dict):
            raise ValueError("A message must be a dict.")
        return message
