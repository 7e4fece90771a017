"""How several classes by binary classifiers are explained: by their scores, and the votes of pairs."""

from classica.estimators.multiclass.all_vs_all import AllVsAllClassifier
from classica.estimators.multiclass.one_vs_all import OneVsAllClassifier
from classica.explain import binary_scores
from classica.explain.explainers import explain_as

explain_as(binary_scores.describe, binary_scores.reasons, AllVsAllClassifier, OneVsAllClassifier)
