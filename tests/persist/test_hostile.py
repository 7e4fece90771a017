"""Files and names made to do harm, each in its own way: refused soon and in little memory."""

import json
import os
import resource
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator

import classica as c
from classica import load, save
from classica.decision import BayesDecisionClassifier
from classica.errors import ModelFileError
from classica.persist.container import canonical, verified
from tests.contract.cases import table
from tests.persist.damage import taken_apart, whole_file, with_hash

X, y = table(rows=30, columns=2)


def small():
    return c.NearestMeanClassifier().fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"])


@pytest.fixture
def rewritten(tmp_path):
    """Return a function that saves a model, lets header and arrays be changed, and loads the result."""

    def through(model, change):
        path = tmp_path / "m.classica"
        save(model, path)
        header, arrays = taken_apart(path.read_bytes())
        change(header, arrays)
        path.write_bytes(whole_file(header, arrays))
        start = time.process_time()  # of this process: others may keep the machine busy
        try:
            return load(path)
        finally:
            assert time.process_time() - start < 5

    return through


def as_value(value):
    def change(header, arrays):
        header["objects"][-1]["state"]["value_"] = value

    return change


# Sizes


def with_block(data, record):
    """Return a file that describes one block more, of no bytes."""
    contents = verified(memoryview(data), "a file")
    header = json.loads(canonical(contents.header))
    header["blocks"].append(record)
    text = canonical(header).encode()
    padded = -(-len(text) // 64) * 64
    old = -(-struct.unpack("<Q", data[24:32])[0] // 64) * 64
    blocks = data[64 + old : -32]
    start = data[:24] + struct.pack("<QQ", len(text), 64 + padded + len(blocks) + 32) + bytes(24)
    return with_hash(start + text + bytes(padded - len(text)) + blocks)


@pytest.mark.parametrize(
    "record",
    [
        ["<f8", [0, 2**52], "C"],
        ["<U1000000", [0, 2**50], "C"],
        ["<f8", [2**31, 2**31, 0, 2**31], "F"],
        ["<f8", [2**62], "C"],
        ["<f8", [-1], "C"],
        ["<f8", [0.0], "C"],
        ["<f8", [0] * 9, "C"],
        ["<f8", [True], "C"],
        ["|O", [0], "C"],
        ["<f16", [0], "C"],
        ["<V8", [0], "C"],
        ["<f8", [0], "K"],
    ],
    ids=str,
)
def test_shapes_that_cannot_be(record, tmp_path):
    path = tmp_path / "m"
    save(small(), path)
    path.write_bytes(with_block(path.read_bytes(), record))
    with pytest.raises(ModelFileError, match=r"a block of|blocks that"):
        load(path)


@pytest.mark.parametrize("shape", [[0, 2**52, 2**52], [2**53], [-1], ["1"]])
def test_text_of_shapes_that_cannot_be(rewritten, anything, shape):
    with pytest.raises(ModelFileError, match="shape"):
        rewritten(anything(0), as_value({"texts": [shape, []]}))


def test_many_classes_take_no_square_of_memory(tmp_path):
    """Sixty thousand labels are half a megabyte; a table of costs for them would be 29 gigabytes."""
    model = BayesDecisionClassifier(c.ChanceClassifier(random_state=0)).fit(X, y)
    path = tmp_path / "m"
    save(model, path)
    header, arrays = taken_apart(path.read_bytes())
    many = [np.arange(60_000) if a.dtype.kind == "U" else np.full(60_000, 1 / 60_000) for a in arrays]
    path.write_bytes(whole_file(header, many))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    load(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


# Values


def test_names_of_a_bunch_are_no_arguments(rewritten, anything):
    assert rewritten(anything(0), as_value({"bunch": [["self", 1]]})).value_ == {"self": 1}


@pytest.mark.parametrize("kind", ["dict", "set", "set of tuples"])
def test_keys_that_all_have_one_hash(rewritten, anything, kind):
    keys = [k * (2**61 - 1) for k in range(20_000)]
    value = {"dict": [[key, 0] for key in keys]} if kind == "dict" else {"set": keys}
    if kind == "set of tuples":
        value = {"set": [{"tuple": [key]} for key in keys]}
    with pytest.raises(ModelFileError, match="keys of a possible size"):
        rewritten(anything(0), as_value(value))


def test_such_keys_are_not_saved(tmp_path, anything):
    for value in ({2**64: 1}, frozenset({(1, 2**64)})):
        with pytest.raises(ModelFileError, match="64 bits at most"):
            save(anything(value), tmp_path / "m")
    save(anything({2**64 - 1: 1}), tmp_path / "m")
    assert load(tmp_path / "m").value_ == {2**64 - 1: 1}


@pytest.mark.parametrize(
    "splitter",
    [
        ["os.system", {"dict": []}],
        ["k-fold", {"dict": [["n_splits", 1], ["random_state", None], ["shuffle", False]]}],
        ["k-fold", {"dict": [["n_splits", "x"], ["random_state", None], ["shuffle", False]]}],
        ["k-fold", {"dict": [["n_splits", 3]]}],
        ["k-fold", []],
        [["k-fold"], {"dict": []}],
        "k-fold",
        ["leave-one-out", {"dict": [["x", 1]]}],
    ],
    ids=str,
)
def test_splitters_that_are_none(rewritten, anything, splitter):
    with pytest.raises(ModelFileError, match="splitters"):
        rewritten(anything(0), as_value({"splitter": splitter}))


@pytest.mark.parametrize(
    "text", ['{"a":1,"a":1}', '{"a":1e400}', '{"a":NaN}', "[" * 100_000, '{"a": 1}', "[]"]
)
def test_json_that_is_not_canonical(text, tmp_path):
    text = text.encode()
    padded = -(-len(text) // 64) * 64
    save(small(), tmp_path / "m")
    start = (tmp_path / "m").read_bytes()[:24]
    start += struct.pack("<QQ", len(text), 64 + padded + 32) + bytes(24)
    (tmp_path / "m").write_bytes(with_hash(start + text + bytes(padded - len(text))))
    with pytest.raises(ModelFileError, match=r"JSON|a list of blocks"):
        load(tmp_path / "m")


# Objects


@pytest.mark.parametrize("length", [60, 5000])
def test_long_chains_of_objects(rewritten, length):
    def change(header, arrays):
        for _ in range(length):
            state = {"estimator": {"object": len(header["objects"]) - 1}}
            header["objects"].append({"estimator": "frozen", "state": state})

    with pytest.raises(ModelFileError, match="not nested endlessly"):
        rewritten(small(), change)


def test_long_chains_are_not_saved(tmp_path):
    model = small()
    for _ in range(60):
        model = FrozenEstimator(model)
    with pytest.raises(ModelFileError, match="nested 40 times at most"):
        save(model, tmp_path / "m")


def test_decisions_about_decisions_take_no_endless_time(rewritten):
    """Each asks the one inside for its priors, once."""
    model = BayesDecisionClassifier(c.NaiveBayesClassifier(), priors="uniform").fit(X, y)

    def change(header, arrays):
        for _ in range(30):
            state = dict(header["objects"][-1]["state"], estimator=None)
            state["estimator_"] = {"object": len(header["objects"]) - 1}
            header["objects"].append({"estimator": "bayes-decision", "state": state})

    assert rewritten(model, change).predict(X).shape == (30,)


@pytest.mark.parametrize("kind", ["estimator", "record"])
def test_objects_where_none_is_looked_for(rewritten, anything, kind):
    """Nothing would check them."""

    def change(header, arrays):
        odd = {"estimator": "frozen", "state": {"estimator": 5}}
        if kind == "record":
            state = {"scale": -1.0, "center": 0.0, "slope": "x", "offset": None}
            odd = {"record": "SigmoidCurve", "state": state}
        header["objects"].insert(0, odd)
        header["objects"][-1]["state"]["value_"] = {"object": 0}

    with pytest.raises(ModelFileError, match="objects where objects belong"):
        rewritten(anything(0), change)


CURVE_DAMAGE = [
    ({"slope": 0.0}, r"curves_\[0\].slope must be above 0"),
    ({"slope": -1.0}, r"curves_\[0\].slope must be above 0"),
    ({"slope": "1"}, r"curves_\[0\].slope must be a number"),
    ({"scale": 0.0}, r"curves_\[0\].scale must be above 0"),
    ({"scale": None}, r"curves_\[0\].scale must be a number"),
    ({"more": 1.0}, "the fields of SoftmaxCurve"),
]
METHOD_DAMAGE = [
    ("softmax", {"method": "sigmoid"}, "the curves of sigmoid for 3 classes, got 'SoftmaxCurve'"),
    ("softmax", {"method": "platt"}, "made by 'auto', 'sigmoid', 'isotonic' or 'softmax', got 'platt'"),
    ("sigmoid", {"method": "softmax"}, "the curves of softmax for 3 classes, got 'SigmoidCurve, "),
    ("isotonic", {"method": "auto"}, "the curves of auto for 3 classes, got 'IsotonicCurve, "),
]


def update_states(key, name, changes):
    def change(header, arrays):
        (state,) = (item["state"] for item in header["objects"] if item.get(key) == name)
        state.update(changes)

    return change


@pytest.mark.parametrize(("changes", "message"), CURVE_DAMAGE)
def test_a_softmax_that_no_fit_gives(rewritten, changes, message):
    model = BayesDecisionClassifier(c.LinearSVMClassifier(), calibration="softmax", cv=3).fit(X, y)
    steeper = rewritten(model, update_states("record", "SoftmaxCurve", {"slope": 1e300}))
    assert steeper.predict_proba(X).max() == 1.0
    with pytest.raises(ModelFileError, match=message):
        rewritten(model, update_states("record", "SoftmaxCurve", changes))


@pytest.mark.parametrize(("method", "changes", "message"), METHOD_DAMAGE)
def test_curves_of_another_calibration(rewritten, method, changes, message):
    model = BayesDecisionClassifier(c.LinearSVMClassifier(), calibration=method, cv=3).fit(X, y)
    with pytest.raises(ModelFileError, match=message):
        rewritten(model, update_states("estimator", "calibrated", changes))


def test_two_curves_where_one_belongs(rewritten):
    model = BayesDecisionClassifier(c.LinearSVMClassifier(), calibration="softmax", cv=3).fit(X, y)

    def change(header, arrays):
        (state,) = (item["state"] for item in header["objects"] if item.get("estimator") == "calibrated")
        state["curves_"] *= 2

    with pytest.raises(ModelFileError, match="got 'SoftmaxCurve, SoftmaxCurve'"):
        rewritten(model, change)


def test_such_objects_are_not_saved(tmp_path, anything):
    with pytest.raises(ModelFileError, match="value_ of Anything must be plain"):
        save(anything(c.NearestMeanClassifier()), tmp_path / "m")


def test_many_objects(rewritten):
    def change(header, arrays):
        member = next(
            o for o in header["objects"] if o["estimator"] == "nearest-mean" and len(o["state"]) > 9
        )
        top = header["objects"][-1]
        header["objects"] = [member] * 2_000 + [top]
        top["state"]["estimators"] = [{"tuple": ["a", {"object": 0}]}]
        top["state"]["estimators_"] = [{"object": k} for k in range(2_000)]
        top["state"]["named_estimators_"] = {"bunch": [["a", {"object": 0}]]}

    with pytest.raises(ModelFileError):
        rewritten(c.VotingClassifier([("a", c.NearestMeanClassifier())]).fit(X, y), change)


# Names and places


def test_names_with_line_ends_are_told_in_one_line(tmp_path):
    path = tmp_path / "two\nlines"
    save(small(), path)
    assert load(path).predict([[0.0, 1.0]]).tolist() == ["a"]
    path.write_bytes(b"x")
    for call in (lambda: load(path), lambda: load(tmp_path / "no\nfile"), lambda: save(small(), path / "x")):
        with pytest.raises(ModelFileError) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_names_of_bytes_and_names_that_are_none(tmp_path):
    save(small(), os.fsencode(tmp_path / "m"))
    assert load(os.fsencode(tmp_path / "m")).predict([[0.0, 1.0]]).tolist() == ["a"]
    for call in (lambda: save(small(), "a\0b"), lambda: load("a\0b")):
        with pytest.raises(ModelFileError, match="embedded null byte"):
            call()


def test_places_a_file_must_not_take(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "first").symlink_to("second")
    (tmp_path / "second").symlink_to("first")
    for name, kind in [
        ("pipe", "a device, pipe"),
        ("folder", "a folder"),
        ("first", "symbolic link to itself"),
    ]:
        with pytest.raises(ModelFileError, match=f"Cannot write .*{kind}"):
            save(small(), tmp_path / name)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["first", "folder", "pipe", "second"]
    with pytest.raises(ModelFileError, match="a device"):
        save(small(), "/dev/null")


def test_what_never_ends_is_not_read_to_its_end():
    with pytest.raises(ModelFileError, match="must be a classica model file"):
        load("/dev/zero")


def test_a_model_through_a_pipe(tmp_path):
    save(small(), tmp_path / "m")
    os.mkfifo(tmp_path / "pipe")
    writer = subprocess.Popen(["cp", str(tmp_path / "m"), str(tmp_path / "pipe")])
    assert load(tmp_path / "pipe").predict([[0.0, 1.0]]).tolist() == ["a"]
    assert writer.wait() == 0


MEASURED = """
import resource, sys, numpy as np
from classica import KNeighborsClassifier, load, save
X = np.random.default_rng(0).random((100_000, 40))
model = KNeighborsClassifier(algorithm="brute").fit(X, np.arange(100_000) % 3)
del X
save(KNeighborsClassifier().fit(np.eye(4), [0, 1, 0, 1]), sys.argv[1])
now = int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
limit = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
save(model, sys.argv[1])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - max(now, limit)) / 1e6)
del model
"""


def test_saving_takes_little_memory(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path / "m")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    size, more = (tmp_path / "m").stat().st_size / 1e6, float(done.stdout)
    print(f"{size:.0f} MB saved with {more:.0f} MB more than before")
    assert more < 2.5 * size


def test_ctrl_c_while_saving_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "m"
    save(small(), path)
    old = path.read_bytes()
    for name in ("fsync", "replace"):
        with monkeypatch.context() as patched:
            patched.setattr(os, name, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                save(c.NaiveBayesClassifier().fit(X, y), path)
        assert path.read_bytes() == old
        assert [p.name for p in tmp_path.iterdir()] == ["m"]
