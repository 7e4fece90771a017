"""The page as a whole: well formed, complete, small, the same every time."""

import base64
import hashlib
import itertools
import re
import time
from dataclasses import replace

import pytest

from classica.comparison import ComparisonResult, compare
from classica.comparison.results.sentences import lead_sentences
from classica.comparison.results.summary import Insight
from classica.errors import ParameterError
from classica.interfaces.report import report_html, write_report
from classica.tables import load_table
from classica.wording import sentence_start
from tests.comparison.here import work_here
from tests.interfaces.report.conftest import CLASSES, COLUMN, LEVEL, SOURCE
from tests.interfaces.report.page_reader import PageReader


@pytest.fixture(scope="module")
def made(compared):
    """The page, and the seconds of one core it took."""
    began = time.process_time()
    return report_html(compared), time.process_time() - began


@pytest.fixture(scope="module")
def page(made):
    return made[0]


@pytest.fixture(scope="module")
def read(page):
    return PageReader(page)


def test_tags_match_and_names_are_there_once(read):
    names = read.values("id")
    assert len(names) == len(set(names))
    assert {link[1:] for link in read.values("href") if link.startswith("#")} <= set(names)
    assert {name for value in read.values("aria-labelledby") for name in value.split()} <= set(names)
    used = {name for value in read.values("clip-path") for name in re.findall(r"url\(#([^)]*)\)", value)}
    assert used
    assert used <= set(names)


def test_nothing_is_loaded_and_nothing_runs(page, read):
    tags = {tag for tag, _ in read.tags}
    assert not tags & {"link", "iframe", "object", "embed", "img", "base", "form"}
    assert [tag for tag, _ in read.tags].count("script") == 1
    names = [name for _, attributes in read.tags for name in attributes]
    assert not [name for name in names if name.startswith("on") or name == "style"]
    links = [*read.values("href"), *read.values("src"), *read.values("xlink:href")]
    assert all(link.startswith(("#", "data:image/png;base64,", "data:text/csv;")) for link in links)
    assert not re.search(r"@import|url\((?!#)", page)


def test_the_page_forbids_itself_what_it_does_not_need(page):
    """Whatever a table or a run folder might smuggle in could load nothing, send nothing and run nothing."""
    head, _, body = page.partition("</head>")
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', head)[1]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["img-src"] == "data:"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        [text] = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.S)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"
    assert len(rules) == 6
    assert head.index("Content-Security-Policy") < head.index("<style>")
    assert "http-equiv" not in body


def test_only_the_page_has_a_style_sheet(read):
    assert [tag for tag, _ in read.tags].count("style") == 1


def test_every_model_and_finding_is_there(compared, read):
    names = read.values("id")
    links = read.values("href")
    for model in compared.summary.models:
        assert model.title in read.text
        if model.is_judged:
            assert f"model-{model.name}" in names
            assert f"#model-{model.name}" in links
        else:
            assert model.reason in read.text
    for finding in compared.summary.findings:
        assert sentence_start(finding.detail) in read.text
        assert finding.remedy in read.text
    assert {"finding-E101", "finding-E101-2"} <= set(names)


def test_the_answer_comes_first(compared, read):
    [answer, *_] = lead_sentences(compared.summary)
    assert answer.startswith("Use ID3")
    assert read.text.index(answer) < read.text.index("How good is it on new rows?")
    assert f"classica predict run/{compared.summary.best_file}" in read.text


def test_every_picture_is_spoken_of(read):
    pictures = [attributes for tag, attributes in read.tags if tag == "svg"]
    assert len(pictures) > 10
    for attributes in pictures:
        assert attributes["role"] == "img"
        assert attributes.get("aria-label") or attributes.get("class") == "tree"


def test_headings_step_down_one_at_a_time(read):
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_cells_that_head_say_what_they_head(read):
    assert all(attributes.get("scope") in ("col", "row") for tag, attributes in read.tags if tag == "th")


def test_hostile_names_are_shown_as_they_are(page, read):
    spoken = read.text + " ".join(read.values("aria-label"))
    for name in (COLUMN, LEVEL, SOURCE, *CLASSES.values()):
        assert name in spoken
        assert name not in page


def test_hostile_names_are_in_the_pictures_too(page):
    pictures = re.findall(r"<svg(?! class=\"interval\").*?</svg>", page, re.S)
    assert sum("&lt;img src=x" in picture for picture in pictures) >= 2
    assert any("&lt;script&gt;" in picture for picture in pictures)
    assert not any("not drawn. Parse" in line for line in re.findall(r"<p[^>]*>([^<]*)", page))


def test_written_twice_it_is_the_same(compared, page, tmp_path):
    place = write_report(compared, tmp_path / "report.html")
    assert place.read_bytes() == page.encode()


def test_it_is_small_and_quickly_made(made):
    page, seconds = made
    assert len(page.encode()) < 600_000
    assert seconds < 5


def test_fewer_or_more_pictures_on_request(compared, page):
    plain, all_of_them = (report_html(compared, pictures=many) for many in (0, 3))
    assert len(plain) < len(page) < len(all_of_them)
    assert len(plain) < len(all_of_them) - 50_000
    assert PageReader(plain).values("id")
    with pytest.raises(ParameterError, match="pictures must be an integer of at least 0, got -1"):
        report_html(compared, pictures=-1)


def test_a_run_in_which_every_model_failed_has_a_report_too(compared):
    failed = tuple(model for model in compared.summary.models if model.state == "failed")
    nothing = {"models": failed, "best": None, "best_file": None, "insight": Insight(), "findings": ()}
    read = PageReader(report_html(ComparisonResult(compared.folder, replace(compared.summary, **nothing))))
    assert "No model could be evaluated" in read.text
    assert failed[0].reason in read.text


def test_what_is_missing_in_the_folder_costs_a_line_not_the_report(compared, tmp_path):
    read = PageReader(report_html(ComparisonResult(tmp_path, compared.summary)))
    assert "not drawn." in read.text
    assert all(model.title in read.text for model in compared.summary.models)


def test_every_class_of_a_tree_has_a_style(page):
    trees = re.findall(r'<svg class="tree".*?</svg>', page, re.S)
    style = page[page.index("<style>") : page.index("</style>")]
    classes = {
        word for tree in trees for value in re.findall(r'class="([^"]*)"', tree) for word in value.split()
    }
    assert classes >= {"tree", "card", "leaf", "line"}
    assert all(f".{word}" in style for word in classes)


def test_the_file_of_every_model_is_named(compared, page, read):
    summary = compared.summary
    for model in summary.judged:
        if model.delivered is not None and model.delivered.file is not None:
            assert f"<code>{model.delivered.file}</code>" in page
    assert "recommended; also best.classica" in page
    first, second = [model.name for model in summary.judged if model.role == "model"][:2]
    copies = {"best_file": "best.classica", "most_accurate_file": "most-accurate.classica"}
    told = replace(summary, recommended=second, best=first, **copies)
    other = report_html(replace(compared, summary=told))
    assert "recommended; also best.classica" in other
    assert "best score; also most-accurate.classica" in other


def test_what_drives_the_model_and_where_it_fails(tmp_path, monkeypatch):
    work_here(monkeypatch)
    asked = {"models": ["logistic"], "folds": 3, "tune": False, "budget": None, "reference": False}
    result = compare(load_table("iris"), **asked, out=tmp_path / "run")
    read = PageReader(report_html(result))
    errors = result.summary.insight.error_analysis
    assert "What drives it?" in read.text
    assert "Where does it fail?" in read.text
    assert f"{errors.errors} of {errors.rows}" in " ".join(read.text.split())
    for column in ("petallength", "petalwidth"):
        assert column in read.text
    assert "not drawn" not in read.text
