"""The tutorial and the guide show what really happens: all of it in its order, in one folder."""

import contextlib
import io
import re
import shlex

import pytest

from tests.interfaces.test_help_examples import run
from tests.test_architecture import ROOT

#: Pages whose blocks are run, and how many outputs each shows at least.
PAGES = {"tutorial": 12, "reasons": 6}

#: What stands for left-out lines.
GAP = "…"


def blocks(page):
    """Return each fence as (language, file name, text)."""
    text = (ROOT / "docs" / f"{page}.md").read_text()
    return re.findall(r"^```(\w*) ?(\S*)\n(.*?)^```$", text, re.M | re.S)


def told(text):
    """Return the lines of an output; times and sizes depend on the machine, blanks on their widths."""
    masked = re.sub(r"\d[\d.,]* (ns|µs|ms|s|kB|MB|bytes)\b", "#", text)
    return [" ".join(line.split()) for line in masked.strip().splitlines()]


def pattern(shown):
    """Return the pattern that fits an output with all the lines shown, in their order."""
    parts = ["(?:.*\n)*?" if line == GAP else re.escape(line) + "\n" for line in told(shown)]
    return re.compile("".join(parts))


def commands(text):
    return [shlex.split(line)[1:] for line in text.splitlines()]


def printed_by_commands(text):
    printed = ""
    for line in commands(text):
        done = run(*line, env={"COLUMNS": "80"})
        assert done.exit_code == 0, (line, done.output)
        printed += done.stdout
    return printed


def printed_by_python(text, names):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(text, names)
    return printed.getvalue()


@pytest.mark.parametrize("page", PAGES)
def test_everything_runs_and_prints_what_is_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, printed, compared = {}, None, 0
    for language, file, text in blocks(page):
        if language == "sh":
            printed = printed_by_commands(text)
        elif language == "python":
            printed = printed_by_python(text, names)
        elif language == "csv":
            (tmp_path / file).write_text(text)
        else:
            output = "".join(f"{line}\n" for line in told(printed))
            assert pattern(text).fullmatch(output), f"shown:\n{text}\nprinted:\n{printed}"
            compared += 1
    assert compared >= PAGES[page]
    assert (tmp_path / "iris-run" / "report.html").exists()


def test_a_gap_stands_for_any_lines_but_not_for_wrong_ones():
    fits = pattern("a  b\n…\nlast 3 ms\n").fullmatch
    assert fits("a b\nx\ny\nlast #\n")
    assert fits("a b\nlast #\n")
    assert not fits("a b\nx\nlast # more\n")
    assert not fits("a c\nlast #\n")
