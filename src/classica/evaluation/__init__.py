"""Judging classifiers: the best error there can be, how different members are, which parameters do best."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from classica.evaluation.bayes_error import BayesErrorBracket as BayesErrorBracket
from classica.evaluation.bayes_error import bayes_error_bracket as bayes_error_bracket
from classica.evaluation.bayes_error import cover_hart_lower as cover_hart_lower
from classica.evaluation.bayes_error import cover_hart_upper as cover_hart_upper
from classica.evaluation.bayes_error import excess_factor as excess_factor
from classica.evaluation.bayes_error import two_class_odd_k_upper as two_class_odd_k_upper
from classica.evaluation.bayesian_test import BayesianTest as BayesianTest
from classica.evaluation.bayesian_test import bayesian_t_test as bayesian_t_test
from classica.evaluation.bias_variance import bias_variance as bias_variance
from classica.evaluation.bias_variance_curve import BiasVarianceCurve as BiasVarianceCurve
from classica.evaluation.bias_variance_curve import bias_variance_curve as bias_variance_curve
from classica.evaluation.bias_variance_result import BiasVariance as BiasVariance
from classica.evaluation.calibration import Calibration as Calibration
from classica.evaluation.calibration import calibration as calibration
from classica.evaluation.coarse_to_fine import coarse_to_fine as coarse_to_fine
from classica.evaluation.comparison import Comparison as Comparison
from classica.evaluation.comparison import better_than as better_than
from classica.evaluation.comparison import compare_tests as compare_tests
from classica.evaluation.comparison import tied_for_best as tied_for_best
from classica.evaluation.confusion import Confusion as Confusion
from classica.evaluation.confusion import confusion as confusion
from classica.evaluation.critical_difference import CriticalDifferenceDisplay as CriticalDifferenceDisplay
from classica.evaluation.curve_displays import BiasVarianceCurveDisplay as BiasVarianceCurveDisplay
from classica.evaluation.curve_displays import LearningCurveDisplay as LearningCurveDisplay
from classica.evaluation.curve_displays import ValidationCurveDisplay as ValidationCurveDisplay
from classica.evaluation.diagnosis import Diagnosis as Diagnosis
from classica.evaluation.diagnosis import diagnose as diagnose
from classica.evaluation.diversity import Diversity as Diversity
from classica.evaluation.diversity import diversity as diversity
from classica.evaluation.extrapolation import Extrapolation as Extrapolation
from classica.evaluation.finding import Finding as Finding
from classica.evaluation.friedman import FriedmanNemenyi as FriedmanNemenyi
from classica.evaluation.friedman import friedman_nemenyi as friedman_nemenyi
from classica.evaluation.gaussian_error import GaussianBayesError as GaussianBayesError
from classica.evaluation.gaussian_error import gaussian_bayes_error as gaussian_bayes_error
from classica.evaluation.gaussian_error import two_gaussian_boundary as two_gaussian_boundary
from classica.evaluation.holm import holm as holm
from classica.evaluation.interval import Interval as Interval
from classica.evaluation.interval import corrected_interval as corrected_interval
from classica.evaluation.learning_curve import LearningCurve as LearningCurve
from classica.evaluation.learning_curve import learning_curve as learning_curve
from classica.evaluation.loss_parts import MainPredictionParts as MainPredictionParts
from classica.evaluation.loss_parts import SquaredLossParts as SquaredLossParts
from classica.evaluation.loss_parts import ZeroOneLossParts as ZeroOneLossParts
from classica.evaluation.majority import majority_accuracy as majority_accuracy
from classica.evaluation.metric import Metric as Metric
from classica.evaluation.metrics import METRICS as METRICS
from classica.evaluation.metrics import answer_scores as answer_scores
from classica.evaluation.metrics import metric as metric
from classica.evaluation.nested_cv import nested_cv as nested_cv
from classica.evaluation.nested_fold import NestedFold as NestedFold
from classica.evaluation.nested_result import NestedResult as NestedResult
from classica.evaluation.paired_test import PairedTest as PairedTest
from classica.evaluation.paired_test import corrected_t_test as corrected_t_test
from classica.evaluation.search_result import SearchPoint as SearchPoint
from classica.evaluation.search_result import SearchResult as SearchResult
from classica.evaluation.select_parameters import select_parameters as select_parameters
from classica.evaluation.standing import Standing as Standing
from classica.evaluation.table_bayes_error import TableBayesError as TableBayesError
from classica.evaluation.table_bayes_error import table_bayes_error as table_bayes_error
from classica.evaluation.validation_curve import ValidationCurve as ValidationCurve
from classica.evaluation.validation_curve import validation_curve as validation_curve

if TYPE_CHECKING:
    from classica.evaluation.displays import *  # noqa: F403


def __getattr__(name: str) -> Any:
    # Pictures are imported on first use.
    displays = importlib.import_module("classica.evaluation.displays")
    if name == "displays":
        return displays
    if name in displays.__all__:
        return getattr(displays, name)
    raise AttributeError(f"module 'classica.evaluation' has no attribute {name!r}")
