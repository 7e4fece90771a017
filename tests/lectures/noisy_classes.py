"""Two classes that trees of different rows see differently."""

import numpy as np
from sklearn.datasets import make_classification


def noisy(seed, rows=600):
    """Return rows and labels to learn from, and as many new ones."""
    X, y = make_classification(2 * rows, 12, n_informative=6, flip_y=0.1, random_state=seed)
    return X[:rows], y[:rows], X[rows:], y[rows:]


def errors(model, seeds=5):
    """Return the mean error on new rows."""
    found = []
    for seed in range(seeds):
        X, y, new, truth = noisy(seed)
        found.append(1 - model.fit(X, y).score(new, truth))
    return np.mean(found)
