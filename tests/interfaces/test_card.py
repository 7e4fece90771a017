"""Model cards: from a comparison, from a trained model, and from files that try to break them."""

import json
import re

import pytest

from classica import persist
from classica.comparison.results.model_card import ENTRY, card_in
from classica.errors import ModelFileError
from classica.interfaces.card_forms import card_html, card_markdown
from classica.interfaces.card_sections import Section
from tests.interfaces.report.page_reader import PageReader
from tests.interfaces.test_help_examples import run

SECTIONS = (
    "Intended use",
    "Data",
    "Performance",
    "Performance by class",
    "Calibration",
    "Limits",
    "How it was chosen",
    "Model",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("card")
    few = ("--models", "lda,svm,c45", "--folds", "4", "--no-tune", "--no-report")
    done = run("compare", "iris", *few, "--out", str(place / "run"), "--effort", "5")
    assert done.exit_code == 0, done.output
    return place / "run"


def test_every_delivered_model_has_its_card(folder):
    summary = json.loads((folder / "summary.json").read_text())
    for file in (folder / "models").glob("*.classica"):
        found = persist.inspect(file)
        card = card_in(found["metadata"])
        entry = next(each for each in summary["models"] if each["name"] == card.model)
        assert card.data.fingerprint == summary["table"]["fingerprint"] == found["metadata"]["fingerprint"]
        assert card.metrics["accuracy"].mean == entry["standing"]["score"]["mean"]
        assert [each.label for each in card.classes] == found["classes"]
        assert card.role == ("recommended" if card.model == summary["recommended"] else card.role)
        assert type(persist.load(file)).__name__ == "TableClassifier"


def test_the_card_says_what_is_known(folder):
    text = run("card", str(folder / "best.classica")).stdout
    card = card_in(persist.inspect(folder / "best.classica")["metadata"])
    assert re.findall(r"^## (.*)$", text, re.M) == list(SECTIONS)
    score = card.evaluation.score
    assert f"{100 * score.mean:.1f}% (95% CI {100 * score.low:.1f}" in text
    for part in ("150 rows", "4 features", "Iris-setosa", card.data.fingerprint, "33.3%", "sepallength"):
        assert part in text
    page = run("card", str(folder / "best.classica"), "--html").stdout
    reader = PageReader(page)
    assert all(title in reader.text for title in SECTIONS)
    record = json.loads(run("card", str(folder / "best.classica"), "--json").stdout)
    assert record[ENTRY] == card.record()
    assert ENTRY not in record["metadata"]


def test_the_same_comparison_writes_the_same_card(folder, tmp_path):
    few = ("--models", "lda,svm,c45", "--folds", "4", "--no-tune", "--no-report", "--effort", "5")
    assert run("compare", "iris", *few, "--out", str(tmp_path / "run")).exit_code == 0
    assert (tmp_path / "run" / "best.classica").read_bytes() == (folder / "best.classica").read_bytes()


def test_a_trained_model_has_a_card_of_what_its_file_says(tmp_path):
    file = tmp_path / "golf.classica"
    assert run("train", "golf", "--model", "c45", "--out", str(file)).exit_code == 0
    text = run("card", str(file)).stdout
    assert "classica evaluate" in text
    assert "14" in text
    assert "outlook" in text
    assert json.loads(run("card", str(file), "--json").stdout)[ENTRY] is None
    out = tmp_path / "card.html"
    assert run("card", str(file), "--html", "--out", str(out)).exit_code == 0
    assert out.read_text().startswith("<!doctype html>")
    assert run("card", str(file), "--html", "--json").exit_code == 2


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda card: card.update(classica_card=9), "The version of a model card must be 1, got 9"),
        (lambda card: card.update(title=3), "The model card.title must be text, got 3"),
        (lambda card: card["evaluation"].update(folds="many"), "evaluation.folds must be a whole number"),
        (lambda card: card.update(classes={}), "The model card.classes must be a list"),
        (lambda card: card.pop("data"), "The model card must have data"),
    ],
)
def test_a_changed_card_is_refused_in_one_line(folder, tmp_path, change, text):
    file = tmp_path / "copy.classica"
    file.write_bytes((folder / "best.classica").read_bytes())
    card = persist.inspect(file)["metadata"][ENTRY]
    change(card)
    persist.add_metadata(file, {ENTRY: card})
    with pytest.raises(ModelFileError):
        card_in(persist.inspect(file)["metadata"])
    done = run("card", str(file))
    assert done.exit_code == 1
    assert text in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.output


EVIL = "<script>alert(1)</script> | [x](javascript:y) `code` *bold* # head\n\n# new & 1. <b>"


def test_text_of_data_stays_text():
    sections = [Section("Data", (EVIL, "1. first", "- item", "---"), (("a", "b"), (EVIL, "-0.1")))]
    page = card_html(EVIL, sections)
    assert "<script>" not in page
    assert "<b>" not in page
    text = card_markdown(EVIL, sections)
    assert "<script>" not in text
    assert "<b>" not in text
    assert "](" not in text.replace("\\](", "")
    assert "# new" not in [line[:5] for line in text.splitlines()]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3, 3, 3]
    assert "1\\. first" in text
    assert "\\- item" in text
    assert "\\---" in text
    assert "-0.1" in text
