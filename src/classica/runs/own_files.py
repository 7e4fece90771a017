"""What a run folder may consist of."""

from __future__ import annotations

import stat
from pathlib import Path

from classica.errors import RunError


def require_own_files(folder: Path) -> None:
    """Refuse a folder with links, pipes or devices in it.

    A run writes to names it finds in its folder. A link there would let whoever made the folder choose a file
    elsewhere to be overwritten, and a pipe would be waited for without end.
    """
    for path in folder.rglob("*"):
        try:
            mode = path.lstat().st_mode
        except OSError:  # a file of a run that is being worked on, gone since
            continue
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            kind = "a link" if stat.S_ISLNK(mode) else "a pipe, socket or device"
            raise RunError(f"The run folder {folder} must hold files and folders only, got {kind}: {path}.")
