"""The classifiers, one file each. An export line here is all it takes to be in the catalog."""

from classica.estimators._adaboost import AdaBoostClassifier as AdaBoostClassifier
from classica.estimators._all_vs_all import AllVsAllClassifier as AllVsAllClassifier
from classica.estimators._bagging import BaggingClassifier as BaggingClassifier
from classica.estimators._c45 import C45Classifier as C45Classifier
from classica.estimators._cart import CARTClassifier as CARTClassifier
from classica.estimators._chance import ChanceClassifier as ChanceClassifier
from classica.estimators._fisher import FisherClassifier as FisherClassifier
from classica.estimators._id3 import ID3Classifier as ID3Classifier
from classica.estimators._kernel_perceptron import KernelPerceptronClassifier as KernelPerceptronClassifier
from classica.estimators._knn import KNeighborsClassifier as KNeighborsClassifier
from classica.estimators._knn_regressor import KNeighborsRegressor as KNeighborsRegressor
from classica.estimators._lda import LinearDiscriminantClassifier as LinearDiscriminantClassifier
from classica.estimators._linear_svm import LinearSVMClassifier as LinearSVMClassifier
from classica.estimators._logistic import LogisticClassifier as LogisticClassifier
from classica.estimators._mlp import MLPClassifier as MLPClassifier
from classica.estimators._naive_bayes import NaiveBayesClassifier as NaiveBayesClassifier
from classica.estimators._nearest_mean import NearestMeanClassifier as NearestMeanClassifier
from classica.estimators._one_vs_all import OneVsAllClassifier as OneVsAllClassifier
from classica.estimators._perceptron import PerceptronClassifier as PerceptronClassifier
from classica.estimators._qda import QuadraticDiscriminantClassifier as QuadraticDiscriminantClassifier
from classica.estimators._random_forest import RandomForestClassifier as RandomForestClassifier
from classica.estimators._random_forest_regressor import RandomForestRegressor as RandomForestRegressor
from classica.estimators._rules import RuleSetClassifier as RuleSetClassifier
from classica.estimators._svm import SVMClassifier as SVMClassifier
from classica.estimators._svm_regressor import SVMRegressor as SVMRegressor
from classica.estimators._tree import DecisionTreeClassifier as DecisionTreeClassifier
from classica.estimators._tree_regressor import DecisionTreeRegressor as DecisionTreeRegressor
from classica.estimators._voting import VotingClassifier as VotingClassifier
from classica.estimators._weighted_majority import (
    WeightedMajorityClassifier as WeightedMajorityClassifier,
)
from classica.estimators._winnow import WinnowClassifier as WinnowClassifier
