import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from benchmarks.mixed_tables import letters_table, mixed_table


@pytest.mark.parametrize("draw", [mixed_table, letters_table])
def test_a_table_has_the_size_and_the_seed_decides(draw):
    table = draw(200, 14, seed=1)
    assert (table.height, table.width, table.columns[-1]) == (200, 15, "class")
    assert_frame_equal(table, draw(200, 14, seed=1))
    assert not table.equals(draw(200, 14, seed=2))


@pytest.mark.parametrize("columns", [14, 20, 50])
def test_columns_are_of_mixed_kinds(columns):
    kinds = mixed_table(100, columns, seed=0).drop("class").schema.values()
    counts = [list(kinds).count(kind) for kind in (pl.Float32, pl.Int64, pl.String)]
    assert sum(counts) == columns
    assert min(counts) >= columns // 7


def test_a_few_per_cent_are_missing_in_columns_of_every_kind():
    table = mixed_table(4_000, 50, seed=0)
    shares = {name: table[name].null_count() / table.height for name in table.columns}
    missing = {name: share for name, share in shares.items() if share}
    assert {name.rstrip("0123456789") for name in missing} == {"normal", "nominal", "skewed", "integer"}
    assert all(0.02 < share < 0.06 for share in missing.values())
    assert "class" not in missing


def test_nominal_columns_have_three_to_forty_values():
    table = mixed_table(4_000, 50, seed=0)
    values = [table[name].drop_nulls().n_unique() for name in table.columns if name.startswith("nominal")]
    assert (min(values), max(values)) == (3, 40)


def test_the_class_is_binary_and_depends_on_columns():
    table = mixed_table(4_000, 14, seed=0)
    is_yes = (table["class"] == "yes").to_numpy()
    assert 0.2 < is_yes.mean() < 0.8
    assert is_yes[table["normal0"].to_numpy() > 1].mean() > is_yes.mean() + 0.1
    middle = np.abs(table["integer3"].to_numpy() - 53) < 15
    assert is_yes[middle].mean() > is_yes[~middle].mean() + 0.1  # not a matter of more or less


def test_letters_are_26_classes_of_integers():
    table = letters_table(4_000, 16, seed=0)
    assert table["class"].n_unique() == 26
    values = table.drop("class").to_numpy()
    assert (values.min(), values.max()) == (0, 15)
