"""A small comparison on a table whose names try to break out of the page."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from classica.comparison import ComparisonResult, compare
from classica.diagnosis.finding import Finding
from classica.tables import load_table
from tests.comparison.summaries import unjudged

COLUMN = "<script>alert(1)</script>"
LEVEL = "$x_{&</text><script>"
SOURCE = "a&b <i>.csv"
CLASSES = {0: '"><img src=x onerror=y>', 1: "yes </svg><b>"}

FINDINGS = (
    Finding.of(
        "E101",
        "id3 is better <i>on</i> rows it has seen.",
        "Prune & regularise.",
        models={"id3": 0.3, "knn": 0.2},
    ),
    Finding.of("E101", "The same code again.", "", classes=["id3"]),
)

FAILED = unjudged("evil:Model", "failed", "It said </table> & died.", "Model<u>")


@pytest.fixture(scope="session")
def table():
    golf = load_table("golf").frame
    first, target = golf.columns[0], "play"
    levels = golf[first].cast(pl.String)
    frame = golf.with_columns(levels.replace({levels[0]: LEVEL}).alias(first))
    labels = frame[frame.columns[-1]].cast(pl.Int64).replace_strict(CLASSES, return_dtype=pl.String)
    return frame.drop(frame.columns[-1]).rename({first: COLUMN}).with_columns(labels.alias(target))


@pytest.fixture(scope="session")
def compared(table, tmp_path_factory):
    """Three models, three folds; findings and a failed model are put in, as a larger run would have them."""
    folder = tmp_path_factory.mktemp("report")
    table.write_csv(folder / SOURCE)
    result = compare(
        folder / SOURCE,
        target="play",
        models=["id3", "logistic", "knn"],
        folds=3,
        tune=False,
        out=folder / "run",
    )
    # On fourteen rows nothing is better than the baseline; a page with all its parts needs a recommendation.
    models = [replace(model, p_baseline=0.01) for model in result.summary.models if model.is_judged]
    changed = {"models": (*models, FAILED), "findings": FINDINGS, "recommendation": None}
    changed |= {"recommended": "id3", "best_file": "best.classica"}
    return ComparisonResult(result.folder, replace(result.summary, **changed))
