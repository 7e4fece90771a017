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


def package_of(path):
    """Return the top-level package that a module is in, or the module itself."""
    return path.relative_to(ROOT / "src" / "classica").parts[0].removesuffix(".py")


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


#: Parts of a family, named alike in all of them.
FAMILY_PARTS = {"state", "explain", "trace", "program"}


def test_every_package_says_what_belongs_in_it():
    for folder in {path.parent for path in SOURCES if path.parent.parent == ROOT / "src" / "classica"}:
        text = (folder / "README.md").read_text()
        assert 8 <= len(text.splitlines()) <= 30, folder.name
        assert "**Belongs here:**" in text, folder.name
        assert "**May import:**" in text, folder.name
        named = re.findall(r"`([a-z_]+)(?:\.py|/)`", text)
        assert {*named} <= {path.stem for path in SOURCES} | {path.parent.name for path in SOURCES}, (
            folder.name
        )


def test_no_module_name_is_used_twice():
    """A command is named as it is typed, and the parts of a family are named alike."""
    modules = [path for path in SOURCES if not path.stem.startswith("__") and path.parent.name != "cli"]
    stems = [path.stem for path in modules if path.stem not in FAMILY_PARTS]
    assert sorted(stems) == sorted(set(stems))


def test_folders_fit_a_screen():
    folders = [path.parent for path in SOURCES]
    crowded = {str(folder): folders.count(folder) for folder in folders if folders.count(folder) > 30}
    assert not crowded


def names_made_in(trees):
    """Return for each package the names it defines or sets on objects."""
    own = {}
    for path, tree in trees.items():
        known = own.setdefault(package_of(path), {"_exit"})  # os._exit
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                known.add(node.name)
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
                known.add(node.id if isinstance(node, ast.Name) else node.attr)
    return own


def test_no_private_name_crosses_a_package_border():
    """Neither imported from another package nor read from an object that another package has made."""
    trees = {path: ast.parse(path.read_text()) for path in SOURCES}
    own = names_made_in(trees)
    for path, tree in trees.items():
        package = package_of(path)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("classica."):
                names = [*node.module.split("."), *(alias.name for alias in node.names)]
                assert names[1] == package or not any(map(is_private, names[1:])), (path, names)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and is_private(node.attr):
                of_itself = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
                assert of_itself or node.attr in own[package], (path, node.lineno, node.attr)


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
