"""A tree as a picture: well-formed, complete up to its limit, and nothing on top of anything else."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

from classica import DecisionTreeClassifier, DecisionTreeRegressor, ID3Classifier
from classica.errors import ParameterError
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.tree_svg import tree_svg
from tests.trees.tables import GOLF, chain, mixed_table

SVG = "{http://www.w3.org/2000/svg}"


def cards(picture):
    """Return position, size and texts of every card."""
    found = []
    for group in ET.fromstring(picture).iter(f"{SVG}g"):
        box = group.find(f"{SVG}rect")
        if box is not None and "card" in box.get("class", ""):
            x, y = map(float, re.findall(r"-?[\d.]+", group.get("transform")))
            texts = [text.text or "" for text in group.findall(f"{SVG}text")]
            found.append((x, y, float(box.get("width")), float(box.get("height")), texts))
    return found


def branch_labels(picture):
    return [t.text for t in ET.fromstring(picture).iter(f"{SVG}text") if t.get("class") == "branch"]


def test_the_golf_tree():
    picture = ID3Classifier().fit(GOLF.drop(columns="y"), GOLF["y"]).to_svg()
    texts = [card[-1] for card in cards(picture)]
    assert texts[0] == ["outlook?", "", "14 rows"]
    assert sorted(text[0] for text in texts) == ["0", "0", "1", "1", "1", "humidity?", "outlook?", "windy?"]
    assert sorted(branch_labels(picture)) == ["cloudy", "high", "no", "normal", "rain", "sun", "yes"]


@pytest.mark.parametrize("max_nodes", [1, 2, 3, 10, 30, 10_000])
@pytest.mark.parametrize("categories", ["subset", "multiway"])
def test_no_more_nodes_than_asked_for_and_none_lost(max_nodes, categories):
    X, y, _ = mixed_table(rows=800)
    model = DecisionTreeClassifier(categories=categories).fit(X, y)
    found = cards(model.to_svg(max_nodes))
    assert len(found) <= max_nodes
    hidden = sum(int(n) for *_, texts in found for n in re.findall(r"^\+ (\d+) nodes$", texts[1]))
    assert len(found) + hidden == len(model.tree_)


@pytest.mark.parametrize("max_nodes", [30, 500])
def test_nothing_overlaps_or_leaves_the_picture(max_nodes):
    X, y, values = mixed_table(rows=800)
    for model, target in ((DecisionTreeClassifier(), y), (DecisionTreeRegressor(), values)):
        picture = model.fit(X, target).to_svg(max_nodes)
        size = [float(ET.fromstring(picture).get(side)) for side in ("width", "height")]
        boxes = np.array([card[:4] for card in cards(picture)])
        x, y0, w, h = boxes.T
        assert (x >= 0).all()
        assert (y0 >= 0).all()
        assert (x + w).max() <= size[0]
        assert (y0 + h).max() <= size[1]
        apart = (x[:, None] + w[:, None] <= x) | (x + w <= x[:, None])
        apart |= (y0[:, None] + h[:, None] <= y0) | (y0 + h <= y0[:, None])
        assert (apart | np.eye(len(boxes), dtype=bool)).all()


def test_names_of_any_kind_are_escaped():
    X = pd.DataFrame({'<a> & "b"': ["</svg>", "]]>", "\x00\x1b", "日本"] * 5, "é\n": range(20)})
    y = np.array(["<script>", "&amp;", "a'b", "\ud800"])[np.arange(20) % 4]
    picture = DecisionTreeClassifier().fit(X, y).to_svg()
    assert "<script>" not in picture
    assert "&lt;script&gt;" in picture
    ET.fromstring(picture.encode())


def test_long_names_end_in_an_ellipsis_and_are_told_in_full():
    X = pd.DataFrame({"a name that goes on for much longer than any card is wide": [1.0, 2.0]})
    picture = DecisionTreeClassifier().fit(X, [0, 1]).to_svg()
    (_, _, width, _, [name, *_]), *_ = cards(picture)
    assert name.endswith("…")
    assert len(name) * 5 < width
    assert "split on a name that goes on for much longer than any card is wide" in picture


def test_many_classes_have_different_colours():
    X = np.arange(40.0)[:, None]
    picture = DecisionTreeClassifier().fit(X, np.arange(40)).to_svg(5)
    assert "and 28 more" in picture
    bars = re.findall(r'height="6" fill="(#[0-9a-f]{6})"', picture)
    assert len(set(bars)) == 40


def test_a_deep_tree():
    picture = tree_svg(NamedTree.of(*chain(10_000)), 30)
    assert len(cards(picture)) == 29
    assert "+ 19972 nodes" in picture


@pytest.mark.parametrize("max_nodes", [0, 2.5, None])
def test_what_cannot_be_a_limit(max_nodes):
    model = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ParameterError, match=r"^max_nodes must be an integer of at least 1"):
        model.to_svg(max_nodes)
