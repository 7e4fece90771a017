"""Summaries written by earlier versions, as the present one has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from classica.comparison.results.gathering import BASELINE
from classica.comparison.results.summary import VERSION
from classica.errors import DataError, must


def current(record: Any) -> Any:
    """Return the plain values of a summary of any version as the present version has them."""
    known = record.get("classica_summary") if isinstance(record, Mapping) else None
    if known == 1:
        try:
            return _from_first(record)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise DataError(
                must("A summary of version 1", "complete", f"{type(error).__name__}: {error}")
            ) from None
    if known == 2:  # lacks what has been added since, which has defaults
        return record
    if known != VERSION:
        raise DataError(must("The version of a summary", f"at most {VERSION}", known))
    return record


def _from_first(old: Mapping[str, Any]) -> dict[str, Any]:
    """Return a summary of version 1, which named things differently and kept folds as columns of numbers."""
    metric = dict(old["metric"])
    metric["baseline"] = metric.pop("chance")
    models = [_model(entry, old) for entry in old["models"]]
    return {
        **old,
        "metric": metric,
        "recommended": old["best"],
        "folds": {"planned": old["folds"]["planned"], "counted": list(range(old["folds"]["counted"]))},
        "models": models,
        "insight": _insight(old["looks"]),
        "diversity": _diversity(old["diversity"]),
        "findings": old["findings"],
    }


def _model(entry: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    is_done = entry["status"] == "done"
    states = {"done": "judged", "skipped": "skipped"}
    return {
        "name": entry["name"],
        "title": entry["title"],
        "family": entry["family"],
        "role": "baseline" if entry["name"] == BASELINE else "model",
        "state": states.get(entry["status"], "failed"),
        "reason": entry["reason"],
        "about": {**entry, "interpretability": entry["readable"]},
        "folds": _folds(entry, old) if is_done else [],
        "standing": _standing(entry, old) if is_done else None,
        "p_baseline": old["better_than_chance"].get(entry["name"]),
        "delivered": None if entry["parameters"] is None else {**entry, "reason": ""},
        "confusion": entry.get("confusion"),
        "calibration": entry.get("calibration"),
    }


def _folds(entry: Mapping[str, Any], old: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the folds; only means were kept of what is not the test score, so that each gets the mean."""
    rows, planned = old["table"]["rows"], old["settings"]["folds"]
    tested = max(rows // planned, 1)
    chosen = [each["parameters"] for each in entry["chosen"] for _ in range(each["folds"])]
    return [
        {
            "fold": fold,
            "learned_rows": rows - tested,
            "test_rows": tested,
            "test_score": score,
            "train_score": entry["train_score"],
            "inner_score": entry["inner_score"],
            "parameters": parameters,
            "select_seconds": entry["select_seconds"],
            "fit_seconds": entry["fit_seconds"],
            "predict_seconds": tested * entry["predict_seconds_per_row"],
        }
        for fold, (score, parameters) in enumerate(zip(entry["fold_scores"], chosen, strict=True))
    ]


def _standing(entry: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    test = {name: entry[name] for name in ("worse", "equal", "better")}
    return {
        "name": entry["name"],
        "score": entry["score"],
        "gap": entry["behind_best"],
        "p": entry["p"],
        "p_holm": entry["p_holm"],
        "against_best": {**test, "rope": old["settings"]["rope"]},
        "tied": entry["tied"],
    }


def _insight(looks: Mapping[str, Any]) -> dict[str, Any]:
    """Return the closer look; the parts of the error are left out: their estimate was biased."""
    done = {name: look for name, look in looks.items() if look["status"] == "done"}
    curve = done.get("learning curve", {})
    return {
        "bayes_error": done.get("bayes error", {}).get("bracket"),
        "learning_curve": curve.get("curve"),
        "extrapolation": curve.get("extrapolation"),
        "bias_variance": None,
        "failures": {name: look["reason"] for name, look in looks.items() if look["status"] != "done"},
    }


def _diversity(old: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if old is None else {**old, **old["measures"]}
