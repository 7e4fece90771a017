"""Every attribute that an estimator sets is described, so that no model is refused by surprise."""

import ast
import inspect

import pytest

from classica.persist.description import described_estimators, parameter_names
from tests.contract.cases import CARDS


def assigned(cls):
    """Return the names that methods of a class and its bases assign to ``self``."""
    names = set()
    for base in cls.__mro__:
        if not base.__module__.startswith("classica."):
            continue
        tree = ast.parse(inspect.cleandoc("\n" + inspect.getsource(base)))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and function.name != "__init__":
                names |= {
                    node.attr
                    for node in ast.walk(function)
                    if isinstance(node, ast.Attribute)
                    and isinstance(node.ctx, ast.Store)
                    and isinstance(node.value, ast.Name)
                    and node.value.id == "self"
                }
    return names


@pytest.mark.parametrize("card", CARDS)
def test_every_attribute_is_described(card):
    description = described_estimators()[card.estimator]
    known = description.attributes.keys() | description.optional.keys() | set(parameter_names(card.estimator))
    assert assigned(card.estimator) <= known
