"""What each code about target, leaks, rows, columns and new tables means, and what helps (D2 to D6)."""

from __future__ import annotations

from classica.finding_code import FindingCode
from classica.tables.table_thresholds import (
    FEW_OF_A_CLASS,
    LEAK,
    LEAK_ROWS,
    MANY_CLASSES,
    MANY_LEVELS,
    MOST_ROWS,
    MOSTLY,
    ROWS_PER_CLASS,
    ROWS_PER_FEATURE,
)

_PROFILE = ("classica.tables.profile",)

_TARGET = (
    FindingCode(
        "D201",
        "words in the target kept as classes",
        "The target has cells such as NA or ?, which are a class of their own: no label is ever changed.",
        "A class whose name is one of the words for missing.",
        "If the word means that the label is not known, list it under \"missing\" of the target in a schema: "
        "these rows are then left out. Else nothing.",
        ("classica.tables.decide_types", "classica.tables.Schema"),
    ),
    FindingCode(
        "D202",
        "rows without a label",
        "Rows whose target is empty cannot be learned from or judged; they are left out.",
        "Empty cells of the target, counted.",
        "Nothing, if few. If many, ask why: a label that is missing for a reason makes the others unlike "
        "the rows to come.",
        _PROFILE,
    ),
    FindingCode(
        "D203",
        "classes with very few rows",
        "Of such a class nearly nothing can be learned or judged.",
        f"Classes of fewer than {FEW_OF_A_CLASS} rows.",
        "Get more rows of them, join classes that belong together, or leave them out and say so. With fewer "
        "rows than folds a class is missing in some of the folds.",
        _PROFILE,
    ),
    FindingCode(
        "D204",
        "one class has most rows",
        "Always predicting that class is nearly always right, so that accuracy says little.",
        f"The most frequent class has at least {MOST_ROWS:.0%} of the rows with a label.",
        "Judge by balanced accuracy, AUC or costs (--metric, --costs), and look at the error of each class.",
        ("classica.tables.profile", "classica.ChanceClassifier", "classica.BayesDecisionClassifier"),
        "T: a random classifier as the floor; L: costs",
    ),
    FindingCode(
        "D205",
        "many whole numbers, taken for a quantity",
        "A target of many different whole numbers is more likely a quantity than codes of classes: "
        "classifiers refuse it.",
        f"More than {MANY_CLASSES} different whole numbers, more than one for every {ROWS_PER_CLASS} rows.",
        "If they are codes, make the target categorical in a schema. Otherwise make few classes of it (low, "
        "middle, high) where a decision depends on it, or use a regressor from Python.",
        ("classica.tables.profile", "classica.DecisionTreeRegressor", "classica.KNeighborsRegressor"),
    ),
    FindingCode(
        "D206",
        "a target of numbers with fractions",
        "The target is a quantity, not a class: classifiers refuse it.",
        "Numbers of which at least one has a fraction, or is infinite.",
        "Make classes of it where a decision depends on it, or use a regressor from Python.",
        ("classica.tables.profile", "classica.DecisionTreeRegressor", "classica.RandomForestRegressor"),
    ),
    FindingCode(
        "D207",
        "only one class",
        "Every row has the same label: there is nothing to tell apart.",
        "One different label.",
        "Check that the table was not filtered by its target.",
        _PROFILE,
    ),
)  # fmt: skip

_ROWS = (
    FindingCode(
        "D301",
        "a column that alone tells the target",
        "Suspected of leaking: it may be the answer in other words, or be known only afterwards.",
        "How many rows the column tells alone: a level or range tells a row if its class is the most "
        "frequent among the other rows there; of numbers, the best single threshold counts, too. Reported "
        "when "
        f"that removes at least {LEAK:.0%} of the errors of always predicting the most frequent class, on at "
        f"least {LEAK_ROWS} rows.",
        "Ask whether it is known before the target is. If not, give it the role \"ignored\" in a schema: "
        "every score with it is too good to be true.",
        _PROFILE,
    ),
    FindingCode(
        "D401",
        "rows that repeat others",
        "The same row more than once: in cross-validation a copy may be learned from and tested.",
        "Rows equal to an earlier one in all features and the target.",
        "If they are the same case twice, leave the copies out: scores are too good with them. With few "
        "columns of few levels equal rows are normal. Copies of one person or thing belong into one fold "
        "(--groups).",
        _PROFILE,
        "T: training error and test error",
    ),
    FindingCode(
        "D402",
        "equal rows of different classes",
        "Whatever a model says about such rows, it is wrong on some: part of the error cannot be learned "
        "away.",
        "Rows that equal others in all features and have another label.",
        "Correct wrong labels, or find the column that tells these rows apart. What remains is noise, the "
        "Bayes error of these columns.",
        ("classica.tables.profile", "classica.table_bayes_error"),
        "T: noise, bias and variance; R: Bayes error",
    ),
    FindingCode(
        "D403",
        "few rows for so many columns",
        "Among many columns some fit few rows by chance, and a learner cannot tell which.",
        f"Fewer than {ROWS_PER_FEATURE} rows per feature.",
        "Take simple or strongly regularised models (naive Bayes, nearest mean, penalties), drop columns "
        "that cannot matter, or get more rows. Choose columns inside the folds, never before.",
        ("classica.tables.profile", "classica.learning_curve"),
        "B: number of parameters, curse of dimensionality",
    ),
)  # fmt: skip

_COLUMNS = (
    FindingCode(
        "D501",
        "many levels",
        "Levels with few rows each say little; a tree with a branch per level is drawn to such columns.",
        f"A category with more than {MANY_LEVELS} levels that occur.",
        "Join levels that belong together (a region instead of a postcode), or let a gain ratio, which "
        "counts the branches, choose: C4.5.",
        ("classica.tables.profile", "classica.C45Classifier"),
        "B, T: gain ratio",
    ),
    FindingCode(
        "D502",
        "levels that differ in capitals or blanks only",
        "Yes, yes and YES are most likely one level, written three ways.",
        "Levels that are the same without capitals and outer blanks.",
        "Write them the same way where the table is made.",
        _PROFILE,
    ),
    FindingCode(
        "D503",
        "mostly missing",
        "What is known of this column is known of few rows.",
        f"More than {MOSTLY:.0%} of its cells are missing.",
        "Ask why. Where a gap itself says something (not asked, not measured), trees and naive Bayes can use "
        "or skip it as it is; else leave the column out.",
        _PROFILE,
    ),
    FindingCode(
        "D504",
        "two columns with the same cells",
        "The same column twice: naive Bayes counts its evidence twice, distances weigh it double.",
        "Every cell is the same as in another feature.",
        "Leave one of them out.",
        _PROFILE,
        "B: independence within classes",
    ),
    FindingCode(
        "D505",
        "infinite numbers",
        "Infinite cells have no mean and no distance; most learners refuse them.",
        "Cells that are plus or minus infinity, counted.",
        "Mostly they come from a division by zero: make them missing where the table is made.",
        _PROFILE,
    ),
    FindingCode(
        "D506",
        "one value and missing cells",
        "All known cells are the same, so that only whether a cell is known can tell anything.",
        "One different value, and missing cells.",
        "If a gap means no, write no. If it means nothing, leave the column out.",
        _PROFILE,
    ),
    FindingCode(
        "D601",
        "columns the schema does not know",
        "A table has columns that the model has never seen; they are not used.",
        "Columns of the table that the schema does not list.",
        "Nothing, if they are meant to be extra. A column that was renamed is missing under its old name.",
        ("classica.tables.Schema",),
    ),
    FindingCode(
        "D602",
        "categories that were not there when learned",
        "The model has never seen these levels. Each says how it treats them: trees stop at the node, naive "
        "Bayes takes a count of zero, others see none of the known levels.",
        "Cells with a level that the schema does not list, counted by level.",
        "A few are normal. Many mean that the world has changed, or is written in another way: learn again.",
        ("classica.tables.Schema",),
    ),
)  # fmt: skip

TABLE_CODES = (*_TARGET, *_ROWS, *_COLUMNS)
