"""A score with its interval as a small picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from classica.comparison.results.gap_scale import GapScale
from classica.comparison.results.sentences import score_text
from classica.comparison.results.summary import ModelResult, Summary
from classica.displays.canvas import robust_ends
from classica.statistics.interval import Interval

_WIDTH = 200


@dataclass(frozen=True)
class Scale:
    """From scores to positions in a plot; one for all models, so that they can be compared.

    Attributes
    ----------
    low, high : float
        The scores at its ends.
    floor : float
        What the baseline gets.
    share : bool
        Whether scores are shares.
    """

    low: float
    high: float
    floor: float
    share: bool

    @classmethod
    def of(cls, summary: Summary) -> Scale:
        """Return the scale of the intervals.

        Training scores, the baseline and models far behind do not count: they would squeeze the differences
        among the others, which one wants to see.
        """
        learned = [model for model in summary.judged if model.role != "baseline"] or summary.judged
        ends = [end for model in learned for end in (model.score.low, model.score.mean, model.score.high)]
        low, high = robust_ends(np.array(ends))
        if summary.metric.is_share:
            low, high = max(low, 0.0), min(high, 1.0)
        margin = 0.03 * (high - low) or 0.01
        # Scores that cannot be negative are not shown on a scale that is.
        left = max(low - margin, 0.0) if low >= 0 else low - margin
        return cls(left, high + margin, summary.metric.baseline, summary.metric.is_share)

    def x(self, score: float) -> float:
        """Return where a score is, within the picture."""
        share = (score - self.low) / (self.high - self.low)
        return round(_WIDTH * min(max(share, 0.0), 1.0), 1)

    def holds(self, score: float) -> bool:
        """Return whether a score lies between its ends."""
        return self.low <= score <= self.high

    @property
    def low_text(self) -> str:
        """The left end in words."""
        return score_text(self.low, share=self.share, unit=False)

    @property
    def high_text(self) -> str:
        """The right end in words."""
        return score_text(self.high, share=self.share)


def interval_bar(model: ModelResult, scale: Scale) -> Markup:
    """Return the picture of one model's score; a score that is not on the scale is an arrow towards it."""
    score, train = model.score, model.mean("train_score")
    told = score_text(score.mean, share=scale.share), score_text(train, share=scale.share)
    parts = [_floor(scale)] if scale.holds(scale.floor) else []
    if scale.holds(score.mean):
        parts += [_whisker(score, scale), _dot("train", train, scale)]
        parts.append(_dot("mean", score.mean, scale))
    else:
        parts.append(_arrow(score.mean < scale.low))
    return Markup(
        '<svg class="interval" viewBox="0 0 {} 20" role="img" aria-label="{}, training {}">{}</svg>'
    ).format(_WIDTH, *told, Markup("").join(parts))


def gap_bar(model: ModelResult, scale: GapScale, margin: float = 0.0) -> Markup:
    """Return the picture of how far a model is behind the best: worse to the left, the best at the line.

    The region of practical equivalence, `margin` behind the best, is shaded.
    """
    if model.standing is None or scale.is_empty:
        return Markup()
    gap = model.standing.gap
    zero, equal = _at(scale, 0.0), _at(scale, margin)
    parts = [Markup('<rect class="margin" x="{}" width="{:.1f}" height="20"/>').format(equal, zero - equal)]
    parts.append(Markup('<line class="floor" x1="{}" x2="{}" y1="0" y2="20"/>').format(zero, zero))
    if scale.holds(gap.mean):
        ends = (gap.mean if np.isnan(end) else end for end in (gap.high, gap.low))
        places = (_at(scale, end) for end in ends)
        parts.append(Markup('<line class="whisker" x1="{}" x2="{}" y1="10" y2="10"/>').format(*places))
        parts.append(Markup('<circle class="mean" cx="{}" cy="10" r="4"/>').format(_at(scale, gap.mean)))
    else:
        parts.append(_arrow(to_left=True))
    return Markup(
        '<svg class="interval" viewBox="0 0 {} 20" role="img" aria-label="{:.4f} behind the best">{}</svg>'
    ).format(_WIDTH, gap.mean, Markup("").join(parts))


def _at(scale: GapScale, behind: float) -> float:
    return round(_WIDTH * scale.place(behind), 1)


def _floor(scale: Scale) -> Markup:
    x = scale.x(scale.floor)
    return Markup('<line class="floor" x1="{}" x2="{}" y1="0" y2="20"/>').format(x, x)


def _whisker(score: Interval, scale: Scale) -> Markup:
    ends = (score.mean if np.isnan(end) else end for end in (score.low, score.high))
    return Markup('<line class="whisker" x1="{}" x2="{}" y1="10" y2="10"/>').format(*map(scale.x, ends))


def _dot(kind: str, score: float | None, scale: Scale) -> Markup:
    if score is None:
        return Markup()
    return Markup('<circle class="{}" cx="{}" cy="10" r="4"/>').format(kind, scale.x(score))


def _arrow(to_left: bool) -> Markup:
    corners = "1,10 9,5 9,15" if to_left else f"{_WIDTH - 1},10 {_WIDTH - 9},5 {_WIDTH - 9},15"
    return Markup('<polygon class="beyond" points="{}"/>').format(corners)
