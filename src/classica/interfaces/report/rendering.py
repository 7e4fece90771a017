"""Render templates of the report: everything is escaped, and one style sheet and one script are allowed."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from classica.wording import sentence_start


def rendered(name: str, context: Mapping[str, Any]) -> str:
    """Return a page by the name of its template."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, loader=FunctionLoader(_template),
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {"commands": _with_commands, "sentence": sentence_start}
    return environment.get_template(name).render({**_assets(), **context})


def _with_commands(text: str) -> Markup:
    """Return a text in which what stands between backticks is set as what is typed."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one of them belongs to a name
        return escape(text)
    pieces = [
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part)
        for place, part in enumerate(parts)
    ]
    return Markup("").join(pieces)


def _template(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text("utf-8")


def _assets() -> dict[str, Markup]:
    """Return style sheet and script, and the policy that allows these two and nothing else."""
    css, script = _template("report.css"), _template("report.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(css)}; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )
    return {"css": Markup(css), "script": Markup(script), "policy": Markup(policy)}


def _hash(text: str) -> str:
    """Return what a browser must find when it hashes an element before it is allowed."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
