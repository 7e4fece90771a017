"""A classifier that comes through the entry point is in the commands and in the contract tests."""

import os
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


@pytest.fixture
def plugin_environment(tmp_path):
    (tmp_path / "always_first.py").write_text(MODULE)
    info = tmp_path / "always_first-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: always-first\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[classica.estimators]\nalways-first = always_first\n")
    return os.environ | {"PYTHONPATH": str(tmp_path)}


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
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[classica.estimators]\nbroken = no_such_module\n")
    done = run(os.environ | {"PYTHONPATH": str(tmp_path)}, "classica", "models")
    assert done.returncode == 0
    assert "The plug-in 'broken' (no_such_module) could not be loaded" in done.stderr
    assert "nearest-mean" in done.stdout
