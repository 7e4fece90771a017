"""The shape of the source tree: layers, sizes, and documents that name what exists."""

import ast
import inspect
import re
import tomllib
from pathlib import Path

import pytest

from classica import catalog

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
    packages = {path.parent for path in SOURCES if path.name == "__init__.py"}
    top = ROOT / "src" / "classica"
    names = {path.stem for path in SOURCES} | {path.parent.name for path in SOURCES}
    for folder in packages - {top}:
        readme = folder / "README.md"
        text = readme.read_text()
        assert 8 <= len(text.splitlines()) <= 30, folder
        assert "**Belongs here:**" in text, folder
        assert "**May import:**" in text, folder
        named = re.findall(r"`([a-z_]+)(?:\.py|/)`", text)
        assert {*named} <= names, folder


def test_the_readers_of_tables_are_all_named_in_their_readmes():
    """A list of modules in a README that lacks some of them is not trusted for the others."""
    for readme in (ROOT / "src" / "classica" / "tables" / "reading").rglob("README.md"):
        modules = {path.stem for path in readme.parent.glob("*.py")} - {"__init__"}
        assert modules <= {*re.findall(r"`([a-z_]+)\.py`", readme.read_text())}, readme


#: So many parameters of the whole tree may take anything; every other one says what it takes.
MOST_UNTYPED = 450


def untyped_parameters(tree):
    """Return the parameters annotated as `Any` and nothing else."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for each in ast.walk(node.args):
                if isinstance(each, ast.arg) and getattr(each.annotation, "id", "") == "Any":
                    yield each.arg


def test_few_parameters_may_be_anything():
    count = sum(1 for path in SOURCES for _ in untyped_parameters(ast.parse(path.read_text())))
    assert count <= MOST_UNTYPED


def test_no_module_name_is_used_twice():
    """A command is named as it is typed, and the parts of a family are named alike."""
    modules = [path for path in SOURCES if not path.stem.startswith("__") and path.parent.name != "cli"]
    stems = [path.stem for path in modules if path.stem not in FAMILY_PARTS]
    assert sorted(stems) == sorted(set(stems))


def test_folders_fit_a_screen():
    folders = [path.parent for path in SOURCES]
    crowded = {str(folder): folders.count(folder) for folder in folders if folders.count(folder) > 30}
    assert not crowded


OURS = [card.estimator for card in catalog.cards() if card.estimator.__module__.startswith("classica.")]
of_every_card = pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.__name__)


def depth(kind):
    """Return the length of the longest chain of our own classes from a class, inclusive, to the root."""
    bases = [base for base in kind.__bases__ if base.__module__.startswith("classica.")]
    return 1 + max(map(depth, bases), default=0)


@of_every_card
def test_own_base_classes_are_at_most_four_deep(kind):
    assert depth(kind) <= 4, [base.__name__ for base in kind.__mro__]


def methods_of(kind):
    """Return the methods in the body of a class, in the file of its module."""
    tree = ast.parse(Path(inspect.getsourcefile(kind)).read_text())
    [body] = [
        node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    ]
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def only_calls_its_base(method):
    """Return whether all that a method does is to call the method of the same name of its base."""
    steps = [step for step in map(ast.unparse, method.body[1:]) if step != "return self"]  # without docstring
    return len(steps) == 1 and f"super().{method.name}(" in steps[0]


@pytest.mark.parametrize("body", ["return super().fit(X, y)", "super().fit(X, y)\n    return self"])
def test_a_mere_call_of_the_base_is_noticed(body):
    [method] = ast.parse(f'def fit(self, X, y):\n    """Learn."""\n    {body}').body
    assert only_calls_its_base(method)


@of_every_card
def test_fit_and_the_rule_of_prediction_stand_in_the_class(kind):
    methods = methods_of(kind)
    rules = {"predict", "predict_proba", "decision_function"} & methods.keys()
    assert "fit" in methods
    assert rules
    assert not [name for name in ("fit", *rules) if only_calls_its_base(methods[name])]


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
