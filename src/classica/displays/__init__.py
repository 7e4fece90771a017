"""Pictures as objects: what is drawn is plain data, worked out first, and drawing comes after.

Every display has ``plot(ax=None)``, which draws with matplotlib and returns itself with ``ax_`` and
``figure_``; ``to_svg()``, a small picture for a page in light or dark; and ``describe()``, the same in a
sentence. Names are imported on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from classica.displays.curves.calibration_display import CalibrationDisplay as CalibrationDisplay
    from classica.displays.curves.curve_displays import BiasVarianceCurveDisplay as BiasVarianceCurveDisplay
    from classica.displays.curves.curve_displays import LearningCurveDisplay as LearningCurveDisplay
    from classica.displays.curves.curve_displays import ValidationCurveDisplay as ValidationCurveDisplay
    from classica.displays.curves.ranking_curves import GainsDisplay as GainsDisplay
    from classica.displays.curves.ranking_curves import PrecisionRecallDisplay as PrecisionRecallDisplay
    from classica.displays.curves.ranking_curves import RocDisplay as RocDisplay
    from classica.displays.display import Display as Display
    from classica.displays.effects.coefficient_display import CoefficientDisplay as CoefficientDisplay
    from classica.displays.effects.column_importance import ColumnImportanceDisplay as ColumnImportanceDisplay
    from classica.displays.effects.dependence_display import DependenceDisplay as DependenceDisplay
    from classica.displays.effects.interaction_display import InteractionDisplay as InteractionDisplay
    from classica.displays.failures.coverage_display import RiskCoverageDisplay as RiskCoverageDisplay
    from classica.displays.failures.segment_display import SegmentDisplay as SegmentDisplay
    from classica.displays.failures.threshold_display import CostCurveDisplay as CostCurveDisplay
    from classica.displays.failures.threshold_display import ThresholdDisplay as ThresholdDisplay
    from classica.displays.neighbourhood.curse import CurseDisplay as CurseDisplay
    from classica.displays.neighbourhood.curse import CurseResult as CurseResult
    from classica.displays.neighbourhood.curse import curse_of_dimensionality as curse_of_dimensionality
    from classica.displays.neighbourhood.kd_partition import KDPartitionDisplay as KDPartitionDisplay
    from classica.displays.neighbourhood.neighbour_panel import NeighbourPanelDisplay as NeighbourPanelDisplay
    from classica.displays.neighbourhood.voronoi import VoronoiDisplay as VoronoiDisplay
    from classica.displays.planes.margin_display import MarginDisplay as MarginDisplay
    from classica.displays.planes.regions import DecisionRegionsDisplay as DecisionRegionsDisplay
    from classica.displays.results.bias_variance_display import BiasVarianceDisplay as BiasVarianceDisplay
    from classica.displays.results.confusion_display import ConfusionDisplay as ConfusionDisplay
    from classica.displays.results.critical_difference import (
        CriticalDifferenceDisplay as CriticalDifferenceDisplay,
    )
    from classica.displays.results.gaussian_error_display import GaussianErrorDisplay as GaussianErrorDisplay
    from classica.displays.results.importance_display import ImportanceDisplay as ImportanceDisplay
    from classica.displays.results.weights_display import WeightsDisplay as WeightsDisplay

#: Public name → the module of this package it is imported from on first use.
_EXPORTS = {
    "BiasVarianceCurveDisplay": "curves.curve_displays",
    "BiasVarianceDisplay": "results.bias_variance_display",
    "CalibrationDisplay": "curves.calibration_display",
    "CoefficientDisplay": "effects.coefficient_display",
    "ColumnImportanceDisplay": "effects.column_importance",
    "ConfusionDisplay": "results.confusion_display",
    "CostCurveDisplay": "failures.threshold_display",
    "CriticalDifferenceDisplay": "results.critical_difference",
    "CurseDisplay": "neighbourhood.curse",
    "CurseResult": "neighbourhood.curse",
    "DecisionRegionsDisplay": "planes.regions",
    "DependenceDisplay": "effects.dependence_display",
    "Display": "display",
    "GainsDisplay": "curves.ranking_curves",
    "GaussianErrorDisplay": "results.gaussian_error_display",
    "ImportanceDisplay": "results.importance_display",
    "InteractionDisplay": "effects.interaction_display",
    "KDPartitionDisplay": "neighbourhood.kd_partition",
    "LearningCurveDisplay": "curves.curve_displays",
    "MarginDisplay": "planes.margin_display",
    "NeighbourPanelDisplay": "neighbourhood.neighbour_panel",
    "PrecisionRecallDisplay": "curves.ranking_curves",
    "RiskCoverageDisplay": "failures.coverage_display",
    "RocDisplay": "curves.ranking_curves",
    "SegmentDisplay": "failures.segment_display",
    "ThresholdDisplay": "failures.threshold_display",
    "ValidationCurveDisplay": "curves.curve_displays",
    "VoronoiDisplay": "neighbourhood.voronoi",
    "WeightsDisplay": "results.weights_display",
    "curse_of_dimensionality": "neighbourhood.curse",
}

__all__ = list(_EXPORTS)


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(f"{__name__}.{_EXPORTS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
