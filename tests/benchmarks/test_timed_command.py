"""A command that is timed: a little script in its stead prints the events of a comparison."""

import itertools
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import timed_command
from benchmarks.timed_command import PeakMemory, TimedRun, held_together, run_timed
from classica.children.processes import is_over

NO_LEADERS = json.dumps({"event": "progress", "leaders": []})
LEADERS = json.dumps({"event": "progress", "leaders": [{"name": "lda"}]})
RESULT = json.dumps({"event": "result", "summary": {}})
# What a script imports before its first line is most of its time.
PYTHON = [sys.executable, "-I", "-S", "-c"]


@pytest.fixture
def timed(tmp_path: Path) -> Callable[..., TimedRun]:
    """Run a script on a clock that advances by a second whenever it is read."""

    def run(*lines: str, ending: str = "") -> TimedRun:
        script = "\n".join([*(f"print({line!r})" for line in lines), "import os, sys", ending])
        return run_timed([*PYTHON, script], tmp_path, clock=itertools.count().__next__)

    return run


def test_the_first_leaderboard_and_the_end_are_timed_from_the_start(timed):
    run = timed(NO_LEADERS, LEADERS, LEADERS, RESULT)
    assert (run.first_leaderboard, run.answer) == (1, 2)
    assert (run.exit_code, run.error) == (0, "")


def test_no_leaderboard_has_no_time(timed):
    run = timed(NO_LEADERS, RESULT)
    assert (run.first_leaderboard, run.answer) == (None, 1)


def test_a_failing_command_says_its_last_line(timed):
    run = timed(LEADERS, ending='print("Note: odd\\nError: no such table.\\n", file=sys.stderr); sys.exit(3)')
    assert (run.exit_code, run.error) == (3, "Error: no such table.")


def test_the_command_runs_in_the_folder(timed, tmp_path):
    timed(ending='open("here", "w").close()')
    assert (tmp_path / "here").exists()


def test_an_interrupted_benchmark_leaves_nothing_running(tmp_path):
    readings = iter([0.0])

    def interrupted() -> float:
        for reading in readings:
            return reading
        raise KeyboardInterrupt

    script = f"import os, time; open('pid', 'w').write(str(os.getpid())); print({LEADERS!r}, flush=True)"
    with pytest.raises(KeyboardInterrupt):
        run_timed([*PYTHON, f"{script}; time.sleep(60)"], tmp_path, clock=interrupted)
    assert is_over(int((tmp_path / "pid").read_text()))


needs_linux = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="The memory of processes is known on Linux only."
)


@needs_linux
def test_memory_includes_descendants():
    hold = "held = bytearray(b'x') * {}; print(flush=True); input()"
    inner = hold.format(30_000_000)
    outer = f"import subprocess, sys; child = subprocess.Popen([*{PYTHON!r}, {inner!r}]); child.wait()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([*PYTHON, outer], **pipes) as process:
        process.stdout.readline()  # the child holds its memory
        with PeakMemory(process.pid) as memory:
            assert 30e6 < held_together(process.pid) < 90e6
        process.communicate(b"\n")
    assert 30e6 < memory.peak < 90e6


def test_the_peak_is_kept(monkeypatch):
    sizes, is_read = iter([5, 9, 7]), threading.Event()

    def read(pid: int) -> int:
        size = next(sizes, 0)
        if not size:
            is_read.set()
        return size

    monkeypatch.setattr(timed_command, "_EVERY", 0)
    monkeypatch.setattr(timed_command, "held_together", read)
    with PeakMemory(os.getpid()) as memory:
        assert is_read.wait(10)
    assert memory.peak == 9


def test_memory_is_unknown_where_the_system_does_not_tell(monkeypatch):
    monkeypatch.setattr(timed_command, "held_together", lambda pid: 0)
    with PeakMemory(os.getpid()) as memory:
        pass
    assert memory.peak is None
