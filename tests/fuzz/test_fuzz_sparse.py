"""Damaged sparse matrices into every learner that takes sparse ones: a prediction or our own error.

A child does the work, so that a crash is seen. Plain pytest gives a few dozen matrices to each learner,
``-m full`` thousands. The counts are printed (``-s``).
"""

import collections
import json
import os
import traceback
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import classica as c
from classica import catalog
from classica.errors import ClassicaError
from classica.sparse_rows import sound_rows
from tests.fuzz.sparse_matrices import as_table, damaged, is_sound

RANDOM = np.random.default_rng(0)
X = np.where(RANDOM.random((10, 8)) < 0.5, RANDOM.integers(1, 5, (10, 8)), 0).astype(float)
Y = np.array(["a", "b", "c"])[np.arange(10) % 3]


#: What scikit-learn's checks want to read word for word, of sound matrices that do not fit.
OF_SCIKIT_LEARN = ("Complex data not supported", "features, but", "inconsistent numbers of samples")


def learners():
    """Return an unfitted model of every kind that takes sparse rows."""
    found = {card.slug: card.build() for card in catalog.cards()}
    quick = c.NearestMeanClassifier()
    found |= {
        "naive-bayes": c.NaiveBayesClassifier(numeric="bernoulli"),
        "voted": c.PerceptronClassifier("voted", max_iter=3),
        "bagging": c.BaggingClassifier(quick, n_estimators=2, random_state=0),
        "voting": c.VotingClassifier([("a", quick), ("b", c.ChanceClassifier())]),
        "one-vs-all": c.OneVsAllClassifier(c.PerceptronClassifier(max_iter=3)),
        "all-vs-all": c.AllVsAllClassifier(c.LogisticClassifier()),
        "decision": c.BayesDecisionClassifier(quick),
        "calibrated": c.BayesDecisionClassifier(quick, calibration="sigmoid", cv=2),
    }
    return {name: model for name, model in found.items() if model.__sklearn_tags__().input_tags.sparse}


def outcome(call):
    """Return "answered" or the name of our error; anything else is raised."""
    try:
        call()
    except ClassicaError as error:
        return type(error).__name__
    except ValueError as error:
        if not any(words in str(error) for words in OF_SCIKIT_LEARN):
            raise
        return "ValueError of scikit-learn"
    return "answered"


def try_matrix(seed, models, fitted):
    """Fit and predict with one damaged matrix."""
    counts = collections.Counter()
    for name, model in models.items():
        for what, call in (
            ("fit", lambda model=model: model.fit(damaged(seed), Y)),
            ("predict", lambda name=name: fitted[name].predict(damaged(seed))),
        ):
            try:
                counts[f"{what}: {outcome(call)}"] += 1
            except Exception as error:
                raise AssertionError(f"seed {seed}, {name}, {what}") from error
    return counts


def try_matrices(seeds):
    """Return how often each learner answered or refused, by fit and predict."""
    models, counts = learners(), collections.Counter()
    fitted = {name: model.fit(sp.csr_matrix(X), Y) for name, model in learners().items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what scikit-learn and SciPy say of odd input is their matter
        for seed in seeds:
            counts += try_matrix(seed, models, fitted)
    return counts


def in_child(seeds):
    """Do the same in a forked child; a crash fails with the signal that ended it."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside threads, which we can
        child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(write, json.dumps(try_matrices(seeds)).encode())
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read) as told:
        text = told.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, f"seeds {seeds}: ended by {os.waitstatus_to_exitcode(status)}"
    return collections.Counter(json.loads(text))


def test_damaged_matrices_are_refused_by_every_learner():
    counts = in_child(range(40))
    assert counts["predict: DataError"] > counts["predict: answered"] > 0
    assert counts["fit: DataError"] > counts["fit: answered"] > 0


@pytest.mark.full
@pytest.mark.parametrize("part", range(12))
def test_thousands_of_damaged_matrices(part):
    print(sorted(in_child(range(500 * part, 500 * (part + 1))).items()))


def test_a_matrix_is_taken_if_and_only_if_it_is_sound():
    taken = 0
    for seed in range(1500):
        matrix = damaged(seed)
        if matrix.format != "csr" or getattr(matrix.data, "dtype", np.dtype("O")).kind not in "uif":
            continue
        if is_sound(matrix):
            np.testing.assert_array_equal(sound_rows(matrix).toarray(), as_table(matrix))
            taken += 1
        else:
            with pytest.raises(ClassicaError, match="must be"):
                sound_rows(matrix)
    assert taken > 100
