"""Parts of the page by themselves."""

import re
from importlib import resources

import numpy as np
import pytest

from classica.evaluation import confusion, diversity
from classica.evaluation.bias_variance import BiasVariance
from classica.evaluation.finding import Finding
from classica.evaluation.loss_parts import SquaredLossParts, ZeroOneLossParts
from classica.interfaces.report.class_means_display import ClassMeansDisplay
from classica.interfaces.report.confusion_table import confusion_table
from classica.interfaces.report.drawing import Drawing
from classica.interfaces.report.interval_bar import Scale, interval_bar
from classica.interfaces.report.links import anchors, linked_findings
from classica.interfaces.report.loss_parts_display import LossPartsDisplay
from classica.interfaces.report.overlap_table import overlap_table
from classica.interfaces.report.picture import Picture
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
    assert [(link.title, link.place) for link in first.models] == [
        ("tree", "model-tree"),
        ("knn", "model-knn"),
    ]
    assert finding.numbers["models"] == {"tree": 0.1, "knn": 0.2}
    assert second.models == ()


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
        raise ValueError("no\nroom")

    drawing = Drawing("d")
    drawing.add("ROC", fails)
    drawing.add("Tree", lambda: "<svg></svg>")
    assert drawing.left_out == ["ROC: not drawn. no room"]
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


def test_parts_of_the_loss_add_up_to_what_is_drawn():
    squared = SquaredLossParts(None, 0.2, 0.1, 0.3)
    zero_one = ZeroOneLossParts(None, 0.25, 0.15, 0.1, 0.05, 0.05, 0.3)
    display = LossPartsDisplay(BiasVariance(squared, zero_one, 10, 20, False))
    assert sum(value for name, value, _ in display.bars if "squared" not in name) == pytest.approx(0.3)
    assert sum(value for name, value, _ in display.bars if "squared" in name) == pytest.approx(0.3)
    assert display.to_svg().startswith("<svg")


def test_errors_that_models_share_are_told_two_by_two():
    truth = np.zeros(20, dtype=int)
    wrong = {"a": [0, 1], "b": [1, 2, 3]}
    found = diversity(
        {name: np.isin(np.arange(20), rows).astype(int) for name, rows in wrong.items()}, None, truth
    )
    table = overlap_table(found)
    assert [line["cells"] for line in table["lines"]] == [["", "25%"], ["25%", ""]]
    assert table["text"].startswith("A majority vote of these 2 is ")
    assert table["text"].endswith(" accurate, the best of them alone 90.0%.")
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
