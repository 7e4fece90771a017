"""How different the members of a group are: against plain counting, scikit-learn and known cases."""

import json
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.figure import Figure
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import classica
from classica import NaiveBayesClassifier, diversity, majority_accuracy
from classica.errors import ClassicaError
from classica.statistics.ensemble_diversity.pair_measures import MEASURES

#: Members × rows, and the truth: small enough to hit every special case.
tables = st.integers(1, 12).flatmap(
    lambda rows: st.tuples(
        st.lists(st.lists(st.integers(0, 2), min_size=rows, max_size=rows), min_size=1, max_size=5),
        st.lists(st.integers(0, 2), min_size=rows, max_size=rows),
    )
)


def over(part, whole):
    return part / whole if whole else np.nan


def counted(first, second, truth):
    """Return the measures of one pair, by sets of rows."""
    rows = range(len(truth))
    wrong_first = {row for row in rows if first[row] != truth[row]}
    wrong_second = {row for row in rows if second[row] != truth[row]}
    a = len(rows) - len(wrong_first | wrong_second)
    b, c = len(wrong_second - wrong_first), len(wrong_first - wrong_second)
    d = len(wrong_first & wrong_second)
    shares = [(first.count(k) / len(rows), second.count(k) / len(rows)) for k in (0, 1, 2)]
    agree = sum(first[row] == second[row] for row in rows) / len(rows)
    chance = sum(p * q for p, q in shares)
    return {
        "overlap": over(d, len(wrong_first | wrong_second)),
        "disagreement": (b + c) / len(rows),
        "q": over(a * d - b * c, a * d + b * c),
        "double_fault": d / len(rows),
        "kappa": np.nan if chance > 1 - 1e-9 else (agree - chance) / (1 - chance),
        "correlation": over(a * d - b * c, ((a + b) * (c + d) * (a + c) * (b + d)) ** 0.5),
    }


@given(tables)
def test_every_pair_is_what_counting_gives(table):
    answers, truth = table
    found = diversity(answers, None, truth)
    for i, first in enumerate(answers):
        for j, second in enumerate(answers):
            for measure, wanted in counted(first, second, truth).items():
                got = found.matrix(measure)[i, j]
                assert got == pytest.approx(wanted, abs=1e-12, nan_ok=True), measure


@given(tables)
def test_accuracies_vote_and_means_are_what_counting_gives(table):
    answers, truth = (np.array(part) for part in table)
    found = diversity(answers, None, truth)
    assert found.accuracies.tolist() == pytest.approx((answers == truth).mean(axis=1).tolist())
    most = [np.bincount(column, minlength=3).argmax() for column in answers.T]
    assert found.vote_accuracy == pytest.approx(np.mean(most == truth))
    pairs = np.triu_indices(len(answers), k=1)
    for measure, mean in found.means().items():
        values = found.matrix(measure)[pairs]
        known = values[~np.isnan(values)]
        assert mean == pytest.approx(known.mean() if len(known) else np.nan, nan_ok=True)


@given(tables)
def test_order_of_rows_and_names_of_labels_do_not_matter(table):
    answers, truth = (np.array(part) for part in table)
    names = np.array(["zebra", "ant", "mole"])
    plain = diversity(answers, None, truth)
    other = diversity(names[answers][:, ::-1], None, names[truth][::-1])
    for measure in MEASURES:
        np.testing.assert_array_equal(plain.matrix(measure), other.matrix(measure))


def test_kappa_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    answers, truth = rng.integers(0, 4, (6, 200)), rng.integers(0, 4, 200)
    kappa = diversity(answers, None, truth).kappa
    for i in range(6):
        for j in range(6):
            assert kappa[i, j] == pytest.approx(cohen_kappa_score(answers[i], answers[j]), abs=1e-12)


def test_correlation_is_that_of_being_right():
    rng = np.random.default_rng(0)
    answers, truth = rng.integers(0, 3, (6, 200)), rng.integers(0, 3, 200)
    found = diversity(answers, None, truth)
    np.testing.assert_allclose(found.correlation, np.corrcoef(answers == truth), atol=1e-12)


def test_members_without_errors_have_no_overlap_to_tell():
    found = diversity([[1, 0], [1, 0], [0, 0]], None, [1, 0])
    np.testing.assert_array_equal(found.overlap, [[np.nan, np.nan, 0], [np.nan, np.nan, 0], [0, 0, 1]])
    assert np.isnan(found.q[0]).all()
    assert np.isnan(found.correlation[0]).all()
    assert "–: undefined" in str(found)
    assert found.record()["overlap"][0] == [None, None, 0]


def test_the_same_member_twice_and_its_opposite():
    truth = np.array([0, 1] * 10)
    member = np.where(np.arange(20) < 15, truth, 1 - truth)
    found = diversity({"a": member, "again": member, "opposite": 1 - member}, None, truth)
    assert (found.overlap[0, 1], found.q[0, 1], found.kappa[0, 1], found.correlation[0, 1]) == (1, 1, 1, 1)
    assert (found.overlap[0, 2], found.q[0, 2], found.disagreement[0, 2]) == (0, -1, 1)
    assert found.correlation[0, 2] == pytest.approx(-1)


IRIS = load_iris()
NAMES = np.array(IRIS.target_names, dtype=str)[IRIS.target]


def test_members_come_as_list_dict_or_answers():
    models = [
        NaiveBayesClassifier(),
        DecisionTreeClassifier(max_depth=1),
        DecisionTreeClassifier(max_depth=2),
    ]
    for model in models:
        model.fit(IRIS.data, NAMES)
    listed = diversity(models, IRIS.data, NAMES)
    named = diversity(dict(zip("abc", models, strict=True)), IRIS.data, NAMES)
    told = diversity([model.predict(IRIS.data) for model in models], None, NAMES)
    assert listed.names == ["NaiveBayes", "DecisionTree 1", "DecisionTree 2"]
    assert named.names == ["a", "b", "c"]
    assert told.names == ["member 1", "member 2", "member 3"]
    assert listed.overlap.tolist() == named.overlap.tolist() == told.overlap.tolist()
    assert listed.accuracies.tolist() == [model.score(IRIS.data, NAMES) for model in models]


def by_hand(ensemble, X, code=None):
    """Return what each member says, by the documented attributes of scikit-learn's ensembles."""
    columns = getattr(ensemble, "estimators_features_", [slice(None)] * len(ensemble.estimators_))
    said = [m.predict(X[:, c]) for m, c in zip(ensemble.estimators_, columns, strict=True)]
    return said if code is None else [code[answer.astype(int)] for answer in said]


@pytest.mark.parametrize(
    "labels", [NAMES, IRIS.target, IRIS.target + 1, IRIS.target * 2 - 1, IRIS.target == 1]
)
@pytest.mark.parametrize(
    ("ensemble", "coded"),
    [
        (RandomForestClassifier(5, max_depth=2, random_state=0), True),
        (BaggingClassifier(n_estimators=5, max_features=0.5, max_samples=10, random_state=0), True),
        (AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=5, random_state=0), False),
        (
            VotingClassifier(
                [("tree", DecisionTreeClassifier(max_depth=1)), ("knn", KNeighborsClassifier())]
            ),
            True,
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_ensembles_of_scikit_learn(ensemble, coded, labels):
    ensemble.fit(IRIS.data, labels)
    found = diversity(ensemble, IRIS.data, labels)
    said = by_hand(ensemble, IRIS.data, ensemble.classes_ if coded else None)
    np.testing.assert_allclose(found.accuracies, [(answer == labels).mean() for answer in said])
    assert found.names[0] == ("tree" if isinstance(ensemble, VotingClassifier) else "DecisionTree 1")


@pytest.mark.parametrize("frame", [lambda data, names: pd.DataFrame(data, columns=names), pl.DataFrame])
@pytest.mark.parametrize(
    "ensemble", [RandomForestClassifier(3), BaggingClassifier(n_estimators=3, max_features=0.5)]
)
def test_ensembles_that_learned_from_frames_answer_frames(ensemble, frame):
    table = frame(IRIS.data, list("abcd"))
    ensemble.set_params(random_state=0).fit(table, NAMES)
    said = by_hand(ensemble, IRIS.data, ensemble.classes_)
    found = diversity(ensemble, table, NAMES)
    np.testing.assert_allclose(found.accuracies, [(answer == NAMES).mean() for answer in said])


MIXED = pd.DataFrame(
    {"length": IRIS.data[:, 2], "width": IRIS.data[:, 3], "wide": np.where(IRIS.data[:, 1] > 3, "yes", "no")}
)


@pytest.mark.parametrize("frame", [MIXED, pl.from_pandas(MIXED)], ids=["pandas", "polars"])
@pytest.mark.parametrize(
    "ensemble",
    [
        classica.BaggingClassifier(classica.C45Classifier(), 4, random_state=0),
        classica.BaggingClassifier(classica.C45Classifier(), 4, max_features=2, random_state=0),
        classica.BaggingClassifier(n_estimators=4, bootstrap_features=True, random_state=0),
        classica.VotingClassifier(),
    ],
    ids=["bag", "some columns", "columns again", "vote"],
)
def test_our_own_ensembles_answer_frames_with_categories(ensemble, frame):
    ensemble.set_params(voting="hard").fit(frame, NAMES)
    found = diversity(ensemble, frame, NAMES)
    assert found.accuracies.min() > 0.5
    assert found.vote_accuracy == pytest.approx(ensemble.score(frame, NAMES))  # one vote each


def test_a_dropped_member_has_no_name():
    members = [("one", LogisticRegression(max_iter=1000)), ("two", "drop"), ("three", KNeighborsClassifier())]
    ensemble = VotingClassifier(members).fit(IRIS.data, NAMES)
    assert diversity(ensemble, IRIS.data, NAMES).names == ["one", "three"]


def test_answers_that_no_row_has_are_wrong_answers():
    found = diversity([["a", "c"], ["d", "c"]], None, ["a", "b"])
    assert found.accuracies.tolist() == [0.5, 0]
    assert found.overlap[0, 1] == 0.5
    assert found.vote_accuracy == 0.5


def test_majority_accuracy_takes_the_measured_correlation():
    rng = np.random.default_rng(0)
    hard = rng.random(4000) < 0.3
    answers = np.where(hard, rng.random((11, 4000)) < 0.5, rng.random((11, 4000)) < 0.9).astype(int)
    found = diversity(answers, None, np.ones(4000))
    mean = found.means()["correlation"]
    assert 0.1 < mean < 0.3
    wanted = majority_accuracy(found.accuracies, correlation=mean)
    assert found.majority_accuracy() == wanted
    assert abs(wanted - found.vote_accuracy) < 0.03
    assert majority_accuracy(found.accuracies) > found.vote_accuracy + 0.05


def test_members_that_exclude_each_other_count_as_independent():
    found = diversity([[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1]], None, [1] * 4)
    assert found.means()["correlation"] < 0
    assert found.majority_accuracy() == majority_accuracy(found.accuracies)
    assert found.vote_accuracy == 1
    assert "correlated" not in str(found)


def test_the_table_has_members_pairs_from_the_most_alike_and_means():
    found = diversity({"a": [0, 0, 1, 1], "b": [0, 1, 1, 1], "c": [1, 1, 1, 0]}, None, [1] * 4)
    lines = found.table().splitlines()
    assert lines[0] == "3 members on 4 rows"
    assert [line.split() for line in lines[3:6]] == [["a", "0.5000"], ["b", "0.7500"], ["c", "0.7500"]]
    assert [line.split()[:4] for line in lines[8:11]] == [
        ["a", "·", "b", "0.500"],
        ["a", "·", "c", "0.000"],
        ["b", "·", "c", "0.000"],
    ]
    assert lines[11].split()[:5] == ["mean", "of", "all", "pairs", "0.167"]
    assert str(found) == found.table()


def test_many_members_show_the_ends():
    rng = np.random.default_rng(0)
    found = diversity(rng.integers(0, 2, (40, 100)), None, rng.integers(0, 2, 100))
    lines = str(found).splitlines()
    assert len(lines) < 25
    assert max(map(len, lines)) <= 110
    shown = [float(line.split()[5]) for line in lines if "·" in line]
    pairs = np.sort(found.overlap[np.triu_indices(40, k=1)])[::-1].round(3)
    assert shown == pytest.approx([*pairs[:5], *pairs[-5:]])
    assert "(780)" in lines[3]


def test_many_members_without_errors_have_no_pair_to_show():
    found = diversity(np.zeros((20, 4)), None, np.zeros(4))
    assert [line for line in str(found).splitlines() if "·" in line] == []
    assert "–: undefined" in str(found)


def test_one_member_has_no_pairs():
    found = diversity([[0, 1]], None, [0, 0])
    assert np.isnan(list(found.means().values())).all()
    assert "pair" not in str(found)
    assert found.majority_accuracy() == found.vote_accuracy == 0.5


def test_the_record_is_json():
    found = diversity([[0, 1, 1], [0, 0, 1]], None, [0, 0, 1])
    told = json.loads(json.dumps(found.record(), allow_nan=False))
    assert told["names"] == ["member 1", "member 2"]
    assert told["overlap"] == [[1, 0], [0, None]]
    assert told["means"]["q"] is None
    assert (told["rows"], told["vote_accuracy"]) == (3, pytest.approx(found.vote_accuracy))


def test_a_hundred_members_on_ten_thousand_rows_take_well_under_a_second():
    rng = np.random.default_rng(0)
    labels = np.array(["red", "green", "blue", "white", "black"])
    answers, truth = labels[rng.integers(0, 5, (100, 10_000))], labels[rng.integers(0, 5, 10_000)]
    laps = []  # of the processor: others may be at work
    for _ in range(3):
        start = time.process_time()
        diversity(answers, None, truth)
        laps.append(time.process_time() - start)
    assert min(laps) < 0.8


def test_the_map_shows_every_pair():
    found = diversity({"a": [0, 0, 1], "b": [0, 1, 1], "c": [1, 1, 1]}, None, [1, 1, 1])
    axes = found.plot(ax=Figure().subplots())
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["a", "b", "c"]
    assert [text.get_text() for text in axes.texts] == ["0.50", "0.00", "0.50", "0.00", "0.00", "0.00"]
    shown = axes.images[0].get_array()
    assert np.ma.masked_invalid(shown)[0, 1] == 0.5
    assert "overlap on 3 rows" in axes.get_title()


def test_the_map_of_many_members_has_no_numbers():
    rng = np.random.default_rng(0)
    found = diversity(rng.integers(0, 2, (30, 50)), None, rng.integers(0, 2, 50))
    axes = found.plot("q")
    assert not axes.texts
    assert axes.images[0].get_cmap().name == "RdBu_r"
    pyplot.close(axes.figure)


def test_every_measure_can_be_drawn():
    found = diversity([[0, 1, 1], [0, 0, 1]], None, [0, 0, 1])  # some are not defined
    for measure in MEASURES:
        axes = found.plot(measure)
        assert len(axes.texts) == 2
        pyplot.close(axes.figure)


def test_the_kappa_error_diagram_has_a_point_for_every_pair():
    rng = np.random.default_rng(0)
    found = diversity(rng.integers(0, 2, (6, 50)), None, rng.integers(0, 2, 50))
    axes = found.plot_kappa_error()
    points = axes.collections[0].get_offsets()
    pairs = np.triu_indices(6, k=1)
    np.testing.assert_allclose(points[:, 0], found.kappa[pairs])
    np.testing.assert_allclose(points[:, 1], 1 - found.accuracies[np.array(pairs)].mean(axis=0))
    assert axes.get_lines()[0].get_ydata()[0] == pytest.approx(1 - found.vote_accuracy)
    pyplot.close(axes.figure)


def test_measuring_brings_no_plotting_package():
    code = "import sys\nfrom classica import diversity\nstr(diversity([[0, 1]], None, [0, 1]))\n"
    done = subprocess.run(
        [sys.executable, "-c", code + "print('matplotlib' in sys.modules)"], capture_output=True
    )
    assert done.stdout.split() == [b"False"]


FITTED = DecisionTreeClassifier().fit(IRIS.data, NAMES)


@pytest.mark.parametrize(
    ("members", "y", "message"),
    [
        (
            [[0, 1, 1]],
            [0, 1],
            "member 'member 1' must be 2 predictions long, one for each label of y, got 3.",
        ),
        (
            [["a", "b"]],
            [0, 1],
            "member 'member 1' must be predicting labels like those of y, which are numbers, got",
        ),
        (
            [[0, 1]],
            ["a", "b"],
            "member 'member 1' must be predicting labels like those of y, which are text, got",
        ),
        (
            [[0, np.nan]],
            [0, 1],
            "member 'member 1' must be predicting labels like those of y, which are numbers, got",
        ),
        ([[0, 1]], [0, None], "y must have a label in every row, got None in row 1."),
        ([[0, 1]], None, "y must be given, got None."),
        ([[0, 1]], [], "y must hold at least one label, got none."),
        ([[0, 1]], [[0, 1], [1, 0]], "y must be one label for each row, got [[0, 1], [1, 0]]."),
        (
            [],
            [0, 1],
            "members must be classifiers, their names with them, a fitted ensemble of classifiers, or",
        ),
        (
            {},
            [0, 1],
            "members must be classifiers, their names with them, a fitted ensemble of classifiers, or",
        ),
        (
            FITTED,
            NAMES,
            "members must be classifiers, their names with them, a fitted ensemble of classifiers, or",
        ),
        (
            "tree",
            NAMES,
            "members must be classifiers, their names with them, a fitted ensemble of classifiers, or",
        ),
        ([0, 1], [0, 1], "member 'member 1' must be a classifier or one prediction for each row, got 0."),
        ([DecisionTreeRegressor()], [0, 1], "member 'DecisionTreeRegressor' must be a classifier, got"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(members, y, message):
    with pytest.raises(ClassicaError) as refused:
        diversity(members, IRIS.data, y)
    assert str(refused.value).startswith(message)


def test_ensembles_of_regressors_are_refused():
    X, y = make_classification(50, random_state=0)
    model = GradientBoostingClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(ClassicaError, match=r"^member 'DecisionTreeRegressor 1' must be a classifier, got"):
        diversity(model, X, y)


def test_an_unknown_measure_is_refused():
    with pytest.raises(
        ClassicaError, match=r"^measure must be 'overlap', .* or 'correlation', got 'jaccard'\.$"
    ):
        diversity([[0, 1]], None, [0, 1]).plot("jaccard")
