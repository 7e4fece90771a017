"""Bars and intervals within a line of text or a cell of a table."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from classica.statistics.interval import Interval


def share_bar(share: float, told: str, *, is_soft: bool = False) -> Markup:
    """Return a bar as long as a share of its track; `told` is for those who cannot see it."""
    kept = 0.0 if np.isnan(share) else min(max(share, 0.0), 1.0)
    return Markup(
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="track" width="100" height="8"/><rect class="{}" width="{}" height="8"/></svg>'
    ).format(told, "soft" if is_soft else "part", f"{100 * kept:.1f}")


def score_line(score: Interval, baseline: float, told: str) -> Markup:
    """Return a share with its interval on a line from 0 to 1, and the baseline as a dashed mark."""
    low, high = (score.mean if np.isnan(end) else end for end in (score.low, score.high))
    whisker = Markup('<line class="whisker" x1="{:.1f}" x2="{:.1f}" y1="10" y2="10"/>').format(
        *(300 * min(max(end, 0.0), 1.0) for end in (low, high))
    )
    floor = Markup('<line class="floor" x1="{0:.1f}" x2="{0:.1f}" y1="2" y2="18"/>').format(300 * baseline)
    return Markup(
        '<svg class="interval" viewBox="-5 0 310 20" role="img" aria-label="{}">'
        '<line class="floor" x1="0" x2="300" y1="10" y2="10"/>{}{}'
        '<circle class="mean" cx="{:.1f}" cy="10" r="4.5"/></svg>'
    ).format(told, floor, whisker, 300 * score.mean)
