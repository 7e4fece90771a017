"""Who takes part in a comparison, and what they are called."""

import re

import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from classica import catalog
from classica.comparison.plan.contender import (
    REFERENCE,
    Contender,
    all_contenders,
    foreign_models,
    is_canonical,
    named_contenders,
    reference_contender,
    split_models,
    titles,
)
from classica.comparison.work.kept_files import _MODEL, _MODEL_FILE
from classica.errors import DataError, ParameterError
from classica.kinds import Scope
from classica.tables import load_table
from tests.comparison.in_process import compared

TREES = ["sklearn.tree:DecisionTreeClassifier", "sklearn.tree:ExtraTreeClassifier"]


def test_the_class_alone_where_no_other_has_it():
    assert titles(["lda", *TREES]) == {"lda": "LDA"} | {name: name.partition(":")[2] for name in TREES}
    same = ["one.place:Tree", "other.place:Tree"]
    assert titles(same) == {name: name for name in same}


def test_titles_keep_the_parameters():
    names = ["sklearn.svm:SVC(C=10)", "sklearn.svm:SVC", "knn(metric='a:b')"]
    assert list(titles(names).values()) == ["SVC (C=10)", "SVC", "k-NN (metric='a:b')"]


def test_findings_and_the_answer_say_the_class(tmp_path):
    found = compared(tmp_path, load_table("iris"), [*TREES, "chance"], folds=3, tune=False)
    told = [found.answer, *(each.detail + each.remedy for each in found.findings)]
    assert any("DecisionTreeClassifier" in text for text in told[1:])
    assert not any("sklearn.tree" in text for text in told)
    assert any(TREES[0] in each.models for each in found.findings)


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("knn", "knn", {}),
        (" knn ( ) ", "knn", {}),
        ("knn(p = 1, n_neighbors=7)", "knn(p=1,n_neighbors=7)", {"p": 1, "n_neighbors": 7}),
        ('svm(kernel="linear",C=1e-5)', "svm(kernel='linear',C=1e-05)", {"kernel": "linear", "C": 1e-5}),
        ("a.b:C(x=(1, ), y=[None, -2])", "a.b:C(x=(1,),y=[None,-2])", {"x": (1,), "y": [None, -2]}),
        ("a:C(w={'a, b': 1, 'c)': 2})", "a:C(w={'a, b':1,'c)':2})", {"w": {"a, b": 1, "c)": 2}}),
        ("a:C(p=1e999)", "a:C(p=1e999)", {"p": float("inf")}),
    ],
)
def test_a_name_has_one_form(text, name, parameters):
    contender = Contender(text)
    assert (contender.name, contender.parameters) == (name, parameters)
    assert Contender(name) == contender
    assert is_canonical(name)
    assert is_canonical(text) == (text == name)


HOSTILE = [
    "",
    "..",
    "../knn",
    "a/b:C",
    "a\\b:C",
    "a..b:C",
    "knn\n(p=1)",
    "knn\x00",
    "knn\u202e",
    "a:b:C",
    ":C",
    "a:",
    "-knn",
    "knn(7)",
    "knn(n_neighbors)",
    "knn(n_neighbors=7",
    "knn(n_neighbors=7))",
    "knn(n_neighbors=7)(p=1)",
    "knn(n_neighbors=7)+f(p=1)",
    "knn(**{'p': 1})",
    "knn(*[1])",
    "knn(p=1,p=2)",
    "knn(p=__import__('os'))",
    "knn(p=print)",
    "knn(p=f'{1}')",
    "knn(p=2**9)",
    "knn(p=1j)",
    "knn(p=b'a')",
    "knn(p={1})",
    "knn(p={[]: 1})",
    "knn(p='a/b')",
    "knn(p='a\\n')",
    "knn(p='a.' '.b')",
    "knn(p='a\"' \"'\")",
    f"knn(p={'[' * 150}{']' * 150})",
    f"knn(p={'9' * 300})",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_name_is_refused(text):
    with pytest.raises(ParameterError):
        Contender(text)
    assert not is_canonical(text)
    with pytest.raises(DataError):
        _MODEL.check(text, Scope("x", error=DataError))


def test_a_name_must_be_text():
    with pytest.raises(ParameterError, match="A model must be a slug"):
        Contender(7)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ldda", "got 'ldda'. Did you mean 'lda'?"),
        ("LDA", "Did you mean 'lda'?"),
        ("knn(n_neighbours=7)", "A parameter of knn must be one of n_neighbors, "),
        ("knn(n_neighbours=7)", "got 'n_neighbours'. Did you mean 'n_neighbors'?"),
        ("sklearn.svm:SVC(c=1)", "Did you mean 'C'?"),
        ("knn(n_neighbors=0)", "n_neighbors must be an integer of at least 1"),
        ("lda(random_sate=1)", "A parameter of lda must be one of "),
        ("sklearn.ensemble:VotingClassifier", "Cannot create "),
        ("sklearn.svm:SVR", "A model must be a classifier"),
        ("sklearn.svm:Nothing", "no attribute"),
        ("knn,c45(", "closed parentheses"),
        ("", "at least one classifier"),
    ],
)
def test_what_is_misspelt_is_named(text, sentence):
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        named_contenders(text)


def test_models_are_divided_at_commas_outside_of_parentheses():
    text = "knn(n_neighbors=7,p=1), c45,,sklearn.svm:SVC(kernel='a,)b', class_weight={'x': 1, 'y': 2})"
    expected = [
        "knn(n_neighbors=7,p=1)",
        "c45",
        "sklearn.svm:SVC(kernel='a,)b', class_weight={'x': 1, 'y': 2})",
    ]
    assert split_models(text) == expected


def test_the_same_model_with_other_parameters_is_another_contender():
    found = named_contenders("knn,knn(n_neighbors=7),knn(n_neighbors=9)")
    assert [each.name for each in found] == ["knn", "knn(n_neighbors=7)", "knn(n_neighbors=9)"]
    assert len({each.file_name for each in found}) == 3
    with pytest.raises(ParameterError, match="different classifiers"):
        named_contenders(["knn(p=1,n_neighbors=7)", "knn(n_neighbors=7,p=1)"])


def test_fixed_parameters_are_set_and_not_tuned():
    contender = Contender("knn(n_neighbors=7)")
    assert contender.build(3).n_neighbors == 7
    assert set(Contender("knn").grid) - set(contender.grid) == {"n_neighbors"}
    assert "Fixed: n_neighbors=7." in contender.about


def test_the_seed_is_that_of_the_run_unless_it_is_given():
    forest = "sklearn.ensemble:RandomForestClassifier"
    built = Contender(f"{forest}(n_estimators=3)").build(5)
    assert (built.random_state, built.n_jobs, built.n_estimators) == (5, 1, 3)
    assert Contender(f"{forest}(random_state=9)").build(5).random_state == 9


def test_a_class_that_needs_parameters_can_have_them():
    name = "sklearn.linear_model:SGDClassifier(loss='log_loss',alpha=0.01)"
    assert Contender(name).build(0).loss == "log_loss"


def test_files_of_models_have_names_of_their_own():
    names = [card.slug for card in catalog.cards()]
    names += [
        "random:forest",
        "Random:Forest",
        "random:Forest",
        "knn(p=1)",
        "knn(p=2)",
        "é:C",
        "a.b:C(x='é')",
    ]
    files = [Contender(name).file_name for name in names]
    assert len({file.lower() for file in files}) == len(names)
    for file in files:
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{,90}", file)
        assert ".." not in file
        _MODEL_FILE.check(f"models/{file}.classica", Scope("x", error=DataError))


def test_trust_is_asked_for_the_class():
    names = ["lda", REFERENCE, "sklearn.svm:SVC(C=10)", "sklearn.svm:SVC", "knn(metric='a:b')"]
    assert foreign_models(names) == ["sklearn.svm:SVC"]


def test_the_reference_is_scikit_learns():
    reference = reference_contender()
    built = reference.build(4)
    assert isinstance(built, HistGradientBoostingClassifier)
    assert (built.random_state, built.early_stopping) == (4, HistGradientBoostingClassifier().early_stopping)
    assert (reference.name, reference.grid, reference.card) == (REFERENCE, {}, None)
    assert (reference.is_ours, reference.is_foreign) == (False, False)
    assert reference.about.endswith("a reference, not a model of this package.")
    assert reference not in all_contenders(3)
    assert REFERENCE not in {card.slug for card in catalog.cards()}
