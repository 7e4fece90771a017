"""A classifier that comes through the entry point is in the commands and in the contract tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

MODULE = '''
"""A throw-away classifier."""

import numpy as np

from classica.estimators import ChanceClassifier
from classica.registry import register


@register(
    slug="always-first",
    family="plug-in",
    rule=r"\\hat y(x) = c_1",
    plain_rule="the first class, always",
    source="nowhere",
    fit_cost="O(n)",
    predict_cost="O(1) per row",
)
class AlwaysFirstClassifier(ChanceClassifier):
    r"""Say the first class.

    .. math:: \\hat y(x) = c_1

    Parameters
    ----------
    strategy : {"majority", "stratified", "uniform"}, default="majority"
        Ignored by this example.
    random_state : int, RandomState or None, default=None
        Ignored by this example.
    n_jobs : int or None, default=None
        Ignored by this example.

    Attributes
    ----------
    classes_ : ndarray
        The labels.

    Notes
    -----
    Nothing to note.

    Examples
    --------
    >>> AlwaysFirstClassifier().fit([[0.0], [1.0]], ["a", "b"]).predict([[1.0]])
    array(['a'], dtype='<U1')
    """

    def predict_proba(self, X):
        X = self._query(X)
        return np.tile(np.eye(len(self.classes_))[0], (X.shape[0], 1))

    def predict(self, X):
        X = self._query(X)
        return np.repeat(self.classes_[:1], X.shape[0])
'''


def announce(folder, name, module):
    """Write what an installed package says about itself; return the environment in which it is found."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[classica.estimators]\n{name} = {module}\n")
    return os.environ | {"PYTHONPATH": str(folder)}


@pytest.fixture
def plugin_environment(tmp_path):
    (tmp_path / "always_first.py").write_text(MODULE)
    return announce(tmp_path, "always-first", "always_first")


@pytest.fixture
def package_environment(tmp_path):
    """A package with state, explanation, trace and program beside its classifier."""
    shutil.copytree(ROOT / "tests" / "plugins" / "nearest_median", tmp_path / "nearest_median")
    return announce(tmp_path, "nearest-median", "nearest_median.classifier")


def run(environment, *arguments):
    return subprocess.run(
        [sys.executable, "-m", *arguments], env=environment, cwd=ROOT, capture_output=True, text=True
    )


def test_plugin_appears_in_the_table(plugin_environment):
    assert "always-first" in run(plugin_environment, "classica", "models").stdout


def test_plugin_has_a_page(plugin_environment):
    assert "the first class, always" in run(plugin_environment, "classica", "models", "always-first").stdout


def test_plugin_passes_the_contract_tests(plugin_environment):
    done = run(
        plugin_environment,
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/contract",
        "-k",
        "always or Always",
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(done.stdout.split(" passed")[0].split()[-1]) > 100


def test_a_broken_plugin_is_a_warning(tmp_path):
    done = run(announce(tmp_path, "broken", "no_such_module"), "classica", "models")
    assert done.returncode == 0
    assert "The plug-in 'broken' (no_such_module) could not be loaded" in done.stderr
    assert "nearest-mean" in done.stdout


def test_what_stands_beside_a_plugin_is_used_as_ours_is(package_environment, tmp_path):
    """It is compared, saved, loaded in a fresh process, explained, traced and exported, with no edit here."""

    def classica(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "classica", *arguments],
            env=package_environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    compared = ("--models", "nearest-median,lda", "--folds", "3", "--effort", "5", "--no-report")
    answer = classica("compare", "iris", *compared, "--out", "run")
    assert "nearest median" in answer.lower()
    classica("train", "iris", "--model", "nearest-median", "--out", "model.classica")
    assert "Medians" in classica("explain", "model.classica")
    why = classica("explain", "model.classica", "1", "--rows", "iris")
    assert "petallength" in why
    assert "setosa" in why
    assert "The median of each class" in classica("trace", "iris", "--model", "nearest-median")
    predicted = classica("predict", "model.classica", "iris")
    assert predicted.count("\n") > 150
    classica("export", "model.classica", "--to", "python", "--out", "model.py")
    assert "def " in (tmp_path / "model.py").read_text()


def test_a_damaged_file_of_a_plugin_is_refused_by_its_own_state(package_environment, tmp_path):
    code = """
import numpy as np
from classica import catalog, load, save
from classica.errors import ModelFileError
model = catalog.card("nearest-median").build().fit(np.eye(4), [0, 1, 0, 1])
model.__dict__["medians_"] = np.full((2, 3), 1.0)
try:
    save(model, "model.classica")
except ModelFileError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=package_environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert "medians_" in done.stdout, done.stderr
