"""Every code of a finding is explained: completely, truly, and where a user meets it."""

import importlib
import inspect
import json
import re

import pytest

from classica.comparison.results.gathering import readability
from classica.diagnosis import diagnose
from classica.diagnosis.finding import Finding
from classica.interfaces.finding_codes import CODES, occurring_codes
from classica.metrics import calibration
from classica.selection import LearningCurve
from classica.tables import load_table, profile
from classica.tables.typing.cells import MISSING_WORDS
from tests.interfaces.test_help_examples import run
from tests.test_architecture import SOURCES


def test_every_code_is_one_object_and_nobody_else_names_it():
    """A finding that another module made by its code would be one whose rule is somewhere else."""
    naming = {code: [path.name for path in SOURCES if f'"{code}"' in path.read_text()] for code in CODES}
    assert {code: files for code, files in naming.items() if len(files) != 1} == {}
    assert all(code == each.code for code, each in CODES.items())


@pytest.mark.parametrize("code", CODES)
def test_an_explanation_says_what_it_means_how_it_was_found_and_what_helps(code):
    each = CODES[code]
    for text in (each.meaning, each.rule, each.remedy):
        assert re.match(r"[A-Z0-9].*\.$", text), text
        assert "  " not in text
    assert each.shown_by


@pytest.mark.parametrize("name", sorted({name for each in CODES.values() for name in each.shown_by}))
def test_what_shows_it_can_be_imported(name):
    module, _, attribute = name.rpartition(".")
    assert callable(getattr(importlib.import_module(module), attribute))


def thresholds(rule):
    """Return the numbers that a rule or a class it is derived from judges by."""
    return {
        name: number for each in type(rule).__mro__ for name, number in vars(each).items() if name.isupper()
    }


@pytest.mark.parametrize("code", [code for code, each in CODES.items() if thresholds(each)])
def test_a_rule_and_its_explanation_share_their_thresholds(code):
    """A number that only one of the two used would be one that the text does not follow."""
    rule = CODES[code]
    family = [each for each in type(rule).__mro__ if each.__module__ == type(rule).__module__]
    source = "".join(map(inspect.getsource, family))
    shown = re.findall(r"[\d.]+", CODES["E401"].rule if code == "E402" else rule.rule)
    for name, number in thresholds(rule).items():
        judged = re.search(rf"(self|cls|{'|'.join(each.__name__ for each in family)})\.{name}\b", source)
        assert judged or name in {"POINT", "OF_ERROR"}, name  # E104 asks the rule of E103
        forms = {f"{number:g}", f"{100 * number:g}", f"{100 * number:.1f}"}
        assert forms & {each.rstrip(".") for each in shown}, name


def test_findings_know_their_explanation():
    found = diagnose({"tree": [0.70, 0.74, 0.72]}, 1 / 3, train_scores={"tree": [1.0, 1.0, 1.0]}).findings[0]
    assert found.explanation is CODES["E101"]
    told = profile(load_table("vote")).findings[0]
    assert told.explanation is CODES[told.code]


def test_occurring_codes_come_once_and_in_order():
    findings = [Finding(code, "", "", "", {}) for code in ("D301", "E303", "E101", "E303", "E999")]
    assert [each.code for each in occurring_codes(findings, findings[:1])] == ["E101", "E303", "D301"]


def test_the_command_lists_all_codes():
    lines = run("codes").stdout.splitlines()
    assert [line[:4] for line in lines[1:-2]] == list(CODES)
    assert all(CODES[line[:4]].title in line for line in lines[1:-2])
    assert json.loads(run("codes", "--json").stdout) == [each.record() for each in CODES.values()]


@pytest.mark.parametrize("code", CODES)
def test_the_command_explains_a_code(code):
    done = run("codes", code.lower())
    assert done.exit_code == 0
    words = " ".join(done.stdout.split())
    for text in (CODES[code].title, CODES[code].meaning, CODES[code].rule, CODES[code].remedy):
        assert " ".join(text.split()) in words
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_one_code_as_json_is_its_record():
    assert json.loads(run("codes", "D301", "--json").stdout) == CODES["D301"].record()


@pytest.mark.parametrize(
    ("code", "near"), [("E30", "mean 'E303'?"), ("D4O1", "mean 'D401'?"), ("", ""), ("[/]", "")]
)
def test_an_unknown_code_is_one_sentence_with_those_nearby(code, near):
    done = run("codes", code)
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1
    assert f"got {code!r}." in done.stderr
    assert done.stderr.rstrip().endswith(near)


def test_profile_says_where_a_code_is_explained():
    lines = run("profile", "vote").stdout.splitlines()
    assert lines[-1].endswith(": classica codes D401")


def test_a_table_without_findings_speaks_of_no_codes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{row / 7:.3f},{row % 2}\n" for row in range(30)))
    shown = run("profile", "t.csv", "--target", "b").stdout
    assert "codes" not in shown
    assert "findings" not in shown


def test_compare_ends_with_where_a_code_is_explained(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    few = ("--models", "lda,naive-bayes,c45", "--folds", "3", "--no-tune", "--no-report")
    shown = run("compare", "iris", *few).stdout
    first = re.search(r"^(E\d{3}) ", shown, re.M)[1]
    assert f"classica codes {first}" in shown
    assert "codes" not in run("resume", "iris-run", "--quiet", "--no-report").stdout


def test_numbers_and_words_that_other_code_decides_are_true():
    rule = CODES["E303"].rule
    words = {
        "trees": "trees",
        "bayes": "Bayes",
        "gaussian": "Gaussian",
        "linear": "linear",
        "neighbours": "nearest neighbours",
        "ensembles": "all others",
    }
    # Readability is what counts first: families of one level stand together.
    levels = sorted(words, key=lambda family: (readability(family), rule.index(words[family])))
    places = [rule.index(words[family]) for family in levels]
    assert places == sorted(places)
    assert "ten bins" in CODES["E401"].rule
    assert inspect.signature(calibration).parameters["bins"].default == 10
    assert "twice the rows" in CODES["E103"].rule
    assert inspect.signature(LearningCurve.extrapolate).parameters["times"].default == 2
    named = re.search(r"\((.*) and the like\)", CODES["D105"].rule)[1].split(", ")
    assert set(named) <= set(MISSING_WORDS)
