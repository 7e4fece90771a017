"""A classifier that takes part in a comparison."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import is_classifier

from classica import catalog
from classica.errors import ParameterError, must

#: Wrappers that differ from the classifier inside only where there are more than two classes.
_FOR_MANY_CLASSES = ("one-vs-all", "all-vs-all")


@dataclass(frozen=True)
class Contender:
    """A classifier by the name under which it is found: a slug of the catalog, or ``module:Class``."""

    name: str

    @property
    def is_ours(self) -> bool:
        """Whether it is in the catalog."""
        return ":" not in self.name

    @property
    def family(self) -> str:
        """The family of the catalog, or where a stranger comes from."""
        return catalog.card(self.name).family if self.is_ours else self.name.partition(":")[0].split(".")[0]

    @property
    def grid(self) -> Mapping[str, Sequence[Any]]:
        """What is tried when parameters are chosen; a stranger keeps its own."""
        return catalog.card(self.name).grid if self.is_ours else {}

    def build(self, seed: int) -> Any:
        """Return the classifier, with its draws fixed and kept to one core."""
        estimator = (catalog.card(self.name).estimator if self.is_ours else _imported(self.name))()
        if not is_classifier(estimator):
            raise ParameterError(must("A model", "a classifier", self.name))
        known = estimator.get_params(deep=False)
        return estimator.set_params(
            **{key: value for key, value in {"random_state": seed, "n_jobs": 1}.items() if key in known}
        )


def titles(names: Iterable[str]) -> dict[str, str]:
    """Return what contenders are called in tables and sentences: by the class alone where no other has it.

    Examples
    --------
    >>> titles(["lda", "a:Tree", "a:Forest", "b:Tree"])
    {'lda': 'lda', 'a:Tree': 'a:Tree', 'a:Forest': 'Forest', 'b:Tree': 'b:Tree'}
    """
    short = {name: name.rpartition(":")[2] for name in names}
    times = Counter(short.values())
    return {name: title if times[title] == 1 else name for name, title in short.items()}


def foreign_models(names: Iterable[str]) -> list[str]:
    """Return those that are not of the catalog, and are found by import.

    Examples
    --------
    >>> foreign_models(["lda", "sklearn.svm:SVC"])
    ['sklearn.svm:SVC']
    """
    return [name for name in names if not Contender(name).is_ours]


def all_contenders(classes: int) -> list[Contender]:
    """Return every classifier of the catalog that makes sense for so many classes."""
    classifiers = [card.slug for card in catalog.cards() if is_classifier(card.build())]
    return [Contender(slug) for slug in classifiers if classes > 2 or slug not in _FOR_MANY_CLASSES]


def named_contenders(names: Iterable[str]) -> list[Contender]:
    """Return the contenders of these names; each must be there, and once."""
    found = [Contender(name.strip()) for name in names if name.strip()]
    if not found:
        raise ParameterError(must("models", "a list of at least one classifier", list(names)))
    for place, contender in enumerate(found):
        if contender in found[:place]:
            raise ParameterError(must("models", "different classifiers", contender.name))
        contender.build(0)
    return found


def _imported(name: str) -> type[Any]:
    module, _, class_name = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), class_name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ParameterError(
            f"A model must be a slug of the catalog or module:Class, got {name!r} ({error})."
        ) from None
    if not isinstance(found, type):
        raise ParameterError(must("A model", "a slug of the catalog or module:Class", name))
    return found
