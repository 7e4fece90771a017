"""The line beside the bar: true, short, and calm."""

from pathlib import Path

import pytest

from classica.comparison.insight import LOOK
from classica.evaluation.runs import Outcome, Progress
from classica.interfaces.cli import _progress_words
from classica.interfaces.cli._progress_words import ProgressWords


@pytest.fixture
def words(tmp_path, monkeypatch):
    class Space:
        class settings:  # noqa: N801  (named as the attribute it stands for)
            metric = "accuracy"

        models = ("lda", "c45", "sklearn.svm:LinearSVC")

    monkeypatch.setattr(_progress_words, "opened", lambda folder: Space)
    return ProgressWords(tmp_path)


def told(done, key=None, score=None, *, remaining=None, groups=None):
    last = None if key is None else Outcome(key, "done", result={"test_score": score})
    return Progress(done, 40, groups or {"lda": (done, 40)}, (), 1.0, remaining, last)


def test_one_lucky_fold_is_no_lead(words):
    words(told(1, "lda fold 0", 0.9))
    assert words(told(2, "c45 fold 0", 0.8)) == "2 of 40 fits; best in 1 fold: lda, 90.0%"
    # The second fold is easy, and c45 is the first to have it: the first fold still counts alone.
    assert words(told(3, "c45 fold 1", 1.0)).endswith("best in 1 fold: lda, 90.0%")
    words(told(4, "lda fold 1", 0.8))
    assert words(told(5, "c45 fold 2", 0.0)).endswith("best in 2 folds: c45, 90.0%")


def test_a_folder_of_the_same_name_elsewhere_is_another_run(words, tmp_path, monkeypatch):
    space, asked = _progress_words.opened(tmp_path), []
    monkeypatch.setattr(_progress_words, "opened", lambda folder: asked.append(folder) or space)
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        monkeypatch.chdir(tmp_path / place)
        ProgressWords(Path("run"))(told(1, "lda fold 0", 0.9))
    assert asked == [str(tmp_path / place / "run") for place in ("a", "b")]


def test_a_stranger_is_named_by_its_class(words):
    line = words(told(1, "sklearn.svm:LinearSVC fold 0", 0.5))
    assert line.endswith("best in 1 fold: LinearSVC, 50.0%")


@pytest.mark.parametrize(
    ("remaining", "text"),
    [(1.0, "a few seconds left"), (33.8, "about 35 s left"), (61, "about 1 min left"), (199, "3.3 min left")],
)
def test_the_time_left_is_told_as_well_as_it_is_known(words, remaining, text):
    assert text in words(told(3, remaining=remaining))


def test_nothing_is_left_when_all_is_done(words):
    assert "left" not in words(told(40, remaining=0.0))


def test_the_closer_look_is_not_the_run_again(words):
    groups = {LOOK: (1, 3)}
    assert words(told(1, groups=groups)) == "a closer look at the best model: 1 of 40"


def test_a_run_that_goes_on_knows_its_best(words, tmp_path, monkeypatch):
    earlier = [Outcome("lda fold 0", "done", result={"test_score": 0.75}), Outcome("c45 fold 0", "skipped")]
    monkeypatch.setattr(_progress_words, "is_resumable", lambda folder: True)
    monkeypatch.setattr(_progress_words, "read_outcomes", lambda folder: earlier)
    assert ProgressWords(tmp_path)(told(1)) == "1 of 40 fits; best in 1 fold: lda, 75.0%"
