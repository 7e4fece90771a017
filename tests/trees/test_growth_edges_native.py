"""Growing where it is easy to go wrong: scales, weights, missing cells, very many branches, bad arrays."""

import subprocess
import sys
import textwrap

import pytest

from classica.trees.growth import CRITERIA
from tests.trees.growing import (
    NUMBERS,
)

pytestmark = pytest.mark.native

CLASSES = [criterion for criterion in CRITERIA if criterion not in NUMBERS]


def ends_well(script):
    """Run a script in a process of its own, which may die, and return whether it did not."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    return done.returncode == 0


# Surrogates imitate a division into two. Either they are not looked for, or the setting is refused.


def test_divisions_into_many_do_without_surrogates():
    assert ends_well("""
        import numpy as np
        from classica import DecisionTreeClassifier
        from classica.errors import ParameterError
        random = np.random.default_rng(0)
        X = random.integers(0, 40, size=(2000, 4)).astype(float)
        X[random.random(X.shape) < 0.1] = np.nan
        told = {"categories": "multiway", "missing": "surrogate", "categorical_features": range(4)}
        try:
            DecisionTreeClassifier(**told).fit(X, random.integers(0, 3, 2000)).predict(X)
        except ParameterError:
            pass
    """)
