"""Every code of a finding is explained: completely, truly, and where a user meets it."""

import ast
import importlib
import inspect
import json
import re

import pytest

from classica.comparison.results.gathering import SIMPLEST_FIRST
from classica.diagnosis import diagnose
from classica.diagnosis.finding import Finding
from classica.interfaces.finding_codes import CODES, occurring_codes
from classica.metrics import calibration
from classica.selection import LearningCurve
from classica.tables import load_table, profile
from classica.tables.typing.cells import MISSING_WORDS
from tests.interfaces.test_help_examples import run
from tests.test_architecture import SOURCES

EXPLAINING = ("column_codes.py", "table_codes.py", "diagnosis_codes.py")


def test_every_code_that_is_told_is_explained_and_the_other_way_round():
    told = {
        code
        for path in SOURCES
        if path.name not in EXPLAINING
        for code in re.findall(r'"([DE]\d{3})"', path.read_text())
    }
    assert told == set(CODES)
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


@pytest.mark.parametrize(
    ("package", "thresholds"), [("tables", "table_thresholds.py"), ("diagnosis", "diagnosis_thresholds.py")]
)
def test_rules_and_explanations_share_their_thresholds(package, thresholds):
    """A number that only one of the two used would be one that the text does not follow."""
    sources = {path.name: path.read_text() for path in SOURCES if package in path.parts}
    names = {
        node.targets[0].id for node in ast.parse(sources[thresholds]).body if isinstance(node, ast.Assign)
    }
    assert len(names) > 10
    for name in names:
        users = {file for file, text in sources.items() if re.search(rf"\b{name}\b", text)} - {thresholds}
        assert users & set(EXPLAINING), name
        assert users - set(EXPLAINING), name


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


@pytest.mark.parametrize(("code", "near"), [("E30", "E303"), ("D4O1", "D401"), ("", "E101"), ("[/]", "E101")])
def test_an_unknown_code_is_one_sentence_with_those_nearby(code, near):
    done = run("codes", code)
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1
    assert near in done.stderr
    assert done.stderr.rstrip().endswith(f"got {code!r}.")


def test_profile_says_where_a_code_is_explained():
    lines = run("profile", "vote").stdout.splitlines()
    assert lines[-1] == "What a code means: classica codes D401"


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
    assert shown.splitlines()[-1] == f"What a code means: classica codes {first}"
    assert "codes" not in run("resume", "iris-run", "--quiet", "--no-report").stdout


def test_numbers_and_words_that_other_code_decides_are_true():
    rule = CODES["E303"].rule
    words = {
        "trees": "trees",
        "bayes": "naive Bayes",
        "gaussian": "Gaussian classes",
        "linear": "linear machines",
        "neighbours": "neighbours",
        "kernel": "kernels",
        "neural": "networks",
    }
    places = [rule.index(words[family]) for family in SIMPLEST_FIRST if family != "floor"]
    assert places == sorted(places)
    assert "ten bins" in CODES["E401"].rule
    assert inspect.signature(calibration).parameters["bins"].default == 10
    assert "twice the rows" in CODES["E103"].rule
    assert inspect.signature(LearningCurve.extrapolate).parameters["times"].default == 2
    named = re.search(r"\((.*) and the like\)", CODES["D105"].rule)[1].split(", ")
    assert set(named) <= set(MISSING_WORDS)
