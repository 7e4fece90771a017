"""A class explains itself: its rule, its parameters, an example that runs."""

import doctest
import inspect
import itertools
import sys

import pytest
from sklearn.base import BaseEstimator

import classica
from tests.contract.cases import CARDS


def words(text):
    return " ".join(text.split())


@pytest.mark.parametrize("card", CARDS)
def test_docstring_contains_the_rule(card):
    assert words(card.rule) in words(card.estimator.__doc__)


@pytest.mark.parametrize("card", CARDS)
def test_docstring_has_every_section(card):
    text = inspect.getdoc(card.estimator)
    for section in ("Parameters", "Attributes", "Notes", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in text, section


@pytest.mark.parametrize("card", CARDS)
def test_examples_run(card):
    names = vars(sys.modules[card.estimator.__module__])
    finder = doctest.DocTestFinder(recurse=False)
    [example] = finder.find(card.estimator, card.name, globs=dict(names))
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("card", CARDS)
def test_every_parameter_has_a_rule_a_default_and_a_description(card):
    for parameter in card.parameters:
        assert parameter.default is not inspect.Parameter.empty, parameter.name
        assert parameter.rule, parameter.name
        assert parameter.description, parameter.name


@pytest.mark.parametrize("card", CARDS)
def test_default_and_grid_values_keep_their_rules(card):
    rules = card.estimator.parameter_rules
    for parameter in card.parameters:
        assert rules[parameter.name].accepts(parameter.default), parameter.name
    for name, values in card.grid.items():
        assert all(rules[name].accepts(value) for value in values), name


@pytest.mark.parametrize("card", CARDS)
def test_the_grid_has_a_few_points_and_the_defaults_are_one_of_them(card):
    points = [dict(zip(card.grid, values, strict=True)) for values in itertools.product(*card.grid.values())]
    if points == [{}]:  # nothing to tune, or what is tuned is inside; a plug-in need not say
        assert card.family in ("baseline", "multiclass") or not card.estimator.__module__.startswith(
            "classica."
        )
        return
    assert 3 <= len(points) <= 12
    defaults = {parameter.name: parameter.default for parameter in card.parameters}
    assert {name: defaults[name] for name in card.grid} in points


@pytest.mark.parametrize("card", CARDS)
def test_summary_is_one_sentence(card):
    assert card.summary.endswith(".")
    assert card.summary.count(". ") == 0


@pytest.mark.parametrize("card", CARDS)
def test_public_methods_are_described(card):
    inherited = set(dir(BaseEstimator))
    for name, member in inspect.getmembers(card.estimator):
        if not name.startswith("_") and name not in inherited and callable(member):
            assert inspect.getdoc(member), name


@pytest.mark.parametrize("card", CARDS)
def test_own_estimators_are_public(card):
    if card.estimator.__module__.startswith("classica."):
        assert getattr(classica, card.name) is card.estimator
        assert card.name in classica.__all__
