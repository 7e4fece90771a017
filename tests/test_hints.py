"""What an error says to install can be installed: packages by name, no extras of one that is on no index."""

import re
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "src"


def test_no_hint_names_an_extra():
    found = [
        (path.name, line)
        for path in SOURCES.rglob("*.py")
        for line in path.read_text().splitlines()
        if re.search(r"classica\[\w", line)
    ]
    assert not found
