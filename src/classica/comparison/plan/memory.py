"""How much memory the machine has."""

from __future__ import annotations

import os
from pathlib import Path


def half_the_memory() -> int:
    """Return half of the memory of the machine, or of the control group that this process is kept to."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    try:
        allowed = int(limit.read_text())
    except (OSError, ValueError):  # no control group, or one without a limit
        allowed = whole
    return min(whole, allowed) // 2
