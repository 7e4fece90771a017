"""Tuning never makes a classifier significantly worse than its own parameters, on the same outer folds."""

from collections import namedtuple

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from sklearn.base import is_classifier

from classica import catalog
from classica.comparison.work.units import units, work
from classica.statistics.paired_test import corrected_t_test, holm
from tests.comparison.in_process import workspace_of
from tests.comparison.weka_tables import ACCURACIES, part_of, typed

# Classes with fewer rows than inner folds, and networks that could go on: no matter of this test.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

Cell = namedtuple("Cell", "table model own tuned p")
SEARCHED = [card.slug for card in catalog.cards() if card.grid and is_classifier(card.build())]
#: Whose grids take long: on some small tables only, and on fewer of their rows.
SLOW = {"bagging", "kernel-perceptron", "mlp", "rules", "voting"}
SMALL = ("iris", "glass", "wine", "ecoli", "balance-scale", "contact-lenses")


def cell(folder, name, model, rows):
    """Return the scores of a model on ten folds, with its own parameters and with those it has chosen."""
    scores = {}
    for tune in (False, True):
        place = folder / f"{name}-{model}-{tune}"
        place.mkdir()
        workspace = workspace_of(part_of(typed(name), rows), [model], tune=tune)
        workspace.save(place)
        asked = [unit.arguments for unit in units(workspace) if "fold" in unit.arguments]
        scores[tune] = np.array([work(place, arguments)["test_score"] for arguments in asked])
    test = corrected_t_test(
        scores[True],
        scores[False],
        workspace.test_fraction,
        alternative="less",
        resolution=workspace.resolution,
    )
    return Cell(name, model, scores[False].mean(), scores[True].mean(), test.p)


def worse(cells, alpha=0.05):
    """Return the cells in which tuning has done harm, with a chance of alpha for any if it never does."""
    return [each for each, p in zip(cells, holm([each.p for each in cells]), strict=True) if p <= alpha]


def losing(cells, alpha=0.05):
    """Return the models that tuning makes worse on the average table, where no single one shows it."""
    gains = {model: [] for model in dict.fromkeys(each.model for each in cells)}
    for each in cells:
        gains[each.model].append(each.tuned - each.own)
    p = [ttest_1samp(found, 0, alternative="less").pvalue if any(found) else 1 for found in gains.values()]
    return [model for model, corrected in zip(gains, holm(p), strict=True) if corrected <= alpha]


def report(cells):
    """Return all cells as text, and what tuning gives each model on the average table."""
    lines = [
        f"{c.table:<16} {c.model:<18} {c.own:.4f} {c.tuned:.4f} {c.tuned - c.own:+.4f} {c.p:.3g}"
        for c in cells
    ]
    for model in dict.fromkeys(each.model for each in cells):
        gains = [each.tuned - each.own for each in cells if each.model == model]
        lines.append(f"{model:<18} {np.mean(gains):+.4f} on {len(gains)} tables, worst {min(gains):+.4f}")
    return "\n".join(lines)


def test_tuning_does_no_harm_on_a_small_table(tmp_path):
    cells = [cell(tmp_path, "glass", model, 100) for model in ("knn", "lda", "naive-bayes", "logistic")]
    assert not worse(cells), report(cells)


@pytest.mark.full
def test_tuning_does_no_harm(tmp_path):
    cells = [
        cell(tmp_path, name, model, 120 if model in SLOW else 200)
        for name in ACCURACIES
        for model in SEARCHED
        if name in SMALL or model not in SLOW
    ]
    print(report(cells))
    assert not worse(cells), report(worse(cells))
    assert not losing(cells), report(cells)
