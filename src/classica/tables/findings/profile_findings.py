"""Findings of a profile: target (D2), leakage (D3), rows (D4) and columns (D5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import polars as pl

from classica.tables.profiles.column_profile import ColumnProfile
from classica.tables.table import Table
from classica.tables.table_finding import Finding, TableRule, table_rules
from classica.tables.typing.cells import unnamed
from classica.wording import counted, listed, share

_PROFILE = ("classica.tables.profile",)


@dataclass(frozen=True)
class TableEvidence:
    """A table and its profile, as evidence for findings.

    Attributes
    ----------
    table : Table
        The table.
    columns : sequence of ColumnProfile
        Its columns.
    majority : float or None
        The share of the most frequent class.
    sampled : int or None
        The number of sampled rows on which single columns were evaluated; None for all.
    """

    table: Table
    columns: Sequence[ColumnProfile]
    majority: float | None
    sampled: int | None = None

    @property
    def target(self) -> ColumnProfile | None:
        """The target."""
        return next((column for column in self.columns if column.role == "target"), None)

    @property
    def class_counts(self) -> dict[str, int]:
        """The rows of each class that occurs; empty if the target is not categorical."""
        if self.target is None or self.target.kind == "numeric" or self.majority is None:
            return {}
        return {level: count for level, count in self.target.counts if count}

    @cached_property
    def features(self) -> list[pl.Series]:
        """The features."""
        return [self.table.frame[name] for name in self.table.schema.names("feature")]

    @cached_property
    def labels(self) -> list[pl.Series]:
        """A list with the target column; empty without a target."""
        names = self.table.schema.names("target")
        return [self.table.frame[name] for name in names if name in self.table.frame.columns]

    @cached_property
    def alike(self) -> pl.DataFrame:
        """The rows whose features may equal those of another row, by their hash.

        Only these few rows are compared cell by cell.
        """
        if not self.features or not len(self.table):
            return pl.DataFrame()
        hashes = _numbered(self.features).hash_rows()
        return _numbered([*self.features, *self.labels]).filter(hashes.is_duplicated())


def _numbered(columns: Sequence[pl.Series]) -> pl.DataFrame:
    """Return a frame with numbered columns, because polars interprets some names as patterns."""
    return pl.DataFrame([column.rename(f"c{index}") for index, column in enumerate(columns)])


class ProfileRule(TableRule):
    """A finding about a table as a whole."""

    #: Whether it is reported after the findings about single features.
    after_features: ClassVar[bool] = False

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield the findings of this rule."""
        raise NotImplementedError


class FeatureRule(TableRule):
    """A finding about a single feature."""

    def text(self, column: ColumnProfile, rows: int) -> str | None:
        """Return the text of the finding about this column; None if it does not apply."""
        raise NotImplementedError


def profile_findings(evidence: TableEvidence) -> list[Finding]:
    """Return the findings about target, leakage, rows and columns."""
    rules = table_rules(ProfileRule)
    findings = [each for rule in rules if not rule.after_features for each in rule.find(evidence)]
    for column in evidence.columns:
        if column.role == "feature":
            texts = [(rule, rule.text(column, len(evidence.table))) for rule in table_rules(FeatureRule)]
            findings += [rule.finding(column.name, text) for rule, text in texts if text is not None]
    return [*findings, *(each for rule in rules if rule.after_features for each in rule.find(evidence))]


class NoLabel(ProfileRule):
    """Rows without a label."""

    code = "D202"
    title = "Rows without a label"
    order = 10
    meaning = "Rows with a missing target can be used neither for training nor for testing and are left out."
    rule = "Reported when the target has missing values."
    remedy = (
        "Nothing, if they are few. If they are many, find out why: if labels are not missing at random, the "
        "labelled rows are not representative of new data."
    )
    shown_by = _PROFILE

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield the number of rows without a label."""
        target = evidence.target
        if target is not None and target.missing:
            rows = counted(target.missing, "row has", "rows have")
            left = "is" if target.missing == 1 else "are"
            yield self.finding(target.name, f"{rows} no label and {left} left out.")


class RareClasses(ProfileRule):
    """Classes with very few rows."""

    code = "D203"
    title = "Rare classes"
    order = 30
    #: A class with fewer rows than this is rare.
    FEW_OF_A_CLASS = 5
    meaning = "A class with very few rows can hardly be learned or evaluated."
    rule = f"Reported when a class has fewer than {FEW_OF_A_CLASS} rows."
    remedy = (
        "Collect more rows of these classes, merge classes that belong together, or leave them out and "
        "report that. A class with fewer rows than folds is absent from some folds."
    )
    shown_by = _PROFILE

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield the classes with very few rows, in one finding."""
        counts = evidence.class_counts
        few = [level for level, count in counts.items() if count < self.FEW_OF_A_CLASS]
        if evidence.target is not None and len(counts) != 1 and few:
            what = f"{counted(len(few), 'class has', 'classes have')} fewer than {self.FEW_OF_A_CLASS} rows"
            yield self.finding(evidence.target.name, f"{what}: {listed(few)}.")


class DominantClass(ProfileRule):
    """One class has most rows."""

    code = "D204"
    title = "Imbalanced classes"
    order = 40
    #: The share of the majority class from which accuracy means little.
    MOST_ROWS = 0.8
    meaning = "Always predicting the most frequent class is already accurate, so accuracy means little."
    rule = f"Reported when the most frequent class has at least {MOST_ROWS:.0%} of the labelled rows."
    remedy = (
        "Rank by balanced accuracy, AUC or costs (--metric, --costs), and look at the error of each class."
    )
    shown_by = ("classica.tables.profile", "classica.ChanceClassifier", "classica.BayesDecisionClassifier")
    source = "T: a random classifier as the baseline; L: costs"

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield the share of the most frequent class, if it has most rows."""
        target, majority = evidence.target, evidence.majority
        if target is None or majority is None or len(evidence.class_counts) < 2:
            return
        if majority >= self.MOST_ROWS:
            text = (
                f"The most frequent class has {share(majority, 1)} of the rows, so accuracy means little: "
                "look at the error of each class."
            )
            yield self.finding(target.name, text)


class OnlyOneClass(ProfileRule):
    """Every row has the same label."""

    code = "D207"
    title = "Only one class"
    order = 20
    meaning = "Every row has the same label, so there is nothing to learn."
    rule = "Reported when the target has one distinct label."
    remedy = "Check that the table was not filtered by its target."
    shown_by = _PROFILE

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield the class, if there is only one."""
        present = list(evidence.class_counts)
        if evidence.target is not None and len(present) == 1:
            text = f"Every row has the class {present[0]!r}, so there is nothing to learn."
            yield self.finding(evidence.target.name, text)


class ProfileLeak(ProfileRule):
    """A column that alone predicts the target."""

    code = "D301"
    title = "Possible target leakage"
    order = 50
    #: A column alone removes this share of the errors of the majority-class baseline ...
    LEAK = 0.95
    #: ... on a table of at least this many rows; with fewer, a column often does so by chance.
    LEAK_ROWS = 20
    meaning = (
        "The column alone predicts the target almost perfectly: it may be the target in another form, or be "
        "known only afterwards."
    )
    rule = (
        "The column alone predicts each row by the most frequent class among the other rows with the same "
        "level or in the same range; for numbers, also by the best single threshold. Reported when that "
        f"removes at least {LEAK:.0%} of the errors of the majority-class baseline, on at least {LEAK_ROWS} "
        "rows."
    )
    remedy = (
        'Check whether its value is known before the target is. If not, give the column the role "ignored" '
        "in a schema: every score obtained with it is too optimistic."
    )
    shown_by = _PROFILE

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield each column that predicts the target."""
        majority = evidence.majority
        if majority is None or majority == 1 or len(evidence.table) < self.LEAK_ROWS:
            return
        for column in evidence.columns:
            if column.alone is None or column.alone - majority < self.LEAK * (1 - majority):
                continue
            sampled = evidence.sampled
            drawn = "the rows" if sampled is None else f"{sampled:,} randomly drawn rows"
            text = (
                f"This column alone predicts {share(column.alone, 1)} of {drawn} correctly (the "
                f"majority-class baseline: {share(majority, 1)}). "
                "Check that it is known before the target is."
            )
            yield self.finding(column.name, text)


class RepeatedRows(ProfileRule):
    """Rows that repeat others."""

    code = "D401"
    title = "Duplicate rows"
    order = 60
    meaning = (
        "The same row occurs more than once: in cross-validation a copy may be in both the training set and "
        "the test set."
    )
    rule = "Reported when rows equal an earlier row in all features and the target."
    remedy = (
        "If the same observation was recorded twice, remove the copies: scores are too optimistic with them. "
        "In a table with few columns of few levels, equal rows are normal. Keep rows of one person or object "
        "in one fold (--groups)."
    )
    shown_by = _PROFILE
    source = "T: training error and test error"

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield how many rows repeat an earlier one."""
        alike = evidence.alike
        repeated = alike.height - alike.n_unique() if alike.height else 0
        if repeated:
            rows = counted(repeated, "row repeats", "rows repeat")
            yield self.finding(
                None,
                f"{rows} an earlier one ({share(repeated, len(evidence.table))}). "
                "In cross-validation, copies may be in both the training and the test set.",
            )


class ContradictoryRows(ProfileRule):
    """Equal rows of different classes."""

    code = "D402"
    title = "Contradictory labels"
    order = 70
    meaning = (
        "Rows with equal features have different labels, so every model misclassifies some of them: part of "
        "the error is irreducible."
    )
    rule = "Reported when rows equal others in all features but have another label."
    remedy = (
        "Correct wrong labels, or add a feature that separates these rows. The rest is noise, part of the "
        "Bayes error of these features."
    )
    shown_by = ("classica.tables.profile", "classica.table_bayes_error")
    source = "T: noise, bias and variance; R: Bayes error"

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield how many rows equal rows of another class."""
        if not evidence.labels or not evidence.alike.height:
            return
        *features, target = evidence.alike.columns
        groups = evidence.alike.drop_nulls(target).group_by(features).agg(
            pl.col(target).n_unique().alias("classes"), pl.len().alias("rows")
        )  # fmt: skip
        torn = int(groups.filter(pl.col("classes") > 1)["rows"].sum())
        if torn:
            text = f"{counted(torn, 'row equals', 'rows equal')} others in all features but not in the label"
            yield self.finding(None, f"{text}; no model can predict all of them correctly.")


class FewRows(ProfileRule):
    """Few rows for so many columns."""

    code = "D403"
    title = "Few rows per feature"
    order = 80
    #: Fewer rows per feature than this are few.
    ROWS_PER_FEATURE = 5
    meaning = (
        "With many features and few rows, some features fit the labels by chance, and a model cannot "
        "distinguish them from informative ones."
    )
    rule = f"Reported when the table has fewer than {ROWS_PER_FEATURE} rows per feature."
    remedy = (
        "Use simple or strongly regularised models (naive Bayes, nearest mean, penalised linear models), "
        "drop irrelevant features, or collect more rows. Select features within the training folds only."
    )
    shown_by = ("classica.tables.profile", "classica.learning_curve")
    source = "B: number of parameters, curse of dimensionality"

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield the numbers of rows and features, if there are too few rows."""
        rows, features = len(evidence.table), len(evidence.features)
        if features and 0 < rows < self.ROWS_PER_FEATURE * features:
            yield self.finding(None, f"Only {counted(rows, 'row')} for {counted(features, 'feature')}.")


class ManyLevels(FeatureRule):
    """A categorical column with many levels."""

    code = "D501"
    title = "Many levels"
    order = 10
    #: More levels than this are many.
    MANY_LEVELS = 50
    meaning = (
        "Levels with few rows carry little information, and trees with a branch per level prefer such "
        "high-cardinality columns."
    )
    rule = f"Reported when a categorical column has more than {MANY_LEVELS} levels."
    remedy = (
        "Merge levels (a region instead of a postcode), or use C4.5, whose gain ratio penalises many "
        "branches."
    )
    shown_by = ("classica.tables.profile", "classica.C45Classifier")
    source = "B, T: gain ratio"

    def text(self, column: ColumnProfile, rows: int) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        levels = _levels(column)
        if len(levels) <= self.MANY_LEVELS or column.kind != "categorical":
            return None
        return f"{len(levels):,} levels, some with few rows; consider merging levels."


def _levels(column: ColumnProfile) -> list[str]:
    return [level for level, count in column.counts if count]


class LevelsAlike(FeatureRule):
    """Levels written in two ways."""

    code = "D502"
    title = "Inconsistently written levels"
    order = 20
    meaning = "Yes, yes and YES are most likely one level written in three ways."
    rule = "Reported when levels differ only in upper and lower case or surrounding spaces."
    remedy = "Write them the same way in the source of the table."
    shown_by = _PROFILE

    def text(self, column: ColumnProfile, rows: int) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        levels = _levels(column)
        folded = Counter(level.strip().casefold() for level in levels)
        alike = [level for level in levels if folded[level.strip().casefold()] > 1]
        return f"Levels differ only in case or surrounding spaces: {listed(alike)}." if alike else None


class MostlyMissing(FeatureRule):
    """A column that is mostly missing."""

    code = "D503"
    title = "Mostly missing values"
    order = 30
    #: The share of missing cells.
    MOSTLY = 0.5
    meaning = "The column has a value in a minority of the rows only."
    rule = f"Reported when more than {MOSTLY:.0%} of the values are missing."
    remedy = (
        "Find out why. If missingness itself is informative (not asked, not measured), trees and naive Bayes "
        "handle missing values directly; otherwise leave the column out."
    )
    shown_by = _PROFILE

    def text(self, column: ColumnProfile, rows: int) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if not rows or column.missing <= self.MOSTLY * rows:
            return None
        return f"{share(column.missing, rows)} of the values are missing."


class ColumnCopies(ProfileRule):
    """Two columns with the same cells."""

    code = "D504"
    title = "Duplicate columns"
    order = 90
    after_features = True
    meaning = (
        "Two columns are identical: naive Bayes counts their evidence twice, and distances weight it double."
    )
    rule = "Reported when every cell of a feature equals that of another feature."
    remedy = "Leave one of them out."
    shown_by = _PROFILE
    source = "B: independence within classes"

    def find(self, evidence: TableEvidence) -> Iterator[Finding]:
        """Yield features identical to another one; equal column sums select the candidates."""
        seen: dict[tuple[str, int], list[str]] = {}
        frame = evidence.table.frame
        for name in evidence.table.schema.names("feature"):
            cells = unnamed(frame[name])
            key = (str(cells.dtype), int(cells.hash().sum() or 0))
            twin = next((other for other in seen.get(key, []) if frame[other].equals(cells)), None)
            if twin is not None:
                yield self.finding(name, f"Identical to the column {twin!r}.")
            seen.setdefault(key, []).append(name)


class InfiniteNumbers(FeatureRule):
    """Infinite numbers."""

    code = "D505"
    title = "Infinite values"
    order = 40
    meaning = "Infinite values have no mean and no distance; most classifiers reject them."
    rule = "Reported when cells are plus or minus infinity."
    remedy = (
        "They mostly result from a division by zero: make them missing values in the source of the table."
    )
    shown_by = _PROFILE

    def text(self, column: ColumnProfile, rows: int) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if not column.infinite:
            return None
        return f"{counted(column.infinite, 'value is', 'values are')} infinite."


class OneValue(FeatureRule):
    """One value and missing cells."""

    code = "D506"
    title = "One value or missing"
    order = 50
    meaning = (
        "All non-missing cells have the same value, so only whether the value is missing carries information."
    )
    rule = "Reported when a column has one distinct value and missing values."
    remedy = 'If a missing value means "no", write that into the cells. Otherwise leave the column out.'
    shown_by = _PROFILE

    def text(self, column: ColumnProfile, rows: int) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if column.different != 1 or not column.missing:
            return None
        return "All non-missing values are the same; only whether a value is missing is informative."
