"""The same seed gives the same bits, however the work is cut and wherever the numbers lie."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from classica import native
from tests.contract.cases import CASES, assert_close, assert_same, build, outputs, table_for, within

pytestmark = pytest.mark.native


def fitted(card, parameters, X, y, **more):
    return build(card, parameters, **more).fit(X, y)


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_repeated_fit_gives_the_same_bits(card, parameters):
    X, y = table_for(card)
    model = fitted(card, parameters, X, y)
    assert_same(outputs(model, X), outputs(clone(model).fit(X, y), X))


@pytest.mark.parametrize(("card", "parameters"), CASES)
@pytest.mark.parametrize("n_jobs", [2, 5, -1, None])
def test_threads_do_not_change_a_bit(card, parameters, n_jobs):
    X, y = table_for(card, rows=1500, columns=20)
    alone = outputs(fitted(card, parameters, X, y, n_jobs=1), X)
    assert_same(alone, outputs(fitted(card, parameters, X, y, n_jobs=n_jobs), X))


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_many_rows_and_threads_do_not_change_a_bit(card, parameters):
    X, y = table_for(card, rows=10_000, columns=6)
    alone = outputs(fitted(card, parameters, X, y, n_jobs=1), X[::5])
    assert_same(alone, outputs(fitted(card, parameters, X, y, n_jobs=3), X[::5]))


def sliced(X):
    wide = np.full((2 * len(X), 2 * X.shape[1]), 7.0)
    wide[::2, ::2] = X
    return wide[::2, ::2]


LAYOUTS = {
    "columns first": np.asfortranarray,
    "slice": sliced,
    "reversed": lambda X: np.ascontiguousarray(X[::-1])[::-1],
    "list": lambda X: X.tolist(),
}


@pytest.mark.parametrize(("card", "parameters"), CASES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_memory_order_does_not_change_a_bit(card, parameters, layout):
    X, y = table_for(card)
    other = LAYOUTS[layout](X)
    plain = outputs(fitted(card, parameters, X, y), X)
    assert_same(plain, outputs(fitted(card, parameters, other, y), other))


@pytest.mark.parametrize(("card", "parameters"), CASES)
@pytest.mark.parametrize("batch", [1, 7, 8, 64])
def test_batches_do_not_change_a_bit(card, parameters, batch):
    X, y = table_for(card)
    model = fitted(card, parameters, X, y)
    parts = [outputs(model, X[i : i + batch]) for i in range(0, len(X), batch)]
    assert_same(outputs(model, X), {k: np.concatenate([part[k] for part in parts]) for k in parts[0]})


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


@pytest.mark.parametrize(("card", "parameters"), CASES)
@pytest.mark.parametrize("kind", FRAMES)
def test_kind_of_frame_does_not_change_a_bit(card, parameters, kind):
    X, y = table_for(card)
    frame = FRAMES[kind]({f"x{j}": X[:, j] for j in range(X.shape[1])})
    model = fitted(card, parameters, frame, y)
    assert list(model.feature_names_in_) == [f"x{j}" for j in range(X.shape[1])]
    assert_same(outputs(fitted(card, parameters, X, y), X), outputs(model, frame))


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_float32_agrees_with_float64(card, parameters):
    X, y = table_for(card)
    single = X.astype(np.float32)
    double = outputs(fitted(card, parameters, X, y), X)
    assert_close(double, outputs(fitted(card, parameters, single, y), single), 1e-6)


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_pickle_keeps_every_bit(card, parameters):
    X, y = table_for(card)
    model = fitted(card, parameters, X, y)
    assert_same(outputs(model, X), outputs(pickle.loads(pickle.dumps(model)), X))


def outputs_at(level, path):
    """Compute what every case gives at an instruction level, in a process of its own."""
    script = (
        "import pickle, sys\n"
        "from tests.contract.cases import CASES, build, outputs, table_for\n"
        "tables = {c.id: table_for(c.values[0]) for c in CASES}\n"
        "found = {c.id: outputs(build(*c.values).fit(*tables[c.id]), tables[c.id][0]) for c in CASES}\n"
        "pickle.dump(found, open(sys.argv[1], 'wb'))\n"
    )
    environment = os.environ | {"CLASSICA_ISA": level, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script, path], env=environment, check=True)
    return pickle.loads(path.read_bytes())


@pytest.fixture(scope="module")
def baseline_outputs(tmp_path_factory):
    return outputs_at("base", tmp_path_factory.mktemp("level") / "outputs.pickle")


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_instruction_levels_agree(card, parameters, baseline_outputs, request):
    X, y = table_for(card)
    name = request.node.callspec.id
    found = outputs(fitted(card, parameters, X, y), X)
    assert_close(baseline_outputs[name], found, within(card, 1e-12))


@pytest.fixture(scope="module")
def outputs_without_wider_registers(tmp_path_factory):
    """Compute the same at the level in use, by name: then no kernel uses AVX-512."""
    level = native.configuration()["level"]
    return outputs_at(level, tmp_path_factory.mktemp("narrow") / "outputs.pickle")


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_wider_registers_change_no_bit(card, parameters, outputs_without_wider_registers, request):
    X, y = table_for(card)
    name = request.node.callspec.id
    assert_same(outputs_without_wider_registers[name], outputs(fitted(card, parameters, X, y), X))
