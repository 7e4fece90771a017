import re
from types import SimpleNamespace

import pytest

from classica import catalog, registry
from classica.catalog import PluginWarning
from classica.errors import ParameterError, PluginError
from classica.estimators import ChanceClassifier, NearestMeanClassifier
from classica.registry import register


@pytest.fixture
def plug_in(monkeypatch):
    """Return a function that installs one entry point for the length of a test."""
    monkeypatch.setattr(registry, "_cards", dict(registry._cards))
    catalog._load_all.cache_clear()

    def install(load):
        def found(group):
            assert group == "classica.estimators"
            return [SimpleNamespace(name="extra", value="package.module", load=load)]

        monkeypatch.setattr(catalog, "entry_points", found)

    yield install
    catalog._load_all.cache_clear()


def failing(error):
    def load():
        raise error

    return load


def test_our_own_classifiers_are_there():
    known = {card.slug: card.estimator for card in catalog.cards()}
    assert known["chance"] is ChanceClassifier
    assert known["nearest-mean"] is NearestMeanClassifier


def test_what_a_card_derives_from_the_class():
    card = catalog.card("nearest-mean")
    assert card.takes == ("numeric columns", "sparse matrices", "more than two classes")
    assert card.learns_online == ("partial_fit", "merge", "forget")
    assert "missing values" in catalog.card("chance").takes
    assert catalog.card("chance").learns_online == ()


def test_a_card_is_found_by_slug():
    assert catalog.card("chance").estimator is ChanceClassifier


def test_an_unknown_slug_gets_what_comes_close():
    with pytest.raises(ParameterError) as caught:
        catalog.card("nearst-mean")
    assert str(caught.value) == (
        "The model must be a slug listed by classica models, got 'nearst-mean'. Did you mean 'nearest-mean'?"
    )


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("SVC", "svm"),
        ("GaussianNB", "naive-bayes"),
        ("LogisticRegression", "logistic"),
        ("RandomForestClassifier", "random-forest"),
        ("KNeighborsClassifier", "knn"),
        ("C4.5", "c45"),
        ("LDA", "lda"),
    ],
)
def test_class_names_and_titles_get_the_slug(name, slug):
    with pytest.raises(ParameterError, match=f"got '{name}'. Did you mean '{slug}'?"):
        catalog.card(name)


def test_an_unknown_slug_far_from_all_gets_where_they_are_listed():
    with pytest.raises(ParameterError, match=r"classica models, got 'qqq'\.$"):
        catalog.card("qqq")


def test_a_plug_in_is_in_the_catalog(plug_in):
    words = dict.fromkeys(("rule", "plain_rule", "source", "fit_cost", "predict_cost"), "text")

    def load():
        register(slug="extra", family="own", **words)(type("Extra", (), {}))

    plug_in(load)
    assert catalog.card("extra").name == "Extra"
    assert catalog.cards()[-1].slug == "extra"


@pytest.mark.parametrize(
    "error",
    [
        ImportError("no module"),
        AttributeError("no class"),
        PluginError("no card"),
        ValueError("no value"),
        SyntaxError("no syntax"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_plug_in_that_fails_is_warned_about_and_the_rest_works(plug_in, error):
    plug_in(failing(error))
    text = rf"^The plug-in 'extra' \(package\.module\) could not be loaded: {error}$"
    with pytest.warns(PluginWarning, match=text):
        cards = catalog.cards()
    assert {"chance", "nearest-mean"} <= {card.slug for card in cards}


def test_plug_ins_are_loaded_once(plug_in):
    loads = []
    plug_in(lambda: loads.append(1))
    catalog.cards()
    catalog.cards()
    assert loads == [1]


def test_a_plug_in_cannot_take_a_slug_of_ours(plug_in):
    words = dict.fromkeys(("rule", "plain_rule", "source", "fit_cost", "predict_cost"), "text")
    plug_in(lambda: register(slug="chance", family="own", **words)(type("Extra", (), {})))
    with pytest.warns(PluginWarning, match="The slug 'chance' .*ChanceClassifier"):
        catalog.cards()
    assert catalog.card("chance").estimator is ChanceClassifier


#: A lecture by its letter, as the index of the models explains them.
LETTER = r"(?:R(?: \(Roweis\))?|C(?: \(CS 361\))?|B(?: \(Barra\))?|T(?: \(Torino\))?|L(?: \(Lecture 12\))?)"
LECTURE = re.compile(rf"{LETTER}(?:, {LETTER})*: .+")
PAPER = re.compile(r"[A-Z].* \((?:19|20)\d\d(?:, (?:19|20)\d\d)*\)(?:: .+)?")


@pytest.mark.parametrize("card", catalog.cards(), ids=lambda card: card.slug)
def test_a_source_is_a_lecture_and_what_it_teaches_or_a_paper_with_its_year(card):
    for part in card.source.split("; "):
        assert LECTURE.fullmatch(part) or PAPER.fullmatch(part), part
