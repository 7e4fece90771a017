"""The filled registry: our own estimators and those of installed plug-ins.

A plug-in names a module or class under the entry-point group ``classica.estimators``; importing it
runs its ``@register``. It then appears in every command, report and contract test.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import warnings
from importlib.metadata import entry_points

from classica.errors import ParameterError, must
from classica.registry import Card, registered

GROUP = "classica.estimators"


class PluginWarning(UserWarning):
    """A plug-in that could not be used; everything else works."""


@functools.cache
def _load_all() -> None:
    """Import our own estimators and the plug-ins, which fills the registry."""
    importlib.import_module("classica.estimators")
    for entry in entry_points(group=GROUP):
        try:
            entry.load()
        except Exception as error:  # whatever a stranger's module does, the rest must work
            text = f"The plug-in {entry.name!r} ({entry.value}) could not be loaded: {error}"
            warnings.warn(text, PluginWarning, stacklevel=3)


def cards() -> tuple[Card, ...]:
    """Return the card of every classifier, by family and then slug."""
    _load_all()
    return registered()


def card(slug: str) -> Card:
    """Return one card, or say which slugs come close."""
    known = {entry.slug: entry for entry in cards()}
    if slug in known:
        return known[slug]
    close = difflib.get_close_matches(slug, known, n=3) or sorted(known)
    raise ParameterError(must("The classifier", f"one of the catalog such as {', '.join(close)}", slug))
