"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the sources: each touches one file."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import classica._core as core
import pytest

ROOT = Path(__file__).parents[2]

#: An editable install looks at the sources of this tree first: no process of the stranger shall.
FORGET_THIS_TREE = """
import sys
sys.meta_path[:] = [each for each in sys.meta_path if "Redirecting" not in type(each).__name__]
"""

#: What a stranger does with what the four recipes have added.
STRANGER = """
import json, sys
import classica
from click.testing import CliRunner
from classica.comparison import compare
from classica.diagnosis import diagnose
from classica.export import export_model
from classica.interfaces.cli import main
from classica.tables import load_table, read_table
from tools.pages.findings_page import findings_page

def run(*words):
    return CliRunner().invoke(main, list(words)).output

golf = load_table("golf")
model = classica.TableClassifier(classica.ID3Classifier(), golf.schema).fit(golf, golf.y)
frame = read_table(b"| a | b |\\n|---|---|\\n| 1 | x |\\n| 2 | y |\\n").frame
ranked = compare(
    load_table("iris"), models=["nearest-mean", "chance"], folds=3, metric="error_rate", tune=False,
    out=sys.argv[1], workers=1,
)
found = {
    "from": classica.__path__[0],
    "findings": diagnose({"a": [0.7, 0.8], "b": [0.6, 0.7]}, 0.5).codes,
    "page": findings_page(),
    "explained": run("codes", "e190"),
    "frame": frame.to_dict(as_series=False),
    "formats": run("profile", "--help"),
    "best": ranked.summary.best,
    "metric": ranked.summary.metric.name,
    "metrics": run("compare", "--help"),
    "form": export_model(model, "classes").text,
    "forms": run("export", "--help"),
}
print(json.dumps(found))
"""


def recipes():
    """Return the code of each recipe by the file that it is written to."""
    blocks = re.findall(
        r"```python\n# (in METRICS of )?(src/\S+)\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.S
    )
    return {path: (bool(inside), code) for inside, path, code in blocks}


def follow(copy):
    """Write what the recipes say into a copy of the sources; return the files that are new or differ."""
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "src" / "classica" / Path(core.__file__).name).symlink_to(core.__file__)
    (copy / "start").mkdir()
    (copy / "start" / "sitecustomize.py").write_text(FORGET_THIS_TREE)
    for path, (inside, code) in recipes().items():
        file = copy / path
        if inside:
            before, mark, after = file.read_text().partition(
                "METRICS = {\n    each.name: each\n    for each in (\n"
            )
            file.write_text(f"{before}{mark}{code.rstrip()},\n{after}")
        else:
            assert not file.exists(), path
            file.write_text(code)
    files = [each.relative_to(copy) for each in (copy / "src").rglob("*.py")]
    return sorted(
        str(each)
        for each in files
        if not (ROOT / each).exists() or (ROOT / each).read_bytes() != (copy / each).read_bytes()
    )


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    """What a stranger sees after following the recipes, and the files that were touched."""
    copy = tmp_path_factory.mktemp("stranger")
    touched = follow(copy)
    done = subprocess.run(
        [sys.executable, "-c", STRANGER, str(copy / "run")],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (copy / "start", copy / "src", ROOT)))},
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["from"] == str(copy / "src" / "classica")
    return found | {"touched": touched}


def test_each_recipe_touches_one_file(stranger):
    assert len(recipes()) == 4
    assert stranger["touched"] == sorted(recipes())


def test_a_finding_is_reported_explained_and_on_its_page(stranger):
    assert "E190" in stranger["findings"]
    assert "ewer than 4 folds" in stranger["explained"]
    assert "### E190: Few folds" in stranger["page"]


def test_a_table_format_is_read_and_offered(stranger):
    assert stranger["frame"] == {"a": ["1", "2"], "b": ["x", "y"]}
    assert "libsvm, markdown, parquet" in " ".join(stranger["formats"].split())


def test_a_metric_ranks_a_comparison(stranger):
    assert stranger["best"] == "nearest-mean"
    assert stranger["metric"] == "error_rate"
    assert "error_rate" in stranger["metrics"]


def test_an_export_form_is_written_and_offered(stranger):
    assert stranger["form"] == "0\n1\n"
    assert ", classes" in " ".join(stranger["forms"].split())
