"""ROC and precision-recall from stored scores: fold by fold what scikit-learn says."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from classica.displays import PrecisionRecallDisplay, RocDisplay
from classica.displays.curves.curve_display import GRID
from classica.errors import ClassicaError
from tests.displays.drawing import assert_draws

BOTH = [(RocDisplay, roc_auc_score), (PrecisionRecallDisplay, average_precision_score)]


@pytest.fixture(scope="module")
def stored():
    """Scores of 3 classes in 5 folds; some rows twice, as in repeated cross-validation."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 300)
    scores = rng.standard_normal((300, 3)) + 1.5 * np.eye(3)[codes]
    return np.array(["ant", "bee", "cat"])[codes], scores, np.arange(300) % 5


@pytest.mark.parametrize(("kind", "score"), BOTH)
def test_areas_are_those_of_each_fold(stored, kind, score):
    y, scores, folds = stored
    display = kind.from_scores(y, scores, folds=folds)
    assert [band.label for band in display.bands] == ["ant", "bee", "cat"]
    for code, band in enumerate(display.bands):
        expected = [score(y[folds == f] == band.label, scores[folds == f, code]) for f in range(5)]
        np.testing.assert_allclose(band.areas, expected)
        np.testing.assert_allclose(band.mean, band.curves.mean(axis=0))
        assert band.told() == f"{np.mean(expected):.3f} ± {np.std(expected, ddof=1):.3f}"
    assert display.macro == pytest.approx(np.mean([band.area for band in display.bands]))
    assert "Mean over 5 folds" in assert_draws(display)


@pytest.mark.parametrize(("kind", "score"), BOTH)
def test_two_classes_have_one_curve_of_the_second(stored, kind, score):
    _, scores, _ = stored
    y = np.array(["no", "yes"])[(scores[:, 0] + scores[:, 1] > 1).astype(int)]
    one = kind.from_scores(y, scores[:, 0])
    two = kind.from_scores(y, np.column_stack([-scores[:, 0], scores[:, 0]]), classes=["no", "yes"])
    assert [band.label for band in one.bands] == ["yes"]
    np.testing.assert_array_equal(one.bands[0].curves, two.bands[0].curves)
    assert one.bands[0].area == pytest.approx(score(y == "yes", scores[:, 0]))
    other = kind.from_scores(y, scores[:, 0], positive="no")
    assert other.bands[0].area == pytest.approx(score(y == "no", -scores[:, 0]))
    assert_draws(one)


def test_the_roc_curve_passes_through_its_points(stored):
    y, scores, _ = stored
    (band, *_) = RocDisplay.from_scores(y, scores).bands
    alarms, found, _ = roc_curve(y == "ant", scores[:, 0])
    np.testing.assert_allclose(band.curves[0][1:], np.interp(GRID[1:], alarms, found))
    assert (band.curves[0][0], band.curves[0][-1]) == (0, 1)
    assert (np.diff(band.curves[0]) >= 0).all()


def test_precision_is_that_of_the_rows_one_must_accept(stored):
    y, scores, _ = stored
    (band, *_) = PrecisionRecallDisplay.from_scores(y, scores).bands
    order = np.argsort(-scores[:, 0])
    hits = np.cumsum(y[order] == "ant")
    for wanted, height in zip(GRID[1:], band.curves[0][1:], strict=True):
        accepted = np.flatnonzero(hits >= wanted * hits[-1] - 1e-9)[0] + 1
        assert height == pytest.approx(hits[accepted - 1] / accepted)


def test_folds_without_a_class_are_left_out_for_it():
    y = ["a", "a", "b", "b", "b", "c"]
    scores = np.eye(3)[[0, 0, 1, 1, 1, 2]]
    display = RocDisplay.from_scores(y, scores, folds=[0, 0, 0, 1, 1, 1])
    assert [len(band.areas) for band in display.bands] == [1, 2, 1]
    empty = RocDisplay.from_scores(["a", "b"], [0.1, 0.2], folds=[0, 1])
    assert np.isnan(empty.bands[0].area)
    assert_draws(empty)


def test_many_classes_show_those_that_need_a_look():
    rng = np.random.default_rng(0)
    codes = np.arange(400) % 20
    scores = rng.standard_normal((400, 20)) + np.linspace(0, 3, 20)[codes, None] * np.eye(20)[codes]
    svg = assert_draws(RocDisplay.from_scores(codes, scores))
    assert "Of 20 classes, the 10 " in svg.replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 1, 2], [1, 2, 3]), {}, "scores must be of 3 rows and 3 columns, one for each class, got (3,)."),
        (([0, 1], [1, np.nan]), {}, "scores must be finite, got np.float64(nan)."),
        (([0, 0], [[1], [2]]), {}, "y_true must be of two classes at least, got [0]."),
        (([0, 1], [1, 2]), {"folds": [0]}, "folds must be 2 numbers long, one for each row, got 1."),
        (([0, 1], [1, 2]), {"positive": 7}, "positive must be one of the classes [0, 1], got 7."),
    ],
)
def test_what_does_not_fit_is_refused(arguments, options, message):
    with pytest.raises(ClassicaError) as refused:
        RocDisplay.from_scores(*arguments, **options)
    assert str(refused.value) == message
