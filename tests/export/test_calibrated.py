"""A calibrated machine is exported as it decides: by the highest calibrated score."""

import numpy as np
import pytest

from classica import (
    BayesDecisionClassifier,
    LinearSVMClassifier,
    PerceptronClassifier,
    SVMClassifier,
    TableClassifier,
    WinnowClassifier,
    train,
)
from classica.errors import ExportError
from classica.export import export_model
from classica.tables import load_table

RUNNING = ("sql", "python", "onnx")
MACHINES = {
    "all-vs-all": PerceptronClassifier(random_state=0),
    "one-vs-all": PerceptronClassifier(multi_class="one-vs-all", random_state=0),
    "svm": SVMClassifier(kernel="linear"),
    "linear-svm": LinearSVMClassifier(),
    "winnow": WinnowClassifier(random_state=0),
}


@pytest.mark.parametrize("to", RUNNING)
@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("source", ["iris", "vote"])
def test_calibrated_machines(name, source, to):
    table = load_table(source)
    decision = BayesDecisionClassifier(MACHINES[name], calibration="sigmoid", cv="auto")
    model = TableClassifier(decision, table.schema).fit(table, table.y)
    assert export_model(model, to, check=table).checked > len(table)


@pytest.mark.parametrize("to", RUNNING)
@pytest.mark.parametrize("name", MACHINES)
def test_a_softmax_with_and_without_other_priors(name, to):
    """Without, the program is that of the classifier itself; with them, log posteriors are its lines."""
    iris = load_table("iris")
    for priors in (None, [0.001, 0.001, 0.998]):
        decision = BayesDecisionClassifier(MACHINES[name], calibration="softmax", priors=priors, cv="auto")
        model = TableClassifier(decision, iris.schema).fit(iris, iris.y)
        own = model.estimator_.estimator_.estimator_.predict(model.encoded(iris))
        assert (model.predict(iris) == own).all() == (priors is None)
        assert export_model(model, to, check=iris).checked > len(iris)


@pytest.mark.parametrize("to", RUNNING)
def test_costs_and_priors_of_two_classes(to):
    table = load_table("vote")
    model = train(table, model="linear-svm", costs=[[0.0, 9.0], [1.0, 0.0]], priors=[0.3, 0.7])
    plain = train(table, model="linear-svm")
    assert (model.predict(table) != plain.predict(table)).any()
    assert export_model(model, to, check=table).checked > len(table)


def test_what_is_no_line_is_refused():
    iris = load_table("iris")
    for given in (
        {"calibration": "isotonic"},
        {"costs": 1.0 - np.eye(3) + 0.5 * (np.arange(9) % 2).reshape(3, 3)},
    ):
        with pytest.raises(ExportError, match="forms: text, json"):
            export_model(train(iris, model="linear-svm", **given), "sql")
