"""A stored forest is small: leaves keep what a vote needs, and no more."""

import pickle

import numpy as np
from sklearn.ensemble import RandomForestClassifier as Peer

from benchmarks.regions import labelled_regions
from classica import RandomForestClassifier


def test_a_pickled_forest_takes_a_quarter_of_the_room_of_scikit_learns():
    data = labelled_regions(20_000, 2_000, n_columns=20, n_classes=5, seed=0)
    ours = RandomForestClassifier(20, random_state=0).fit(data.rows, data.labels)
    peer = Peer(20, random_state=0, n_jobs=2).fit(data.rows, data.labels)
    stored = pickle.dumps(ours)
    assert 4 * len(stored) <= len(pickle.dumps(peer))
    back = pickle.loads(stored)
    np.testing.assert_array_equal(back.predict_proba(data.new_rows), ours.predict_proba(data.new_rows))
    assert ours.score(data.new_rows, data.new_labels) > peer.score(data.new_rows, data.new_labels) - 0.02
