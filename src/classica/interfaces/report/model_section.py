"""What the report says about one model in words and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from classica.comparison.sentences import shown
from classica.comparison.summary_text import seconds, size


def model_section(entry: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the words of a model, for its row in the leaderboard and its own part."""
    share, score = summary["metric"]["is_share"], entry["score"]
    first = entry["name"] == summary["best"]
    return {
        "title": entry["title"],
        "tied": entry["tied"],
        "mean": shown(score["mean"], share=share),
        "interval": _interval(score, share),
        "train": shown(entry["train_score"], share=share),
        "behind": "" if first else shown(entry["behind_best"]["mean"], share=share),
        "p": "" if first else _p(entry["p_holm"]),
        "as_good": "" if first else f"{entry['equal'] + entry['better']:.0%}",
        "fit": seconds(entry["fit_seconds"]),
        "row": seconds(entry["predict_seconds_per_row"]),
        "size": size(entry["bytes"]),
        "numbers": "" if entry["model_parameters"] is None else f"{entry['model_parameters']:,}",
        "readable": entry["readable"],
        "summary": entry["summary"],
        "plain_rule": entry["plain_rule"],
        "facts": _facts(entry, share),
    }


def _interval(score: Mapping[str, Any], share: bool) -> str:
    if score["low"] is None:
        return "–"
    return f"{shown(score['low'], share=share, unit=False)} to {shown(score['high'], share=share)}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _facts(entry: Mapping[str, Any], share: bool) -> list[tuple[str, str]]:
    chosen = "; ".join(f"{told(each['parameters'])} ({each['folds']} folds)" for each in entry["chosen"][:4])
    tuned = entry["inner_score"] is not None
    facts = [
        ("model file", entry["file"] or ""),
        ("parameters", _final(entry)),
        ("tuned in the folds", chosen if entry["parameters"] else ""),
        ("score seen in tuning", shown(entry["inner_score"], share=share) if tuned else ""),
        ("tuning took", seconds(entry["select_seconds"]) if tuned else ""),
        ("rejected", _rejected(entry)),
    ]
    return [(name, value) for name, value in facts if value]


def _rejected(entry: Mapping[str, Any]) -> str:
    rows = entry.get("rejected")
    return f"{rows:,} rows, coverage {entry['coverage']:.1%}" if rows else ""


def _final(entry: Mapping[str, Any]) -> str:
    """Return the parameters of the model file; they are tuned once more, on all rows."""
    parameters = entry["parameters"] or {}
    if not parameters:
        return told(parameters)
    folds = sum(each["folds"] for each in entry["chosen"] if each["parameters"] == parameters)
    all_folds = sum(each["folds"] for each in entry["chosen"])
    agreed = f"the choice of {folds} of {all_folds} folds" if folds else "no fold chose exactly these"
    return f"{told(parameters)} (tuned on all rows; {agreed})"


def told(parameters: Mapping[str, Any]) -> str:
    """Return parameters as one reads them."""
    return ", ".join(f"{name} = {value}" for name, value in parameters.items()) or "defaults"
