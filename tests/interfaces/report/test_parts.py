"""Parts of the page by themselves."""

import re
from importlib import resources
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from classica import SVMClassifier, bias_variance
from classica.comparison.comparison_result import ComparisonResult
from classica.comparison.results.summary import Insight
from classica.diagnosis import diagnose
from classica.diagnosis.finding import Finding
from classica.errors import DataError
from classica.interfaces.report.drawing import CannotDraw, Drawing, Picture
from classica.interfaces.report.interval_bar import Scale, interval_bar
from classica.interfaces.report.links import anchors, linked_findings
from classica.interfaces.report.material import Material
from classica.interfaces.report.own_pictures import add_own
from classica.interfaces.report.pictures import look_pictures
from classica.interfaces.report.report_displays import ClassMeansDisplay
from classica.interfaces.report.report_tables import confusion_table, overlap_table
from classica.metrics import confusion
from classica.statistics import diversity
from tests.comparison.summaries import interval, model


def matrix_of(size):
    counts = np.diag(np.full(size, 10))
    counts[0, 1], counts[2, 0] = 7, 3
    counts[3, 3] = 0  # no row of a class has no error
    labels = np.array([f"c{index}" for index in range(size)])
    true, predicted = np.nonzero(counts)
    times = counts[true, predicted]
    return confusion(np.repeat(labels[true], times), np.repeat(labels[predicted], times), labels=labels)


def test_a_matrix_of_40_classes_is_a_table():
    table = confusion_table(matrix_of(40))
    assert len(table["lines"]) == 40
    assert table["lines"][0]["cells"][0] == {"count": "10", "kind": "ok s5"}
    assert table["lines"][0]["cells"][1] == {"count": "7", "kind": "s4"}
    assert table["lines"][0]["cells"][2] == {"count": "", "kind": ""}
    assert [line["error"] for line in table["lines"][:4]] == ["41.2%", "0.0%", "23.1%", "–"]


def test_of_more_classes_the_worst_pairs_are_told():
    table = confusion_table(matrix_of(41))
    assert not table["lines"]
    assert table["pairs"] == [
        {"true": "c0", "predicted": "c1", "count": "7", "share": "41.2%"},
        {"true": "c2", "predicted": "c0", "count": "3", "share": "23.1%"},
    ]


def test_a_finding_leads_to_its_models():
    names = ["tree", "rules", "knn"]
    places = dict(zip(names, anchors(names, "model"), strict=True))
    finding = Finding.of("E101", "Two models.", "", models={"tree": 0.1, "knn": 0.2})
    other = Finding.of("E201", "Classes.", "", classes=["rules"], rows=3)
    [first, second] = linked_findings([finding, other], list(map(model, names)), places)
    assert [(link.title, link.anchor) for link in first.models] == [
        ("tree", "model-tree"),
        ("knn", "model-knn"),
    ]
    assert finding.numbers["models"] == {"tree": 0.1, "knn": 0.2}
    assert second.models == ()


def test_the_model_others_are_measured_by_is_not_among_them():
    scores = {"tree": [0.80, 0.82, 0.78, 0.81, 0.79], "knn": [0.60, 0.62, 0.58, 0.61, 0.59]}
    train = {"tree": [0.83] * 5, "knn": [0.62, 0.63, 0.62, 0.61, 0.62]}
    (underfit,) = diagnose(scores, 0.2, train_scores=train).findings
    assert underfit.code == "E102"
    places = {"tree": "model-tree", "knn": "model-knn"}
    (found,) = linked_findings([underfit], list(map(model, scores)), places)
    assert [link.name for link in found.models] == ["knn"]


def test_places_differ_for_all_names():
    found = anchors(["a b", "a-b", "é", "ü", ""], "model")
    assert len(set(found)) == 5
    assert all(place.isascii() for place in found)


def test_the_names_of_a_picture_are_its_own_and_texts_stay():
    text = '<text> id="a" url(#a)</text></svg>'
    svg = f'<svg><defs><style>*{{x}}</style></defs><path id="a"/><use href="#a"/>{text}'
    assert Picture.of(svg, "p", "caption").svg == f'<svg><path id="p-a"/><use href="#p-a"/>{text}'


def test_what_cannot_be_drawn_is_told_in_one_line():
    def fails():
        raise CannotDraw("No\nroom.")

    def breaks():
        raise DataError("estimator must be for two classes, got SVMClassifier(n_jobs=1).")

    drawing = Drawing("d")
    drawing.add("ROC", fails)
    drawing.add("Margins", breaks)
    drawing.add("Tree", lambda: "<svg></svg>")
    assert drawing.left_out == [
        "ROC: not drawn. No room.",
        "Margins: not drawn. It could not be drawn for this model and table (DataError).",
    ]
    assert len(drawing.pictures) == 1


@pytest.mark.parametrize(("mean", "has_arrow"), [(0.8, False), (0.1, True)])
def test_a_score_beyond_the_scale_is_an_arrow(mean, has_arrow):
    judged = model("tree", score=interval(mean, mean - 0.05, mean + 0.05), train_score=0.9)
    bar = interval_bar(judged, Scale(0.5, 1.0, 0.1, share=True))
    assert ("polygon" in bar) is has_arrow
    assert ("circle" in bar) is not has_arrow
    assert "floor" not in bar


def test_means_are_in_standard_deviations_the_farthest_apart_first():
    rows = np.array([[0.0, 0.0], [2.0, 10.0], [4.0, 0.0], [6.0, 10.0]])
    display = ClassMeansDisplay.from_means([[1.0, 5.0], [5.0, 5.0]], [0, 1], rows, ["a", "b"], ["x", "y"])
    assert display.names == ["a", "b"]
    assert display.means == pytest.approx(np.array([[-2 / 5**0.5, 0.0], [2 / 5**0.5, 0.0]]))
    assert display.to_svg().startswith("<svg")


def test_the_caption_of_bias_and_variance_states_the_training_size(tmp_path):
    X, y = load_iris(return_X_y=True)
    found = bias_variance(DecisionTreeClassifier(random_state=0), X, y, n_samples=4)
    summary = SimpleNamespace(insight=Insight(bias_variance=found), judged=[])
    drawn = look_pictures(Material(ComparisonResult(tmp_path, summary)))
    assert drawn.left_out == []
    (picture,) = drawn.pictures
    assert picture.caption.startswith("With 50 training rows the expected error rate is ")
    assert "a more complex model helps only if the training error is high, too" in picture.caption
    assert "50 training rows" in picture.title


def test_margins_of_pairs_are_left_out_in_a_sentence():
    """Of eleven classes in pairs the caption was an error about an argument of the picture's function."""
    X, y = load_iris(return_X_y=True)
    opened = SimpleNamespace(estimator=SVMClassifier().fit(X, y), seen_names=list("abcd"))
    drawing = Drawing("d")
    add_own(drawing, None, None, opened)
    assert drawing.left_out == [
        "Margins: not drawn. The model separates its 3 classes by 3 binary classifiers, one for each pair, "
        "and each has margins of its own. With multi_class='one-vs-all' those of one class against all "
        "others are drawn."
    ]


def test_errors_that_models_share_are_told_two_by_two():
    truth = np.zeros(20, dtype=int)
    wrong = {"a": [0, 1], "b": [1, 2, 3]}
    found = diversity(
        {name: np.isin(np.arange(20), rows).astype(int) for name, rows in wrong.items()}, None, truth
    )
    table = overlap_table(found)
    assert [line["cells"] for line in table["lines"]] == [["", "25%"], ["25%", ""]]
    assert "majority vote" in table["text"]
    assert table["text"].endswith(" 90.0%.")
    assert overlap_table(None) is None


def test_text_can_be_read_on_every_ground():
    css = resources.files("classica.interfaces.report").joinpath("templates", "report.css").read_text("utf-8")
    themes = [
        dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root \{(.*?)\}", css, re.S)
    ]
    screens = [theme for theme in themes if "page" in theme]
    assert len(screens) == 2
    for theme in screens:
        for ink in ("ink", "soft", "accent", "good", "bad"):
            for ground in ("page", "band"):
                assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)


def contrast(first, second):
    """Return the ratio of luminances that the guidelines for accessible pages ask for."""
    low, high = sorted(map(luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    shares = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])
