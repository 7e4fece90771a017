"""Fitted models whose state no card's test settings have: categories, gaps, other metrics, nesting."""

import numpy as np
import polars as pl
import scipy.sparse as sp
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedKFold

import classica as c
from classica.tables import Schema, decide_types, read_table
from tests.contract.cases import table


def frame(rows=40, *, gaps=True):
    """Return a frame with text, a Boolean and numbers, some of them missing, and labels."""
    X, y = table(rows=rows, columns=3)
    words = np.array(["sunny", "rain", "overcast"], dtype=object)[(np.abs(X[:, 0] * 3).astype(int)) % 3]
    numbers = X[:, 2].copy()
    if gaps:
        numbers[::7], words[::9] = np.nan, None
    columns = {"sky": words.tolist(), "windy": (X[:, 1] > 0.5).tolist(), "heat": X[:, 1], "rain mm": numbers}
    return pl.DataFrame(columns, nan_to_null=True), y


def numbers_with_gaps(rows=40):
    """Return numbers, some of them missing, and labels."""
    X, y = table(rows=rows, columns=4)
    X[::5, 1], X[::7, 3] = np.nan, np.nan
    return X, y


_tree = c.DecisionTreeClassifier
_forest = c.RandomForestClassifier

#: Name → estimator that learns from a frame of mixed columns.
ON_FRAMES = {
    "c45": c.C45Classifier(),
    "id3-bins": c.ID3Classifier(n_bins=3),
    "cart": c.CARTClassifier(cv=3),
    "tree-subset": _tree(),
    "tree-multiway-fraction": _tree(criterion="gain_ratio", categories="multiway", missing="fraction"),
    "tree-own-branch": _tree(missing="own_branch", categories="one_level"),
    "tree-surrogate": _tree(missing="surrogate"),
    "rules": c.RuleSetClassifier(),
    "forest": _forest(n_estimators=4, random_state=0),
    "forest-fraction": _forest(n_estimators=3, missing="fraction", categories="multiway", random_state=0),
    "forest-surrogate": _forest(n_estimators=3, missing="surrogate", random_state=0),
    "forest-own-branch": _forest(n_estimators=3, missing="own_branch", voting="hard", random_state=0),
    "naive-bayes": c.NaiveBayesClassifier(),
    "naive-bayes-mixed": c.NaiveBayesClassifier(numeric={"heat": "kernel", "rain mm": "discretized"}),
    "heom": c.KNeighborsClassifier(3, metric="heom"),
    "gower": c.KNeighborsClassifier(3, metric="gower", algorithm="brute"),
    "adaboost": c.AdaBoostClassifier(n_estimators=3, random_state=0),
    "bagging": c.BaggingClassifier(n_estimators=3, random_state=0),
    "bagging-columns": c.BaggingClassifier(c.NaiveBayesClassifier(), 3, max_features=0.5, random_state=0),
    "voting": c.VotingClassifier(
        [("a", c.NaiveBayesClassifier()), ("off", "drop"), ("b", c.C45Classifier())]
    ),
    "voting-of-votes": c.VotingClassifier(
        [("v", c.VotingClassifier()), ("one", c.OneVsAllClassifier(_tree(max_depth=2)))], voting="hard"
    ),
    "decision": c.BayesDecisionClassifier(
        c.NaiveBayesClassifier(),
        costs={
            "ape": {"bee": 5.0, "cat": 1.0},
            "bee": {"ape": 1.0, "cat": 1.0},
            "cat": {"ape": 2.0, "bee": 1.0},
        },
    ),
    "calibrated-frame": c.BayesDecisionClassifier(
        c.KNeighborsClassifier(3, metric="heom"), calibration="sigmoid", cv=3
    ),
    "decision-frozen": c.BayesDecisionClassifier(
        FrozenEstimator(c.C45Classifier().fit(*frame())), priors="uniform", training_priors=[0.2, 0.3, 0.5]
    ),
}
#: Name → estimator that learns from an array of numbers.
ON_NUMBERS = {
    "cosine": c.KNeighborsClassifier(metric="cosine"),
    "mahalanobis": c.KNeighborsClassifier(metric="mahalanobis", algorithm="ball_tree"),
    "minkowski": c.KNeighborsClassifier(metric="minkowski", p=3, algorithm="kd_tree"),
    "hamming": c.KNeighborsClassifier(metric="hamming"),
    "approximate": c.KNeighborsClassifier(approximate=True),
    "bandwidth": c.NaiveBayesClassifier(numeric="kernel", bandwidth=0.3),
    "linear-kernel": c.SVMClassifier(kernel="linear"),
    "svm-poly": c.SVMClassifier(kernel="poly", degree=2),
    "svm-alpha": c.LinearSVMClassifier(alpha="validation", random_state=0),
    "logistic-plain": c.LogisticClassifier(C=np.inf, max_iter=20),
    "decision-reject": c.BayesDecisionClassifier(
        c.LinearDiscriminantClassifier(), reject_cost=0.2, priors=[0.1, 0.1, 0.8]
    ),
    "calibrated-svm": c.BayesDecisionClassifier(
        c.SVMClassifier(), costs=[[0, 1, 5], [2, 0, 1], [9, 1, 0]], calibration="sigmoid", cv=3
    ),
    "calibrated-tree": c.BayesDecisionClassifier(
        _tree(), calibration="isotonic", cv=StratifiedKFold(3, shuffle=True, random_state=1)
    ),
    "calibrated-perceptron": c.BayesDecisionClassifier(
        c.PerceptronClassifier(max_iter=3, random_state=0), calibration="isotonic", reject_cost=0.3
    ),
    "calibrated-softmax": c.BayesDecisionClassifier(
        c.KernelPerceptronClassifier(max_iter=3, random_state=0), calibration="softmax", cv="auto"
    ),
    "calibrated-auto": c.BayesDecisionClassifier(c.LinearSVMClassifier(), calibration="auto", cv="auto"),
    "calibrated-frozen": c.BayesDecisionClassifier(
        FrozenEstimator(c.LinearSVMClassifier().fit(*table(rows=40, columns=3))), calibration="sigmoid"
    ),
    "ava": c.AllVsAllClassifier(c.PerceptronClassifier(max_iter=3, random_state=0)),
    "boosted-bayes": c.AdaBoostClassifier(c.NaiveBayesClassifier(), 3, random_state=0),
}
#: Name → estimator that learns from numbers with gaps.
ON_GAPS = {
    "tree-gaps": _tree(missing="surrogate"),
    "forest-gaps": _forest(n_estimators=3, missing="surrogate", random_state=0),
    "bayes-gaps": c.NaiveBayesClassifier(numeric="kernel"),
    "categories-by-number": _tree(categorical_features=[0]),
}


def _on_numbers(estimator, rows=40):
    X, y = table(rows=rows, columns=3)
    return estimator.fit(X, y), X


def _precomputed(estimator):
    X, y = table(rows=30, columns=3)
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    if hasattr(estimator, "kernel"):
        distances = np.exp(-distances)
    return estimator.fit(distances, y), distances


def _special():
    X, y = table(rows=40, columns=3)
    sparse = sp.csr_matrix(np.where(X > 0.5, X, 0.0))
    voted = c.PerceptronClassifier("voted", max_iter=3, random_state=0).fit(sparse, y)
    yield "voted-sparse", voted, X
    added = c.KNeighborsClassifier(3, algorithm="kd_tree").fit(X[:20], y[:20]).partial_fit(X[20:], y[20:])
    yield "knn-added", added.forget(X[:5], y[:5]), X
    yield (
        "lda-added",
        c.LinearDiscriminantClassifier().partial_fit(X, y, classes=["ape", "bee", "cat", "dog"]),
        X,
    )
    yield "bayes-added", c.NaiveBayesClassifier().partial_fit(X, y, classes=["ape", "bee", "cat", "dog"]), X
    yield "one-class", c.LogisticClassifier().fit(X, np.zeros(40)), X
    yield "one-class-fisher", c.FisherClassifier().fit(X, ["a"] * 40), X
    yield (
        "calibrated-two-classes",
        c.BayesDecisionClassifier(c.WinnowClassifier(random_state=0), calibration="sigmoid").fit(
            X, y == "ape"
        ),
        X,
    )
    yield (
        "calibrated-auto-two-classes",
        c.BayesDecisionClassifier(c.LinearSVMClassifier(), calibration="auto").fit(X, y == "ape"),
        X,
    )
    yield (
        "calibrated-one-class",
        c.BayesDecisionClassifier(c.LinearSVMClassifier(), calibration="sigmoid").fit(X, ["a"] * 40),
        X,
    )
    yield "two-classes", c.SVMClassifier().fit(X, y == "ape"), X
    yield (
        "dates",
        c.NearestMeanClassifier().fit(X, np.array(["2020-01-01", "2021-01-01"], "M8[D]")[(y == "ape") * 1]),
        X,
    )
    yield "objects", c.CARTClassifier(prune=None).fit(X, y.astype(object)), X
    yield "with-trees", c.RandomForestClassifier(5, random_state=0).fit(X, y).with_trees(2), X
    yield "one-tree", c.RandomForestClassifier(5, random_state=0).fit(X, y).estimators_[1], X
    yield "knn-precomputed", *_precomputed(c.KNeighborsClassifier(3, metric="precomputed"))
    yield "svm-precomputed", *_precomputed(c.SVMClassifier(kernel="precomputed"))
    yield (
        "kernel-perceptron-precomputed",
        *_precomputed(c.KernelPerceptronClassifier("precomputed", max_iter=2, random_state=0)),
    )
    majority = c.WeightedMajorityClassifier(
        [("a", c.C45Classifier()), ("b", c.ChanceClassifier())], random_state=0
    )
    yield "majority-members", majority.fit(X, y), X
    regressor = c.RandomForestRegressor(3, missing="fraction", random_state=0)
    gaps = numbers_with_gaps()[0]
    yield "forest-regressor-gaps", regressor.fit(gaps, X @ [1, 2, 3]), gaps
    yield (
        "tree-regressor-frame",
        c.DecisionTreeRegressor(missing="surrogate").fit(frame()[0], X @ [1, 2, 3]),
        frame()[0],
    )


def raw_rows(rows=40):
    """Return rows as a file has them: ids, text with gaps, an ordinal column, a Boolean, dates, numbers."""
    X, y = frame(rows)
    day = pl.date_range(pl.date(2024, 1, 30), pl.date(2025, 12, 31), "17d", eager=True).head(rows)
    size = pl.Series(["small", "large", "middle", None] * (rows // 4))
    return X.with_columns(id=pl.Series(range(1, rows + 1)), day=day, size=size, kind=pl.Series(y))


def typed_rows(source=None):
    """Return the same as a table whose schema has every kind of column."""
    size = {"name": "size", "kind": "ordinal", "levels": ["small", "middle", "large"]}
    given = Schema.from_record({"columns": [size]})
    return decide_types(read_table(raw_rows() if source is None else source), target="kind", schema=given)


#: Name → classifier of a whole table.
ON_TABLES = {
    "table-c45": c.C45Classifier(),
    "table-knn": c.KNeighborsClassifier(3),
    "table-logistic": c.LogisticClassifier(),
    "table-fill": c.ID3Classifier(n_bins=3),
    "table-bagging": c.BaggingClassifier(c.NaiveBayesClassifier(), 3, random_state=0),
    "table-decision": c.BayesDecisionClassifier(
        c.LinearDiscriminantClassifier(), costs=[[0, 1, 5], [1, 0, 1], [1, 1, 0]], reject_cost=0.4
    ),
}


def table_models():
    """Give (name, fitted classifier of a table, rows as a file has them)."""
    table = typed_rows()
    for name, estimator in ON_TABLES.items():
        yield name, c.TableClassifier(estimator, table.schema).fit(table, table.y), raw_rows()
    around = c.BayesDecisionClassifier(
        c.TableClassifier(c.NaiveBayesClassifier(), table.schema), reject_cost=0.2
    )
    yield "decision-of-table", around.fit(raw_rows(), table.y), raw_rows()


def special_models():
    """Give (name, fitted model, rows to ask about)."""
    for name, estimator in ON_FRAMES.items():
        X, y = frame()
        yield name, estimator.fit(X, y), X
    for name, estimator in ON_NUMBERS.items():
        yield name, *_on_numbers(estimator)
    for name, estimator in ON_GAPS.items():
        X, y = numbers_with_gaps()
        yield name, estimator.fit(X if "categories" not in name else np.round(X), y), X
    yield from _special()
    yield from table_models()
