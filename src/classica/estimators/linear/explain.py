"""How linear models are explained: by what each column adds; where a kernel stands between, by the scores."""

from classica.estimators.linear.kernel_perceptron import KernelPerceptronClassifier
from classica.estimators.linear.logistic import LogisticClassifier
from classica.estimators.linear.perceptron import PerceptronClassifier
from classica.estimators.linear.winnow import WinnowClassifier
from classica.explain import binary_scores, column_sums
from classica.explain.explainers import explain_as

explain_as(
    column_sums.describe, column_sums.reasons, LogisticClassifier, PerceptronClassifier, WinnowClassifier
)
explain_as(binary_scores.describe, binary_scores.reasons, KernelPerceptronClassifier)
