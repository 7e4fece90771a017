"""What drives a model and where it fails: importances, dependences, hard rows, segments, thresholds."""

from classica.inspection.coefficients import Coefficient as Coefficient
from classica.inspection.coefficients import Coefficients as Coefficients
from classica.inspection.coefficients import coefficient_intervals as coefficient_intervals
from classica.inspection.dependence import PartialDependence as PartialDependence
from classica.inspection.dependence import partial_dependence as partial_dependence
from classica.inspection.error_segments import ErrorSegments as ErrorSegments
from classica.inspection.error_segments import Segment as Segment
from classica.inspection.hard_rows import HardRow as HardRow
from classica.inspection.hard_rows import hardest_rows as hardest_rows
from classica.inspection.importances import ColumnImportance as ColumnImportance
from classica.inspection.importances import Importances as Importances
from classica.inspection.interactions import Interactions as Interactions
from classica.inspection.interactions import PairStrength as PairStrength
from classica.inspection.interactions import interactions as interactions
from classica.inspection.operating_points import OperatingCurve as OperatingCurve
from classica.inspection.operating_points import OperatingPoint as OperatingPoint
from classica.inspection.operating_points import operating_curve as operating_curve
from classica.inspection.permuting import cross_val_importance as cross_val_importance
from classica.inspection.permuting import permutation_importance as permutation_importance
from classica.inspection.reasons import Drivers as Drivers
from classica.inspection.reasons import ErrorAnalysis as ErrorAnalysis
from classica.inspection.segment_search import error_segments as error_segments
