"""Races on small tables, whose plan is to search every grid inside every fold."""

import numpy as np
import polars as pl

from classica.runs import Outcome
from tests.comparison.race import playing


def test_a_search_beyond_its_limit_fails_once_and_stops_nobody(tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    y = np.arange(2500) % 2
    frame = pl.DataFrame({"x": y + random.normal(size=2500), "y": np.array(["a", "b"])[y]})
    workspace = playing.race_workspace(frame, "y", ["chance", "lda", "tree"], folds=3)
    assert len(workspace.stages.all) > 1
    tried, do = [], playing.LocalRun._done

    def limited(run, unit):
        if unit.group != "tree" or unit.arguments["task"] != "search":
            return do(run, unit)
        tried.append(unit.key)
        return Outcome(unit.key, "time", reason="It took longer than the limit.", seconds=1.0)

    monkeypatch.setattr(playing.LocalRun, "_done", limited)
    race = playing.played(tmp_path, workspace)
    assert race.entries["tree"].state == "failed"
    assert race.entries["tree"].reason == "It took longer than the limit."
    assert len(tried) == len(set(tried))
    assert len(race.entries["lda"].folds) == 3
    assert race.is_searched(race.entries["lda"])
