"""Messages between a run and a worker: a length, then JSON."""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

from classica.children.plain_values import encode

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
