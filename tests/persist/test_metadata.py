"""Entries that are written into a model file later: the model stays as it was, and so do its checks."""

import numpy as np
import pytest

from classica import LinearDiscriminantClassifier, load, save
from classica.errors import ModelFileError
from classica.persist import add_metadata, inspect


@pytest.fixture
def file(tmp_path):
    random = np.random.default_rng(0)
    model = LinearDiscriminantClassifier().fit(random.normal(size=(30, 3)), np.arange(30) % 2)
    save(model, tmp_path / "m.classica", metadata={"rows": 30})
    return tmp_path / "m.classica"


def test_entries_are_added_and_nothing_else_changes(file):
    before, asked = inspect(file), np.eye(3)
    answers = load(file).predict_proba(asked)
    add_metadata(file, {"card": {"a": [1, None, "ü"]}})
    after = inspect(file)
    assert after["metadata"] == {"rows": 30, "card": {"a": [1, None, "ü"]}}
    assert after["sha256"] != before["sha256"]
    assert after["array_bytes"] == before["array_bytes"]
    assert np.array_equal(load(file).predict_proba(asked), answers)


def test_the_same_entries_write_nothing(file):
    add_metadata(file, {"card": 1})
    stamp = file.stat()
    add_metadata(file, {"card": 1})
    assert file.stat().st_mtime_ns == stamp.st_mtime_ns


def test_what_is_no_json_or_no_model_is_refused(file, tmp_path):
    whole = file.read_bytes()
    with pytest.raises(ModelFileError, match="plain JSON"):
        add_metadata(file, {"card": object()})
    assert file.read_bytes() == whole
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ModelFileError, match="corrupt"):
        add_metadata(file, {"card": 1})
