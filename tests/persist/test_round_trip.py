"""What is loaded is what was saved: every bit of every answer, and every byte of the file."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import is_classifier

import classica
from classica import load, save
from tests.contract.cases import CARDS, CASES, assert_same, build, outputs, table_for
from tests.contract.torture import torture_tables
from tests.persist.models import special_models

#: One setting of each card in a fresh process.
FIRST = [case for case in CASES if case.id.endswith("-0")]


def fitted(card, parameters, dtype=np.float64, labels="text"):
    X, y = table_for(card, rows=60)
    if labels == "integers" and y.dtype.kind == "U":
        y = np.unique(y, return_inverse=True)[1] * 7 - 5
    return build(card, parameters).fit(X.astype(dtype), y), X


def assert_whole(model, X, folder, *, answers=outputs):
    """Assert that a model comes back as it was, also with arrays left in the file."""
    first, second = folder / "first.classica", folder / "second.classica"
    save(model, first)
    loaded = load(first)
    save(loaded, second)
    assert first.read_bytes() == second.read_bytes()
    assert_same(answers(model, X), answers(loaded, X))
    assert_same(answers(model, X), answers(load(first, mmap=True), X))


@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])
@pytest.mark.parametrize("labels", ["text", "integers"])
@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_every_kind_in_this_process(card, parameters, labels, dtype, tmp_path):
    model, X = fitted(card, parameters, dtype, labels)
    assert_whole(model, X, tmp_path)
    assert_whole(model, X.astype(np.float32), tmp_path)


ANSWER = """
import sys
import numpy as np
from classica import load, save
from tests.contract.cases import outputs
for path in sys.argv[1:]:
    model = load(path)
    np.savez(path + ".npz", **outputs(model, np.load(path + ".npy")))
    save(model, path + ".again")
"""


def test_every_kind_in_a_fresh_process(tmp_path):
    models, paths = {}, []
    for case in FIRST:
        for labels, dtype in (("text", np.float64), ("integers", np.float32)):
            model, X = fitted(*case.values, dtype, labels)
            path = tmp_path / f"{case.id}-{labels}.classica"
            save(model, path)
            np.save(f"{path}.npy", X)
            models[str(path)] = outputs(model, X)
            paths.append(str(path))
    subprocess.run([sys.executable, "-c", ANSWER, *paths], check=True)
    for path, answers in models.items():
        with np.load(f"{path}.npz") as found:
            assert_same(answers, dict(found))
        with open(path, "rb") as first, open(f"{path}.again", "rb") as second:
            assert first.read() == second.read()
    print(f"{len(paths)} models of {len(CARDS)} kinds are the same in a fresh process")


def test_models_with_other_state(tmp_path):
    """Categories, gaps, metrics, kernels, nested ensembles, decisions, rows added and removed."""
    done = [assert_whole(model, X, tmp_path) for _, model, X in special_models()]
    print(f"{len(done)} special models are the same")


#: Where every learner is tried, those that break careless ones most.
BOUNDED = (
    "one row",
    "one class",
    "all zero",
    "every row its own class",
    "scales from 1e-12 to 1e12",
    "subnormal",
)


def tortured(names, folder):
    tables, done = torture_tables(), 0
    for case in CASES:
        for name in names:
            X, y = tables[name]
            try:
                model = build(*case.values).fit(X, y)
            except classica.errors.ClassicaError:
                continue
            assert_whole(model, X, folder)
            done += 1
    return done


@pytest.mark.filterwarnings("ignore")
def test_models_of_hard_tables(tmp_path):
    print(f"{tortured(BOUNDED[:2], tmp_path)} models of hard tables are the same")


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_models_of_all_hard_tables(tmp_path):
    names = [name for name in torture_tables() if name != "100,000 columns"]
    print(f"{tortured(names, tmp_path)} models of hard tables are the same")


def test_the_same_fit_gives_the_same_bytes(tmp_path):
    for case in FIRST:
        for name in ("a", "b"):
            save(fitted(*case.values)[0], tmp_path / name)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes(), case.id


@pytest.mark.parametrize("card", CARDS)
def test_every_card_is_described(card):
    from classica.persist.description import described_estimators

    assert card.estimator in described_estimators()


def test_learning_goes_on(tmp_path):
    from tests.contract.cases import table

    X, y = table()
    model = classica.NearestMeanClassifier().fit(X[:60], y[:60])
    save(model, tmp_path / "m")
    loaded = load(tmp_path / "m").partial_fit(X[60:], y[60:])
    assert_same(outputs(model.partial_fit(X[60:], y[60:]), X), outputs(loaded, X))


def test_parts_used_twice_are_stored_and_loaded_once(tmp_path):
    from tests.contract.cases import table

    model = classica.VotingClassifier().fit(*table())
    save(model, tmp_path / "m")
    loaded = load(tmp_path / "m")
    assert loaded.named_estimators_["bayes"] is loaded.estimators_[0]


def test_a_forest_is_no_larger_than_its_arrays(tmp_path):
    from tests.contract.cases import table

    X, y = table(rows=4000, columns=5)
    model = classica.RandomForestClassifier(100, random_state=0).fit(X, y)
    save(model, tmp_path / "forest")
    found = classica.persist.inspect(tmp_path / "forest")
    print(f"{found['file_bytes']:,} bytes, arrays {found['array_bytes']:,}")
    assert found["file_bytes"] <= 1.02 * found["array_bytes"]


def test_arrays_stay_in_the_file(tmp_path):
    from tests.contract.cases import table

    X, y = table()
    save(classica.RandomForestClassifier(3, random_state=0).fit(X, y), tmp_path / "m")
    nodes = load(tmp_path / "m", mmap=True).forest_.nodes
    assert not nodes.flags.writeable
    assert not nodes.flags.owndata
    assert nodes.ctypes.data % 64 == 0


def test_regressors_too():
    assert any(not is_classifier(case.values[0].build()) for case in CASES)
