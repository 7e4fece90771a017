"""What may be in a file, as it is described: nothing is left unchecked, what a kind forbids is refused."""

import math
import warnings
from collections import defaultdict

import numpy as np
import pytest

import classica as c
from classica import kinds, load, save
from classica.errors import ModelFileError
from classica.persist import description
from tests.contract.cases import table
from tests.persist.damage import taken_apart, whole_file
from tests.persist.models import frame

X, y = table(rows=40, columns=3)


def descriptions():
    """Give every description, with the name of its class."""
    for cls, found in description.described_estimators().items():
        yield cls.__name__, found
    for name, (_, found) in description._records.items():
        yield name, found


def test_every_attribute_has_a_kind_that_refuses_something():
    """A kind that let anything through has been the cause of raw errors in models that were loaded."""
    for name, found in descriptions():
        for attribute, kind in {**found.attributes, **found.optional}.items():
            if isinstance(kind, kinds.Derived):
                continue
            with pytest.raises(ModelFileError):
                kind.check(object(), kinds.Scope(f"{name}.{attribute}", defaultdict(lambda: 3)))


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (kinds.Array("f8", "n", inf="-"), [-math.inf, 0.0], [math.inf, 0.0]),
        (kinds.Array("f8", "n", inf="+"), [math.inf, 0.0], [-math.inf, 0.0]),
        (kinds.Array("f8", "n"), [0.0], [math.inf]),
        (kinds.Array("f8", "n", nan=True), [math.nan], [-math.inf]),
        (kinds.Array("f8", "n", high=0.0), [-1.0, 0.0], [0.1]),
        (kinds.Array("f8", "n", most=1.0), [-1.0, 1.0], [-2.0]),
        (kinds.Array("f8", 2), [1.0, 2.0], [1.0]),
    ],
    ids=["minus", "plus", "finite", "missing", "high", "most", "size"],
)
def test_arrays_hold_what_their_kind_says(kind, good, bad):
    kind.check(np.array(good), kinds.Scope("it"))
    with pytest.raises(ModelFileError, match=r"^it must be"):
        kind.check(np.array(bad), kinds.Scope("it"))


@pytest.fixture
def changed(tmp_path):
    """Return a function that saves a model, lets its records and arrays be changed, and loads it."""

    def through(model, change):
        path = tmp_path / "m.classica"
        save(model, path)
        header, arrays = taken_apart(path.read_bytes())
        change({item.get("record") or item["estimator"]: item["state"] for item in header["objects"]}, arrays)
        path.write_bytes(whole_file(header, arrays))
        return load(path)

    return through


def test_log_probabilities_of_plus_infinity_are_refused(changed):
    """Naive Bayes answered NaN."""

    def change(states, arrays):
        place = states["CodeTable"]["logs"]["array"]
        arrays[place] = np.full_like(arrays[place], np.inf)

    with pytest.raises(ModelFileError, match=r"logs must be below infinity"):
        changed(c.NaiveBayesClassifier().fit(*frame(gaps=False)), change)


@pytest.mark.parametrize("levels", [{"tuple": [99]}, {"tuple": [2**62 - 1]}, {"tuple": ["x"]}, [0], 5])
def test_conditions_of_rules_are_about_levels_there_are(changed, levels):
    def change(states, arrays):
        states["Condition"]["levels"] = levels

    with pytest.raises(ModelFileError, match=r"RuleSetClassifier\.rules_"):
        changed(c.RuleSetClassifier().fit(*frame()), change)


def test_the_table_of_rules_is_that_of_the_rules(changed):
    def change(states, arrays):
        place = states["RuleTable"]["high"]["array"]
        arrays[place] = np.where(np.isfinite(arrays[place]), arrays[place] + 1, 0.0)

    with pytest.raises(ModelFileError, match="what follows from the rest of the model"):
        changed(c.RuleSetClassifier().fit(X, y), change)


@pytest.mark.parametrize(
    ("model", "attribute"),
    [
        (c.NearestMeanClassifier(), "n_iter_"),
        (c.SVMClassifier(), "slacks_"),
        (c.LinearSVMClassifier(), "_duals"),
        (c.LogisticClassifier(), "deviance_"),
        (c.QuadraticDiscriminantClassifier(), "ranks_"),
        (c.WeightedMajorityClassifier(random_state=0), "expected_mistakes_"),
    ],
    ids=lambda each: each if isinstance(each, str) else type(each).__name__,
)
@pytest.mark.parametrize("value", [{"dict": [["x", 1]]}, "x", {"tuple": []}, {"set": []}])
def test_what_is_only_shown_has_a_kind_too(changed, model, attribute, value):
    """Such files were loaded, and some of them could not be saved again."""

    def change(states, arrays):
        states[list(states)[-1]][attribute] = value

    with pytest.raises(ModelFileError, match=attribute):
        changed(model.fit(X, y), change)


def test_scores_that_are_huge_leak_no_warning(changed):
    def change(states, arrays):
        place = states["SupportVectors"]["offsets"]["array"]
        arrays[place] = np.array([1e308, 1e308, -1e308])

    model = changed(c.SVMClassifier().fit(X, y), change)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert set(model.predict(X)) <= set(y)


def test_columns_of_categories_may_have_different_numbers_of_levels(tmp_path):
    """Sizes that share a symbol had to be the same."""
    coded = np.column_stack([np.arange(40) % 3, np.arange(40) % 5, X[:, 2]]).astype(float)
    model = c.DecisionTreeClassifier(categorical_features=[0, 1]).fit(coded, y)
    save(model, tmp_path / "m.classica")
    np.testing.assert_array_equal(load(tmp_path / "m.classica").predict(coded), model.predict(coded))
