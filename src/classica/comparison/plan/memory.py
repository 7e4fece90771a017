"""The default memory limit of a comparison."""

from __future__ import annotations

import os
from pathlib import Path

#: A comparison takes this many bytes, or this many times the table if that is more.
_ENOUGH, _TIMES_THE_TABLE = 4_000_000_000, 20


def default_memory(table_bytes: int) -> int:
    """Return the memory limit for a table of this size: at most half of the memory of the computer."""
    return min(_half_the_memory(), max(_ENOUGH, _TIMES_THE_TABLE * table_bytes))


def _half_the_memory() -> int:
    """Return half of the memory of the computer, or of the control group of this process."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    try:
        allowed = int(limit.read_text())
    except (OSError, ValueError):  # no control group, or one without a limit
        allowed = whole
    return min(whole, allowed) // 2
