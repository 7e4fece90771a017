"""Sketches, and parts of the page that are cut or left out so that it can be read."""

import re
from dataclasses import replace

import numpy as np
import pytest

from classica.comparison.results.summary import Delivered, MetricFacts
from classica.diagnosis.finding import Finding
from classica.displays import CalibrationDisplay, RocDisplay
from classica.explain.section import Section
from classica.interfaces.report import pictures, report_html
from classica.interfaces.report.drawing import Drawing
from classica.interfaces.report.fold_curves import calibration_sketch, roc_sketch
from classica.interfaces.report.interval_bar import Scale
from classica.interfaces.report.links import linked_findings
from classica.interfaces.report.material import Material
from classica.interfaces.report.model_section import model_section
from classica.interfaces.report.own_pictures import add_regions
from classica.interfaces.report.pictures import learned_parts
from classica.interfaces.report.report_displays import BracketDisplay
from classica.interfaces.report.report_tables import overlap_table
from classica.statistics import diversity
from classica.statistics.bayes_errors.table_bracket import TableBayesError
from tests.comparison.summaries import interval, model, summary
from tests.interfaces.report.page_reader import PageReader

Y, SAID = ["no", "no", "yes", "yes"], [0.1, 0.4, 0.4, 0.9]


def test_a_sketch_goes_through_the_points_of_the_curve():
    picture, told = roc_sketch(RocDisplay.from_scores(Y, SAID))
    [line] = re.findall(r'points="([^"]*)"', picture)
    points = np.array([list(map(float, point.split(","))) for point in line.split()])
    assert points[0].tolist() == [0, 100]
    assert points[-1].tolist() == [100, 0]
    assert [50.0, 0.0] in points.tolist()  # both are found for half of the others
    assert told == "ROC: AUC 0.875; guessing has 0.5."


def test_a_sketch_of_what_comes_true_has_a_dot_for_each_bin():
    picture, told = calibration_sketch(CalibrationDisplay.from_probabilities(Y, SAID))
    assert len(re.findall("<circle", picture)) == 3
    assert 'cx="40.0" cy="50.0"' in picture
    assert "off by 10.0% on average" in told


def test_models_in_short_have_sketches_that_are_spoken_of(compared):
    read = PageReader(report_html(compared, pictures=0))
    sketches = [attributes for tag, attributes in read.tags if attributes.get("class") == "sketch"]
    assert len(sketches) == 2 * len(compared.summary.judged)  # all of them give probabilities
    assert all(attributes["aria-label"] and attributes["role"] == "img" for attributes in sketches)
    assert "classica report run --pictures" not in read.text
    assert "classica report run --pictures 5" in PageReader(report_html(compared)).text


def test_what_becomes_of_the_columns_is_told_in_full_only(compared):
    material = Material(compared)
    opened = material.load_model(compared.summary.model("logistic"))
    titles = [{part["title"] for part in learned_parts(opened, in_full=full)} for full in (True, False)]
    assert titles[0] - titles[1] == {"How each column is encoded"}
    [told] = [part for part in learned_parts(opened, in_full=True) if part["title"] not in titles[1]]
    assert "one-hot encoded" in told["text"]


def test_an_explanation_of_many_parts_is_cut(monkeypatch):
    class Told:
        sections = tuple(Section(f"column {place}", text="x") for place in range(30))

    class Model:
        model = None

    monkeypatch.setattr(pictures, "explain_model", lambda model: Told)
    parts = learned_parts(Model, in_full=False)
    assert len(parts) == 13
    assert parts[-1]["note"] == "… and 18 more sections."


def test_a_finding_leads_to_a_few_models():
    names = [f"m{place}" for place in range(9)]
    finding = Finding.of("E303", "m0, m1 and 7 more are tied.", "", models=names)
    [linked] = linked_findings([finding], list(map(model, names)), {name: f"model-{name}" for name in names})
    assert [link.title for link in linked.models] == names
    assert linked.more == 3


@pytest.mark.parametrize(("nearest", "lines"), [(1, 2), (5, 3)])
def test_the_nearest_neighbour_is_told_once(nearest, lines):
    bracket = TableBayesError(0.0, 0.2, 0.1, 0.1, nearest, 3.0, 100, 2, 0.95, [])
    display = BracketDisplay(bracket, ("lda", 0.1))
    assert len(display.seen) == lines
    assert display.to_svg().count("1 nearest neighbour<") == 1


def test_models_are_called_what_the_page_calls_them():
    right = {"sklearn.svm:LinearSVC": [0, 0, 1, 1], "lda": [0, 1, 1, 1]}
    found = diversity(right, None, [0, 0, 1, 1])
    table = overlap_table(found, {"sklearn.svm:LinearSVC": "LinearSVC"})
    assert table["names"] == ["LinearSVC", "lda"]
    assert [line["name"] for line in table["lines"]] == ["LinearSVC", "lda"]


def test_a_loss_is_not_shown_on_a_scale_below_nothing():
    judged = model("tree", score=interval(0.2, 0.01, 0.9), train_score=0.0)
    metric = MetricFacts("log_loss", "log loss", False, False, 1.1)
    assert Scale.of(summary([judged], metric=metric)).low == 0


def test_regions_that_mislead_are_not_drawn(compared, monkeypatch):
    monkeypatch.setattr("classica.interfaces.report.own_pictures._MISLEADING", -2.0)
    monkeypatch.setattr("classica.interfaces.report.own_pictures._has_plane", lambda material: True)
    material, drawing = Material(compared), Drawing("x")
    logistic = compared.summary.model("logistic")
    add_regions(drawing, material, logistic, material.load_model(logistic))
    assert not drawing.pictures
    assert drawing.left_out[0].startswith("Decision regions: not drawn. ")


def test_a_plane_of_levels_is_not_drawn(compared):
    material, drawing = Material(compared), Drawing("x")
    logistic = compared.summary.model("logistic")
    add_regions(drawing, material, logistic, material.load_model(logistic))
    assert not drawing.pictures
    assert not drawing.left_out


def test_parameters_tuned_on_all_rows_are_set_against_those_of_the_folds(compared):
    judged = compared.summary.judged[0]
    folds = tuple(replace(fold, parameters={"C": 1.0}) for fold in judged.folds)
    for tuned, words in ((1.0, "selected in 3 of 3 folds"), (10.0, "selected in no fold")):
        final = replace(judged, folds=folds, delivered=Delivered({"C": tuned}, "models/m.classica"))
        facts = dict(model_section(final, compared.summary)["facts"])
        assert facts["hyper-parameters"] == f"C = {tuned} (tuned on all rows; {words})"
        assert facts["tuned in the folds"] == "C = 1.0 (3 folds)"
