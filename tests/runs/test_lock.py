"""One process works on a folder at a time, and a killed one is not in the way."""

import os
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from classica.errors import RunBusyError, RunError
from classica.runs.lock import NAME, RunLock

HOLD = """
import fcntl, json, os, sys, time
handle = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
fcntl.flock(handle, fcntl.LOCK_EX)
who = {"pid": int(sys.argv[2]) or os.getpid(), "host": sys.argv[3], "started": "now"}
os.pwrite(handle, json.dumps(who).encode(), 0)
print("held", flush=True)
time.sleep(float(sys.argv[4]))
"""


def holder(folder, pid=0, host=None, seconds=60.0):
    command = [sys.executable, "-c", HOLD, folder / NAME, pid, host or socket.gethostname(), seconds]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def refused_in(folder):
    start = time.perf_counter()
    with pytest.raises(RunBusyError) as caught:
        RunLock(folder)
    return time.perf_counter() - start, str(caught.value)


def gone_pid():
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_the_second_is_refused_at_once_and_told_who_holds_it(tmp_path):
    with RunLock(tmp_path):
        seconds, sentence = refused_in(tmp_path)
    assert seconds < 0.2
    who = rf"process {os.getpid()} on {re.escape(socket.gethostname())}, started \d{{4}}-\d\d-\d\dT[^,]*"
    assert re.fullmatch(rf"Cannot use the run folder .*: it is locked by {who}\.", sentence)


def test_a_lock_that_was_let_go_is_free(tmp_path):
    for _ in range(3):
        with RunLock(tmp_path):
            pass
    assert (tmp_path / NAME).read_bytes() == b""


def test_a_killed_holder_does_not_block(tmp_path):
    with holder(tmp_path) as process:
        _, sentence = refused_in(tmp_path)
        assert f"process {process.pid} on " in sentence
        process.kill()
        process.wait()
        with RunLock(tmp_path):
            pass


def test_children_of_a_killed_run_are_waited_for(tmp_path):
    with holder(tmp_path, pid=gone_pid(), seconds=0.3), RunLock(tmp_path):
        pass


def test_a_process_of_another_host_is_not_taken_for_dead(tmp_path):
    with holder(tmp_path, pid=gone_pid(), host="elsewhere") as process:
        seconds, sentence = refused_in(tmp_path)
        process.kill()
    assert seconds < 0.2
    assert "on elsewhere" in sentence


def test_two_are_never_inside_together(tmp_path):
    """Two threads hold two locks of the kernel, just as two processes do."""
    refused = [0, 0]

    def take_turns(who):
        taken = 0
        while taken < 20:
            try:
                with RunLock(tmp_path):
                    with (tmp_path / "inside").open("x"):
                        time.sleep(0.001)
                    (tmp_path / "inside").unlink()
                taken += 1
            except RunBusyError:
                refused[who] += 1
        return taken

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(take_turns, [0, 1])) == [20, 20]
    print(f"each was inside 20 times, and refused {refused} times")
    assert sum(refused) > 0


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / NAME).mkdir()
    with pytest.raises(RunError, match=r"^Cannot write to the run folder .*: Is a directory\.$"):
        RunLock(tmp_path)
