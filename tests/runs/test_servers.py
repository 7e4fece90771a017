"""The process that forks workers, started before its run: side by side with the imports of the command."""

import os
import signal
import time

import pytest

from classica.children.processes import is_over
from classica.errors import RunError
from classica.runs import Plan, Unit, run_units, server_ahead
from classica.runs.fork_server import ForkServer
from tests.runs.leftovers import processes_of, wait_until_none
from tests.runs.table import TABLE

PLAN = Plan("deed", [Unit("u", "g", {"deed": "names_its_server"})])


def server_of(folder):
    (outcome,) = run_units(folder, TABLE, PLAN, workers=2)
    assert outcome.status == "done"
    return outcome.result["server"]


def test_a_run_uses_the_server_that_was_started_for_its_folder(tmp_path):
    with server_ahead(tmp_path, TABLE.modules, 2):
        (ahead,) = processes_of(tmp_path)
        assert server_of(tmp_path) == ahead
    assert wait_until_none(tmp_path)


def test_a_server_that_no_run_has_used_ends_with_the_block(tmp_path):
    with server_ahead(tmp_path / "one", TABLE.modules, 2):
        (ahead,) = processes_of(tmp_path / "one")
        assert server_of(tmp_path / "two") != ahead
        assert not is_over(ahead)
    assert wait_until_none(tmp_path / "one")


def test_a_run_with_other_threads_has_a_server_of_its_own(tmp_path):
    with server_ahead(tmp_path, TABLE.modules, 2):
        (ahead,) = processes_of(tmp_path)
        (outcome,) = run_units(tmp_path, TABLE, PLAN, workers=2, threads=7)
        assert outcome.result["server"] != ahead
        assert is_over(ahead)


def test_a_server_that_was_killed_before_its_run_is_replaced(tmp_path):
    with server_ahead(tmp_path, TABLE.modules, 2):
        (ahead,) = processes_of(tmp_path)
        os.kill(ahead, signal.SIGKILL)
        while not is_over(ahead):
            time.sleep(0.001)
        assert server_of(tmp_path) != ahead
    assert wait_until_none(tmp_path)


def test_a_server_without_the_lock_forks_no_worker(tmp_path):
    """Two commands may be started on one folder: the second one must find it busy, not work on it."""
    with ForkServer([], 1, tmp_path) as server:
        while not server.wait(1.0):
            pass
        with pytest.raises(RunError, match="lock"):
            server.fork()


def test_without_proc_no_server_is_started_and_opening_the_run_says_why(tmp_path, monkeypatch):
    for module in ("servers", "run"):
        monkeypatch.setattr(f"classica.runs.{module}.has_proc", lambda: False)
    with server_ahead(tmp_path, TABLE.modules, 2):
        assert processes_of(tmp_path) == []
        with pytest.raises(RunError, match="/proc"):
            run_units(tmp_path, TABLE, PLAN)
