"""Pictures as objects: what is drawn is plain data, worked out first, and drawing comes after.

Every display has ``plot(ax=None)``, which draws with matplotlib and returns itself with ``ax_`` and
``figure_``; ``to_svg()``, a small picture for a page in light or dark; and ``describe()``, the same in a
sentence. Names are imported on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from classica.evaluation.displays.bias_variance import BiasVarianceDisplay as BiasVarianceDisplay
    from classica.evaluation.displays.calibration import CalibrationDisplay as CalibrationDisplay
    from classica.evaluation.displays.confusion import ConfusionDisplay as ConfusionDisplay
    from classica.evaluation.displays.curse import CurseResult as CurseResult
    from classica.evaluation.displays.curse import curse_of_dimensionality as curse_of_dimensionality
    from classica.evaluation.displays.curse_display import CurseDisplay as CurseDisplay
    from classica.evaluation.displays.display import Display as Display
    from classica.evaluation.displays.gaussian_error import GaussianErrorDisplay as GaussianErrorDisplay
    from classica.evaluation.displays.importance import ImportanceDisplay as ImportanceDisplay
    from classica.evaluation.displays.kd_partition import KDPartitionDisplay as KDPartitionDisplay
    from classica.evaluation.displays.margin import MarginDisplay as MarginDisplay
    from classica.evaluation.displays.neighbour_panel import NeighbourPanelDisplay as NeighbourPanelDisplay
    from classica.evaluation.displays.precision_recall import PrecisionRecallDisplay as PrecisionRecallDisplay
    from classica.evaluation.displays.regions import DecisionRegionsDisplay as DecisionRegionsDisplay
    from classica.evaluation.displays.roc import RocDisplay as RocDisplay
    from classica.evaluation.displays.voronoi import VoronoiDisplay as VoronoiDisplay
    from classica.evaluation.displays.weights import WeightsDisplay as WeightsDisplay

#: Public name → the module of this package it is imported from on first use.
_EXPORTS = {
    "BiasVarianceDisplay": "bias_variance",
    "CalibrationDisplay": "calibration",
    "ConfusionDisplay": "confusion",
    "CurseDisplay": "curse_display",
    "CurseResult": "curse",
    "DecisionRegionsDisplay": "regions",
    "Display": "display",
    "GaussianErrorDisplay": "gaussian_error",
    "ImportanceDisplay": "importance",
    "KDPartitionDisplay": "kd_partition",
    "MarginDisplay": "margin",
    "NeighbourPanelDisplay": "neighbour_panel",
    "PrecisionRecallDisplay": "precision_recall",
    "RocDisplay": "roc",
    "VoronoiDisplay": "voronoi",
    "WeightsDisplay": "weights",
    "curse_of_dimensionality": "curse",
}

__all__ = list(_EXPORTS)


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(f"{__name__}.{_EXPORTS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
