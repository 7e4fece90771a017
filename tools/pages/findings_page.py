"""The page about the codes of findings."""

from __future__ import annotations

from classica.finding_rule import FindingRule
from classica.interfaces.finding_codes import CODES
from tools.pages.docstring import table, wrapped

NOTE = "<!-- Written by python -m tools.pages from {source}: change it there. -->"

_GROUPS = {
    "E1": "Comparison: fit and data",
    "E2": "Comparison: classes",
    "E3": "Comparison: combining and choosing models",
    "E4": "Comparison: probabilities",
    "E5": "Comparison: trustworthiness of the result",
    "D1": "Table: types of columns",
    "D2": "Table: target",
    "D3": "Table: leakage",
    "D4": "Table: rows",
    "D5": "Table: columns",
    "D6": "Table: new data and the schema of a model",
}

_INTRO = """\
Every finding of `classica compare` and `classica profile` has a stable code. `classica codes` lists the
codes, `classica codes E303` explains one, and the report of a comparison explains those that occur in it. In
Python, every finding has an `explanation`. The margin of equal scores (*rope*) and the significance level are
parameters of `classica.compare`. For the letters of the lectures, see
[the models](models/README.md#lectures)."""


def findings_page() -> str:
    """Return the page."""
    blocks = [NOTE.format(source="the codes in src/classica/diagnosis and src/classica/tables"), "# Findings"]
    blocks.append(_INTRO)
    rows = [[f"[{each.code}](#{_anchor(each)})", each.title] for each in CODES.values()]
    blocks.append(table(["Code", "Finding"], rows))
    for start, title in _GROUPS.items():
        blocks.append(f"## {title}")
        blocks += [_section(each) for each in CODES.values() if each.code.startswith(start)]
    return "\n\n".join(map(wrapped, blocks)) + "\n"


def _section(each: FindingRule) -> str:
    shown = ", ".join(f"`{name}`" for name in each.shown_by)
    source = f" Lectures: {each.source}." if each.source else ""
    return "\n\n".join(
        [
            f"### {each.code}: {each.title}",
            _plain(each.meaning),
            _plain(each.rule),
            f"**What to do:** {_plain(each.remedy)}",
            f"In Python: {shown}.{source}",
        ]
    )


def _plain(text: str) -> str:
    """Return a text whose signs Markdown leaves alone."""
    return text.replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


def _anchor(each: FindingRule) -> str:
    """Return the anchor that GitHub gives the heading of a code."""
    words = "".join(sign for sign in f"{each.code} {each.title}".lower() if sign.isalnum() or sign in " -")
    return words.replace(" ", "-")
