"""The stages of a race: parts of the folds that grow, with the shares of the classes, never tested on."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from classica.comparison.race.stages import Stages


def stages(rows, columns=10, classes=2, folds=10, **more):
    y = np.random.default_rng(0).choice(classes, rows, p=None if classes > 2 else [0.8, 0.2])
    splits = list(StratifiedKFold(folds, shuffle=True, random_state=0).split(y, y))
    return Stages(splits, y, columns, 0, **more), y, splits


@pytest.mark.parametrize(
    ("rows", "columns", "classes", "sizes"),
    [
        (150, 4, 3, [135]),
        (1000, 20, 2, [900]),
        (5000, 20, 2, [1000, 4500]),
        (50_000, 14, 2, [1000, 4000, 16_000, 45_000]),
        (20_000, 16, 60, [1200, 4800, 18_000]),
        (20_000, 784, 10, [510, 2040, 8160, 18_000]),
    ],
)
def test_training_sets_grow_from_a_thousand_rows_to_all(rows, columns, classes, sizes):
    found, _, _ = stages(rows, columns, classes)
    assert [stage.rows for stage in found.all] == pytest.approx(sizes, abs=1)
    assert [stage.is_last for stage in found.all] == [False] * (len(sizes) - 1) + [True]
    assert found.all[-1].folds == tuple(range(10))


def test_small_tables_have_one_stage_and_large_ones_begin_with_two_folds():
    assert len(stages(400)[0].all) == 1
    assert stages(30_000)[0].all[0].folds == (0, 1)
    assert len(stages(4000, folds=100)[0].all[0].folds) == 5  # forty test rows each


def test_no_row_is_tested_on_and_learned_from_and_smaller_parts_lie_within_larger_ones():
    found, y, splits = stages(40_000)
    smaller = np.empty(0, dtype=np.intp)
    for stage in found.all:
        train, test = found.rows(stage, 1)
        assert not set(train) & set(test)
        assert set(test) <= set(splits[1][1])
        assert set(smaller) <= set(train)
        assert len(np.unique(train)) == len(train) == min(stage.rows, len(splits[1][0]))
        assert y[train].mean() == pytest.approx(y.mean(), abs=0.005)
        assert y[test].mean() == pytest.approx(y.mean(), abs=0.005)
        smaller = train
    assert len(found.rows(found.all[0], 1)[1]) == 2000


def test_in_order_of_time_the_rows_just_before_are_learned_from():
    y = np.arange(20_000) % 2
    splits = [(np.arange(10_000), np.arange(10_000, 20_000)), (np.arange(15_000), np.arange(15_000, 20_000))]
    found = Stages(splits, y, 5, 0, in_order=True)
    train, test = found.rows(found.all[0], 0)
    assert train.tolist() == list(range(9000, 10_000))
    assert test.tolist() == list(range(10_000, 12_000))


def test_the_same_seed_gives_the_same_rows():
    first, second = (stages(20_000)[0] for _ in range(2))
    for one, other in zip(first.rows(first.all[0], 0), second.rows(second.all[0], 0), strict=True):
        assert (one == other).all()
