"""The answer of a comparison in one or two sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from classica.evaluation.thresholds import ENOUGH_FOLDS


def answer(summary: Mapping[str, Any]) -> str:
    """Return the answer first: best, tied with, how good, how sure, and what chance gets."""
    if summary["best"] is None:
        failed = [entry for entry in summary["models"] if entry["status"] != "done"]
        return f"No model could be judged: {failed[0]['reason'] if failed else 'none took part'}"
    best = summary["models"][0]
    floor = _shown(summary["metric"]["chance"], summary)
    better = summary["better_than_chance"]
    if best["name"] == "chance" or not better:
        return (
            f"No model is shown to be better than chance, which has {_title(summary)} {floor}:"
            f" {_named(best, summary)} comes first, but that may be luck{_few_folds(summary)}."
        )
    # Whether chance is left behind is said by the test made for that, which is the sharper one.
    others = [entry for entry in summary["models"][1:] if entry["name"] != "chance"]
    tied = [entry["title"] for entry in others if entry.get("tied")]
    beside = f", tied with {listed(tied)}" if tied else ", ahead of all others"
    shown_better = [entry["title"] for entry in others if entry["name"] in better]
    doubt = ""
    if best["name"] not in better:
        deed = "is" if len(shown_better) == 1 else "are"
        doubt = f", and only {listed(shown_better)} {deed} shown to be better"
    return f"{_named(best, summary)}{beside}; chance has {floor}{doubt}."


def _few_folds(summary: Mapping[str, Any]) -> str:
    folds = summary["folds"]["counted"]
    if folds >= ENOUGH_FOLDS:
        return ""
    return f": {folds} folds show little" if folds > 1 else ": one fold shows nothing"


def _named(entry: Mapping[str, Any], summary: Mapping[str, Any]) -> str:
    score = entry["score"]
    interval = ""
    if score["low"] is not None:
        level = f"{100 * score['confidence']:g} %"
        ends = f"{_shown(score['low'], summary, unit=False)} to {_shown(score['high'], summary)}"
        interval = f" ({ends} with {level} confidence)"
    return f"{entry['title']} with {_title(summary)} {_shown(score['mean'], summary)}{interval}"


def _title(summary: Mapping[str, Any]) -> str:
    title: str = summary["metric"]["title"]
    return title


def _shown(value: float, summary: Mapping[str, Any], *, unit: bool = True) -> str:
    return shown(value, share=summary["metric"]["is_share"], unit=unit)


def shown(value: float | None, *, share: bool, unit: bool = True) -> str:
    """Return a score as people read it: shares in per cent."""
    if value is None:
        return "–"
    if not share:
        return f"{value:.4g}"
    text = f"{100 * min(max(value, 0.0), 1.0):.1f}"
    return f"{text} %" if unit else text


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names as a sentence has them."""
    shown_names = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown_names)} and {len(names) - most} more"
    return shown_names[0] if len(names) == 1 else f"{', '.join(shown_names[:-1])} and {shown_names[-1]}"
