"""What a closer look at a model comes to: what drives it, and where it fails."""

from __future__ import annotations

from dataclasses import dataclass

from classica.decision.coverage import RiskCoverage
from classica.inspection.coefficients import Coefficients
from classica.inspection.dependence import PartialDependence
from classica.inspection.error_segments import ErrorSegments
from classica.inspection.hard_rows import HardRow
from classica.inspection.importances import Importances
from classica.inspection.interactions import Interactions
from classica.inspection.operating_points import OperatingCurve
from classica.recorded import Recorded


@dataclass(frozen=True)
class Drivers(Recorded):
    """What drives a model; what was not computed is None or empty.

    Attributes
    ----------
    model : str
        The model.
    importances : Importances or None
        The importance of every column, out of fold.
    dependences : tuple of PartialDependence
        How the probabilities depend on the most important columns.
    interactions : Interactions or None
        Which of them act together.
    coefficients : Coefficients or None
        The coefficients of a logistic regression with intervals.
    """

    model: str
    importances: Importances | None = None
    dependences: tuple[PartialDependence, ...] = ()
    interactions: Interactions | None = None
    coefficients: Coefficients | None = None


@dataclass(frozen=True)
class ErrorAnalysis(Recorded):
    """Where a model fails, by its predictions for held-out rows; what was not computed is None or empty.

    Attributes
    ----------
    model : str
        The model.
    errors, rows : int
        Misclassified rows of all held-out rows.
    hardest : tuple of HardRow
        The most confident mistakes.
    segments : ErrorSegments or None
        Where errors are more frequent; None where rows belong to groups or follow one another in time, so
        that errors come in clusters whatever the columns say.
    thresholds : OperatingCurve or None
        What each threshold comes to, for two classes.
    coverage : RiskCoverage or None
        Risk against coverage: what rejecting the most uncertain rows would save.
    """

    model: str
    errors: int
    rows: int
    hardest: tuple[HardRow, ...] = ()
    segments: ErrorSegments | None = None
    thresholds: OperatingCurve | None = None
    coverage: RiskCoverage | None = None
