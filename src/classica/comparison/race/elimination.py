"""Which grid points and models of a race go on: those that may still turn out best."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from classica.native import Floats
from classica.statistics.row_differences import row_test

#: A grid point goes on within so many standard errors of the best of its model: a worse choice among points
#: that are that close costs little.
_POINTS = 1.0
#: A model leaves beyond so many standard errors, and what its learning curve may still gain: wide enough
#: that a model as good as the leader seldom leaves, also where the leader is the luckiest of twenty.
_MODELS = 2.5
#: The power of the rows by which losses fall at most.
_STEEPEST = 0.7


@dataclass(frozen=True)
class Verdict:
    """Whether a model goes on.

    Attributes
    ----------
    is_out : bool
        Whether it has left the race.
    behind : float
        By how much its mean loss exceeds that of the leader.
    bound : float
        The most it might be behind and still win.
    """

    is_out: bool
    behind: float
    bound: float


def surviving_points(losses: Mapping[int, Floats], most: int, margin: float = 0.0) -> list[int]:
    """Return the grid points of one model that go on, the best first.

    Parameters
    ----------
    losses : dict from int to array of shape (n_rows,)
        The losses of each point on the same rows; of equal means the first point comes first.
    most : int
        How many may go on.
    margin : float, default=0.0
        A point that may be better than the best one by no more than this stays behind.

    Returns
    -------
    list of int
    """
    ranked = sorted(losses, key=lambda point: round(float(losses[point].mean()), 12))
    best, *others = ranked
    close = [point for point in others if _may_be_better(losses[best], losses[point], margin)]
    return [best, *close][: max(most, 1)]


def _may_be_better(best: Floats, other: Floats, margin: float) -> bool:
    test = row_test(best, other)
    gain = _POINTS * test.error - test.difference
    return gain >= 0 if margin == 0 else gain > margin


def verdicts(losses: Mapping[str, Floats], gains: Mapping[str, float | None]) -> dict[str, Verdict]:
    """Return for every model whether it may still win.

    Parameters
    ----------
    losses : dict from str to array of shape (n_rows,)
        The losses of each model, by its best grid point, on the same rows.
    gains : dict from str to float or None
        What each model may still gain on the leader by the rest of its learning curve, an optimistic guess;
        None where nothing is known yet, which keeps it in the race.

    Returns
    -------
    dict from str to Verdict
    """
    leader = min(losses, key=lambda name: round(float(losses[name].mean()), 12))
    found = {}
    for name, own in losses.items():
        gain = gains[name]
        if name == leader or gain is None:
            behind = float(own.mean() - losses[leader].mean())
            found[name] = Verdict(False, behind, math.inf)
            continue
        test = row_test(losses[leader], own)
        bound = _MODELS * test.error + max(gain, 0.0)
        found[name] = Verdict(test.difference > bound, test.difference, bound)
    return found


def optimistic_gain(
    before: float, now: float, leader_before: float, leader_now: float, stages: float = 1.0
) -> float:
    """Return what a model may still gain on the leader by the rest of its learning curve, optimistically.

    Two ways to go on are looked at, and the better one for the model counts: that it gains on the leader once
    more what it gained by the last stage, and that losses shrink by the same factor from stage to stage, half
    as fast again for the model and half as fast for the leader. The second one counts where many stages are
    to come: with few rows nearest neighbours are far behind a forest that they may meet in the end.

    Parameters
    ----------
    before, now : float
        The mean loss of the model at the stage before and at this one.
    leader_before, leader_now : float
        That of the leader.
    stages : float, default=1.0
        How many stages are to come, as if all grew by the same factor.

    Examples
    --------
    >>> round(optimistic_gain(0.30, 0.22, 0.20, 0.18), 2)
    0.07
    >>> round(optimistic_gain(0.20, 0.132, 0.13, 0.085, stages=2.4), 3)  # 4.7 points behind
    0.068
    """
    once_more = (before - now) - (leader_before - leader_now)
    own = now * math.pow(_factor(before, now), 1.5 * stages)
    leader = leader_now * math.pow(_factor(leader_before, leader_now), 0.5 * stages)
    return max(0.0, once_more, (now - leader_now) - (own - leader))


def steepest_gain(now: float, growth: float) -> float:
    """Return what a model may still gain by more rows where one size is all that is known of its curve.

    Losses that fall by more than the rows to the power of 0.7 are hardly ever seen, and the leader gains
    nothing here: of a thousand rows among three thousand that leaves out who is hopeless, of a thousand among
    a million nobody.

    Parameters
    ----------
    now : float
        Its mean loss.
    growth : float
        How many times as many rows there are.

    Examples
    --------
    >>> round(steepest_gain(0.14, 3), 3)
    0.075
    """
    return float(now * (1 - growth**-_STEEPEST))


def _factor(before: float, now: float) -> float:
    """Return by which factor a loss has shrunk, 1 if it has not."""
    return min(1.0, max(now, 0.0) / before) if before > 0 else 1.0
