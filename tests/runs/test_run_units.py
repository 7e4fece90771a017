"""A run from start to end: order, every way to stop it and go on, a server that is lost, what is refused."""

import errno
import os
import signal
import threading
import time

import pytest

from classica.errors import RunBusyError, RunError
from classica.runs import Plan, Unit, WorkTable, open_run, read_outcomes, run_units
from classica.runs.journal import NAME as JOURNAL
from classica.runs.journal import Journal, read_journal
from classica.runs.plan import write_plan
from classica.runs.run_progress import RunClock
from tests.runs.leftovers import processes_of
from tests.runs.table import TABLE

SQUARE, DEED = "square", "deed"


def executed(folder):
    return sorted(map(int, (folder / "executed.txt").read_text().split()))


def test_results_are_in_the_order_of_the_plan_and_nobody_else_may_run(tmp_path):
    # The first is the slowest, so that the others overtake it.
    units = [Unit(f"u{i}", "g", {"number": i, "sleep": 0.3 if i == 0 else 0.0}) for i in range(12)]
    refusals, outcomes = [], []

    def meddle(progress):
        if progress.done == 1:
            with pytest.raises(RunBusyError) as caught:
                run_units(tmp_path, TABLE)
            refusals.append(str(caught.value))

    def run():
        outcomes.extend(run_units(tmp_path, TABLE, Plan(SQUARE, units), workers=2, progress=meddle))

    thread = threading.Thread(target=run)  # where Python lets nobody handle signals
    thread.start()
    thread.join()
    assert [outcome.key for outcome in outcomes] == [unit.key for unit in units]
    assert [outcome.result["square"] for outcome in outcomes] == [i * i for i in range(12)]
    assert outcomes[0].result["text"] == "é\ud800"
    order = [record["outcome"]["key"] for record in read_journal(tmp_path)[1:]]
    assert order.index("u0") > 0
    assert f"process {os.getpid()} on " in refusals[0]
    assert executed(tmp_path) == list(range(12))


def test_a_run_within_has_the_same_server_and_the_folder_stays_locked(tmp_path):
    units = [Unit(f"u{i}", "g", {"deed": "names_its_server"}) for i in range(3)]
    with open_run(tmp_path, TABLE, Plan(DEED, units), workers=2) as run:
        first = run.outcomes()
        with pytest.raises(RunBusyError, match=f"process {os.getpid()} on "):
            run_units(tmp_path, TABLE)
        with run.within("more", Plan(DEED, units[:2])) as more:
            second = more.outcomes()
    assert len({outcome.result["server"] for outcome in [*first, *second]}) == 1
    assert read_outcomes(tmp_path / "more") == second
    assert not processes_of(tmp_path)


def test_a_run_that_is_cut_short_leaves_the_server_to_the_next(tmp_path):
    """Its imports may take longer than what comes next: a model is still to be fitted when time is up."""
    who, long = [Unit("who", "g", {"deed": "names_its_server"})], [Unit("long", "g", {"deed": "sleeps"})]

    def stop(progress):
        if progress.running:
            os.kill(os.getpid(), signal.SIGINT)

    with open_run(tmp_path, TABLE, Plan(DEED, who)) as run:
        servers = [run.outcomes()[0].result["server"]]
        for name, budget, hear in (("late", 0.3, None), ("stopped", None, stop)):
            with run.within(name, Plan(DEED, long)) as cut:
                if hear is None:
                    assert cut.outcomes(budget)[0].status == "skipped"
                else:
                    with pytest.raises(KeyboardInterrupt):
                        cut.outcomes(budget, hear)
            with run.within(f"after {name}", Plan(DEED, who)) as after:
                servers.append(after.outcomes()[0].result["server"])
        assert len(set(servers)) == 1
    assert not processes_of(tmp_path)


def test_a_worker_that_somebody_kills_is_not_the_fault_of_its_unit(tmp_path):
    """The kernel does so when memory runs out, for which another may be to blame."""
    units = [Unit(deed, "g", {"deed": deed}) for deed in ("is_killed_once", "is_killed")]
    outcomes = run_units(tmp_path, TABLE, Plan(DEED, units), workers=2)
    assert [outcome.status for outcome in outcomes] == ["done", "crashed"]
    assert outcomes[0].result == {"again": True}


def stop_by_ctrl_c(folder, plan):
    sent = []

    def interrupt(progress):
        if progress.done == 3 and not sent:
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run_units(folder, TABLE, plan, progress=interrupt)
    assert time.monotonic() - sent[0] < 1.0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert read_journal(folder)[-1]["kind"] == "pause"


def stop_by_full_disk(folder, plan):
    real = os.pwrite

    def write(handle, data, place):
        if place > size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, data[:100], place)

    size = (folder / JOURNAL).stat().st_size + 500
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "pwrite", write)
        with pytest.raises(RunError) as caught:
            run_units(folder, TABLE, plan)
    sentence = f"Cannot write the journal {folder / JOURNAL}: No space left on device."
    assert str(caught.value) == sentence
    assert (folder / JOURNAL).read_bytes().endswith(b"}\n")


def stop_by_budget(folder, plan):
    # The clock runs out half a second after the first outcome, however long the start takes.
    ends = []
    with pytest.MonkeyPatch.context() as patch:
        left = property(lambda clock: ends[0] - time.monotonic() if ends else 9.0)
        patch.setattr(RunClock, "left", left)
        outcomes = run_units(
            folder,
            TABLE,
            plan,
            budget=9.0,
            progress=lambda told: told.last is None or ends or ends.append(time.monotonic() + 0.5),
        )
    late = time.monotonic() - ends[0]
    print(f"late by {late:.3f} s")
    assert late < 1.0
    reasons = [outcome.reason for outcome in outcomes if outcome.status == "skipped"]
    assert reasons == [
        "The budget of 9 s was spent before it finished.",
        "The budget of 9 s was spent before it started.",
    ]


def test_a_run_stopped_in_every_way_goes_on_and_ends_as_if_it_had_not_been(tmp_path):
    units = [Unit(f"u{i}", f"g{i % 2}", {"deed": "square", "number": i}) for i in range(8)]
    units[6] = Unit("u6", "g0", {"deed": "sleeps_once", "number": 6})
    plan = Plan(DEED, units)
    kept = []
    for stop in (stop_by_ctrl_c, stop_by_full_disk, stop_by_budget):
        stop(tmp_path, plan)
        assert processes_of(tmp_path) == []
        now = read_outcomes(tmp_path)
        done = [outcome for outcome in now if outcome.status == "done"]
        assert done[: len(kept)] == kept, "what was done is as it was, times included"
        assert len(done) > len(kept)
        kept = done
    outcomes = run_units(tmp_path, TABLE)
    assert outcomes[: len(kept)] == kept
    assert [outcome.result["square"] for outcome in outcomes] == [i * i for i in range(8)]
    # The disk was full for one unit that had been executed.
    assert sorted(set(executed(tmp_path))) == list(range(8))
    assert len(executed(tmp_path)) == 9


def test_a_budget_counts_over_all_parts_of_a_run(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    first, second = RunClock(0.0, 10.0, None), RunClock(7.0, 10.0, None)
    more, free = RunClock(12.0, 10.0, 5.0), RunClock(12.0, None, None)
    now[0] += 1.0
    assert [clock.left for clock in (first, second, more, free)] == [9.0, 2.0, 4.0, float("inf")]
    assert [clock.elapsed for clock in (first, second, more)] == [1.0, 8.0, 13.0]


def test_a_spent_budget_starts_nothing(tmp_path):
    plan = Plan(SQUARE, [Unit("a")])
    outcomes = run_units(tmp_path, TABLE, plan, budget=1e-9)
    assert [outcome.reason for outcome in outcomes] == ["The budget of 1e-09 s was spent before it started."]


def test_a_module_that_cannot_be_imported_is_one_sentence(tmp_path):
    with pytest.raises(RunError) as caught:
        run_units(tmp_path, WorkTable(TABLE.functions, ["no.such.module"]), Plan(SQUARE, [Unit("a")]))
    problem = "no.such.module: ModuleNotFoundError: No module named 'no'"
    assert str(caught.value) == f"Cannot import the modules of the run: {problem}."


def test_a_journal_of_another_plan_is_refused(tmp_path):
    write_plan(tmp_path, Plan(SQUARE, [Unit("a")]))
    Journal(tmp_path, {"kind": "start", "plan": "another"}).close()
    for read in (lambda folder: run_units(folder, TABLE), read_outcomes):
        with pytest.raises(RunError, match=r"its plan was changed"):
            read(tmp_path)


def test_a_lost_server_is_replaced_and_its_units_are_done(tmp_path):
    units = [Unit("first", "g", {"deed": "kills_parent_once"}), Unit("second", "g", {"deed": "says"})]
    outcomes = run_units(tmp_path, TABLE, Plan(DEED, units), workers=2)
    assert [outcome.status for outcome in outcomes] == ["done", "done"]


def test_a_unit_that_ends_the_server_is_found_out_and_others_are_not_blamed(tmp_path):
    names = ["says", "leaves_daemon", "kills_parent", "says", "leaves_daemon", "says"]
    units = [Unit(f"{name} {i}", "g", {"deed": name, "number": i}) for i, name in enumerate(names)]
    outcomes = run_units(tmp_path, TABLE, Plan(DEED, units), workers=3)
    assert [outcome.status for outcome in outcomes] == ["done", "done", "crashed", "done", "done", "done"]
    assert outcomes[2].reason == "It killed the process that starts workers."
    assert processes_of(tmp_path) == []
