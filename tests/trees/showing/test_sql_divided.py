"""A small tree that divides rows with missing values is one CASE: a line for each leaf, then the gaps."""

import polars as pl
import pytest

from classica import train
from classica.export import export_model
from classica.tables import load_table


def test_a_five_leaf_tree_is_a_plain_case():
    model = train(load_table("iris"), model="c45")
    query = export_model(model, "sql", table="iris").text
    lines = query.splitlines()
    assert query.count("SELECT") == 1
    assert lines[2:7] == [
        "  WHEN \"petalwidth\" <= 0.6 THEN 'Iris-setosa'",
        '  WHEN "petalwidth" > 0.6 AND "petalwidth" <= 1.7 AND "petallength" <= 4.9 THEN \'Iris-versicolor\'',
        '  WHEN "petalwidth" > 0.6 AND "petalwidth" <= 1.5 AND "petallength" > 4.9 THEN \'Iris-virginica\'',
        '  WHEN "petalwidth" > 1.5 AND "petalwidth" <= 1.7 AND "petallength" > 4.9 THEN \'Iris-versicolor\'',
        "  WHEN \"petalwidth\" > 1.7 THEN 'Iris-virginica'",
    ]
    assert len(lines) <= 14


@pytest.mark.parametrize("name", ["golf", "iris", "vote", "hepatitis"])
def test_missing_cells_and_unseen_levels_are_answered_as_the_model_does(name):
    table = load_table(name)
    model = train(
        table, model="c45", parameters={"min_samples_leaf": 20} if name in ("vote", "hepatitis") else {}
    )
    frame = table.frame
    holes = [
        frame.with_columns(pl.lit(None, frame[column].dtype).alias(column))
        for column in table.schema.feature_names()
    ]
    for part in holes:
        export_model(model, "sql", check=part)


def test_a_large_tree_keeps_its_stages():
    model = train(load_table("soybean"), model="c45")
    assert export_model(model, "sql").text.count("SELECT") == 3
