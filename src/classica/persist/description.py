"""What the classes are made of whose objects may be in a model file.

A class is described once, in the module `state` beside it: the kind of each of its attributes, and a check of
what cannot be said about one attribute alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from classica.beside import load_beside_all
from classica.errors import ClassicaError, ModelFileError, must
from classica.kinds import Derived, Kind, Scope
from classica.params import check_parameters

Check = Callable[[Any, Scope], None]


@dataclass(frozen=True)
class Description:
    """The attributes of a class; those in ``optional`` may be absent."""

    attributes: Mapping[str, Kind]
    optional: Mapping[str, Kind] = field(default_factory=dict)
    check: Check | None = None

    def check_state(self, value: object, state: Mapping[str, Any], scope: Scope) -> None:
        """Check the attributes of an object."""
        for name, kind in self.attributes.items():
            scope.require(name in state, f"made with {name}", "none")
            kind.check(state[name], scope.part(f".{name}"))
        for name, kind in self.optional.items():
            if name in state:
                kind.check(state[name], scope.part(f".{name}"))
        if self.check is not None:
            self.check(value, scope)
        for name, kind in {**self.attributes, **self.optional}.items():
            if isinstance(kind, Derived) and name in state:
                kind.compare(value, state[name], scope.part(f".{name}"))


#: Estimator → its attributes as they are stored, where some are not plain.
_plain_states: dict[type[Any], Callable[[Any], dict[str, Any]]] = {}
_records: dict[str, tuple[type[Any], Description]] = {}
#: By the class itself: one that is derived from it may consist of other things.
_estimators: dict[type[Any], Description] = {}


def describe_record(
    cls: type[Any], attributes: Mapping[str, Kind], check: Check | None = None, *, name: str | None = None
) -> None:
    """Let objects of a dataclass be in model files, under a name that stays the same for ever."""
    _records[name or cls.__name__] = cls, Description(attributes, check=check)


def describe_estimator(
    cls: type[Any],
    attributes: Mapping[str, Kind],
    optional: Mapping[str, Kind] | None = None,
    check: Check | None = None,
) -> None:
    """Say what a fitted estimator of a class is made of."""
    _estimators[cls] = Description(attributes, optional or {}, check)


def describe_plain_state(cls: type[Any], state: Callable[[Any], dict[str, Any]]) -> None:
    """Say how attributes of a class become plain, if users may give them in other forms."""
    _plain_states[cls] = state


def plain_state(model: BaseEstimator) -> dict[str, Any]:
    """Return the attributes of an estimator as they are stored."""
    return _plain_states.get(type(model), vars)(model)


def describe_parameters(cls: type[Any], kinds: Mapping[str, Kind]) -> None:
    """Say what parameters are that have no rule: records, which are part of the file fitted or not."""
    _parameter_kinds[cls] = kinds


_parameter_kinds: dict[type[Any], Mapping[str, Kind]] = {}


def described_records() -> dict[str, type[Any]]:
    """Return the dataclasses whose objects may be in model files, by name."""
    load_beside_all("state")
    return {name: cls for name, (cls, _) in _records.items()}


def described_estimators() -> Mapping[type[Any], Description]:
    """Return the estimators that are described."""
    load_beside_all("state")
    return _estimators


class RecordOf(Kind):
    """An object of one of some dataclasses, as they are described."""

    def __init__(self, *classes: type[Any]) -> None:
        self.classes = classes

    def check(self, value: object, scope: Scope) -> None:
        """Check the class and all fields."""
        names = " or ".join(cls.__name__ for cls in self.classes)
        scope.require(type(value) in self.classes, f"a {names}", value)
        scope.parts.add(id(value))
        _, description = next(entry for entry in _records.values() if entry[0] is type(value))
        description.check_state(value, vars(value), scope.own())


@dataclass(frozen=True)
class Member(Kind):
    """A fitted estimator inside another."""

    def check(self, value: object, scope: Scope) -> None:
        """Check it, with sizes of its own."""
        scope.require(isinstance(value, BaseEstimator), "a fitted estimator", value)
        scope.require(check_estimator(value, scope), "a fitted estimator", "one that is not fitted")


def checked_parts(model: BaseEstimator) -> set[int] | None:
    """Check everything about a model, and about all that it is made of.

    Returns
    -------
    set of int, or None
        The estimators and records that have been checked, by identity; None if the model is not fitted.
    """
    scope = Scope("")
    with np.errstate(all="ignore"):  # numbers that overflow are found, and told
        return scope.parts if check_estimator(model, scope) else None


def check_estimator(model: BaseEstimator, scope: Scope) -> bool:
    """Check everything about an estimator; return whether it is fitted."""
    names = parameter_names(type(model))
    own = {name: value for name, value in vars(model).items() if name not in names}
    fitted = bool(own) or _wraps_fitted(model)
    if id(model) in scope.seen:
        return fitted
    scope.seen.add(id(model))
    scope.parts.add(id(model))
    inside = scope.of(model)
    for member in _members({name: vars(model).get(name) for name in names}):
        check_estimator(member, inside)
    check_own_parameters(model, inside)
    if fitted:
        _check_fitted(model, own, inside)
    return fitted


def parameter_names(cls: type[Any]) -> list[str]:
    """Return the names of the parameters of a constructor."""
    return list(constructor_parameters(cls))


def constructor_parameters(cls: type[Any]) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a constructor; a file may have a hundred thousand objects of the class."""
    if cls not in _parameters:
        _parameters[cls] = inspect.signature(cls).parameters
    return _parameters[cls]


_parameters: dict[type[Any], Mapping[str, inspect.Parameter]] = {}


def _check_fitted(model: BaseEstimator, own: dict[str, Any], scope: Scope) -> None:
    description = described_estimators().get(type(model))
    if description is None:
        _check_stranger(model, own, scope)
        return
    unknown = own.keys() - description.attributes.keys() - description.optional.keys() - _SETTINGS
    scope.require(not unknown, "made of attributes it has", sorted(unknown))
    description.check_state(model, own, scope)


#: What scikit-learn keeps in an estimator that says how its results are returned.
_SETTINGS = {"_sklearn_output_config"}


def _check_stranger(model: BaseEstimator, own: dict[str, Any], scope: Scope) -> None:
    """Check a plug-in's state: it may not hide what its class defines."""
    for name in own:
        defined = inspect.getattr_static(type(model), name, None)
        hides = (
            callable(defined)
            or hasattr(defined, "__get__")
            or not name.isidentifier()
            or name.startswith("__")
        )
        scope.require(not hides, "free of attributes that hide its methods", name)


def check_own_parameters(model: BaseEstimator, scope: Scope) -> None:
    """Check the parameters of an estimator by its rules and kinds."""
    missing = [name for name in parameter_names(type(model)) if name not in vars(model)]
    scope.require(not missing, "made with all parameters", missing)
    if hasattr(type(model), "parameter_rules"):
        with_rules(lambda: check_parameters(model), scope)
    for name, kind in _parameter_kinds.get(type(model), {}).items():
        kind.check(vars(model)[name], scope.part(f".{name}"))


def with_rules(check: Callable[[], Any], scope: Scope) -> None:
    """Run a check of the package's own, whose errors are then about the file."""
    try:
        check()
    except ModelFileError:
        raise
    except (ClassicaError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ModelFileError(must(scope.where, f"sound ({error})", "something else")) from None


def _members(value: object) -> Iterator[Any]:
    """Give the estimators in a value: in parameters they stand alone or in lists of pairs."""
    if isinstance(value, BaseEstimator):
        yield value
    elif isinstance(value, dict):
        yield from _members(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _members(item)


def _wraps_fitted(model: BaseEstimator) -> bool:
    """Return whether it is a wrapper around a fitted estimator that has learned nothing itself."""
    inner = vars(model).get("estimator")
    wraps = type(model) in _wrappers and isinstance(inner, BaseEstimator)
    return wraps and (_wraps_fitted(inner) or bool(vars(inner).keys() - set(parameter_names(type(inner)))))


_wrappers: set[type[Any]] = set()


def describe_wrapper(cls: type[Any]) -> None:
    """Say that a class is fitted when the estimator is that it is given."""
    _wrappers.add(cls)
