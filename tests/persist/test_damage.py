"""Files damaged on purpose, with right hashes: a typed error or a valid answer; no crash, no hang."""

import subprocess
import sys
from collections import Counter

import numpy as np
import polars as pl
import pytest
from sklearn.utils import get_tags

from classica import (
    BaggingClassifier,
    NaiveBayesClassifier,
    NearestMeanClassifier,
    VotingClassifier,
    load,
    save,
)
from classica.errors import ModelFileError
from tests.contract.cases import CASES, build, table, table_for
from tests.persist.damage import taken_apart, whole_file
from tests.persist.models import special_models


def written(name, model, X, folder):
    """Return a folder with a good file, to be damaged, and the rows to ask about."""
    folder = folder / name
    folder.mkdir()
    save(model, folder / "good.classica")
    if isinstance(X, pl.DataFrame):
        X[:20].write_parquet(folder / "X.parquet")
    else:
        np.save(folder / "X.npy", query_rows(model, X))
    return folder


def outcomes(folders, last):
    """Return how many damaged files were refused and answered; fail if any did anything else."""
    arguments = [sys.executable, "-m", "tests.persist.child", "0", str(last), *map(str, folders)]
    done = subprocess.run(arguments, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, f"The file after {lines[-1:]} ended the process: {done.stderr[-2000:]}"
    wrong = [line for line in lines if "WRONG" in line]
    assert not wrong, wrong[:5]
    assert len(lines) == last * len(folders)
    return Counter(line.split()[2] for line in lines)


def query_rows(model, X):
    X = X[:20].copy()
    if get_tags(model).input_tags.allow_nan:
        X[::3, 1] = np.nan
    return X


def models():
    for case in CASES:
        X, y = table_for(case.values[0], rows=30, columns=3)
        yield case.id, build(*case.values).fit(X, y), X
    yield from special_models()


#: In plain tests one process for each of these, with kernels that trust what they are given.
BOUNDED = (
    "knn-1",
    "naive-bayes-4",
    "random-forest-0",
    "forest-surrogate",
    "tree-surrogate",
    "rules",
    "voting",
    "table-decision",
)


def test_some_kinds(tmp_path):
    folders = [written(name, model, X, tmp_path) for name, model, X in models() if name in BOUNDED]
    total = outcomes(folders, 150)
    print(f"{total.total():,} damaged files: {dict(total)}")
    assert len(folders) == len(BOUNDED)
    assert min(total["refused"], total["answered"]) > 100


@pytest.mark.full
def test_every_kind(tmp_path):
    total = Counter()
    for name, model, X in models():
        total += outcomes([written(name, model, X, tmp_path)], 2000)
    print(f"{total.total():,} damaged files: {dict(total)}")


@pytest.fixture
def rewritten(tmp_path):
    """Return a function that saves a model, lets header and arrays be changed, and loads the result."""

    def through(model, change):
        path = tmp_path / "m.classica"
        save(model, path)
        header, arrays = taken_apart(path.read_bytes())
        change(header, arrays)
        path.write_bytes(whole_file(header, arrays))
        return load(path)

    return through


def small():
    return NearestMeanClassifier().fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"])


def test_nothing_changed_is_no_damage(rewritten):
    assert rewritten(small(), lambda header, arrays: None).predict([[0.0, 1.0]]).tolist() == ["a"]


def test_a_tower_of_references_is_refused(rewritten):
    """Forty votes about votes, each used twice, would take 2**40 predictions."""

    def change(header, arrays):
        top = len(header["objects"]) - 1
        for _ in range(40):
            state = dict(header["objects"][top]["state"])
            last = {"object": len(header["objects"]) - 1}
            state["estimators_"] = [last, last]
            state["named_estimators_"] = {"bunch": [["a", last], ["b", last]]}
            header["objects"].append({"estimator": "voting", "state": state})

    model = VotingClassifier([("a", NaiveBayesClassifier()), ("b", NaiveBayesClassifier())]).fit(*table())
    with pytest.raises(ModelFileError, match="a few times"):
        rewritten(model, change)


def test_an_object_cannot_contain_itself(rewritten):
    def change(header, arrays):
        state = header["objects"][-1]["state"]
        state["estimator"] = {"object": len(header["objects"]) - 1}

    with pytest.raises(ModelFileError, match="references to what came before"):
        rewritten(BaggingClassifier(n_estimators=2).fit(*table()), change)


def test_methods_cannot_be_hidden(rewritten):
    def change(header, arrays):
        header["objects"][-1]["state"]["predict"] = "harmless"

    with pytest.raises(ModelFileError, match="attributes it has"):
        rewritten(small(), change)


@pytest.mark.parametrize("name", ["os.system", "builtins.eval", "DecisionTreeClassifier", "subprocess", ""])
def test_other_classes_are_not_known(rewritten, name):
    for kind in ("estimator", "record"):

        def change(header, arrays, kind=kind):
            header["objects"][-1] = {kind: name, "state": {}}

        with pytest.raises(ModelFileError, match="must be"):
            rewritten(small(), change)


def test_deeply_nested_values_are_refused(rewritten):
    nest = []
    for _ in range(400):
        nest = [nest]

    def change(header, arrays):
        header["objects"][-1]["state"]["n_iter_"] = nest

    with pytest.raises(ModelFileError, match="endlessly"):
        rewritten(small(), change)


def test_a_decision_reads_no_file_it_was_not_given(rewritten, tmp_path):
    from classica import BayesDecisionClassifier

    secret = tmp_path / "secret"
    secret.write_text("x")

    def change(header, arrays):
        header["objects"][-1]["state"]["costs"] = str(secret)

    with pytest.raises(ModelFileError, match="costs of the file it names"):
        rewritten(BayesDecisionClassifier(NaiveBayesClassifier()).fit(*table()), change)
