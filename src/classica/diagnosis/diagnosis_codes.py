"""What each code of a diagnosis means, how it was computed, and what helps.

E1: fit and data. E2: classes. E3: models together. E4: probabilities. E5: whether the result can be trusted.
"""

from __future__ import annotations

from classica.diagnosis.diagnosis_thresholds import (
    BADLY,
    CHANCE_ERROR,
    CLOSE,
    ENOUGH_FOLDS,
    ENOUGH_ROWS,
    FEWEST,
    LOST,
    MISSED,
    OF_ERROR,
    OF_ERRORS,
    OF_ROWS,
    PAIRS,
    POINT,
    SPREADS,
    SURE,
    TIMES_CHANCE,
    TOO_GOOD,
    VOTERS,
)
from classica.finding_code import FindingCode
from classica.tables.table_thresholds import MOST_ROWS

_FIT = (
    FindingCode(
        "E101",
        "overfitting",
        "The model does much better on the rows it learned from than on new ones: it has learned noise of "
        "these rows along with what they have in common with others. Its training score says nothing.",
        "On every fold, the score on the training rows minus that on the rows left out. It is reported "
        "when the "
        "confidence interval of the mean (corrected for folds that share rows) is above 0, the mean is more "
        f"than the margin of equal scores (rope), and at least {LOST:.0%} of what the model has learned "
        "beyond chance is lost. One fold has no interval: there the other two decide.",
        "Take a simpler model, regularise (prune a tree, larger K, smaller C, more penalty, more smoothing), "
        "or get more rows: all three lower the variance, the part of the error that comes from these rows "
        "being these. K = 1 is perfect on its own rows, and a forest of full trees nearly; such a model may "
        "still be the best one.",
        ("classica.learning_curve", "classica.bias_variance",
         "classica.validation_curve"),
        "T: over-fitting, bias and variance",
    ),
    FindingCode(
        "E102",
        "underfitting",
        "The model does worse even on the rows it learned from than the best model does on new ones: it "
        "cannot express what the table has to say.",
        "The best model, those tied with it and those that overfit (E101) are left out. Of the others, the "
        "training scores are compared with the test "
        "scores of the best model: reported when the mean is lower by more than the margin of equal scores "
        "(rope) "
        "and a corrected one-sided t-test shows it at the level of the comparison.",
        "Take a more complex model, regularise less, or add columns (products, squares, a kernel): that "
        "lowers the bias. More rows will not help, because they only lower the variance.",
        ("classica.validation_curve", "classica.bias_variance"),
        "T: under-fitting, bias and variance",
    ),
    FindingCode(
        "E103",
        "more rows would help",
        "The learning curve of the best model still falls: with twice the rows its error is expected to be "
        "visibly lower.",
        "The best model learns from more and more of the rows; a law a + b n^(-c) is fitted to its test "
        "errors and asked about twice the rows. Worth it is a gain of "
        f"{100 * POINT:g} point, or of {OF_ERROR:.0%} of the error if that is less. Reported when the gain "
        f"is at "
        f"least half of that, and the lower end of its interval at least {100 * SURE:g} points. For the RMSE "
        f"of a regressor the two are {OF_ERROR:.0%} and {100 * SURE:g}% of it.",
        "Get more rows. A model with much variance (E101) gains most from them.",
        ("classica.learning_curve",),
        "T: effect of the training size",
    ),
    FindingCode(
        "E104",
        "more rows would not help",
        "The learning curve of the best model has become flat: more rows of the same kind would change "
        "little.",
        "As for E103; reported when even the upper end of the interval of the gain with twice the rows is "
        "below "
        f"{100 * POINT:g} point, or {OF_ERROR:.0%} of the error if that is less; of a RMSE, {OF_ERROR:.0%}.",
        "Look for better columns or another model. What is left of the error is bias of this model or noise "
        "in the table, and rows lower neither.",
        ("classica.learning_curve", "classica.table_bayes_error"),
        "T: effect of the training size",
    ),
)  # fmt: skip

_CLASSES = (
    FindingCode(
        "E201",
        "confused classes",
        "A good part of all errors of the best model is between two classes.",
        "For three or more classes: the rows of one class that got the label of the other, both ways. "
        "Reported "
        f"for up to {PAIRS} pairs with at least {FEWEST} such rows, {OF_ERRORS:.0%} of all errors and "
        f"{OF_ROWS:.0%} of the rows of the two.",
        "Look for columns that tell these two apart, or train a binary classifier for the two alone "
        "(all-vs-all does "
        "it for every pair). If nobody can tell them apart, they may be one class.",
        ("classica.confusion", "classica.AllVsAllClassifier"),
        "C, T: confusion matrix",
    ),
    FindingCode(
        "E202",
        "a class that is mostly missed",
        "Most rows of a class get another label, whatever the overall score says.",
        f"The class error of the best model is above {MISSED:.0%}, for a class of at least {FEWEST} rows.",
        "Weigh the classes, give costs, or choose by balanced accuracy: a learner that counts errors gives "
        "up a rare class for a frequent one. More rows of that class help most.",
        ("classica.confusion", "classica.BayesDecisionClassifier"),
        "C: class error in the last column; L: costs",
    ),
    FindingCode(
        "E203",
        "one class has most rows",
        "Always predicting the same class is right that often, so that a high accuracy proves little.",
        f"The share of the most frequent class is at least {MOST_ROWS:.0%}.",
        "Judge by balanced accuracy, AUC or costs, look at the error of each class, and compare with the "
        "floor, which knows the shares only.",
        ("classica.ChanceClassifier", "classica.metrics.answer_scores"),
        "T: a random classifier as the floor",
    ),
)

_TOGETHER = (
    FindingCode(
        "E301",
        "a vote would help",
        "The best models err on different rows, so that a vote of them is right more often than any one.",
        f"The models tied for best vote, or the best {VOTERS} if fewer are tied. Reported when the vote is "
        f"right "
        "more often than the best of them, and a one-sided sign test on the rows where only one of the two "
        "is right shows it at the level of the comparison.",
        "Vote. Majorities of members that err independently are right more often than each: 5 members of "
        "70% give 84%. The price is a model that is harder to read and slower.",
        ("classica.statistics.diversity", "classica.VotingClassifier", "classica.majority_accuracy"),
        "T: voting, why it works, diversity",
    ),
    FindingCode(
        "E302",
        "no clear gain from voting",
        "A vote of the best models is not significantly better than the best of them.",
        "As for E301, when the vote gains nothing or the sign test does not show it.",
        "Take a single model. A vote is worth more with members that err on other rows: another family, "
        "other columns, other rows.",
        ("classica.statistics.diversity",),
        "T: diversity of the members",
    ),
    FindingCode(
        "E303",
        "models tied for best",
        "Several models may be the best one: on these rows none of them is shown to be worse than the "
        "first. That is not proof that they are equal.",
        "Each model is compared with the best by a corrected resampled t-test on the same folds; p-values "
        "are corrected for the number of models (Holm). Tied are those not shown to be worse at the level "
        "of the comparison. The one named is the simplest whose mean is within the margin of equal scores "
        "(rope) of the best: trees before naive Bayes, then Gaussian classes, linear machines, neighbours, "
        "kernels, networks, and ensembles last.",
        "Take the simplest of those close to the best, because it is the easiest to read and to trust, or "
        "the fastest. More rows or more repeats (--repeats) would tell more of them apart.",
        ("classica.compare_tests", "classica.statistics.tied_for_best"),
        "T: no free lunch; C: interpretability and time",
    ),
    FindingCode(
        "E401",
        "over-confident probabilities",
        "Where the model predicts 95%, it is right less often. Its labels may be good all the same.",
        "Rows are put into ten bins by their highest probability; in each bin the mean probability is "
        "compared with how often it was right (expected calibration error, on rows not learned from). Told "
        f"if that is at least {100 * BADLY:g} points and {TIMES_CHANCE:g} times what perfect probabilities "
        "would show by chance, and the model is too sure on the whole.",
        "Calibrate before probabilities are used for costs, thresholds or to reject: a curve learned on "
        "held-out rows turns scores into what they are worth. Typical for naive Bayes with columns that "
        "depend on each other (each counts the same evidence again) and for boosting.",
        ("classica.metrics.calibration", "classica.BayesDecisionClassifier",
         "classica.displays.CalibrationDisplay"),
        "B, T, L: posteriors and decisions",
    ),
    FindingCode(
        "E402",
        "under-confident probabilities",
        "Where the model predicts 70%, it is right more often.",
        "As for E401, when the model is less sure on the whole than it is right.",
        "Calibrate before probabilities are used for costs, thresholds or to reject. Typical for averages "
        "of many members, and for heavy smoothing or penalties.",
        ("classica.metrics.calibration", "classica.BayesDecisionClassifier",
         "classica.displays.CalibrationDisplay"),
        "B, T, L: posteriors and decisions",
    ),
)  # fmt: skip

_TRUST = (
    FindingCode(
        "E501",
        "a column that gives the answer away",
        "One column alone tells the target almost perfectly. It may be the answer in other words, or "
        "something that becomes known only afterwards.",
        "The columns that the profile of the table suspects (D301) and that are used as features.",
        "Ask when the column is filled in. If that is after the target is known, leave it out (role "
        "\"ignored\" in a schema): nothing learned from it will last. If it is known before, enjoy it.",
        ("classica.tables.profile",),
    ),
    FindingCode(
        "E502",
        "suspiciously good",
        "The best model makes hardly an error where chance makes many. That happens, but a mistake in the "
        "table is more frequent.",
        f"An error of at most {TOO_GOOD:.1%} on at least {ENOUGH_ROWS} rows, where always predicting the "
        f"most "
        f"frequent class is wrong on at least {CHANCE_ERROR:.0%}, and no single column explains it (E501).",
        "Check that no column was made from the target, and that no row is in the table twice (D401): then "
        "the test rows were seen in training. Rows of one person or thing belong into one fold (--groups).",
        ("classica.tables.profile", "classica.confusion"),
        "T: training error and test error",
    ),
    FindingCode(
        "E503",
        "no model better than chance",
        "Nothing was learned that guessing does not know; the order of the models means nothing.",
        "No model is shown to be better than the chance floor on the same folds, by corrected one-sided "
        "t-tests with p-values corrected for the number of models (Holm). One fold shows nothing, so it is "
        f"not told then; fewer than {ENOUGH_FOLDS} show little.",
        "With few rows there may be something that cannot be shown yet: get more, or repeat the folds. Else "
        "the columns may say nothing about the target: get other columns.",
        ("classica.statistics.better_than", "classica.ChanceClassifier"),
        "T: a random classifier as the floor",
    ),
    FindingCode(
        "E504",
        "probably irreducible error",
        "A good part of the best model's error is estimated to be irreducible: no classifier on these "
        "columns would avoid it.",
        "The leave-one-out errors of nearest neighbours bracket the Bayes error. Reported when the error of "
        f"the best model is within the bracket, and its lower end at least {CLOSE:.0%} of that error. The "
        "bound holds for ever more rows: it is an estimate, never a floor.",
        "Another model may still be better: as far as the estimate goes, by the distance from the lower end "
        "of the bracket. Beyond that only better columns help: the Bayes error belongs to the columns, not "
        "to the problem.",
        ("classica.table_bayes_error", "classica.bayes_error_bracket"),
        "R: bounds of the nearest-neighbour error",
    ),
    FindingCode(
        "E505",
        "neighbours do better",
        "Plain nearest neighbours on all rows make fewer errors than the best model did.",
        f"The error of the best model is more than {SPREADS} of its standard errors above the upper "
        "confidence limit of the best K-NN (leave-one-out, columns scaled).",
        "There is room for a better model: classes with curved or scattered shapes. Try nearest neighbours "
        "or a kernel.",
        ("classica.table_bayes_error", "classica.KNeighborsClassifier", "classica.SVMClassifier"),
        "R: bounds of the nearest-neighbour error",
    ),
    FindingCode(
        "E506",
        "a model failed",
        "A model did not finish all folds, so that it cannot be ranked with the others.",
        "A fold of it ended with an error, or at its limit of time or memory.",
        "The reason is told with the model. Give more time or memory (--limit, --memory), or leave it out.",
        ("classica.compare",),
    ),
    FindingCode(
        "E507",
        "no better than the baseline",
        "A model does not beat a constant prediction, such as always the most frequent class, although other "
        "models on the same table may.",
        "The scores of each model are compared with those of the baseline on the same folds. Reported as "
        "significantly worse by corrected one-sided t-tests with p-values corrected for the number of models "
        "(Holm), and as no better when the mean score is at most that of the baseline. Where no model is "
        "better (E503), only those significantly worse are named.",
        "Do not use such a model as it is. Regularise it (QDA with nearly singular classes needs a ridge), "
        "tune it, scale the columns, or take another model: a model that loses to a constant has learned "
        "something that is not so.",
        ("classica.statistics.better_than", "classica.ChanceClassifier"),
        "T: a random classifier as the floor",
    ),
)  # fmt: skip

#: Every code of a diagnosis.
CODES = {each.code: each for each in (*_FIT, *_CLASSES, *_TOGETHER, *_TRUST)}
