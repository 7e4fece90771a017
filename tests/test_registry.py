import inspect

import pytest

from classica import registry
from classica.errors import PluginError
from classica.params import Function, Integer, OneOf
from classica.registry import Card, register, registered


@pytest.fixture(autouse=True)
def empty_registry(monkeypatch):
    monkeypatch.setattr(registry, "_cards", {})


def facts(slug="toy", family="linear", **more):
    words = dict.fromkeys(("rule", "plain_rule", "source", "fit_cost", "predict_cost"), "text")
    return {"slug": slug, "family": family} | words | more


def file(slug, family="linear", **more):
    return register(**facts(slug, family, **more))(type("Toy", (), {}))


class Described:
    """Say something
    in one sentence.

    And more.

    Parameters
    ----------
    depth : int, default=3
        How deep
        it goes.

        A second paragraph.
    left, right : float
        Two of a kind.

    Attributes
    ----------
    classes_ : ndarray
        Not a parameter.
    """

    parameter_rules = {"depth": Integer(at_least=1)}  # noqa: RUF012

    def __init__(self, depth=3, left=0.0, right=1.0, *, bare=None):
        pass


class Worded:
    """Say something.

    Parameters
    ----------
    kind : {...} or function, default="b"
        As words or otherwise.
    """

    parameter_rules = {"kind": OneOf("b", "a") | Function()}  # noqa: RUF012

    def __init__(self, kind="b"):
        pass


def test_docstrings_list_the_words_of_rules():
    register(**facts())(Worded)
    assert 'kind : {"b", "a"} or function, default="b"' in Worded.__doc__


def test_register_returns_the_class_and_files_a_card():
    filed = register(**facts(grid={"depth": [1, 2]}, test_parameters=[{}, {"depth": 1}]))(Described)
    [card] = registered()
    assert filed is card.estimator is Described
    assert card.name == "Described"
    assert card.grid == {"depth": [1, 2]}
    assert card.test_parameters == ({}, {"depth": 1})


def test_grid_and_test_parameters_have_defaults():
    file("toy")
    [card] = registered()
    assert card.grid == {}
    assert card.test_parameters == ({},)


def card_of(estimator):
    return Card(estimator, *facts().values())


def test_summary_is_the_first_sentence():
    assert card_of(Described).summary == "Say something in one sentence."


def test_parameters_are_derived():
    found = {p.name: (p.default, p.rule, p.description) for p in card_of(Described).parameters}
    assert found == {
        "depth": (3, "an integer of at least 1", "How deep it goes."),
        "left": (0.0, "", "Two of a kind."),
        "right": (1.0, "", "Two of a kind."),
        "bare": (None, "", ""),
    }


def test_a_class_without_a_docstring_has_no_descriptions():
    bare = type("Bare", (), {"__init__": lambda self, depth=3: None})
    assert card_of(bare).summary == ""
    assert card_of(bare).parameters[0].description == ""


def test_build_passes_parameters():
    class Kept:
        def __init__(self, depth=3):
            self.depth = depth

    assert card_of(Kept).build().depth == 3
    assert card_of(Kept).build(depth=5).depth == 5


@pytest.mark.parametrize("slug", ["a", "naive-bayes", "c45", "one-r-2"])
def test_slugs_are_words_joined_by_hyphens(slug):
    file(slug)
    assert [card.slug for card in registered()] == [slug]


@pytest.mark.parametrize("slug", ["", "Tree", "my tree", "my_tree", "-a", "a-", "a--b", "4c", "é"])
def test_other_slugs_are_refused(slug):
    with pytest.raises(PluginError) as caught:
        file(slug)
    assert str(caught.value) == f"slug must be lower-case words joined by hyphens, got {slug!r}."
    assert registered() == ()


def test_a_slug_belongs_to_one_class():
    register(**facts("toy"))(Described)
    with pytest.raises(PluginError) as caught:
        file("toy")
    assert str(caught.value) == "The slug 'toy' must be used by Described only, got 'Toy'."
    assert registered()[0].estimator is Described


def test_a_class_of_the_same_name_from_elsewhere_does_not_take_the_slug():
    register(**facts("toy"))(Described)
    stranger = type("Described", (), {"__module__": "elsewhere", "__qualname__": "Described"})
    with pytest.raises(PluginError):
        register(**facts("toy"))(stranger)


def test_filing_again_replaces_the_card():
    register(**facts("toy", source="old"))(Described)
    register(**facts("toy", source="new"))(Described)
    assert [card.source for card in registered()] == ["new"]


def test_cards_are_ordered_by_family_and_slug():
    for slug, family in [
        ("z", "baseline"),
        ("b", "own"),
        ("y", "trees"),
        ("x", "trees"),
        ("a", "neighbours"),
    ]:
        register(**facts(slug, family))(type(slug, (), {}))
    assert [card.slug for card in registered()] == ["a", "x", "y", "z", "b"]


def test_a_card_cannot_be_changed():
    with pytest.raises(AttributeError):
        card_of(Described).slug = "other"


def test_every_field_of_a_card_is_explained():
    described = registry._described_parameters(inspect.getdoc(register))
    assert set(described) == set(inspect.signature(register).parameters)
