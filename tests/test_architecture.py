"""The shape of the source tree: layers, sizes, and documents that name what exists."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src" / "classica").rglob("*.py"))


def test_only_native_imports_the_compiled_core():
    importers = {path.parent.name for path in SOURCES if re.search(r"import.*\b_core\b", path.read_text())}
    assert importers == {"native"}


def test_no_private_scikit_learn_names():
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sklearn"):
                names = [*node.module.split("."), *(alias.name for alias in node.names)]
                assert not any(name.startswith("_") for name in names), f"{path.name}: {names}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_functions_fit_a_screen(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            described = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
            body = node.body[1:] if described else node.body
            length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            assert length <= 40, f"{path.name}: {node.name} has {length} lines"


def test_binding_is_the_only_native_code_that_knows_python():
    for path in [*(ROOT / "native" / "include").rglob("*.hpp"), *(ROOT / "native" / "src").rglob("*.*pp")]:
        assert not re.search(r"nanobind|Python\.h|\bPy[A-Z]\w+", path.read_text()), path.name


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])
def test_paths_named_in_documents_exist(document):
    named = re.findall(
        r"`((?:src|native|tests|docs|benchmarks|\.ci)/[^`\s<>*]*)`", (ROOT / document).read_text()
    )
    missing = [path for path in named if not (ROOT / path).exists()]
    assert not missing


def test_architecture_page_is_short():
    assert len((ROOT / "ARCHITECTURE.md").read_text().splitlines()) <= 250


def test_every_extra_is_of_use():
    """An extra that no module imports promises what is not there."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    sources = "\n".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    for name in extras.keys() - {"test", "bench", "dev"}:
        packages = [re.match(r"[\w-]+", each)[0] for each in extras[name]]
        assert all(package in sources for package in packages), name
