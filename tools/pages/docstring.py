"""Docstrings as Markdown: their sections, formulas and examples."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

_WIDTH = 110
#: Stands for a blank at which no line is broken.
_GLUE = "\0"


def sections(thing: type[Any]) -> dict[str, str]:
    """Return the sections of a numpydoc docstring by title; what stands before them all is under ""."""
    text = inspect.getdoc(thing) or ""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", text, flags=re.M)
    titled = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {"": parts[0].strip(), **{title: part.strip() for title, part in titled.items()}}


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text."""
    return [part for part in re.split(r"\n{2,}", text.strip()) if part]


def markdown(text: str, links: Mapping[str, str]) -> str:
    """Return prose as Markdown: formulas in GitHub's way, names of classes as links, a line per paragraph.

    Parameters
    ----------
    text : str
        Some paragraphs of a docstring.
    links : mapping
        Name of a class → the page it has.
    """
    return "\n\n".join(_paragraph(part, links) for part in paragraphs(text))


def _paragraph(part: str, links: Mapping[str, str]) -> str:
    if part.startswith(".. math::"):
        first, *others = part.removeprefix(".. math::").strip().split("\n")
        return "\n".join(["```math", first, *map(str.strip, others), "```"])
    if part.startswith("* "):
        items = re.split(r"^\* ", part, flags=re.M)[1:]
        return "\n".join(f"* {_inline(' '.join(item.split()), links)}" for item in items)
    return _inline(" ".join(part.split()), links)


def _inline(text: str, links: Mapping[str, str]) -> str:
    text = re.sub(r":math:`([^`]*)`", r"$`\1`$", text)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    return re.sub(r"(?<!\$)`(\w+)`(?!\$)", lambda name: _linked(name[1], links), text)


def _linked(name: str, links: Mapping[str, str]) -> str:
    return f"[`{name}`]({links[name]})" if name in links else f"`{name}`"


def examples(text: str, links: Mapping[str, str]) -> str:
    """Return the examples of a docstring: what is typed and printed in fences, the words between as prose."""
    blocks: list[str] = []
    for part in paragraphs(text):
        if not part.startswith(">>> "):
            blocks.append(markdown(part, links))
        elif blocks and blocks[-1].startswith("```pycon"):
            blocks[-1] = f"{blocks[-1].removesuffix('```')}\n{part}\n```"
        else:
            blocks.append(f"```pycon\n{part}\n```")
    return "\n\n".join(blocks)


def wrapped(text: str) -> str:
    """Return Markdown with prose wrapped; fences, tables and headings stay as they are."""
    out, fenced = [], False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        prose = not (fenced or line.startswith(("```", "|", "#", "<!--")))
        out += _wrapped_line(line) if prose and len(line) > _WIDTH else [line]
    return "\n".join(out)


def _wrapped_line(line: str) -> list[str]:
    indent = "  " if line.startswith(("* ", "- ")) else ""
    # A formula, a name or a link in two lines would be shown as it is written.
    kept = re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)", lambda match: match[0].replace(" ", _GLUE), line)
    wrapper = textwrap.TextWrapper(
        _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    lines = [each.replace(_GLUE, " ") for each in wrapper.wrap(kept)]
    # A line must not begin with what Markdown takes for a list or a heading.
    return [lines[0], *(re.sub(r"^(\s*)([-+*#>]|\d+\.)(?=\s)", r"\1\\\2", each) for each in lines[1:])]


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
