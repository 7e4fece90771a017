"""Retired words stay out of what people read: help, findings, errors, the report and the documentation."""

import ast
import re

import pytest
from click.testing import CliRunner

from classica.interfaces.cli import COMMANDS, main
from classica.interfaces.finding_codes import CODES
from tests.test_architecture import ROOT
from tools.example_findings import example_findings

#: A retired phrase as a regular expression, and the word of the field.
RETIRED = {
    r"shown to (be|differ)": "(not) significantly better, worse or different",
    r"told (if|when)": "reported when",
    r"not told apart": "not significantly different",
    r"(comes?|coming) along": "built-in dataset",
    r"\bsurer\b|\bthe surest\b": "over-confident; more certain",
    r"\b(chance|the|a|never a) floor\b": "baseline; lower bound",
    r"better than chance": "better than the baseline",
    r"\brow said\b|\b(class|classes|labels?) said\b|for saying\b|\bwhat was said\b": "predicted",
    r"\bthe choice saw\b": "tuning, inner cross-validation",
    r"\b(linear|margin|binary|two-class) machines?\b": "binary or linear classifier",
    r"\b(a|each|every|no|the|in|of|for|with|without|fills?) gaps?\b(?! (between|of))": "missing value",
    r"\bgets? (\S+ of \S+ )?wrong\b|\berrs? (on|in)\b": "misclassifies",
    r"\bright answers?\b|\bwrong answers?\b": "correct or wrong predictions",
    r"\b[Oo]f every draw\b": "random seed",
    r"\bmakes? numbers of\b": "encode",
    r"\bas asked for\b": "on request",
    r"\d[ \u00a0]%(?!\w)": "no space before the per cent sign",
    r"\brows left out\b|\brows it learned from\b": "held-out rows; training set",
    r"\bgot no fit yet\b": "is not fitted yet; call fit() first",
    r"\b(not|best|are) told\b|\btold (apart|by|of)\b|\bit cannot be told\b": "distinguished; reported",
    r"\bwhoever\b|\bnobody\b|\bsomebody\b": "the user, the caller, a process, or the passive voice",
    r"\bwhole or not at all\b": "atomically",
    r"\bas people (read|write|have|give|name)\b": "as text; as given",
    r"\bflatters?\b": "optimistic; selection bias",
    r"\bcan be judged\b|\bjudged (on|by) rows\b": "evaluated on",
    r"\bthat there can be\b|\b(best|error) there can be\b": "best possible",
    r"\bsome rows at a time\b": "in batches",
    r"\bin whatever way\b|\bwhatever shows\b": "in any way",
    r"\bgaps? filled\b": "missing values imputed",
}

#: Names under which a sentence is put together before it is raised or shown.
SENTENCES = {
    "rule",
    "got",
    "sentence",
    "reason",
    "text",
    "detail",
    "remedy",
    "hint",
    "note",
    "meaning",
    "title",
}
#: Calls whose arguments are shown: `must` of an error, a finding, a note, a warning, an axis.
SHOWN = {
    "must",
    "at",
    "Note",
    "Doubt",
    "warn",
    "finding",
    "headline",
    "set_xlabel",
    "set_ylabel",
    "set_title",
}


def retired(text):
    """Return the retired phrases in a text, and what to write instead."""
    flat = " ".join(text.split())
    return [
        f"{match[0]!r} in ...{flat[max(0, match.start() - 30) : match.end() + 30]}... (write: {word})"
        for phrase, word in RETIRED.items()
        for match in re.finditer(phrase, flat)
    ]


def literal(node):
    """Return a string as it is written, with a mark for each value of an f-string."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(part.value if isinstance(part, ast.Constant) else "\u2026" for part in node.values)


def strings(node):
    """Yield every string below a node, an f-string as one."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        yield literal(node)
        return
    for child in ast.iter_child_nodes(node):
        yield from strings(child)


def is_shown(node):
    """Return whether the strings below a node are shown: raised, part of a sentence, or drawn."""
    if isinstance(node, ast.Raise):
        return True
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(target, ast.Name) and target.id in SENTENCES for target in targets)
    if isinstance(node, ast.FunctionDef):
        return False
    name = getattr(node, "func", None)
    return isinstance(node, ast.Call) and getattr(name, "attr", getattr(name, "id", "")) in SHOWN


def shown_strings(source):
    """Yield the strings of a module that people read."""
    for node in ast.walk(ast.parse(source)):
        if is_shown(node):
            yield from strings(node)
        elif isinstance(node, ast.FunctionDef) and node.name in ("__str__", "describe", "text", "find"):
            yield from (text for each in node.body[1:] for text in strings(each))


MODULES = sorted((ROOT / "src" / "classica").rglob("*.py"))
TEMPLATES = sorted((ROOT / "src" / "classica").rglob("*.html"))
PAGES = [*sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "models").glob("*.md"))]
PAGES += [
    ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md")
]
PAGES += [ROOT / "docs" / "decisions" / "README.md", ROOT / "benchmarks" / "README.md"]
PAGES += sorted((ROOT / "src" / "classica").rglob("README.md"))


def test_retired_phrases_are_recognised():
    assert retired("It is not shown to be worse.")
    assert retired("accurate to 95 % here")
    assert retired("the class said most often")
    assert retired("cells without gaps")
    assert not retired("A gap between training and test error of 95% is shown to the user.")
    source = 'def f(x):\n    """Said."""\n    rule = f"the class said by {x}"\n    raise KeyError("x")'
    assert list(shown_strings(source)) == ["the class said by \u2026", "x"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_errors_and_sentences(path):
    assert not [each for text in shown_strings(path.read_text()) for each in retired(text)]


@pytest.mark.parametrize("code", CODES)
def test_findings(code):
    record = CODES[code].record()
    text = " ".join(record[name] for name in ("title", "meaning", "rule", "remedy", "source"))
    assert not retired(text)
    assert record["title"][0].isupper()
    assert 1 <= len(record["title"].split()) <= 5
    assert "Reported when" in record["rule"]


def test_findings_with_numbers():
    shown = example_findings()
    assert set(shown) == set(CODES)
    assert not [phrase for _, _, text in shown.values() for phrase in retired(text)]
    # In a sentence, models have their display names.
    assert not [text for _, _, text in shown.values() if re.search(r"\b(c45|lda|knn)\b", text)]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_the_commands(name):
    assert not retired(CliRunner().invoke(main, [name, "--help"], terminal_width=200).output)


@pytest.mark.parametrize(
    "path",
    [*PAGES, *TEMPLATES],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_pages_and_templates(path):
    # Neither code nor the tags of a template are read by people.
    assert not retired(re.sub(r"```.*?```|\{%.*?%\}", "", path.read_text(), flags=re.S))
