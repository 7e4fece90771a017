"""Judging classifiers: the best error there can be, how different members are, which parameters do best."""

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
from classica.evaluation.nested_cv import nested_cv as nested_cv
from classica.evaluation.nested_fold import NestedFold as NestedFold
from classica.evaluation.nested_result import NestedResult as NestedResult
from classica.evaluation.search_result import SearchPoint as SearchPoint
from classica.evaluation.search_result import SearchResult as SearchResult
from classica.evaluation.select_parameters import select_parameters as select_parameters
