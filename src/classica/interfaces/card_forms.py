"""A model card as Markdown and as a page of HTML; all text of data is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from classica.interfaces.card_sections import Section

#: What Markdown would read as more than a character.
_SPECIAL = re.compile(r"([\\`*_{}\[\]#|~!$])")
#: What begins a list, a heading or a rule at the start of a line: the last character is escaped.
_START = re.compile(r"^(\d*)([-+=.)])(?=\s|$|-|=)")

_STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.55 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.15rem;margin-top:2rem}
table{border-collapse:collapse;font-size:.93rem;display:block;overflow-x:auto}
th,td{text-align:left;padding:.25rem 1.2rem .25rem 0;border-bottom:1px solid #8884;vertical-align:top}
td{overflow-wrap:anywhere}
""".strip()


def card_markdown(title: str, sections: Sequence[Section]) -> str:
    """Return a model card as Markdown."""
    lines = [f"# {_escaped(title)}"]
    for section in sections:
        lines += ["", f"## {_escaped(section.title)}"]
        for paragraph in section.paragraphs:
            lines += ["", _escaped(paragraph)]
        if section.rows:
            lines += ["", *_table(section.rows)]
    return "\n".join(lines) + "\n"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    heading, *others = rows
    yield _row(heading)
    yield "|" + "---|" * len(heading)
    yield from map(_row, others)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_escaped, cells))} |"


def _escaped(text: str) -> str:
    """Return text that Markdown shows as it is, in one line."""
    line = " ".join(text.split())
    safe = _SPECIAL.sub(r"\\\1", html.escape(line, quote=False))
    return _START.sub(r"\1\\\2", safe)


def card_html(title: str, sections: Sequence[Section]) -> str:
    """Return a model card as a page without scripts and other files."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    page = Markup(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="{}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n{}\n</main>\n</body>\n</html>\n"
    )
    return str(page.format(policy, title, Markup(_STYLE), title, Markup("\n").join(map(_html, sections))))


def _html(section: Section) -> Markup:
    parts = [Markup("<h2>{}</h2>").format(section.title)]
    parts += [Markup("<p>{}</p>").format(each) for each in section.paragraphs]
    if section.rows:
        heading, *others = section.rows
        head = Markup("").join(Markup('<th scope="col">{}</th>').format(cell) for cell in heading)
        body = Markup("\n").join(map(_html_row, others))
        parts.append(
            Markup("<table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}\n</tbody></table>").format(head, body)
        )
    return Markup("<section>\n{}\n</section>").format(Markup("\n").join(parts))


def _html_row(cells: Sequence[str]) -> Markup:
    return Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(cell) for cell in cells))
