"""One small file of each kind, kept for ever, with the answers it must give.

``python -m tests.persist.stored`` writes those that are missing; a file that is there is never written again.
"""

import json
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from classica import (
    BayesDecisionClassifier,
    LinearDiscriminantClassifier,
    LinearSVMClassifier,
    SVMClassifier,
    TableClassifier,
    catalog,
    save,
)
from tests.contract.cases import build, outputs, table, table_for
from tests.persist.models import raw_rows, typed_rows

COSTS = {"ape": {"bee": 1, "cat": 5}, "bee": {"ape": 2, "cat": 1}, "cat": {"ape": 9, "bee": 1}}
FOLDER = Path(__file__).parent.parent / "data" / "models"


def models():
    """Give (name, fitted model, rows to ask about)."""
    for card in catalog.cards():
        X, y = table_for(card, rows=24, columns=3)
        few = {"n_estimators": 3, "max_iter": 20, "hidden_layer_sizes": (4,)}
        known = {parameter.name for parameter in card.parameters}
        parameters = dict(card.test_parameters[0]) | {k: v for k, v in few.items() if k in known}
        if card.slug in ("linear-svm", "logistic", "svm", "svm-regressor", "mlp"):
            parameters.pop("max_iter", None)
        yield card.slug, build(card, parameters).fit(X, y), X[:8]
    X, y = table(rows=24, columns=3)
    decision = BayesDecisionClassifier(
        LinearDiscriminantClassifier(), priors=[0.2, 0.2, 0.6], reject_cost=0.3
    )
    yield "bayes-decision", decision.fit(X, y), X[:8]
    text = raw_rows().write_csv()
    given = typed_rows(text.encode())
    yield "table", TableClassifier(decision, given.schema).fit(given, given.y), text.encode()
    for method, learner in (
        ("sigmoid", SVMClassifier()),
        ("isotonic", LinearSVMClassifier()),
        ("softmax", LinearSVMClassifier()),
    ):
        calibrated = BayesDecisionClassifier(
            learner, costs=COSTS, calibration=method, cv=StratifiedKFold(3, shuffle=True, random_state=0)
        )
        yield f"bayes-decision-{method}", calibrated.fit(X, y), X[:8]


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, model, X in models():
        path = FOLDER / f"{name}.classica"
        if path.exists():
            continue
        save(model, path, metadata={"made": "for the tests, on random numbers"})
        answers = {method: np.asarray(values).tolist() for method, values in outputs(model, X).items()}
        rows = {"csv": X.decode()} if isinstance(X, bytes) else {"rows": X.tolist()}
        record = {**rows, "answers": answers}
        path.with_suffix(".json").write_text(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
