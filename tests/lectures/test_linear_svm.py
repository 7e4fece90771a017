"""The support vector machine of the lectures: two rings (Torino), and the penalty chosen on held-out rows."""

import numpy as np
import pytest

from classica import LinearSVMClassifier
from tests.lectures.rings import lifted, rings


@pytest.mark.parametrize("solver", ["exact", "sgd"])
def test_a_plane_does_not_tell_rings_apart_but_a_lifted_one_does(solver):
    X, y = rings(150, 150, seed=0)
    new, new_y = rings(151, 49, seed=1)
    accuracies = []
    for seed in range(5):
        flat = LinearSVMClassifier(solver=solver, random_state=seed).fit(X, y)
        accuracies.append(flat.score(new, new_y))
    lift = LinearSVMClassifier(solver=solver, random_state=0).fit(lifted(X), y)
    assert lift.score(lifted(new), new_y) == 1.0
    if solver == "exact":  # the lecture's own: 44.5 %, where guessing gives 45 %
        assert 0.40 <= np.mean(accuracies) <= 0.55


def test_one_step_by_hand():
    # a = 0, b = 0: the first row drawn is inside the margin, so a = eta y x and b = eta y.
    X, y = np.array([[2.0, -1.0], [2.0, -1.0], [-2.0, 1.0], [-2.0, 1.0]]), np.array([1, 1, 0, 0])
    model = LinearSVMClassifier(0.1, solver="sgd", eta0=0.5, max_iter=1, random_state=0).fit(X, y)
    # y x is the same for all rows. Step one: a = (1, -0.5); then y (a.x + b) = 2.5 ± 0.5 >= 1: from there on
    # a only shrinks, by 1 - 0.5 * 0.1 in each of the three steps left.
    np.testing.assert_allclose(model.coef_, [[0.95**3, -0.5 * 0.95**3]])
    assert abs(model.intercept_[0]) == 0.5


def test_penalty_is_chosen_on_held_out_rows():
    X, y = rings(150, 150, seed=0)
    model = LinearSVMClassifier("validation", random_state=0).fit(lifted(X), y)
    assert model.validation_scores_[model.alpha_] == max(model.validation_scores_.values())
    new, new_y = rings(151, 49, seed=1)
    assert model.score(lifted(new), new_y) > 0.99
