"""Write the generated pages; with ``--check`` only list those that are out of date."""

from __future__ import annotations

import sys

from tools.pages.written import DOCS, pages, strangers


def main() -> int:
    """Write missing and outdated pages, and remove pages of models that no longer exist."""
    check = "--check" in sys.argv[1:]
    changed = [path for path, text in pages().items() if not path.exists() or path.read_text() != text]
    gone = strangers()
    for path in [*changed, *gone]:
        print(path.relative_to(DOCS.parent))
    if check:
        return 1 if changed or gone else 0
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for path in gone:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
