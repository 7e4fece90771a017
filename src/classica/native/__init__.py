"""The border to the compiled core: the only importer of ``_core``.

Each function allocates its result with NumPy and hands plain arrays to a kernel. Matrices are
float32 or float64 in any memory order, or SciPy CSR; nothing is converted or copied here.

What several families use is a name of this package; what one family uses is in its own module.
"""

from classica.arrays import Codes as Codes
from classica.arrays import Floats as Floats
from classica.native.bayes_scores import CodedColumns as CodedColumns
from classica.native.bayes_scores import GaussianModel as GaussianModel
from classica.native.bayes_scores import add_code_scores as add_code_scores
from classica.native.bayes_scores import add_density_scores as add_density_scores
from classica.native.bayes_scores import add_gaussian_scores as add_gaussian_scores
from classica.native.bayes_scores import add_left_out_code_scores as add_left_out_code_scores
from classica.native.bayes_scores import count_codes as count_codes
from classica.native.bayes_scores import cut_points as cut_points
from classica.native.bayes_scores import distinct_values as distinct_values
from classica.native.bayes_scores import left_out_gaussian_scores as left_out_gaussian_scores
from classica.native.bayes_scores import sort_columns as sort_columns
from classica.native.class_scores import LinearModel as LinearModel
from classica.native.class_scores import MeanModel as MeanModel
from classica.native.class_scores import QuadraticModel as QuadraticModel
from classica.native.class_scores import factor_strips as factor_strips
from classica.native.class_scores import highest_scores as highest_scores
from classica.native.class_scores import linear_scores as linear_scores
from classica.native.class_scores import nearest_mean_distances as nearest_mean_distances
from classica.native.class_scores import nearest_mean_posteriors as nearest_mean_posteriors
from classica.native.class_scores import nearest_mean_predict as nearest_mean_predict
from classica.native.class_scores import quadratic_forms as quadratic_forms
from classica.native.class_scores import scores_to_posteriors as scores_to_posteriors
from classica.native.core_checks import SPARSE_FORMS as SPARSE_FORMS
from classica.native.core_checks import configuration as configuration
from classica.native.core_checks import first_bad as first_bad
from classica.native.core_checks import philox as philox
from classica.native.core_checks import row_draws as row_draws
from classica.native.core_checks import sleep_loop as sleep_loop
from classica.native.core_checks import sparse_form as sparse_form
from classica.native.neighbour_lists import METRICS as METRICS
from classica.native.neighbour_lists import STRUCTURES as STRUCTURES
from classica.native.neighbour_lists import TIES as TIES
from classica.native.neighbour_lists import TILE_ROWS as TILE_ROWS
from classica.native.neighbour_lists import Lists as Lists
from classica.native.neighbour_lists import build_index as build_index
from classica.native.neighbour_lists import count_votes as count_votes
from classica.native.neighbour_lists import find_neighbours as find_neighbours
from classica.native.neighbour_lists import leave_one_out_errors as leave_one_out_errors
from classica.native.neighbour_lists import select_neighbours as select_neighbours
from classica.native.row_sums import add_pairs as add_pairs
from classica.native.row_sums import grouped_known_moments as grouped_known_moments
from classica.native.row_sums import grouped_moments as grouped_moments
from classica.native.row_sums import grouped_products as grouped_products
from classica.native.row_sums import mean_pairs as mean_pairs
from classica.native.row_sums import means_and_variances as means_and_variances
from classica.native.row_sums import scatter_matrices as scatter_matrices
from classica.native.row_sums import settle as settle
