"""Pictures of where a model fails: what was found is what is shown."""

import numpy as np
import pytest

from classica.decision import risk_coverage
from classica.displays import CostCurveDisplay, RiskCoverageDisplay, SegmentDisplay, ThresholdDisplay
from classica.errors import ClassicaError
from classica.inspection import error_segments, operating_curve
from tests.displays.drawing import assert_draws


def test_segments():
    random = np.random.default_rng(0)
    X = random.normal(size=(500, 3))
    wrong = random.random(500) < np.where(X[:, 1] > 0.8, 0.5, 0.05)
    found = error_segments(X, wrong)
    display = SegmentDisplay.from_segments(found)
    svg = assert_draws(display)
    assert "x1 ≥" in svg
    assert f"{found.tried:,} segments" in svg.replace("\n", " ")
    with pytest.raises(ClassicaError, match=r"^segments must have at least one segment, got none\.$"):
        SegmentDisplay.from_segments(error_segments(X, wrong & False))


def test_thresholds_and_costs():
    random = np.random.default_rng(1)
    p = random.beta(1, 3, 400)
    y = np.where(random.random(400) < p, "bad & ugly", "good")
    curve = operating_curve(y, p, "bad & ugly", [[0, 1], [5, 0]])
    svg = assert_draws(ThresholdDisplay.from_curve(curve))
    assert "implied by the costs (0.17)" in svg
    assert "bad &amp; ugly" in svg
    assert "a false alarm 1." in assert_draws(CostCurveDisplay.from_curve(curve)).replace("\n", " ")
    balanced = operating_curve(y, p)
    assert "Balanced costs" in assert_draws(CostCurveDisplay.from_curve(balanced)).replace("\n", " ")


def test_risk_against_coverage():
    random = np.random.default_rng(2)
    doubt = random.random(3000) / 2
    curve = risk_coverage(random.random(3000) < doubt, doubt)
    thin = curve.thinned(50)
    assert len(thin.coverage) <= 51
    assert thin.coverage[-1] == 1
    assert {*zip(thin.coverage, thin.risk, strict=True)} <= {*zip(curve.coverage, curve.risk, strict=True)}
    assert curve.thinned(5000) is curve
    display = RiskCoverageDisplay.from_curve(thin, reject_cost=0.2)
    assert display.at(1.0) == curve.risk[-1]
    assert display.at(0.5) < display.at(0.9) < display.at(1.0)
    svg = assert_draws(display)
    assert "a rejected row costs 0.2" in svg.replace("\n", " ")
    assert "mean cost" in assert_draws(RiskCoverageDisplay.from_curve(thin, is_error_rate=False))
    assert_draws(RiskCoverageDisplay.from_curve(risk_coverage([0, 0], [0.1, 0.2])))
