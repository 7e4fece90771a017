"""Tuning and curves: grids, nested cross-validation, learning and validation curves."""

from classica.selection.extrapolation import Extrapolation as Extrapolation
from classica.selection.grid_search import select_parameters as select_parameters
from classica.selection.learning_curves import LearningCurve as LearningCurve
from classica.selection.learning_curves import learning_curve as learning_curve
from classica.selection.nested_result import NestedFold as NestedFold
from classica.selection.nested_result import NestedResult as NestedResult
from classica.selection.nested_search import nested_cv as nested_cv
from classica.selection.refining_search import coarse_to_fine as coarse_to_fine
from classica.selection.search_result import SearchPoint as SearchPoint
from classica.selection.search_result import SearchResult as SearchResult
from classica.selection.validation_curves import ValidationCurve as ValidationCurve
from classica.selection.validation_curves import validation_curve as validation_curve
