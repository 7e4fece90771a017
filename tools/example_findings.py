"""Print every finding once, with real numbers, for proofreading: ``python -m tools.example_findings``.

Each scenario is the smallest evidence or table that triggers a finding; a test checks that none is missing.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from classica.diagnosis import diagnose
from classica.selection.extrapolation import Extrapolation
from classica.statistics.bayes_errors.table_bracket import TableBayesError
from classica.tables import decide_types, profile, read_table
from classica.tables.reading.raw_table import RawTable
from classica.wording import sentence_start

#: Code, subject (models or column) and text of a finding.
Shown = tuple[str, str, str]

_TITLES = {"c45": "C4.5", "lda": "LDA", "knn": "k-NN"}
#: Deviations of the scores of ten folds.
_FOLDS = np.array([-0.02, -0.01, 0.0, 0.01, 0.02, 0.0, 0.01, -0.01, 0.02, -0.02])


def example_findings() -> dict[str, Shown]:
    """Return the first finding of each code, by code."""
    first: dict[str, Shown] = {}
    for shown in (*_of_comparisons(), *_of_tables()):
        first.setdefault(shown[0], shown)
    return dict(sorted(first.items(), key=lambda item: (item[0][0] != "E", item[0])))


def _of_comparisons() -> Iterator[Shown]:
    for arguments in (*_scores(), *_predictions()):
        for finding in diagnose(is_share=True, **arguments).findings:
            text = f"{sentence_start(finding.detail)} {finding.remedy}"
            yield finding.code, ", ".join(finding.models + finding.columns), text


def _scores() -> Iterator[dict[str, Any]]:
    """Yield evidence that consists of scores and curves."""
    good, fair, poor = 0.9 + _FOLDS, 0.75 + _FOLDS[::-1], 0.4 + _FOLDS
    common: dict[str, Any] = {"test_fraction": 0.1, "baseline": np.full(10, 0.5), "titles": _TITLES}
    yield common | {
        "test_scores": {"c45": fair, "lda": good, "knn": poor},
        "train_scores": {"c45": np.ones(10), "lda": good, "knn": poor},
        "leaks": {"discharge_date": 0.993},
    }
    yield common | {
        "test_scores": {"c45": fair, "lda": good, "knn": np.where(np.arange(10) == 3, np.nan, good)},
        "train_scores": {"c45": fair, "lda": good, "knn": good},
        "simplicity": ["c45", "lda", "knn"],
    }
    yield common | {
        "test_scores": {"c45": good, "lda": good - _FOLDS[::-1] / 4},
        "simplicity": ["c45", "lda"],
    }
    yield common | {"test_scores": {"c45": 0.5 + _FOLDS, "lda": 0.5 + _FOLDS[::-1] / 2}}
    for gain, low, high in ((0.03, 0.02, 0.04), (0.001, 0.0, 0.003)):
        curve = Extrapolation(500, 1000, 0.1, gain, low, high, 0.05, 0.5, 0.95, "")
        yield common | {"test_scores": {"lda": good}, "learning": curve}


def _predictions() -> Iterator[dict[str, Any]]:
    """Yield evidence with predictions of single rows."""
    rng = np.random.default_rng(0)
    y = np.repeat(["low", "medium", "high"], [170, 15, 15])
    rest = {"test_scores": {"lda": 0.9 + _FOLDS}, "test_fraction": 0.1, "titles": _TITLES, "y": y}
    confused = np.where(y == "medium", np.where(np.arange(200) % 5 > 0, "high", y), y)
    sure = np.where((confused[:, None] == np.array(["high", "low", "medium"])), 0.98, 0.01)
    yield rest | {"predictions": {"lda": confused}, "probabilities": {"lda": sure}}
    unsure = np.where(y[:, None] == np.array(["high", "low", "medium"]), 0.6, 0.2)
    balanced = np.repeat(["a", "b"], 100)
    yield rest | {"predictions": {"lda": y}, "probabilities": {"lda": unsure}}
    wrong = np.where(rng.random(200) < 0.3, balanced[::-1], balanced)
    over = np.where(wrong[:, None] == np.array(["a", "b"]), 0.99, 0.01)
    yield rest | {"y": balanced, "predictions": {"lda": balanced}}
    for error, lower, upper in ((0.12, 0.09, 0.16), (0.12, 0.01, 0.03)):
        bracket = TableBayesError(lower, upper, upper, upper, 5, 3.0, 200, 2, 0.95, [])
        missed = np.where(np.arange(200) % 100 < 100 * error, balanced[::-1], balanced)
        yield rest | {
            "y": balanced,
            "predictions": {"lda": missed},
            "probabilities": {"lda": over},
            "bracket": bracket,
        }
    yield _vote(rng, independent=True)
    yield _vote(rng, independent=False)


def _vote(rng: np.random.Generator, *, independent: bool) -> dict[str, Any]:
    y = np.repeat(["a", "b"], 300)
    wrong = [rng.random(600) < 0.2 for _ in range(3)]
    predictions = {
        name: np.where(wrong[index if independent else 0], y[::-1], y)
        for index, name in enumerate(("c45", "lda", "knn"))
    }
    scores = dict.fromkeys(predictions, 0.8 + _FOLDS)
    evidence = {"y": y, "predictions": predictions, "titles": _TITLES}
    return {"test_scores": scores, "test_fraction": 0.1, **evidence}


def _of_tables() -> Iterator[Shown]:
    for frame, target in _frames():
        yield from _shown(profile(frame, target=target).findings)
    for text, target in _texts():
        yield from _shown(profile(io.BytesIO(text.encode()), target=target).findings)
    # No reader lets nested cells through, but a plug-in may.
    nested = pl.DataFrame({"parts": [[1, 2], [3]] * 5, "x": [*range(5)] * 2, "class": ["a", "b"] * 5})
    yield from _shown(decide_types(RawTable(nested, "nested.json", "json", []), target="class").decisions)
    trained = pl.DataFrame({"colour": ["red", "blue"] * 5, "class": ["a", "b"] * 5})
    schema = decide_types(read_table(trained), target="class").schema
    new = pl.DataFrame({"colour": ["red", "green"], "remark": ["x", "y"], "class": ["a", "b"]})
    yield from _shown(schema.apply(read_table(new)).decisions)


def _shown(findings: list[Any]) -> Iterator[Shown]:
    for finding in findings:
        yield finding.code, finding.column or "", finding.text


def _frames() -> Iterator[tuple[pl.DataFrame, str]]:
    rng = np.random.default_rng(0)
    rows = 200
    y = np.where(np.arange(rows) % 10 > 0, "no", "yes")
    noise = rng.normal(size=rows).round(3)
    columns: dict[str, Any] = {
        "id": np.arange(rows),
        "constant": np.ones(rows),
        "remark": [f"the patient number {row} was seen today" for row in range(rows)],
        "day": pl.date_range(pl.date(2025, 1, 1), pl.date(2025, 7, 19), eager=True),
        "size": noise,
        "copy": noise,
        "key": (10**16 + rng.permutation(rows) * 7).astype(np.int64),
        "amount": rng.choice(10**6, rows, replace=False),
        "leak": np.where(y == "yes", 1.0, 0.0) + noise / 100,
        "limit": np.where(np.arange(rows) == 3, np.inf, noise * 2),
        "rarely": [None] * 150 + [1.5, 2.5] * 25,
        "once": [None, "x"] * 100,
        "city": [f"city {row % 60}" for row in range(rows)],
        "rate": [f"{row % 9},{row % 7}%" for row in range(rows)],
        "answer": ["Yes", "yes", "no", "no "] * 50,
    }
    yield pl.DataFrame({**columns, "class": y}), "class"
    yield (
        pl.DataFrame({"x": [1.0, 1.0, 2.0, 2.0] * 3, "class": [*"abab"] * 2 + ["a", "a", "b", None]}),
        "class",
    )
    yield pl.DataFrame({"x": rng.normal(size=40), "class": ["a"] * 37 + ["b"] * 3}), "class"
    yield pl.DataFrame({"x": rng.normal(size=40), "class": ["a"] * 40}), "class"
    yield pl.DataFrame({"x": rng.normal(size=40), "class": np.arange(40)}), "class"
    yield pl.DataFrame({"x": rng.normal(size=40), "class": rng.normal(size=40)}), "class"
    yield pl.DataFrame({f"x{j}": rng.normal(size=12) for j in range(6)} | {"class": ["a", "b"] * 6}), "class"


def _texts() -> Iterator[tuple[str, str]]:
    body = "\n".join(
        f"{row % 3}{row % 7},{'true' if row % 2 else 'FALSE'},0{row % 5}1,"
        f"{row % 12 + 1:02}/{row % 11 + 1:02}/2025,"
        f"{'NA' if row % 9 == 0 else row % 4},{'?' if row % 2 else 'b'}"
        for row in range(40)
    )
    yield f"n,flag,code,date,gap,class\n{body}\n", "class"
    mixed = "\n".join(
        f"{'n/k' if row == 5 else row % 13};{row % 9},5;{1 + row % 8}.234;{'ab'[row % 2]}"
        for row in range(40)
    )
    yield f"almost;price;ratio;class\n{mixed}\n", "class"


def main() -> None:
    """Print all findings."""
    for code, subject, text in example_findings().values():
        print(f"{code}  {subject}\n      {text}")


if __name__ == "__main__":
    main()
