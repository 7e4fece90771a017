"""Parameters as people write them, such as ``max_depth=3``: what a word means is what the rule accepts."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from sklearn.base import is_classifier

from classica import catalog
from classica.errors import ParameterError, must
from classica.params import Rule

_WORDS = {"none": None, "true": True, "false": False}


def parameter_values(model: str, words: Mapping[str, str]) -> dict[str, Any]:
    """Return the values that words stand for.

    A word is None, True, False, a number, a text, a list with commas, JSON, or the name of a classifier (or
    several): the first of these that the parameter's rule accepts. Parameters of a classifier inside another
    are named with two underscores, as in scikit-learn.

    Parameters
    ----------
    model : str
        The classifier, by its name in the catalog.
    words : mapping of str to str
        Parameter → word.

    Examples
    --------
    >>> parameter_values("tree", {"max_depth": "3", "criterion": "entropy", "class_weight": "none"})
    {'max_depth': 3, 'criterion': 'entropy', 'class_weight': None}
    """
    estimator = catalog.card(model).build()
    values: dict[str, Any] = {}
    for name, word in sorted(words.items(), key=lambda pair: pair[0].count("__")):
        owner, own_name = owner_of(estimator, name, model)
        # A plug-in need not have rules: then a word means the simplest thing it can.
        rule = getattr(type(owner), "parameter_rules", {}).get(own_name)
        values[name] = next(_meanings(word)) if rule is None else _value(word, rule, name)
        owner.set_params(**{own_name: values[name]})
    return {name: values[name] for name in words}


def owner_of(estimator: Any, name: str, model: str) -> tuple[Any, str]:
    """Return the estimator that has a parameter, and the parameter's name there."""
    known = estimator.get_params(deep=True)
    if name not in known:
        close = difflib.get_close_matches(name, known, n=3) or sorted(key for key in known if "__" not in key)
        raise ParameterError(must(f"A parameter of {model}", f"one such as {', '.join(close)}", name))
    return _inside(estimator, name), name.rpartition("__")[2]


def _inside(estimator: Any, name: str) -> Any:
    """Return the estimator that ``a__b__c`` is a parameter of."""
    path = name.rpartition("__")[0]
    return estimator.get_params(deep=True)[path] if path else estimator


def _value(word: str, rule: Rule, name: str) -> Any:
    for value in _meanings(word):
        if rule.accepts(value):
            return value
    raise ParameterError(must(name, str(rule), word))


def _meanings(word: str) -> Iterator[Any]:
    yield from _single(word)
    if word[:1] in ("[", "{"):
        try:
            yield json.loads(word)
        except ValueError:
            return
    parts = [part.strip() for part in word.split(",") if part.strip()]
    numbers = [next((v for v in _single(part) if isinstance(v, int | float)), part) for part in parts]
    yield numbers
    yield tuple(numbers)
    yield from _classifiers(parts)


def _single(word: str) -> Iterator[Any]:
    if word.lower() in _WORDS:
        yield _WORDS[word.lower()]
    for kind in (int, float):
        try:
            yield kind(word)
        except ValueError:
            continue
    yield word


def _classifiers(slugs: list[str]) -> Iterator[Any]:
    """Give the classifier, or the named classifiers, that slugs stand for."""
    known = {card.slug: card for card in catalog.cards()}
    if not slugs or not all(slug in known for slug in slugs):
        return
    built = [(slug, known[slug].build()) for slug in slugs]
    if all(is_classifier(classifier) for _, classifier in built):
        yield built[0][1]
        yield [(slug.replace("-", "_"), classifier) for slug, classifier in built]
