"""Parameter rules for classifiers inside a classifier."""

from __future__ import annotations

from sklearn.base import is_classifier

from classica.params import Rule

#: Stands for a member that takes no part.
DROPPED = "drop"


class AClassifier(Rule):
    """Any classifier that keeps scikit-learn's contract."""

    def accepts(self, value: object) -> bool:
        """Return whether the value is a classifier, and not the class of one."""
        instance = hasattr(value, "__sklearn_tags__") and not isinstance(value, type)
        return instance and bool(is_classifier(value))

    def __str__(self) -> str:
        return "a classifier"


class NamedClassifiers(Rule):
    """A list of pairs of a name and a classifier, or "drop"."""

    def accepts(self, value: object) -> bool:
        """Return whether the value is a list of such pairs, with different names and some classifier."""
        if not isinstance(value, list | tuple) or not all(map(_is_pair, value)):
            return False
        names = [name for name, _ in value]
        return len(set(names)) == len(names) and any(_is_member(member) for _, member in value)

    def __str__(self) -> str:
        return "a list of (name, classifier) pairs with different names"


def _is_pair(value: object) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 2 or not isinstance(value[0], str):
        return False
    return _is_member(value[1]) or _is_dropped(value[1])


def _is_member(value: object) -> bool:
    return AClassifier().accepts(value)


def _is_dropped(value: object) -> bool:
    return isinstance(value, str) and value == DROPPED
