"""Plans: what may be in one, and what is refused when it is read."""

import json
import os

import numpy as np
import pytest

from classica.errors import ParameterError, RunError
from classica.runs import Limits, Plan, Unit, WorkTable, read_outcomes, read_plan, run_units
from classica.runs.plan import NAME, write_plan
from tests.runs.table import TABLE

PLAN = Plan(
    "square",
    [Unit("a", "g", {"number": 1, "list": (1, 2)}), Unit("b", "h", {"number": 2})],
    title="Squares",
    settings={"table": "iris"},
    limits=Limits(seconds=1.5, memory=10**9, budget=60),
)


def nested(depth):
    """Return a list within a list, and so on."""
    return [] if not depth else [nested(depth - 1)]


def test_a_plan_comes_back_as_it_was_written(tmp_path):
    write_plan(tmp_path, PLAN)
    assert read_plan(tmp_path).record() == json.loads(json.dumps(PLAN.record()))
    assert [path.name for path in tmp_path.iterdir()] == [NAME]
    assert [(outcome.key, outcome.status) for outcome in read_outcomes(tmp_path)] == [
        ("a", "skipped"),
        ("b", "skipped"),
    ]


def test_the_modules_of_the_work_are_imported_too():
    assert TABLE.modules == ["numpy", "tests.runs.deeds"]


def test_work_that_is_not_in_the_table_is_refused_before_anything_starts(tmp_path):
    """A folder names a function of the program, and cannot name any other."""
    for work in ("tests.runs.deeds:square", "os:system", "tests.runs.deeds"):
        folder = tmp_path / work.replace(":", "-")
        folder.mkdir()
        write_plan(folder, Plan(work, PLAN.units))
        with pytest.raises(RunError) as caught:
            run_units(folder, TABLE)
        assert str(caught.value) == (
            f"The work named in the plan of {folder} must be one of square, deed, got {work!r}."
        )
        assert sorted(path.name for path in folder.iterdir()) == ["lock", NAME]


@pytest.mark.parametrize("function", [lambda folder, arguments: {}, Plan.record])
def test_a_function_that_workers_cannot_import_is_refused(function):
    with pytest.raises(ParameterError, match=r"^The work of a run must be a function at the top level of"):
        WorkTable({"work": function})


@pytest.mark.parametrize("make", [os.symlink, lambda _, path: os.mkfifo(path)], ids=["link", "pipe"])
@pytest.mark.parametrize("name", ["journal.jsonl", "lock", "summary.json"])
def test_a_folder_with_links_or_pipes_is_refused(tmp_path, make, name):
    """What is written to a link lands in a file that whoever made the folder has chosen."""
    folder, secret = tmp_path / "run", tmp_path / "secret"
    folder.mkdir()
    secret.write_text("mine")
    write_plan(folder, PLAN)
    make(secret, folder / name)
    with pytest.raises(RunError, match=r"^The run folder .* must hold only files and folders, got a "):
        run_units(folder, TABLE)
    assert secret.read_text() == "mine"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Unit("", "g"), "The key of a unit must be a text that is not empty, got ''."),
        (lambda: Unit("a", 1), "The group of unit 'a' must be a text, got 1."),
        (lambda: Unit("a", "g", []), "The arguments of unit 'a' must be a dict, got []."),
        (
            lambda: Unit("a", "g", {"x": [np.int64(1)]}),
            "The arguments of unit 'a' must be plain values, got another: arguments['x'][0] is of "
            "type numpy.int64.",
        ),
        (
            lambda: Unit("a", "g", {"x": {1: 2}}),
            "The arguments of unit 'a' must be plain values, got another: arguments['x'] has the key 1.",
        ),
        (
            lambda: Plan("", []),
            "work must be the name of a function in a table of work, got ''.",
        ),
        (
            lambda: Plan("m:f", [Unit("a"), Unit("a")]),
            "The keys of the units must be different from each other, got 'a'.",
        ),
        (
            lambda: Plan("m:f", [], settings={"x": float("inf")}),
            "The settings of a plan must be plain values, got another: settings['x'] is inf.",
        ),
        (lambda: Limits(seconds=0), "seconds must be None or a positive number, got 0."),
        (lambda: Limits(memory=True), "memory must be None or a positive number, got True."),
        (lambda: Limits(budget=float("nan")), "budget must be None or a positive number, got nan."),
        (lambda: run_units("x", TABLE, PLAN, workers=0), "workers must be an integer of at least 1, got 0."),
        (
            lambda: run_units("x", TABLE, PLAN, threads=0),
            "threads must be None or an integer of at least 1, got 0.",
        ),
        (lambda: run_units("x", TABLE, PLAN, budget=-1), "budget must be None or a positive number, got -1."),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(make, sentence):
    with pytest.raises(ParameterError) as caught:
        make()
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda record: record | {"version": 1},
            r"Cannot read the run .*: it has version 1, and .* version 2\.",
        ),
        (
            lambda record: record | {"format": "x"},
            r"Cannot read the plan .*: it was not written by Classica\.",
        ),
        (lambda record: [], r"Cannot read the plan .*: it was not written by Classica\."),
        (lambda record: record | {"units": [{}]}, r"Cannot read the plan .*: .*must .*, got .*\."),
        (lambda record: record | {"units": 5}, r"Cannot read the plan .*: .*must .*, got .*\."),
        (lambda record: record | {"settings": "x"}, r"Cannot read the plan .*: .*must .*, got .*\."),
        (lambda record: record | {"title": ["x"]}, r"Cannot read the plan .*: .*must .*, got .*\."),
        (lambda record: record | {"limits": {}}, r"Cannot read the plan .*: .*must .*, got .*\."),
        (lambda record: record | {"preload": ["os"]}, r"Cannot read the plan .*: .*must .*, got .*\."),
        (lambda record: record | {"settings": nested(600)}, r"Cannot read the plan .*: .* must be .*\."),
        (lambda record: record | {"surprise": 1}, r"Cannot read the plan .*: .*must .*, got .*\."),
    ],
)
def test_another_version_or_a_strange_plan_is_refused(tmp_path, change, sentence):
    write_plan(tmp_path, PLAN)
    (tmp_path / NAME).write_text(json.dumps(change(json.loads((tmp_path / NAME).read_text()))))
    for read in (read_plan, read_outcomes, lambda folder: run_units(folder, TABLE)):
        with pytest.raises(RunError, match=f"^{sentence}$"):
            read(tmp_path)


def test_a_plan_cut_short_is_refused(tmp_path):
    write_plan(tmp_path, PLAN)
    (tmp_path / NAME).write_bytes((tmp_path / NAME).read_bytes()[:100])
    with pytest.raises(RunError, match=r"^Cannot read the plan .*: it is not valid JSON \(.*\)\.$"):
        run_units(tmp_path, TABLE)


def test_a_folder_without_a_run_is_refused_and_left_alone(tmp_path):
    with pytest.raises(RunError, match=r"^Cannot read the plan of the run folder .*: No such file"):
        run_units(tmp_path, TABLE)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_another_plan_is_refused(tmp_path):
    write_plan(tmp_path, PLAN)
    with pytest.raises(RunError, match=r"its plan was changed"):
        run_units(tmp_path, TABLE, Plan(PLAN.work, PLAN.units))


def test_a_plan_without_units_is_over_at_once(tmp_path):
    assert run_units(tmp_path / "new" / "run", TABLE, Plan("square", [])) == []


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match=r"^Cannot create the run folder .*: Not a directory\.$"):
        run_units(tmp_path / "file" / "run", TABLE, PLAN)
