"""Out-of-bag errors of forests of 500 trees: those of R's ranger and randomForest, but for chance."""

import pytest

from classica import RandomForestClassifier
from tests.oracles.ensembles import Cell, categories, filled, leaning, outside, report, told
from tests.oracles.tree_tables import WEKA, read

ERRORS = told("forest_oob.json")

#: Small tables: of numbers, of categories, of both, with gaps.
BOUNDED = ("iris", "glass", "hepatitis", "tic-tac-toe", "zoo")


def forest(name, program, seed):
    """Return a forest that grows as the program's: ranger takes the levels of a category as numbers."""
    columns = categories(name) if program == "randomForest" else None
    return RandomForestClassifier(500, voting="hard", categorical_features=columns, random_state=seed)


def cells(names, programs, seeds):
    """Both programs have filled gaps before they began; so do we."""
    for name in names:
        assert ERRORS[name]["sha256"] == WEKA[name]["sha256"]
        X, y = filled(name), read(name).y.astype(int)
        for program in programs:
            errors = [100 * forest(name, program, seed).fit(X, y).oob_error_ for seed in range(seeds)]
            yield Cell(name, program, ERRORS[name][program], errors)


@pytest.mark.parametrize("program", ["ranger", "randomForest"])
@pytest.mark.parametrize("name", BOUNDED)
def test_out_of_bag_errors_on_small_tables(name, program):
    found = list(cells([name], [program], seeds=2))
    assert not outside(found), report(found)


@pytest.mark.full
def test_out_of_bag_errors_on_all_tables():
    found = list(cells(ERRORS, ["ranger", "randomForest"], seeds=10))
    print(report(found))
    assert len(outside(found)) <= 0.05 * len(found), report(outside(found))
    assert max(map(abs, leaning(found).values())) <= 0.5, leaning(found)
