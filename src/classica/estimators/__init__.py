"""The classifiers, one file each. An export line here is all it takes to be in the catalog."""

from classica.estimators.baseline.chance import ChanceClassifier as ChanceClassifier
from classica.estimators.bayes.naive_bayes import NaiveBayesClassifier as NaiveBayesClassifier
from classica.estimators.ensembles.adaboost import AdaBoostClassifier as AdaBoostClassifier
from classica.estimators.ensembles.bagging import BaggingClassifier as BaggingClassifier
from classica.estimators.ensembles.random_forest import RandomForestClassifier as RandomForestClassifier
from classica.estimators.ensembles.random_forest_regressor import (
    RandomForestRegressor as RandomForestRegressor,
)
from classica.estimators.ensembles.voting import VotingClassifier as VotingClassifier
from classica.estimators.ensembles.weighted_majority import (
    WeightedMajorityClassifier as WeightedMajorityClassifier,
)
from classica.estimators.gaussian.fisher import FisherClassifier as FisherClassifier
from classica.estimators.gaussian.lda import LinearDiscriminantClassifier as LinearDiscriminantClassifier
from classica.estimators.gaussian.nearest_mean import NearestMeanClassifier as NearestMeanClassifier
from classica.estimators.gaussian.qda import (
    QuadraticDiscriminantClassifier as QuadraticDiscriminantClassifier,
)
from classica.estimators.linear.kernel_perceptron import (
    KernelPerceptronClassifier as KernelPerceptronClassifier,
)
from classica.estimators.linear.logistic import LogisticClassifier as LogisticClassifier
from classica.estimators.linear.perceptron import PerceptronClassifier as PerceptronClassifier
from classica.estimators.linear.winnow import WinnowClassifier as WinnowClassifier
from classica.estimators.multiclass.all_vs_all import AllVsAllClassifier as AllVsAllClassifier
from classica.estimators.multiclass.one_vs_all import OneVsAllClassifier as OneVsAllClassifier
from classica.estimators.neighbours.knn import KNeighborsClassifier as KNeighborsClassifier
from classica.estimators.neighbours.knn_regressor import KNeighborsRegressor as KNeighborsRegressor
from classica.estimators.neural.mlp import MLPClassifier as MLPClassifier
from classica.estimators.svm.linear_svm import LinearSVMClassifier as LinearSVMClassifier
from classica.estimators.svm.svm import SVMClassifier as SVMClassifier
from classica.estimators.svm.svm_regressor import SVMRegressor as SVMRegressor
from classica.estimators.trees.c45 import C45Classifier as C45Classifier
from classica.estimators.trees.cart import CARTClassifier as CARTClassifier
from classica.estimators.trees.decision_tree import DecisionTreeClassifier as DecisionTreeClassifier
from classica.estimators.trees.id3 import ID3Classifier as ID3Classifier
from classica.estimators.trees.rule_classifier import RuleSetClassifier as RuleSetClassifier
from classica.estimators.trees.tree_regressor import DecisionTreeRegressor as DecisionTreeRegressor
