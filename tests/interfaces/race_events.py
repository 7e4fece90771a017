"""Progress of comparisons that never ran, for tests of what is shown of it."""

import math

from classica.comparison.comparison_progress import ComparisonProgress, Dropped, Leader, Running
from classica.statistics.interval import Interval


def interval(mean, half=0.02):
    return Interval(mean, mean - half, mean + half, half, 5, 0.95)


def leader(name, mean, half=0.02, rows=4000):
    return Leader(name, name.rpartition(":")[2], interval(mean, half), rows, 9000)


def dropped(name, rows=1000, reason="Even an optimistic learning curve stays below the leader."):
    return Dropped(name, name, rows, reason)


def running(*names, rows=4000):
    return tuple(Running(name, rows, 3.0 + place) for place, name in enumerate(names))


def leaders(many, best=0.9, step=-0.01, half=0.02):
    return tuple(leader(f"model-{place}", best + step * place, half) for place in range(many))


def progress_of(phase="tuning", **more):
    known = {"done": 3, "total": 20, "elapsed": 42.7, "remaining": 189.5, "running": running("svm", "mlp")}
    return ComparisonProgress(phase, **(known | more))


NO_INTERVAL = Interval(0.9, math.nan, math.nan, 0.0, 1, 0.95)
