"""The catalog: our estimators and those of installed plug-ins.

A plug-in names a module or class under the entry-point group ``classica.estimators``; importing it
runs its ``@register``. It then appears in every command, report and contract test.
"""

from __future__ import annotations

import functools
import importlib
import warnings
from importlib.metadata import entry_points

from classica.errors import ParameterError, must
from classica.registry import Card, registered
from classica.sklearn_names import CLASSES
from classica.wording import did_you_mean

GROUP = "classica.estimators"


class PluginWarning(UserWarning):
    """A plug-in could not be loaded; everything else works."""


@functools.cache
def _load_all() -> None:
    """Import our own estimators and the plug-ins, which fills the registry."""
    importlib.import_module("classica.estimators")
    for entry in entry_points(group=GROUP):
        try:
            entry.load()
        except Exception as error:  # whatever goes wrong in a plug-in, the rest must work
            text = f"The plug-in {entry.name!r} ({entry.value}) could not be loaded: {error}"
            warnings.warn(text, PluginWarning, stacklevel=3)


def cards() -> tuple[Card, ...]:
    """Return the card of every classifier, by family and then slug."""
    _load_all()
    return registered()


def card(slug: str) -> Card:
    """Return one card; an unknown slug is an error that suggests the closest one."""
    by_slug = {entry.slug: entry for entry in cards()}
    if slug in by_slug:
        return by_slug[slug]
    raise ParameterError(must("The model", "a slug listed by classica models", slug) + suggestion(slug))


def suggestion(name: str) -> str:
    """Return "Did you mean" with the slug that a name stands for: misspelt, a title, or a class name.

    Examples
    --------
    >>> suggestion("SVC"), suggestion("RandomForestClassifier"), suggestion("naive-bays")
    (" Did you mean 'svm'?", " Did you mean 'random-forest'?", " Did you mean 'naive-bayes'?")
    """
    by_class = {entry.name: entry.slug for entry in cards()}
    synonyms = {other: by_class[own] for other, own in CLASSES.items() if own in by_class}
    for entry in cards():
        synonyms |= dict.fromkeys((entry.title, entry.name), entry.slug)
    return did_you_mean(name, [entry.slug for entry in cards()], synonyms)
