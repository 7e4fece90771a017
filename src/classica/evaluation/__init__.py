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
from classica.evaluation.coarse_to_fine import coarse_to_fine as coarse_to_fine
from classica.evaluation.diversity import Diversity as Diversity
from classica.evaluation.diversity import diversity as diversity
from classica.evaluation.gaussian_error import GaussianBayesError as GaussianBayesError
from classica.evaluation.gaussian_error import gaussian_bayes_error as gaussian_bayes_error
from classica.evaluation.gaussian_error import two_gaussian_boundary as two_gaussian_boundary
from classica.evaluation.majority import majority_accuracy as majority_accuracy
from classica.evaluation.search_result import SearchPoint as SearchPoint
from classica.evaluation.search_result import SearchResult as SearchResult

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
