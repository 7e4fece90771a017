"""The pages of models and findings are what the code says, lead somewhere, and their commands run."""

import re
import shlex

import pytest

from tests.interfaces.test_help_examples import run
from tests.test_architecture import ROOT
from tools.pages.docstring import examples, markdown, sections, table, wrapped
from tools.pages.model_page import USE
from tools.pages.written import DOCS, own_cards, pages, strangers

MODELS = [card.slug for card in own_cards()]


def test_every_page_is_as_it_would_be_written_now():
    stale = [path.name for path, text in pages().items() if not path.exists() or path.read_text() != text]
    assert not stale, "write them again: python -m tools.pages"
    assert not strangers()


@pytest.mark.parametrize("card", own_cards(), ids=MODELS)
def test_every_model_says_when_to_use_it_and_when_not(card):
    [use] = [part for part in sections(card.estimator)["Notes"].split("\n\n") if part.startswith(USE)]
    assert re.search(r"\.\s+Not\s", use)
    page = (DOCS / "models" / f"{card.slug}.md").read_text()
    titles = re.findall(r"^## (.*)$", page, re.M)
    assert titles == [
        "How it works", "When to use it", "Parameters", "Tuning", "Input", "Output", "Cost", "Notes",
        "Example", "Source", "See also",
    ]  # fmt: skip
    assert all(f"| `{parameter.name}` |" in page for parameter in card.parameters)
    assert all(parameter.description for parameter in card.parameters)


def test_the_commands_of_the_pages_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = 0
    for slug in MODELS:
        for block in re.findall(
            r"^```sh\n(.*?)^```$", (DOCS / "models" / f"{slug}.md").read_text(), re.M | re.S
        ):
            for line in block.splitlines():
                done = run(*shlex.split(line)[1:])
                assert done.exit_code == 0, (line, done.output)
                ran += 1
    assert ran >= 2 * 20


def anchors(text):
    """Return the anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", path.read_text(), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if link.startswith("http"):
            continue
        file, _, place = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), link
        assert not place or place in anchors(target.read_text()), link


def test_docstrings_become_markdown():
    links = {"ID3Classifier": "id3.md"}
    text = "See `ID3Classifier` and ``fit``:\n\n.. math:: a\n          + b\n\n* one\n  more\n* :math:`x_i`"
    assert markdown(text, links) == (
        "See [`ID3Classifier`](id3.md) and `fit`:\n\n```math\na\n+ b\n```\n\n* one more\n* $`x_i`$"
    )


def test_examples_stay_as_they_are_typed():
    text = "Two rows:\n\n>>> f(1)\n2\n\n>>> f(2)\n3\n\nAnd more."
    assert examples(text, {}) == "Two rows:\n\n```pycon\n>>> f(1)\n2\n\n>>> f(2)\n3\n```\n\nAnd more."


def test_prose_is_wrapped_outside_formulas_and_never_into_a_list():
    long = "word " * 20 + "$`a b c d e f g`$ - and " + "word " * 20
    lines = wrapped(long.strip()).split("\n")
    assert max(map(len, lines)) <= 110
    assert sum("$`a b c d e f g`$" in line for line in lines) == 1
    assert not any(line.startswith("- ") for line in lines)
    fence = f"```sh\n{long}\n```"
    assert wrapped(fence) == fence


def test_cells_of_tables_keep_their_bars():
    assert table(["a"], [["x | y"]]) == "| a |\n| --- |\n| x \\| y |"
