"""The answer of a comparison in one or two sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from classica.evaluation.thresholds import ENOUGH_FOLDS

#: Scores that are not shares have three decimals below this, so that they stand one below the other.
_LARGE = 10


def answer(summary: Mapping[str, Any]) -> str:
    """Return the answer first: best, tied with, how good, how sure, and what chance gets."""
    if summary["best"] is None:
        failed = [entry for entry in summary["models"] if entry["status"] != "done"]
        return f"No model could be judged: {failed[0]['reason'] if failed else 'none took part'}"
    best = summary["models"][0]
    floor = _shown(summary["metric"]["chance"], summary)
    better = summary["better_than_chance"]
    none = f"No model is shown to be better than chance, which has {_title(summary)} {floor}"
    if best["name"] == "chance":
        return f"{none} and comes first{_few_folds(summary)}."
    if not better:
        return f"{none}: {_first(best, summary)}, but that may be luck{_few_folds(summary)}."
    # Whether chance is left behind is said by the test made for that, which is the sharper one.
    others = [entry for entry in summary["models"][1:] if entry["name"] != "chance"]
    doubt = ""
    if best["name"] not in better:
        shown_better = [entry["title"] for entry in others if entry["name"] in better]
        deed = "is" if len(shown_better) == 1 else "are"
        doubt = f", and only {listed(shown_better)} {deed} shown to be better"
    return f"{_first(best, summary)}; chance has {floor}{doubt}. {_beside(others)}".rstrip()


def _beside(others: Sequence[Mapping[str, Any]]) -> str:
    """Return who else may be the best, and what that means."""
    tied = [entry["title"] for entry in others if entry.get("tied")]
    if not tied:
        return "All others are shown to be worse." if others else ""
    many = "1 other is" if len(tied) == 1 else f"{len(tied)} others are"
    return f"{many} tied with it, that is, not shown to be worse: {listed(tied, 3)}."


def _few_folds(summary: Mapping[str, Any]) -> str:
    folds = summary["folds"]["counted"]
    if folds >= ENOUGH_FOLDS:
        return ""
    return f": {folds} folds show little" if folds > 1 else ": one fold shows nothing"


def _first(entry: Mapping[str, Any], summary: Mapping[str, Any]) -> str:
    """Return who comes first, with which score."""
    score, interval = entry["score"], ""
    if score["low"] is not None:
        level = f"{100 * score['confidence']:g} %"
        ends = f"{_shown(score['low'], summary, unit=False)} to {_shown(score['high'], summary)}"
        interval = f" ({ends} with {level} confidence)"
    less = "" if summary["metric"]["higher_is_better"] else ", less is better"
    told = f"{_title(summary)} {_shown(score['mean'], summary)} on new rows{less}{interval}"
    return f"{entry['title']} comes first with {told}"


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
        return f"{value:.3f}" if abs(value) < _LARGE else f"{value:.4g}"
    text = f"{100 * min(max(value, 0.0), 1.0):.1f}"
    return f"{text} %" if unit else text


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names as a sentence has them."""
    shown_names = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown_names)} and {len(names) - most} more"
    return shown_names[0] if len(names) == 1 else f"{', '.join(shown_names[:-1])} and {shown_names[-1]}"
