from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from classica.errors import ParameterError
from classica.params import (
    N_JOBS,
    Boolean,
    Infinity,
    Integer,
    IntegerPerClass,
    Nothing,
    Numbers,
    OneOf,
    Real,
    Seed,
    check_parameters,
)

ACCEPTED = [
    (Nothing(), None),
    (OneOf("a", "b"), "b"),
    (OneOf("a", "b"), np.str_("a")),
    (Boolean(), False),
    (Boolean(), np.True_),
    (Integer(), -3),
    (Integer(at_least=1), 1),
    (Integer(at_least=1), np.int8(5)),
    (Integer(at_most=4), 4),
    (Integer(at_least=1, at_most=4), 4),
    (Integer(), 10**30),
    (Real(), 0),
    (Real(above=0), 1e-300),
    (Real(above=0), np.float32(0.5)),
    (Real(at_least=0), 0.0),
    (Real(at_most=1), 1),
    (Real(above=0), Fraction(1, 2)),
    (Infinity(), float("inf")),
    (Numbers(), [0.5, 1]),
    (Numbers(), (1, 2)),
    (Numbers(), np.ones(3, np.float32)),
    (Numbers(), []),
    (IntegerPerClass(), {"a": 1, 2: 3}),
    (Seed(), None),
    (Seed(), 0),
    (Seed(), 2**32 - 1),
    (Seed(), np.int64(7)),
    (Seed(), np.random.RandomState(0)),
    (N_JOBS, None),
    (N_JOBS, -1),
    (OneOf("a") | Nothing() | Integer(), 5),
]

REFUSED = [
    (Nothing(), 0),
    (OneOf("a", "b"), "c"),
    (OneOf("a", "b"), None),
    (OneOf("a", "b"), ["a"]),
    (Boolean(), 1),
    (Boolean(), "True"),
    (Integer(), 1.0),
    (Integer(), True),
    (Integer(), "1"),
    (Integer(at_least=1), 0),
    (Integer(at_most=4), 5),
    (Real(), True),
    (Real(), "0.5"),
    (Real(), np.nan),
    (Real(), np.inf),
    (Real(), 1j),
    pytest.param(Real(), 10**400, id="huge integer"),
    (Real(above=0), 0),
    (Infinity(), -np.inf),
    (Infinity(), "inf"),
    (Real(at_least=0), -1e-300),
    (Real(at_most=1), 1.5),
    (Numbers(), "12"),
    (Numbers(), 1.0),
    (Numbers(), [1, np.nan]),
    (Numbers(), [1, np.inf]),
    (Numbers(), ["a", "b"]),
    (Numbers(), [[0.5, 0.5]]),
    (Numbers(), [[1], [1, 2]]),
    (Numbers(), {0.5: 1}),
    (Numbers(), [True, False]),
    (IntegerPerClass(), {"a": 0}),
    (IntegerPerClass(), {"a": 1.5}),
    (IntegerPerClass(), [("a", 1)]),
    (Seed(), -1),
    (Seed(), 2**32),
    (Seed(), 0.5),
    (Seed(), "0"),
    (Seed(), np.random.default_rng(0)),
    (N_JOBS, 1.5),
    (OneOf("a") | Nothing() | Integer(), 0.5),
]

SENTENCES = [
    (Nothing(), "None"),
    (OneOf("a"), "'a'"),
    (OneOf("a", "b"), "'a' or 'b'"),
    (OneOf("a", "b", "c"), "'a', 'b' or 'c'"),
    (Boolean(), "True or False"),
    (Integer(), "an integer"),
    (Integer(at_least=1), "an integer of at least 1"),
    (Integer(at_most=9), "an integer of at most 9"),
    (Integer(at_least=1, at_most=9), "an integer from 1 to 9"),
    (Real(), "a number"),
    (Real(above=0), "a number above 0"),
    (Infinity(), "infinity"),
    (Real(at_least=0, at_most=0.5), "a number from 0 to 0.5"),
    (Numbers(), "a sequence of finite numbers"),
    (IntegerPerClass(), "a dict from class labels to integers of at least 1"),
    (Seed(), "None, an integer from 0 to 2**32 - 1 or a numpy RandomState"),
    (Nothing() | Real(above=0), "None or a number above 0"),
]


@pytest.mark.parametrize(("rule", "value"), ACCEPTED)
def test_accepts(rule, value):
    assert rule.accepts(value)


@pytest.mark.parametrize(("rule", "value"), REFUSED)
def test_refuses(rule, value):
    assert not rule.accepts(value)


@pytest.mark.parametrize(("rule", "sentence"), SENTENCES)
def test_reads_well_after_must_be(rule, sentence):
    assert str(rule) == sentence


class Ruled:
    parameter_rules = {"kind": OneOf("a", "b"), "size": Integer(at_least=1)}  # noqa: RUF012

    def __init__(self, kind="a", size=1):
        self.kind = kind
        self.size = size

    def get_params(self, deep=True):
        assert not deep
        return {"kind": self.kind, "size": self.size}


def test_parameters_that_keep_their_rules_pass():
    check_parameters(Ruled("b", 3))


def test_the_first_broken_rule_is_told_in_one_sentence():
    with pytest.raises(ParameterError, match=r"^kind must be 'a' or 'b', got 'c'\.$"):
        check_parameters(Ruled("c", 0))
    with pytest.raises(ParameterError, match=r"^size must be an integer of at least 1, got 0\.$"):
        check_parameters(Ruled("a", 0))


def test_numbers_with_labels_of_their_own_are_refused():
    assert Numbers().accepts(pd.Series([0.5, 0.5]))
    assert not Numbers().accepts(pd.Series([0.5, 0.5], index=["yes", "no"]))
