"""From posteriors to decisions: costs, priors, thresholds, reject and calibration around any classifier.

What is decided here needs probabilities only; it neither knows nor cares how they were learned.
"""

from classica.decision.bayes_decision import BayesDecisionClassifier as BayesDecisionClassifier
from classica.decision.calibration import calibration_for as calibration_for
from classica.decision.cost_file import read_cost_file as read_cost_file
from classica.decision.costs import expected_costs as expected_costs
from classica.decision.costs import least_cost as least_cost
from classica.decision.costs import read_costs as read_costs
from classica.decision.coverage import RiskCoverage as RiskCoverage
from classica.decision.coverage import risk_coverage as risk_coverage
from classica.decision.priors import change_priors as change_priors
from classica.decision.priors import read_priors as read_priors
from classica.decision.rejecting import can_reject as can_reject
from classica.decision.rejecting import rejected_rows as rejected_rows
from classica.decision.threshold import ThresholdChoice as ThresholdChoice
from classica.decision.threshold import choose_threshold as choose_threshold
from classica.decision.threshold import cost_threshold as cost_threshold
