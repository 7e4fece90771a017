"""Tables behind links, and what the script of the page reads, hold hostile names as plain text."""

import csv
import io
from urllib.parse import unquote

import pytest

from classica.displays import RocDisplay
from classica.interfaces.report import report_html
from classica.interfaces.report.data_link import csv_link
from classica.interfaces.report.drawing import Drawing
from tests.interfaces.report.conftest import CLASSES, FAILED
from tests.interfaces.report.page_reader import PageReader

START = "data:text/csv;charset=utf-8,"


def table_behind(link):
    assert link.startswith(START)
    return list(csv.reader(io.StringIO(unquote(link.removeprefix(START)))))


@pytest.fixture(scope="module")
def page(compared):
    return report_html(compared)


@pytest.mark.parametrize("name", ['"><script>', "a,b\n#c%0A", "=1+1", "é & <b>'"])
def test_a_name_comes_back_from_the_link_and_cannot_leave_it(name):
    link = csv_link([["name", "score"], [name, 0.5], [None, None]])
    assert not set(link) & set('"<>&#\n ')
    kept = f"'{name}" if name.startswith("=") else name
    assert table_behind(link) == [["name", "score"], [kept, "0.5"], ["", ""]]


def test_headings_that_occur_twice_are_told_apart():
    assert table_behind(csv_link([["x", "x"], [1, 2]]))[0] == ["x", "x 2"]


def test_every_picture_of_a_display_has_its_data(page):
    links = [
        attributes for tag, attributes in PageReader(page).tags if tag == "a" and "download" in attributes
    ]
    assert len(links) >= 4
    for attributes in links:
        assert len(table_behind(attributes["href"])) > 1
        assert attributes["download"].endswith(".csv")
    assert any(CLASSES[1] in str(table_behind(attributes["href"])) for attributes in links)


def test_the_data_of_a_curve_are_its_points():
    drawing = Drawing("d")
    drawing.add("ROC", lambda: RocDisplay.from_scores(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8]))
    headings, *rows = table_behind(drawing.pictures[0].data)
    assert headings == ["series", "false positive rate", "true positive rate"]
    assert ["yes: 0.750", "1.0", "1.0"] in rows
    assert drawing.pictures[0].title == "ROC curve"
    assert " style=" not in drawing.pictures[0].svg


def test_what_the_script_reads_is_escaped(page):
    read = PageReader(page)
    words = read.values("data-words")
    assert any(FAILED.name in each for each in words)
    assert all("<" not in part for part in page.split("data-words=")[1:] for part in [part_of(part)])
    for value in read.values("data-value"):
        assert not value or float(value) == float(value)


def part_of(text):
    """Return an attribute's value as it stands in the page."""
    return text[1 : text.index('"', 1)]


def test_the_leaderboard_can_be_sorted_and_says_how_it_is(page):
    tags = PageReader(page).tags
    sorts = [attributes["aria-sort"] for tag, attributes in tags if tag == "th" and "aria-sort" in attributes]
    assert sorts == ["descending"]
    # Without the script, what needs it is not shown.
    tools = [attributes for _, attributes in tags if attributes.get("class") in ("tools", "copy")]
    assert tools
    assert all("hidden" in attributes for attributes in tools)
