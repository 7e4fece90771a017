"""Units that do everything wrong, in one run with units that do nothing wrong."""

import re
from pathlib import Path

from classica.runs import Limits, Plan, Unit, read_outcomes, run_units
from tests.runs.leftovers import processes_of
from tests.runs.table import TABLE

SECONDS, MEMORY = 0.8, 250_000_000
# What it does, what becomes of it, and why.
POISON = {
    "raises": ("failed", r"It raised ValueError: K must be odd\."),
    "raises_unprintable": ("failed", r"It raised .*OddError: <exception str\(\) failed>\."),
    "leaves": ("failed", r"It raised SystemExit: 5\."),
    "recurses": ("failed", r"It raised RecursionError: maximum recursion depth exceeded.*\."),
    "returns_nan": (
        "failed",
        r"Its result must be a dict of plain values, but result\['scores'\]\[1\] is nan\.",
    ),
    "returns_object": ("failed", r"Its result must be .*, but result\['score'\] is of type numpy\.float32\."),
    "returns_list": ("failed", r"Its result must be a dict of plain values, but it is a list\."),
    "returns_deep": ("failed", r"It raised RecursionError: .*\."),
    "no_such_deed": ("failed", r"It raised KeyError: 'no_such_deed'\."),
    "exits": ("crashed", r"It ended its process with exit status 3\."),
    "segfaults": ("crashed", r"Its process was killed by SIGSEGV\."),
    "is_killed": ("crashed", r"Its process was killed by SIGKILL, as the system does when memory runs out\."),
    "closes_everything": ("crashed", r"It ended its process with exit status 70\."),
    "sleeps": ("time", r"It took longer than the limit of 0\.8 s\."),
    "prints": ("time", r"It took longer than the limit of 0\.8 s and printed more than 1 MiB\."),
    "forks": ("done", ""),
    "leaves_daemon": ("done", ""),
    "closes_output": ("done", ""),
    "changes_place": ("done", ""),
    "says": ("done", ""),
}
PROBES = ["where", "draws"]


def test_poison_harms_nobody_else(tmp_path):
    """All in one run, because every run starts a server."""
    plan = plan_with_probes()
    told = []
    outcomes = run_units(tmp_path, TABLE, plan, workers=2, threads=1, progress=told.append)
    assert processes_of(tmp_path) == []
    assert [outcome.key for outcome in outcomes] == [unit.key for unit in plan.units]
    assert read_outcomes(tmp_path) == outcomes
    # The same run again does nothing: all outcomes are final.
    assert run_units(tmp_path, TABLE, plan) == outcomes
    by_key = {outcome.key: outcome for outcome in outcomes}
    check_poison(by_key)
    check_probes([outcome for outcome in outcomes if " after " in outcome.key], tmp_path)
    check_texts(by_key)
    check_times(by_key)
    check_progress(plan, told)


def plan_with_probes():
    """Return every poison, each followed by two units that see whether something is left of it."""
    units = []
    for name in POISON:
        units.append(Unit(name, name, {"deed": name}))
        units += [Unit(f"{probe} after {name}", "probe", {"deed": probe}) for probe in PROBES]
    limits = Limits(SECONDS, MEMORY)
    return Plan("deed", units, limits=limits)


def check_poison(outcomes):
    for name, (status, reason) in POISON.items():
        outcome = outcomes[name]
        assert outcome.status == status, outcome
        assert re.fullmatch(reason, outcome.reason), outcome.reason
        assert (outcome.result is not None) == (status == "done")


def check_probes(probes, folder):
    assert {outcome.status for outcome in probes} == {"done"}
    places = [outcome.result for outcome in probes if "place" in outcome.result]
    for found in places:
        assert found["place"] == str(Path.cwd())
        assert found["surprise"] is None
        assert found["threads"] == "1"
        assert found["folder"] == str(folder)
        # An allocator may start a thread when it is imported; BLAS must not.
        assert found["tasks"] <= 2
    assert max(outcome.peak_bytes for outcome in probes) < 20_000_000
    draws = {tuple(outcome.result["draws"]) for outcome in probes if "draws" in outcome.result}
    assert len(draws) == len(POISON), "every unit has its own seed"
    workers = len({found["pid"] for found in places})
    print(f"{len(POISON)} poison units, {len(probes)} others all right, done by {workers} workers")


def check_texts(outcomes):
    assert outcomes["says"].output == "to stdout\nto stderr\n"
    assert "Fatal Python error: Segmentation fault" in outcomes["segfaults"].output
    assert "deeds.py" in outcomes["segfaults"].output
    assert re.match(r"\[\d{7,} bytes before this\]\n", outcomes["prints"].output)
    assert outcomes["raises"].traceback.endswith("ValueError: K must be odd.\nsecond line\n")
    assert max(len(outcome.output) for outcome in outcomes.values()) < 16_100
    assert max(len(outcome.traceback) for outcome in outcomes.values()) <= 8_000


def check_times(outcomes):
    late = [outcomes[name].seconds - SECONDS for name in ("sleeps", "prints")]
    print(f"late by {max(late):.3f} s")
    assert min(late) >= 0
    assert max(late) < 1.0


def check_progress(plan, told):
    last = [progress.last.key for progress in told if progress.last is not None]
    assert sorted(last) == sorted(unit.key for unit in plan.units)
    assert [progress.done for progress in told] == sorted(progress.done for progress in told)
    assert told[0].done == 0
    assert told[-1].done == told[-1].total == len(plan.units)
    assert told[-1].remaining == 0.0
    assert max(len(progress.running) for progress in told) <= 2


def test_units_that_eat_memory_are_ended_near_the_limit_and_small_ones_never(tmp_path):
    eaters = [Unit(name, "g", {"deed": name}) for name in ("eats", "eats_in_children")]
    # Three quarters of the limit one after the other: what one unit held does not count for the next.
    large = [Unit(f"holds {i}", "g", {"deed": "holds", "bytes": MEMORY * 3 // 4}) for i in range(2)]
    plan = Plan("deed", [*eaters, *large], limits=Limits(memory=MEMORY))
    eaten, held = (outcomes := run_units(tmp_path / "large", TABLE, plan))[:2], outcomes[2:]
    assert [outcome.status for outcome in outcomes] == ["memory"] * 2 + ["done"] * 2
    assert {outcome.reason for outcome in eaten} == {"It used more memory than the limit of 250 MB."}
    over = [outcome.peak_bytes / MEMORY - 1 for outcome in eaten]
    print(f"over by {100 * max(over):.1f} %")
    assert min(over) > 0
    assert max(over) < 0.1
    # A little less than a unit asked for may be new: its process had some to spare.
    assert all(0.74 < outcome.peak_bytes / MEMORY < 0.8 for outcome in held)
    small = [Unit(str(i), "g", {"deed": "draws"}) for i in range(20)]
    plan = Plan(plan.work, small, limits=Limits(memory=4_000_000))
    assert {outcome.status for outcome in run_units(tmp_path / "small", TABLE, plan)} == {"done"}
