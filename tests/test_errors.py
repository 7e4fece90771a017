import pickle

import numpy as np
import pytest

from classica.errors import (
    ClassicaError,
    DataError,
    ParameterError,
    PluginError,
    RunBusyError,
    RunError,
    must,
)


def test_must_is_one_sentence():
    assert must("K", "odd", 4) == "K must be odd, got 4."
    assert must("K", "odd", "four") == "K must be odd, got 'four'."


def test_a_long_value_is_shortened():
    shown = must("K", "odd", "x" * 78).removeprefix("K must be odd, got ")
    assert shown == repr("x" * 78) + "."
    shown = must("K", "odd", "x" * 79).removeprefix("K must be odd, got ")
    assert shown == "'" + "x" * 76 + "...."


def test_an_array_stays_on_one_line():
    assert "\n" not in must("K", "odd", np.arange(100.0).reshape(10, 10))


@pytest.mark.parametrize("kind", [DataError, ParameterError, PluginError, RunError, RunBusyError])
def test_every_error_is_ours(kind):
    assert issubclass(kind, ClassicaError)


def test_errors_are_the_ones_scikit_learn_expects():
    assert issubclass(DataError, ValueError)
    assert issubclass(ParameterError, ValueError)
    assert issubclass(ParameterError, TypeError)


@pytest.mark.parametrize("kind", [DataError, ParameterError, PluginError, RunError, RunBusyError])
def test_errors_travel_between_processes(kind):
    back = pickle.loads(pickle.dumps(kind("K must be odd, got 4.")))
    assert type(back) is kind
    assert str(back) == "K must be odd, got 4."
