"""Models of whole tables: what does not fit together is refused, whatever the hash says."""

import json
import subprocess
import sys

import numpy as np
import pytest

import classica as c
from classica import load, save
from classica.errors import ModelFileError
from classica.persist import inspect
from classica.persist.description import described_estimators, parameter_names
from classica.persist.names import estimators
from classica.tables import load_table
from tests.contract.cases import assert_same, outputs
from tests.persist.damage import taken_apart, whole_file
from tests.persist.models import raw_rows, table_models, typed_rows
from tests.persist.test_descriptions import assigned


def objects(header, name):
    """Return the states of the objects of a kind."""
    return [o["state"] for o in header["objects"] if name in (o.get("record"), o.get("estimator"))]


def column(header, name, kind="ColumnSchema"):
    return next(state for state in objects(header, kind) if state["name"] == name)


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """Return the bytes of a model with categories as they are, and of one with numbers."""
    folder, found = tmp_path_factory.mktemp("tables"), {}
    for name, model, _ in table_models():
        save(model, folder / name)
        found[name] = (folder / name).read_bytes()
    return found


@pytest.fixture
def changed(good, tmp_path):
    """Return a function that loads a file in which something was changed."""

    def through(name, change):
        header, arrays = taken_apart(good[name])
        change(header, arrays)
        path = tmp_path / "changed.classica"
        path.write_bytes(whole_file(header, arrays))
        return load(path)

    return through


def test_nothing_changed_is_no_damage(changed):
    model = changed("table-c45", lambda header, arrays: None)
    assert set(model.predict(raw_rows())) <= {"ape", "bee", "cat"}


def rename(kind):
    return lambda header: column(header, "heat", kind).update(name="cold")


def set_in(kind, place, **values):
    return lambda header: objects(header, kind)[place].update(values)


CHANGES = {
    "a feature of another name": rename("ColumnSchema"),
    "an encoded column of another name": rename("EncodedColumn"),
    "a level less in the schema": lambda h: column(h, "sky")["levels"]["tuple"].pop(),
    "a level twice": lambda h: column(h, "sky")["levels"]["tuple"].append("rain"),
    "a number that reads like a level": lambda h: column(h, "kind")["levels"].update(tuple=[1, "1"]),
    "a level less in the encoder": lambda h: column(h, "sky", "EncodedColumn")["levels"]["tuple"].pop(),
    "another form": lambda h: column(h, "sky", "EncodedColumn").update(form="number"),
    "filled beyond the levels": lambda h: column(h, "sky", "EncodedColumn").update(fill=7.0),
    "filled between levels": lambda h: column(h, "size", "EncodedColumn").update(fill=0.5),
    "a scale of zero": lambda h: column(h, "heat", "EncodedColumn").update(scale=0.0),
    "no fill": lambda h: column(h, "heat", "EncodedColumn").update(fill=None),
    "fewer cells than none": lambda h: column(h, "heat", "EncodedColumn").update(filled=-1),
    "a column less": lambda h: objects(h, "table-encoder")[0]["columns_"]["tuple"].pop(),
    "an encoder that passes on": set_in("table-encoder", 0, encode=False, fill=False, standardise=False),
    "an encoder that does not encode": set_in("table-encoder", 0, encode=False),
    "a word for a flag": set_in("table-encoder", 0, fill="x"),
    "another kind of column": lambda h: column(h, "heat").update(kind="boolean"),
    "an identifier as a feature": lambda h: column(h, "heat").update(kind="identifier"),
    "a feature that is ignored": lambda h: column(h, "heat").update(role="ignored"),
    "two targets": lambda h: column(h, "id").update(role="target"),
    "a part of no date": lambda h: column(h, "day")["parts"]["tuple"].append("century"),
    "a part twice": lambda h: column(h, "day")["parts"]["tuple"].append("day"),
    "a date less": lambda h: column(h, "day")["parts"]["tuple"].pop(),
    "settings for output": lambda h: objects(h, "table-encoder")[0].update(
        _sklearn_output_config={"dict": [["transform", "pandas"]]}
    ),
    "an attribute that hides a method": lambda h: objects(h, "table")[0].update(features=1),
    "another schema": lambda h: objects(h, "table")[0].update(schema=None),
    "no estimator": lambda h: objects(h, "table")[0].update(estimator_=None),
    "missing words that are numbers": lambda h: objects(h, "Schema")[0].update(missing={"tuple": [1]}),
    "other columns": lambda h: objects(h, "Schema")[0].update(other_columns="keep"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_does_not_fit_is_refused(changed, what):
    with pytest.raises(ModelFileError) as caught:
        changed("table-logistic", lambda header, arrays: CHANGES[what](header))
    assert "\n" not in str(caught.value)


def test_an_estimator_of_other_columns_is_refused(good, changed):
    """The classifier of a smaller table in the place of the one that belongs there."""
    golf = load_table("golf")
    small = c.TableClassifier(c.C45Classifier(), golf.schema).fit(golf, golf.y)
    small.encoder_ = (
        c.TableClassifier(c.C45Classifier(), typed_rows().schema).fit(typed_rows(), typed_rows().y).encoder_
    )
    with pytest.raises(ModelFileError, match="schema of its encoder"):
        save(small, "/dev/null")
    small.schema = small.encoder_.schema
    with pytest.raises(ModelFileError, match="columns of its encoder"):
        save(small, "/dev/null")


def test_levels_of_the_classifier_that_the_schema_does_not_know(changed):
    def change(header, arrays):
        for state in objects(header, "ColumnSchema"):
            if state["name"] == "sky":
                state["levels"]["tuple"][0] = "hail"

    with pytest.raises(ModelFileError, match="made with levels of"):
        changed("table-c45", change)


@pytest.mark.parametrize("name", ["table", "table-encoder"])
def test_every_attribute_is_described(name):
    cls = estimators()[name]
    description = described_estimators()[cls]
    known = description.attributes.keys() | description.optional.keys() | set(parameter_names(cls))
    assert assigned(cls) <= known


ANSWER = """
import sys
import numpy as np
import polars as pl
from classica import load, save
from tests.contract.cases import outputs
X = pl.read_parquet(sys.argv[1])
for path in sys.argv[2:]:
    model = load(path)
    found = {name: np.asarray(values).astype("U" if name == "predict" else float)
             for name, values in outputs(model, X).items()}
    np.savez(path + ".npz", **found)
    save(model, path + ".again")
"""


def test_the_same_in_a_fresh_process(tmp_path):
    raw_rows().write_parquet(tmp_path / "X.parquet")
    models, paths = {}, []
    for name, model, X in table_models():
        paths.append(str(tmp_path / name))
        save(model, paths[-1])
        models[paths[-1]] = outputs(model, X)
    subprocess.run([sys.executable, "-c", ANSWER, str(tmp_path / "X.parquet"), *paths], check=True)
    for path, answers in models.items():
        with np.load(f"{path}.npz") as found:
            assert_same({name: np.asarray(v).astype(found[name].dtype) for name, v in answers.items()}, found)
        with open(path, "rb") as first, open(f"{path}.again", "rb") as second:
            assert first.read() == second.read()
    print(f"{len(paths)} models of tables are the same in a fresh process")


def test_what_a_file_says_about_itself(tmp_path):
    name, model, _ = next(entry for entry in table_models() if entry[0] == "table-decision")
    save(model, tmp_path / name)
    found = inspect(tmp_path / name)
    assert (found["kind"], found["columns"]) == ("table", 9)
    assert found["classes"] == ["ape", "bee", "cat"]
    assert found["features"] == model.feature_names_in_.tolist()
    assert found["parameters"]["schema"] == model.schema.record()
    assert found["parameters"]["estimator"]["parameters"]["estimator"]["kind"] == "lda"
    json.dumps(found)


@pytest.mark.parametrize("part", ["parameters", "classes", "arrays"])
def test_a_summary_without_a_part(good, tmp_path, part):
    header, arrays = taken_apart(good["table-c45"])
    header["summary"].pop(part)
    (tmp_path / "m").write_bytes(whole_file(header, arrays))
    with pytest.raises(ModelFileError, match="a summary of a model"):
        inspect(tmp_path / "m")
