"""What people see of a race, as text: true, short, and within the screen."""

import math
from dataclasses import replace

import pytest

from classica.interfaces.cli._progress_text import EVERY, STOP, ProgressLog, ProgressText, Scale, clock
from tests.interfaces.race_events import NO_INTERVAL, dropped, leader, leaders, progress_of, running

TEXT = ProgressText("accuracy", True, 48_842)


def panel(progress, width=80, height=24, text=TEXT, scale=None):
    lines = text.panel(progress, width, height, scale or Scale.around(progress.leaders))
    return [line.text for line in lines]


def test_the_screen_of_a_race():
    found = (
        leader("random-forest", 0.875),
        leader("logistic", 0.85),
        leader("knn(n_neighbors=7)", 0.825, rows=1000),
    )
    gone = (dropped("winnow"), dropped("perceptron", 4000))
    assert panel(progress_of(leaders=found, dropped=gone)) == [
        "Tuning on 4,000 of 48,842 rows · 0:42 elapsed · at most 3:10 left",
        "",
        "  model               accuracy  80.5%                    89.5%  training rows",
        "  random-forest          87.5%                  ───────●──────          4,000",
        "  logistic               85.0%          ──────●───────                  4,000",
        "  knn(n_neighbors=7)     82.5%  ──────●───────                          1,000",
        "  provisional",
        "",
        "Running: mlp on 4,000 rows (4 s), svm on 4,000 rows (3 s)",
        "",
        "Dropped (2):",
        "  winnow after 1,000 training rows: Even an optimistic learning curve stays bel…",
        "  perceptron after 4,000 training rows: Even an optimistic learning curve stays…",
        "",
        STOP,
    ]


LONG = (
    "third_party.package.module:AClassifierWithQuiteALongName(alpha=0.0001,beta='exponential',gamma=[1,2,3])"
)
EVENTS = {
    "nothing yet": progress_of("first look", done=0, total=26, elapsed=0.2, remaining=None, running=()),
    "no leaders": progress_of("first look"),
    "26 models": progress_of(leaders=leaders(26), dropped=tuple(dropped(f"gone-{i}") for i in range(12))),
    "long names": progress_of(
        leaders=(leader(LONG, 0.9), *leaders(9)), running=running(*[LONG] * 8), dropped=(dropped(LONG),) * 5
    ),
    "log loss": progress_of(leaders=leaders(8, best=0.31, step=0.2, half=0.1)),
    "costs": progress_of("judging", leaders=leaders(8, best=1234.5, step=1000.0, half=77.0)),
    "one fold": progress_of(leaders=(replace(leader("lda", 0.9), score=NO_INTERVAL),)),
    "no score": progress_of(
        leaders=(replace(leader("lda", 0.9), score=replace(NO_INTERVAL, mean=math.nan)),)
    ),
    "all the same": progress_of(leaders=leaders(3, step=0.0, half=0.0)),
    "a hostile reason": progress_of(dropped=(dropped("x", reason="one\nline\x1b[2J of\ttext"),)),
    "hours": progress_of(
        "judging", elapsed=7_322.0, remaining=36_000.0, leaders=leaders(3), done=1234, total=99999
    ),
}


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize(
    ("width", "height"), [(80, 24), (79, 23), (200, 60), (50, 14), (30, 8), (12, 4), (3, 1)]
)
@pytest.mark.parametrize(
    "text", [TEXT, ProgressText("area under the ROC curve"), ProgressText("log loss", False)]
)
def test_everything_fits_the_screen(name, width, height, text):
    lines = panel(EVENTS[name], width, height, text)
    assert 1 <= len(lines) <= height
    assert max(map(len, lines)) <= width
    assert all(line.isprintable() for line in lines)


def test_of_many_models_the_first_and_the_last_drops_are_shown():
    lines = panel(EVENTS["26 models"])
    assert [line.split()[0] for line in lines if line.startswith("  model-")] == [
        f"model-{i}" for i in range(5)
    ]
    assert "  21 more; provisional" in lines
    assert "Dropped (12):" in lines
    assert [line.split()[0] for line in lines if line.startswith("  gone-")] == [
        "gone-9",
        "gone-10",
        "gone-11",
    ]


def test_a_long_name_is_cut_before_numbers_are():
    line = next(line for line in panel(EVENTS["long names"]) if "AClassifier" in line)
    assert "…  " in line
    assert " 90.0% " in line
    assert "●" in line
    assert line.endswith(" 4,000")


def test_a_small_screen_keeps_what_matters_most():
    low = panel(EVENTS["26 models"], 80, 8)
    assert (low[0].partition(" ·")[0], low[-1]) == ("Tuning on 4,000 of 48,842 rows", STOP)
    assert sum("model-" in line for line in low) == 3
    narrow = panel(EVENTS["26 models"], 40, 24)
    assert not any("─" in line for line in narrow)
    assert any(line.split() == ["model-0", "90.0%", "4,000"] for line in narrow)
    assert panel(EVENTS["26 models"], 80, 1) == [low[0]]


def test_scores_that_are_no_shares_have_no_per_cent():
    lines = panel(EVENTS["log loss"], text=ProgressText("log loss", False))
    assert any(" log loss " in line for line in lines)
    assert any(line.split()[:2] == ["model-0", "0.310"] for line in lines)
    assert not any("%" in line for line in lines)


@pytest.mark.parametrize(
    ("progress", "headline"),
    [
        (
            progress_of("first look", running=running("lda", rows=1000)),
            "First ranking on 1,000 of 48,842 rows",
        ),
        (progress_of("first look", running=()), "First ranking"),
        (progress_of(running=(), leaders=leaders(2)), "Tuning on 4,000 of 48,842 rows"),
        (progress_of("judging"), "Cross-validating on all folds · 3 of 20 fits"),
        (progress_of("final fit", total=1), "Fitting the recommended model on all rows"),
        (progress_of("closer look"), "Diagnosing the best model · 3 of 20 fits"),
    ],
)
def test_every_phase_has_its_words(progress, headline):
    assert panel(progress, 90)[0] == f"{headline} · 0:42 elapsed · at most 3:10 left"


def test_what_is_not_known_is_not_said():
    assert TEXT.headline(progress_of("judging", remaining=None), 80).endswith(
        " on all folds · 3 of 20 fits · 0:42 elapsed"
    )
    assert ProgressText().headline(progress_of(), 80).startswith("Tuning on 4,000 rows · ")


def test_times():
    assert [clock(0.9), clock(0.9, up=True), clock(59.5), clock(3600)] == ["0:00", "0:01", "0:59", "1:00:00"]
    assert clock(-3.0, up=True) == "0:00"


def test_the_scale_stays_while_intervals_narrow_on_it():
    wide = Scale.around(leaders(5, half=0.05))
    assert Scale.around(leaders(5, half=0.02), wide) is wide
    # Until there is hardly anything to be seen.
    assert Scale.around(leaders(5, step=0.0, half=0.01), wide).width == pytest.approx(0.02)
    assert Scale.around(leaders(5, half=0.2), wide).width > wide.width
    assert Scale.around((), wide) is wide
    assert Scale.around(()) is None


def test_leaders_beyond_the_screen_do_not_stretch_the_scale():
    assert Scale.around((*leaders(5), leader("chance", 0.1))).low > 0.8


def test_a_leader_far_behind_is_off_the_scale():
    found = (*leaders(3), leader("chance", 0.333))
    assert Scale.around(found).low == pytest.approx(0.86)
    line = next(line for line in panel(progress_of(leaders=found)) if "chance" in line)
    assert line.split() == ["chance", "33.3%", "‹", "4,000"]


def log_of(*events, seconds=1.0):
    log = ProgressLog(TEXT)
    return [log.lines(event, seconds * place) for place, event in enumerate(events)]


def test_a_log_has_the_first_leaderboard_every_drop_and_every_phase():
    first = progress_of("first look", running=running("lda", rows=1000), done=1, total=2, leaders=leaders(1))
    whole = replace(first, done=2, leaders=leaders(6))
    later = progress_of(leaders=leaders(6), done=0)
    drop = replace(later, dropped=(dropped("winnow"),), is_new=True)
    grown = replace(drop, running=running("lda", rows=16_000))
    folds = replace(grown, running=running("lda", rows=16_001))
    judged = replace(grown, phase="judging")
    lines = log_of(first, whole, later, drop, drop, grown, folds, judged, judged)
    assert lines[0] == ["First ranking on 1,000 of 48,842 rows, 0:42 elapsed, at most 3:10 left"]
    assert lines[1] == [
        "Leaderboard after 0:42, provisional:",
        "  model-0  90.0% (95% CI 88.0–92.0%), 4,000 training rows",
        "  model-1  89.0% (95% CI 87.0–91.0%), 4,000 training rows",
        "  model-2  88.0% (95% CI 86.0–90.0%), 4,000 training rows",
        "  model-3  87.0% (95% CI 85.0–89.0%), 4,000 training rows",
        "  model-4  86.0% (95% CI 84.0–88.0%), 4,000 training rows",
        "  1 more",
    ]
    assert lines[2] == ["Tuning on 4,000 of 48,842 rows, 0:42 elapsed, at most 3:10 left"]
    assert lines[3] == [
        "Dropped winnow after 1,000 training rows: Even an optimistic learning curve stays below the leader."
    ]
    assert lines[4] == lines[6] == lines[8] == []
    assert lines[5][0].startswith("Tuning on 16,000 of 48,842 rows")
    assert lines[7][0].startswith("Cross-validating on all folds, ")


def test_a_log_says_now_and_then_that_it_goes_on():
    event = progress_of("judging", leaders=leaders(2))
    lines = log_of(event, *[event] * 4, seconds=EVERY / 2)
    assert [len(each) for each in lines[1:]] == [0, 1, 0, 1]
    [line] = lines[2]
    for fact in ("3 of 20 fits", "0:42 elapsed", "at most 3:10 left", "best so far: model-0, 90.0%"):
        assert fact in line


def test_a_run_that_is_continued_does_not_repeat_its_drops():
    event = progress_of("judging", dropped=(dropped("winnow"), dropped("lda")))
    (lines, later) = log_of(event, replace(event, dropped=(*event.dropped, dropped("c45"))))
    [line] = lines[1:]
    assert "2 models" in line
    assert [line.partition(" after ")[0] for line in later] == ["Dropped c45"]


def test_one_fold_has_no_interval():
    event = progress_of(
        "judging", leaders=(replace(leader("lda", 0.9), score=NO_INTERVAL),), is_provisional=False
    )
    assert log_of(event)[0][1:] == ["Leaderboard after 0:42:", "  lda  90.0%, 4,000 training rows"]
