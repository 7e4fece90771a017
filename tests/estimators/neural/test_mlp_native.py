"""The kernels of the neural network against plain references."""

import _thread
import threading
import time

import numpy as np
import pytest

from classica.estimators.neural.mlp_network import Network
from classica.native.networks import learning_pass, loss_and_gradient, network_scores
from tests.layouts import LAYOUTS
from tests.reference import mlp

pytestmark = pytest.mark.native

SIZES = [(1, 1), (3, 2), (4, 1, 2), (5, 7, 3), (2, 8, 8, 4), (30, 100, 10), (9, 17, 5, 3), (300, 40, 2)]
each_size = pytest.mark.parametrize("sizes", SIZES, ids=str)
each_activation = pytest.mark.parametrize("activation", mlp.ACTIVATIONS)


def network_of(sizes, activation="relu"):
    random = np.random.default_rng(1)
    return Network(sizes, activation, random.normal(size=sizes[0]), random.uniform(0.5, 2, size=sizes[0]))


def rows_of(sizes, rows=300, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(rows, sizes[0])), random.integers(sizes[-1], size=rows).astype(np.int32)


def standardised(network, X):
    return (X - network.center) * network.scale


def joined(network, layers):
    """Return what belongs to each parameter in the layout of the kernel."""
    flat = network.empty()
    for (weights, biases), (to_weights, to_biases) in zip(layers, network.layers(flat), strict=True):
        to_weights[:], to_biases[:] = weights, biases
    return flat


@each_size
@each_activation
def test_scores_equal_the_reference(sizes, activation):
    network, (X, _) = network_of(sizes, activation), rows_of(sizes)
    parameters = network.drawn(3)
    expected = mlp.forward(standardised(network, X), network.layers(parameters), activation)[-1]
    np.testing.assert_allclose(network_scores(X, network.arrays, parameters, 2), expected, rtol=0, atol=1e-12)


@each_size
@each_activation
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_loss_and_gradient_equal_the_reference(sizes, activation, weighted):
    network, (X, codes) = network_of(sizes, activation), rows_of(sizes, rows=700)
    parameters, order = network.drawn(3), np.random.default_rng(4).integers(700, size=900).astype(np.uint32)
    weights = np.linspace(0, 3, 700) if weighted else None
    loss, gradient = loss_and_gradient((X, codes, weights, order), network.arrays, parameters, 2)
    of_case = np.ones(900) if weights is None else weights[order]
    expected = mlp.loss_and_gradient(
        standardised(network, X)[order], codes[order], of_case, network.layers(parameters), activation
    )
    np.testing.assert_allclose(loss, expected[0], rtol=1e-13)
    np.testing.assert_allclose(gradient, joined(network, expected[1]), rtol=0, atol=1e-10)


@each_activation
def test_gradient_is_the_slope_of_the_loss(activation):
    network, (X, codes) = network_of((4, 6, 5, 3), activation), rows_of((4, 3), rows=50)
    cases = X, codes, None, np.arange(50, dtype=np.uint32)
    parameters = network.drawn(8)
    _, gradient = loss_and_gradient(cases, network.arrays, parameters, 1)
    for place in np.flatnonzero(joined(network, [(1, 1)] * 3)):
        losses = []
        for move in (1e-6, -1e-6):
            moved = parameters.copy()
            moved[place] += move
            losses.append(loss_and_gradient(cases, network.arrays, moved, 1)[0])
        assert (losses[0] - losses[1]) / 2e-6 == pytest.approx(gradient[place], abs=2e-7)


@each_size
@pytest.mark.parametrize("solver", ["adam", "momentum", "nesterov"])
@pytest.mark.parametrize(("rows", "batch"), [(50, 20), (700, 300)])
def test_a_pass_equals_steps_of_the_reference(sizes, solver, rows, batch):
    network, (X, codes) = network_of(sizes, "tanh"), rows_of(sizes, rows=rows)
    order = np.random.default_rng(5).permutation(rows).astype(np.uint32)
    parameters, first, second = network.drawn(3), network.empty(), network.empty()
    expected, alpha, penalised = parameters.copy(), 0.3, joined(network, [(1, 0)] * (len(sizes) - 1))
    velocity, squares, expected_loss = first.copy(), second.copy(), 0.0
    for number, at in enumerate(range(0, rows, batch), start=4):
        part = order[at : at + batch]
        layers = network.layers(expected)
        loss, slopes = mlp.loss_and_gradient(
            standardised(network, X)[part], codes[part], np.ones(len(part)), layers, "tanh"
        )
        expected_loss += loss + 0.5 * alpha * (penalised * expected**2).sum()
        slope = (joined(network, slopes) + alpha * penalised * expected) / len(part)
        if solver == "adam":
            change, velocity, squares = mlp.adam_step(slope, velocity, squares, number, 0.01)
        else:
            change, velocity = mlp.momentum_step(slope, velocity, 0.01, 0.9, solver == "nesterov")
        expected += change
    rules = solver == "adam", solver == "nesterov", 0.01, 0.9, 0.9, 0.999, 1e-8, alpha, batch
    state = parameters, first, second, 3
    loss = learning_pass((X, codes, None, order), network.arrays, rules, *state, 1)
    assert loss == pytest.approx(expected_loss, rel=1e-12)
    np.testing.assert_allclose(parameters, expected, rtol=0, atol=1e-11)
    np.testing.assert_allclose(first, velocity, rtol=0, atol=1e-11)


@each_size
def test_padding_stays_zero(sizes):
    network, (X, codes) = network_of(sizes, "logistic"), rows_of(sizes, rows=50)
    parameters, first, second = network.drawn(3), network.empty(), network.empty()
    order = np.arange(50, dtype=np.uint32)
    rules = True, True, 0.01, 0.9, 0.9, 0.999, 1e-8, 0.1, 7
    learning_pass((X, codes, None, order), network.arrays, rules, parameters, first, second, 0, 2)
    filling = joined(network, [(1, 1)] * (len(sizes) - 1)) == 0
    for values in (parameters, first, second):
        assert not values[filling].any()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_and_cutting_change_no_bit(layout, dtype):
    network = network_of((5, 33, 3))
    X = rows_of((5, 3), rows=1000)[0].astype(dtype)
    parameters = network.drawn(2)
    whole = network_scores(X, network.arrays, parameters, 1)
    np.testing.assert_array_equal(network_scores(LAYOUTS[layout](X), network.arrays, parameters, 3), whole)
    for cut in (1, 5, 7, 255):
        parts = [network_scores(X[i : i + cut], network.arrays, parameters, 2) for i in range(0, 1000, cut)]
        np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_threads_change_no_bit():
    network, (X, codes) = network_of((5, 33, 3)), rows_of((5, 3), rows=5000)
    cases = X, codes, None, np.arange(5000, dtype=np.uint32)
    alone = loss_and_gradient(cases, network.arrays, network.drawn(2), 1)
    for threads in (2, 5):
        loss, gradient = loss_and_gradient(cases, network.arrays, network.drawn(2), threads)
        assert loss == alone[0]
        np.testing.assert_array_equal(gradient, alone[1])


@pytest.mark.parametrize("batch", [50, 5000])
def test_a_pass_stops_when_asked(batch):
    """It would take a minute or so; how soon it stops is for the tests of the pool to say."""
    network, (X, codes) = network_of((100, 500, 3)), rows_of((100, 3), rows=5000)
    order = np.tile(np.arange(5000, dtype=np.uint32), 1000)
    rules = True, True, 0.001, 0.9, 0.9, 0.999, 1e-8, 0.1, batch
    threading.Timer(0.2, _thread.interrupt_main).start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        learning_pass(
            (X, codes, None, order),
            network.arrays,
            rules,
            network.drawn(0),
            network.empty(),
            network.empty(),
            0,
            2,
        )
    assert time.perf_counter() - start < 10


@each_activation
@pytest.mark.parametrize("size", [1e5, 1e150, 1e300])
def test_no_input_gives_anything_but_numbers(activation, size):
    network = Network((4, 9, 9, 3), activation, np.zeros(4), np.ones(4))
    X = size * np.sign(rows_of((4, 3), rows=40)[0])
    assert np.isfinite(network_scores(X, network.arrays, 100 * network.drawn(6), 1)).all()


@pytest.mark.parametrize("wrong", [{"codes": 3}, {"codes": -1}, {"order": 10}, {"parameters": 1}])
def test_arrays_that_do_not_fit_are_refused(wrong):
    network, (X, codes) = network_of((4, 5, 3)), rows_of((4, 3), rows=10)
    order = np.arange(10, dtype=np.uint32)
    codes[0], order[0] = wrong.get("codes", 0), wrong.get("order", 0)
    parameters = network.drawn(0)[wrong.get("parameters", 0) :]
    with pytest.raises(ValueError, match="must"):
        loss_and_gradient((X, codes, None, order), network.arrays, parameters, 1)
