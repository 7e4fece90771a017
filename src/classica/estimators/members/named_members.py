"""Members with names: parameters inside them are reached by name, as in scikit-learn."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import BaseEstimator

from classica.errors import ParameterError, must


class NamedMembers(BaseEstimator):
    """An estimator with a list of (name, member) pairs as its parameter `estimators`."""

    estimators: Any

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with ``deep``, also the members by name and ``name__parameter`` of each."""
        own: dict[str, Any] = super().get_params(deep=False)
        return {**_inner_parameters(self.estimators), **own} if deep else own

    def set_params(self, **params: Any) -> Self:
        """Set parameters; a member is replaced by its name, and changed inside by ``name__parameter``."""
        if "estimators" in params:
            self.estimators = params.pop("estimators")
        own = super().get_params(deep=False)
        for name in [name for name, _ in _pairs(self.estimators) if name in params and name not in own]:
            new = params.pop(name)
            self.estimators = [(own_name, new if own_name == name else m) for own_name, m in self.estimators]
        super().set_params(**params)
        return self

    def _named_members(self) -> list[tuple[str, Any]]:
        return _pairs(self.estimators)

    def _check_names(self) -> None:
        own = self.get_params(deep=False)
        for name, _ in _pairs(self.estimators):
            if "__" in name:
                raise ParameterError(must("The name of a member", "free of '__'", name))
            if name in own:
                raise ParameterError(
                    must("The name of a member", "different from every parameter's name", name)
                )


def _inner_parameters(estimators: object) -> dict[str, Any]:
    parameters = dict(_pairs(estimators))
    for name, member in _pairs(estimators):
        if hasattr(member, "get_params") and not isinstance(member, type):
            parameters |= {f"{name}__{key}": value for key, value in member.get_params(deep=True).items()}
    return parameters


def _pairs(estimators: object) -> list[tuple[str, Any]]:
    """Return the pairs of a list of pairs; nothing of what ``fit`` will refuse."""
    if not isinstance(estimators, list | tuple):
        return []
    pairs = [pair for pair in estimators if isinstance(pair, list | tuple) and len(pair) == 2]
    return [(name, member) for name, member in pairs]
