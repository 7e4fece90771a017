"""The table of models in text: as wide as there is room for, with differences as numbers or pictures."""

from dataclasses import replace

import pytest

from classica.comparison.results.gap_scale import GapScale
from classica.comparison.results.leaderboard_text import board_lines, legend, top_models
from classica.comparison.results.metrics_text import metric_lines
from classica.comparison.results.summary import ClassMetrics
from tests.comparison.summaries import interval, model, summary

NAMES = ["svm", "gradient boosting of a very long name", "lda", "c45", "knn", "mlp", "bagging"]


def behind(found, mean, reach):
    gap = interval(mean, mean - reach, mean + reach)
    return replace(found, standing=replace(found.standing, gap=gap))


@pytest.fixture
def board():
    models = [
        behind(model(name, 0.9 - 0.01 * i, tied=i < 3, as_good=max(0.0, 1 - 0.17 * i)), 0.01 * i, 0.02)
        for i, name in enumerate(NAMES)
    ]
    chance = behind(model("chance", 0.5), 0.4, 0.05)
    return summary([*models, chance], recommended="bagging")


def test_a_short_table_has_the_best_the_recommended_one_and_the_baseline(board):
    assert [each.name for each in top_models(board)] == [*NAMES[:4], "bagging", "chance"]


@pytest.mark.parametrize("wide", [60, 80, 100, 120, 160])
def test_no_line_is_wider_than_the_screen_and_what_matters_stays(board, wide):
    heading, *lines = board_lines(board, wide)
    assert max(map(len, [heading, *lines])) <= wide
    assert "accuracy" in heading
    assert "as good" in heading
    assert len(lines) == 8
    assert ("behind best" in heading) == (wide >= 80)
    assert ("◂ best" in heading) == (wide >= 100)
    assert ("training" in heading) == (wide >= 120)


def test_differences_are_told_with_half_their_interval(board):
    lines = board_lines(board, 80)
    assert "best" in lines[1]
    assert "1.0 ±2.0" in lines[2]
    assert "83%" in lines[2]
    assert lines[7].startswith(">")
    assert "40.0 ±5.0" in lines[8]
    assert "< 1%" in lines[8]


def test_the_legend_names_the_marks_that_are_there(board):
    told = legend(board, 80)
    assert "> recommended" in told
    assert "* statistically tied" in told
    assert "reference" not in told
    assert "at most 1 percentage point" in told


def test_a_picture_has_worse_to_the_left_and_the_best_at_the_line():
    models = [behind(model("a"), 0.0, 0.0), behind(model("b"), 0.02, 0.03)]
    scale = GapScale.of(models)
    best, other = (scale.text(each.standing.gap) for each in models)
    assert best.index("●") > other.index("●")
    assert other[best.index("●")] == "┼"  # the interval reaches past the best
    assert other.count("─") > 5
    far = scale.text(interval(0.5, 0.45, 0.55))
    assert far.startswith("◂")
    assert "●" not in far
    assert GapScale.of(models[:1]).text(interval(0.0)) == ""


def test_metrics_that_do_not_fit_go_below(board):
    models = [
        replace(each, metrics={"accuracy": each.score, "auc": interval(0.9), "log_loss": interval(0.3)})
        for each in board.models
    ]
    share = interval(0.25, 0.2, 0.3)
    classes = (ClassMetrics("a", 50, share, share, 0.25), ClassMetrics("b", 50, share, share, 0.75))
    models[0] = replace(models[0], classes=classes)
    settings = replace(board.settings, positive="b")
    found = replace(board, models=tuple(models), settings=settings)
    lines = metric_lines(found)
    assert len(lines) == 9
    assert "F1 'b'" in lines[0]
    assert lines[1].split()[-1] == "75.0%"
    narrow = metric_lines(found, 60)
    assert max(map(len, narrow)) <= 60
    assert len(narrow) > 17
    assert {"AUC", "log", "'b'"} <= set(" ".join(narrow).split())
