"""Our classifiers with the settings that WEKA's have; a comparison knows them as module:Class.

Which settings: what the exact comparisons in tests/oracles have found to be those of WEKA.
"""

import math

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import classica


class AsInWeka(ClassifierMixin, BaseEstimator):
    """A classifier of ours that is given the table with its categories and gaps."""

    takes_all = True

    def __init__(self, random_state=None):
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.allow_nan = self.takes_all
        return tags

    def fit(self, X, y):
        self.model_ = self.learner(X.shape[1]).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)


class J48(AsInWeka):
    """WEKA: trees.J48 -C 0.25 -M 2."""

    def learner(self, columns):
        return classica.C45Classifier(confidence=0.25, min_samples_leaf=2, n_jobs=1)


class NaiveBayes(AsInWeka):
    """WEKA: bayes.NaiveBayes; counts of levels and classes start at one.

    It also rounds numbers to the mean gap between values, asks how probable that gap is, and has no deviation
    below a sixth of it. Ours knows no gaps: the least variance is a share of that of the column.
    """

    def learner(self, columns):
        return classica.NaiveBayesClassifier(1.0, prior_alpha=1.0, n_jobs=1)


class IBk1(AsInWeka):
    """WEKA: lazy.IBk -K 1; all rows at the distance of the K-th take part, as in ours.

    Of classes with equally many votes the first wins, in ours the one that leads among nearer rows. And WEKA
    scales numbers by the ranges of training and test rows together; ours are those of the training rows.
    """

    k = 1

    def learner(self, columns):
        return classica.KNeighborsClassifier(self.k, metric="heom", n_jobs=1)


class IBk5(IBk1):
    """WEKA: lazy.IBk -K 5."""

    k = 5


class RandomForest10(AsInWeka):
    """WEKA: trees.RandomForest -I 10; log2(d) + 1 columns at a node, levels branch, gaps go by fractions."""

    def learner(self, columns):
        return classica.RandomForestClassifier(
            10,
            "entropy",
            max_features=int(math.log2(columns) + 1),
            categories="multiway",
            missing="fraction",
            oob_score=False,
            random_state=self.random_state,
            n_jobs=1,
        )


class AdaBoost10(AsInWeka):
    """WEKA: meta.AdaBoostM1 -I 10 -W DecisionStump; gaps have a branch, one level against the others."""

    def learner(self, columns):
        stump = classica.DecisionTreeClassifier(
            "entropy", max_depth=1, categories="one_level", missing="own_branch"
        )
        return classica.AdaBoostClassifier(stump, 10, multiclass="m1", n_jobs=1)


class OnNumbers(AsInWeka):
    """A classifier of ours that is given numbers without gaps, and scales them."""

    takes_all = False

    def fit(self, X, y):
        self.scaler_ = self.scaler().fit(X)
        return super().fit(self.scaler_.transform(X), y)

    def predict(self, X):
        return super().predict(self.scaler_.transform(X))


class SMO(OnNumbers):
    """WEKA: functions.SMO, C = 1, linear, numbers from 0 to 1, one class against one other."""

    scaler = MinMaxScaler

    def learner(self, columns):
        return classica.SVMClassifier(1.0, kernel="linear", multi_class="all-vs-all", n_jobs=1)


class Logistic(OnNumbers):
    """WEKA: functions.Logistic -R 1e-8, times all squares of standardised weights; our C counts half of them.

    Where planes separate the classes nothing but the ridge ends the growth of the weights, so derivatives as
    small as the ridge must count.
    """

    scaler = StandardScaler

    def learner(self, columns):
        return classica.LogisticClassifier(1 / (2 * 1e-8), tol=1e-10, n_jobs=1)
