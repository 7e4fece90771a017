"""Names and levels are text, whatever is in them: nothing of them is ever run."""

import builtins
import xml.dom.minidom

import numpy as np
import polars as pl
import pytest

from classica import (
    C45Classifier,
    CARTClassifier,
    LogisticClassifier,
    NaiveBayesClassifier,
    RandomForestClassifier,
    RuleSetClassifier,
    TableClassifier,
)
from classica.errors import ParameterError
from classica.export import export_model
from classica.tables import ColumnSchema, RawTable, Schema

NAMES = [
    'a "quoted" name',
    "it's; DROP TABLE rows; --",
    "select",
    "class",
    "two\nlines",
    "größe ☃ 数",
    '""" + str(__import__("builtins").__dict__.update(hacked=1)) + """',
    "{name} {more} {scaling}",
    "<script>alert(1)</script>&amp;",
    "row",
    "score_1",
    "prediction",
    "\\",
    " ",
    "t",
    "%s %(x)s $1 ?",
]
LEVELS = ["x' OR '1'='1", '"; DROP TABLE rows; --', "\\'", "</title><script>", "line\nbreak", "ü☃", "{}"]


def table(seed=0):
    """Return a table with nothing but odd names and levels, half of its columns numbers."""
    rng = np.random.default_rng(seed)
    cells, columns = {}, []
    for place, name in enumerate(NAMES):
        if place % 2:
            cells[name] = rng.normal(size=120).round(2).tolist()
            columns.append(ColumnSchema(name, "numeric"))
        else:
            cells[name] = rng.choice(LEVELS, 120).tolist()
            columns.append(ColumnSchema(name, "categorical", levels=tuple(LEVELS)))
    cells["y"] = [LEVELS[int(number > 0)] for number in cells[NAMES[1]]]
    columns.append(ColumnSchema("y", "categorical", "target", levels=tuple(LEVELS[:2])))
    return Schema(tuple(columns)).apply(RawTable(pl.DataFrame(cells), "odd", "frame"))


@pytest.mark.parametrize(
    "estimator",
    [
        C45Classifier(),
        CARTClassifier(),
        RuleSetClassifier(),
        NaiveBayesClassifier(),
        LogisticClassifier(),
        RandomForestClassifier(3, random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_odd_names_and_levels_change_nothing(estimator):
    odd = table()
    model = TableClassifier(estimator, odd.schema).fit(odd, odd.y)
    able = ["sql", "python", *([] if isinstance(estimator, RuleSetClassifier) else ["onnx"])]
    for form in able:
        made = export_model(model, form, check=odd, table='the "table"; --')
        assert made.checked > 200
    source = export_model(model, "python").text
    exec(source, {"__name__": "exported"})
    assert not hasattr(builtins, "hacked")
    assert export_model(model, "text").text
    assert export_model(model, "json").text


def test_a_picture_of_odd_names_is_sound_and_holds_no_script():
    odd = table()
    model = TableClassifier(C45Classifier(), odd.schema).fit(odd, odd.y)
    picture = export_model(model, "svg").text
    document = xml.dom.minidom.parseString(picture)
    assert not document.getElementsByTagName("script")


def test_a_name_with_the_sign_of_code_0_is_refused_in_sql():
    X = pl.DataFrame({"a\0b": [1.0, 2.0, 3.0, 4.0]})
    model = CARTClassifier(min_samples_leaf=1).fit(X, ["p", "p", "q", "q"])
    with pytest.raises(ParameterError, match="without the sign of code 0"):
        export_model(model, "sql")


def test_columns_that_differ_only_by_case_are_told():
    X = pl.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "A": [1.0, 1.0, 2.0, 2.0]})
    model = LogisticClassifier().fit(X, ["p", "p", "q", "q"])
    with pytest.raises(ValueError, match="The export must run in SQLite, got: duplicate column name"):
        export_model(model, "sql")
    assert export_model(model, "python").checked
