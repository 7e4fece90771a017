"""``kill -9`` at any moment, start again: nothing finished is lost or repeated."""

import random
import socket
import subprocess
import sys
import time
from collections import Counter

import pytest

from classica.children.processes import is_over
from classica.errors import RunBusyError
from classica.runs import Plan, Unit, read_outcomes, run_units
from tests.runs.launcher import Launcher, kill
from tests.runs.leftovers import wait_until_none
from tests.runs.table import TABLE


@pytest.fixture(scope="module")
def launcher():
    with Launcher() as launcher:
        yield launcher


def plan_of(count, sleep):
    units = [Unit(f"u{i}", f"g{i % 3}", {"number": i, "sleep": sleep}) for i in range(count)]
    return Plan("square", units)


def finished(folder):
    if not (folder / "plan.json").exists():
        return {}
    return {outcome.key: outcome for outcome in read_outcomes(folder) if outcome.status == "done"}


def executed(folder):
    path = folder / "executed.txt"
    return Counter(path.read_text().split() if path.exists() else [])


def wait_for_more(folder, pid, before):
    """Wait until the journal has more lines than before; False if the run has come to its end."""
    while not is_over(pid):
        if lines(folder) > before:
            return True
        time.sleep(0.005)
    return False


def lines(folder):
    path = folder / "journal.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def kill_again_and_again(launcher, folder, plan, moments, kills):
    """Kill a run in its start and amid its units by turns, and check what is left each time."""
    counts = {"kills": 0, "in the start": 0, "amid units": 0}
    known = {}
    while counts["kills"] < kills:
        times, before = executed(folder), lines(folder)
        pid = launcher.start(str(folder), plan.record())
        is_amid = counts["kills"] % 2 == 1
        if is_amid and not wait_for_more(folder, pid, before):
            break
        time.sleep(moments.random() * (0.1 if is_amid else 0.4))
        kill(pid)
        counts["kills"] += 1
        counts["amid units" if is_amid else "in the start"] += 1
        now = finished(folder)
        assert {key: now.get(key) for key in known} == known, "what was finished is lost or changed"
        again = [key for key in known if executed(folder)[key[1:]] != times[key[1:]]]
        assert again == [], "what was finished is done again"
        known = now
    return counts, known


def check_campaign(launcher, folder, count, sleep, kills):
    plan = plan_of(count, sleep)
    counts, known = kill_again_and_again(launcher, folder / "killed", plan, random.Random(0), kills)
    left = count - len(known)
    outcomes = run_units(folder / "killed", TABLE, workers=2)
    assert {outcome.status for outcome in outcomes} == {"done"}
    assert [outcome.result for outcome in outcomes] == [
        {"square": i * i, "text": "é\ud800", "third": i / 3} for i in range(count)
    ]
    assert wait_until_none(folder / "killed")
    times = executed(folder / "killed")
    assert sorted(times, key=int) == [str(i) for i in range(count)]
    # Only units that were running at a kill may have been begun twice: two at each.
    extra = times.total() - count
    assert extra <= 2 * counts["kills"]
    print(f"{counts}, {left} of {count} units left for the last part, {extra} begun again")
    return counts


def test_ten_kills_lose_and_repeat_nothing(launcher, tmp_path):
    assert check_campaign(launcher, tmp_path, 120, 0.05, 10)["kills"] == 10


def test_kills_of_a_run_whose_server_was_started_ahead_lose_and_repeat_nothing(tmp_path):
    with Launcher("tests.runs.launcher:carry_out_ahead") as launcher:
        assert check_campaign(launcher, tmp_path, 60, 0.05, 6)["kills"] == 6


@pytest.mark.full
def test_two_hundred_kills_lose_and_repeat_nothing(launcher, tmp_path):
    assert check_campaign(launcher, tmp_path, 2000, 0.05, 200)["kills"] == 200


def test_a_server_whose_run_was_killed_before_it_came_to_itself_imports_nothing(tmp_path):
    """It would hold the lock for as long as imports take, which on a busy machine is long."""
    (tmp_path / "slow_module.py").write_text("import time\ntime.sleep(60)\n")
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.close()
    script = f"import sys; sys.path[:] = {[str(tmp_path), *sys.path]!r}; "
    script += f"from classica.children.server import main; main({theirs.fileno()}, ['slow_module'])"
    subprocess.run([sys.executable, "-c", script], pass_fds=[theirs.fileno()], timeout=30, check=True)
    theirs.close()


def test_a_killed_run_leaves_no_process_and_no_lock(launcher, tmp_path):
    """Also one whose unit has left group and session."""
    plan = Plan("deed", [Unit("daemon", "g", {"deed": "leaves_daemon", "sleep": 60})])
    pid = launcher.start(str(tmp_path), plan.record())
    while not list(tmp_path.glob("daemon-*")):
        assert not is_over(pid)
        time.sleep(0.01)
    with pytest.raises(RunBusyError, match=f"by process {pid} on "):
        run_units(tmp_path, TABLE)
    kill(pid)
    killed = time.monotonic()
    assert run_units(tmp_path, TABLE, budget=1e-9)[0].status == "skipped"
    waited = time.monotonic() - killed
    assert wait_until_none(tmp_path, 0.0), "the lock is free before the children are gone"
    print(f"free after {waited:.3f} s")
    assert waited < 2.0
