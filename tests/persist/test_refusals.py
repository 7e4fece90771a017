"""What cannot be saved is refused in one sentence that names it, and nothing is written."""

import numpy as np
import pytest
from numpy.random import RandomState
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

import classica as c
from classica import load, save
from classica.errors import ModelFileError
from tests.contract.cases import table

X, y = table(rows=30, columns=3)


def distance(a, b):
    return np.abs(a - b).sum()


class Halves:
    """A splitter of somebody else."""

    def split(self, X, y=None, groups=None):
        yield np.arange(0, len(X), 2), np.arange(1, len(X), 2)
        yield np.arange(1, len(X), 2), np.arange(0, len(X), 2)

    def get_n_splits(self, X=None, y=None, groups=None):
        return 2


REFUSED = {
    "a function as metric": (c.KNeighborsClassifier(metric=distance), "metric of KNeighborsClassifier"),
    "a function as weights": (
        c.KNeighborsClassifier(weights=np.reciprocal),
        "weights of KNeighborsClassifier",
    ),
    "a function as kernel": (c.SVMClassifier(kernel=lambda a, b: a @ b.T), "kernel"),
    "a generator": (c.RandomForestClassifier(2, random_state=np.random.RandomState(0)), "random_state"),
    "a foreign member": (c.VotingClassifier([("a", LogisticRegression())]), "LogisticRegression"),
    "a foreign base": (c.BaggingClassifier(LogisticRegression(), 2), "LogisticRegression"),
    "a strange splitter": (
        c.BayesDecisionClassifier(c.SVMClassifier(), calibration="sigmoid", cv=Halves()),
        "cv of .* a list of splits",
    ),
    "a splitter with a generator": (
        c.BayesDecisionClassifier(c.C45Classifier(), cv=KFold(shuffle=True, random_state=RandomState(0))),
        "random_state",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, tmp_path):
    model, word = REFUSED[name]
    with pytest.raises(ModelFileError, match=word) as caught:
        save(model.fit(X, y), tmp_path / "m.classica")
    assert str(caught.value).count("\n") == 0
    assert " must be " in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        make_pipeline(StandardScaler(), c.LogisticClassifier()),
        c.C45Classifier,
        {"a": 1},
        None,
    ],
    ids=["foreign", "pipeline", "class", "dict", "nothing"],
)
def test_no_estimator_of_ours(model, tmp_path):
    with pytest.raises(ModelFileError, match="model must be an estimator of the catalog"):
        save(model, tmp_path / "m.classica")


def test_not_fitted(tmp_path):
    for model in (c.C45Classifier(), c.BayesDecisionClassifier(c.C45Classifier()), c.VotingClassifier()):
        with pytest.raises(ModelFileError, match="fitted before"):
            save(model, tmp_path / "m.classica")


def test_not_plain(tmp_path):
    model = c.NearestMeanClassifier().fit(X, y)
    for odd in (object(), {1, 2}, 1j, np.array([1j]), np.array([None, 1]), range(3), 2**5000, model.fit):
        model.n_iter_ = odd
        with pytest.raises(ModelFileError, match="n_iter_"):
            save(model, tmp_path / "m.classica")


def test_what_contains_itself(tmp_path):
    model = c.NearestMeanClassifier().fit(X, y)
    model.n_iter_ = [1]
    model.n_iter_.append(model.n_iter_)
    with pytest.raises(ModelFileError, match="must not contain itself"):
        save(model, tmp_path / "m.classica")


def test_metadata_must_be_json(tmp_path):
    model = c.NearestMeanClassifier().fit(X, y)
    for odd in ({"a": object()}, {"a": float("nan")}, {"a": {1, 2}}):
        with pytest.raises(ModelFileError, match="metadata must be plain JSON"):
            save(model, tmp_path / "m.classica", metadata=odd)


@pytest.mark.parametrize(
    "value",
    [
        0.1,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        2**80,
        -1,
        True,
        None,
        "ü\ud800\n",
        b"\0\xff",
        (),
        ((1,), [2.0]),
        {},
        {1: {"a": ()}},
        np.float32(0.1),
        np.int8(-3),
        np.bool_(True),
        np.str_("x"),
        np.datetime64("2020-01-01"),
        frozenset({2, 1}),
        np.arange(6).reshape(2, 3).T,
        np.array(["a", "bc"]),
        np.array(["a", "bc"], object),
        np.zeros((0, 3)),
        np.array(5.0),
        np.arange(3, dtype=">i4"),
        np.array([b"a"]),
        np.float16([1.5]),
        np.array([True, False]),
        np.arange(8)[::2],
    ],
    ids=repr,
)
def test_plain_values_come_back(value, tmp_path, anything):
    save(anything(value), tmp_path / "m.classica")
    found = load(tmp_path / "m.classica").value_
    assert type(found) is type(value)
    if isinstance(value, np.ndarray | np.generic):
        np.testing.assert_array_equal(found, value)
        assert found.dtype == value.dtype.newbyteorder("=")
    else:
        assert repr(found) == repr(value)


def test_settings_of_scikit_learn_come_back(tmp_path):
    model = c.LinearDiscriminantClassifier().set_output(transform="default").fit(X, y)
    save(model, tmp_path / "m.classica")
    check_is_fitted(load(tmp_path / "m.classica"))
