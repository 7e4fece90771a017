import multiprocessing
from types import SimpleNamespace

import joblib
import pytest

from classica import threads
from classica.errors import ParameterError
from classica.threads import threads_for


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 8)
    monkeypatch.delenv("CLASSICA_NUM_THREADS", raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)


@pytest.mark.parametrize(
    ("n_jobs", "expected"), [(None, 8), (1, 1), (3, 3), (20, 20), (-1, 8), (-2, 7), (-8, 1), (-100, 1)]
)
def test_n_jobs(n_jobs, expected):
    assert threads_for(n_jobs) == expected


def test_zero_jobs_are_refused():
    with pytest.raises(ParameterError, match=r"^n_jobs must be None or an integer other than 0, got 0\.$"):
        threads_for(0)


@pytest.mark.parametrize(("limit", "expected"), [("1", 1), ("3", 3), ("8", 8), ("100", 8)])
@pytest.mark.parametrize("variable", ["CLASSICA_NUM_THREADS", "OMP_NUM_THREADS"])
def test_the_environment_limits_what_is_available(monkeypatch, variable, limit, expected):
    monkeypatch.setenv(variable, limit)
    assert threads_for(None) == threads_for(-1) == expected
    assert threads_for(-2) == max(1, expected - 1)


def test_a_positive_number_is_taken_as_it_is(monkeypatch):
    monkeypatch.setenv("CLASSICA_NUM_THREADS", "2")
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert threads_for(5) == 5


def test_our_own_variable_comes_first(monkeypatch):
    monkeypatch.setenv("CLASSICA_NUM_THREADS", "6")
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert threads_for(None) == 6


@pytest.mark.parametrize("text", ["", "0", "-1", "two", "1.5", "4,2", " 3"])
def test_our_own_variable_must_be_a_positive_integer(monkeypatch, text):
    monkeypatch.setenv("CLASSICA_NUM_THREADS", text)
    expected = f"The environment variable CLASSICA_NUM_THREADS must be a positive integer, got {text!r}."
    with pytest.raises(ParameterError) as caught:
        threads_for(None)
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("4,2", 4), ("4,", 4), ("", 8), ("0", 8), ("-1", 8), ("many", 8)]
)
def test_openmp_lists_and_nonsense(monkeypatch, text, expected):
    monkeypatch.setenv("OMP_NUM_THREADS", text)
    assert threads_for(None) == expected


def as_daemon(monkeypatch):
    monkeypatch.setattr(multiprocessing, "current_process", lambda: SimpleNamespace(daemon=True))


def test_a_daemon_has_one_thread(monkeypatch):
    as_daemon(monkeypatch)
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert threads_for(None) == threads_for(-1) == 1
    assert threads_for(3) == 3


def test_our_own_variable_holds_in_a_daemon_too(monkeypatch):
    as_daemon(monkeypatch)
    monkeypatch.setenv("CLASSICA_NUM_THREADS", "4")
    assert threads_for(None) == 4


def test_a_worker_of_a_pool_has_one_thread():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(threads_for, (None,)) == 1


def test_cores_are_those_this_process_may_use(monkeypatch):
    monkeypatch.undo()
    assert threads.cores() == joblib.cpu_count()
