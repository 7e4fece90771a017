"""Who takes part in a comparison, and what they are called."""

from classica.comparison.contender import titles
from classica.data import load_table
from tests.comparison.in_process import compared

TREES = ["sklearn.tree:DecisionTreeClassifier", "sklearn.tree:ExtraTreeClassifier"]


def test_the_class_alone_where_no_other_has_it():
    assert titles(["lda", *TREES]) == {"lda": "lda"} | {name: name.partition(":")[2] for name in TREES}
    same = ["one.place:Tree", "other.place:Tree"]
    assert titles(same) == {name: name for name in same}


def test_findings_and_the_answer_say_the_class(tmp_path):
    found = compared(tmp_path, load_table("iris"), [*TREES, "chance"], folds=3, tune=False)
    told = [found.answer, *(each.detail + each.remedy for each in found.findings)]
    assert any("DecisionTreeClassifier" in text for text in told[1:])
    assert not any("sklearn.tree" in text for text in told)
    assert any(TREES[0] in each.models for each in found.findings)
