"""Summaries made up for tests of what is said and shown of them."""

import math

from classica.comparison.plan.settings import Settings
from classica.comparison.results.summary import (
    About,
    ClassCount,
    FoldCount,
    FoldScore,
    Insight,
    MetricFacts,
    ModelResult,
    Summary,
    TableFacts,
)
from classica.statistics.interval import Interval
from classica.statistics.paired_test import BayesianTest
from classica.statistics.standing import Standing
from classica.tables.profiles.profiling import Profile

ACCURACY = MetricFacts("accuracy", "accuracy", True, True, 0.5)


def interval(mean, low=math.nan, high=math.nan, folds=10):
    return Interval(mean, low, high, 0.01, folds, 0.95)


def model(name, mean=0.9, tied=False, p_baseline=0.01, **more):
    """Return a model that was judged, with a score and a place in the ranking."""
    score = more.pop("score", None) or interval(mean)
    is_baseline = name == "chance"
    fold = FoldScore(0, 90, 10, score.mean, more.pop("train_score", 0.95), math.nan, {}, 0.0, 0.01, 0.001)
    as_good = more.pop("as_good", 0.8 if tied else 0.0)
    test = BayesianTest(1 - as_good, as_good, 0.0, 0.01)
    standing = Standing(name, score, interval(0.0), 1.0, 1.0, test, tied)
    known = {
        "family": "floor" if is_baseline else "trees",
        "role": "baseline" if is_baseline else "model",
        "folds": (fold,),
        "p_baseline": None if is_baseline else p_baseline,
        **more,
    }
    return ModelResult(name, name, state="judged", reason="", about=About(""), standing=standing, **known)


def unjudged(name, state, reason, title=None):
    """Return a model that is not in the ranking."""
    return ModelResult(name, title or name, "trees", "model", state, reason, About(""))


def summary(
    models, *, recommended=None, metric=ACCURACY, folds=10, planned=None, findings=(), thorough=False, **more
):
    """Return a summary of these models, the best first."""
    ranked = [each.name for each in models if each.is_judged]
    profile = Profile("t.csv", "0" * 64, 100, [], "y", 0.5, [])
    classes = (ClassCount("a", 50), ClassCount("b", 50))
    table = TableFacts("t.csv", 100, 3, "y", classes, "0" * 64, (), profile)
    return Summary(
        answer="",
        recommended=recommended or (ranked[0] if ranked else None),
        best=ranked[0] if ranked else None,
        table=table,
        settings=Settings(metric=metric.name if metric.name != "cost" else "accuracy", thorough=thorough),
        metric=metric,
        folds=FoldCount(planned or folds, tuple(range(folds))),
        models=tuple(models),
        findings=tuple(findings),
        insight=Insight(),
        diversity=None,
        best_file=None,
        python="",
        seconds=0.0,
        versions={},
        **more,
    )
