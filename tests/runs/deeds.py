"""What units of the tests do: functions that children import by name, with what only they need."""

import ctypes
import os
import random
import signal
import sys
import time
from pathlib import Path


def square(folder, arguments):
    """Append a line to a file, so that the test can count, then compute something."""
    note(folder, arguments["number"])
    time.sleep(arguments.get("sleep", 0))
    return {"square": arguments["number"] ** 2, "text": "é\ud800", "third": arguments["number"] / 3}


def note(folder, number):
    with (Path(folder) / "executed.txt").open("a") as file:
        file.write(f"{number}\n")


def deed(folder, arguments):
    """Do what the arguments name."""
    return globals()[arguments["deed"]](folder, arguments)


def names_its_server(folder, arguments):
    return {"server": os.getppid()}


def raises(folder, arguments):
    raise ValueError("K must be odd.\nsecond line")


def raises_unprintable(folder, arguments):
    class OddError(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    raise OddError


def leaves(folder, arguments):
    sys.exit(5)


def exits(folder, arguments):
    os._exit(3)


def segfaults(folder, arguments):
    ctypes.string_at(0)


def is_killed(folder, arguments):
    os.kill(os.getpid(), signal.SIGKILL)


def is_killed_once(folder, arguments):
    mark = Path(folder) / "killed"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"again": True}


def sleeps(folder, arguments):
    time.sleep(1000)


def eats(folder, arguments):
    held = []
    while True:
        held.append(b"x" * (1 << 21))


def eats_in_children(folder, arguments):
    for _ in range(2):
        if os.fork() == 0:
            eats(folder, arguments)
    time.sleep(1000)


def prints(folder, arguments):
    while True:
        print("x" * 1000)


def returns_nan(folder, arguments):
    return {"scores": [1.0, float("nan")]}


def returns_object(folder, arguments):
    import numpy as np

    return {"score": np.float32(1)}


def returns_list(folder, arguments):
    return [1]


def recurses(folder, arguments):
    return recurses(folder, arguments)


def returns_deep(folder, arguments):
    value = []
    for _ in range(100_000):
        value = [value]
    return {"value": value}


def forks(folder, arguments):
    """Return from both processes, as careless code does."""
    os.fork()
    return {"parent": True}


def leaves_daemon(folder, arguments):
    """Start a process that leaves group and session, and remember its number."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            (folder / f"daemon-{arguments.get('number', 0)}").write_text(str(os.getpid()))
            time.sleep(1000)
        os._exit(0)
    os.wait()
    while not list(folder.glob(f"daemon-{arguments.get('number', 0)}")):
        time.sleep(0.001)
    if arguments.get("sleep"):
        time.sleep(arguments["sleep"])
    return {}


def sleeps_once(folder, arguments):
    if not (folder / "slept").exists():
        (folder / "slept").touch()
        time.sleep(1000)
    return square(folder, arguments)


def kills_parent_once(folder, arguments):
    """End the server the first time, as somebody from outside might."""
    if not (folder / "once").exists():
        (folder / "once").touch()
        kills_parent(folder, arguments)
    return {}


def kills_parent(folder, arguments):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(1000)


def closes_everything(folder, arguments):
    os.closerange(0, 100)
    time.sleep(arguments.get("sleep", 0))
    return {}


def closes_output(folder, arguments):
    os.close(1)
    os.close(2)
    time.sleep(0.5)
    return {}


def draws(folder, arguments):
    """Draw from the global generators, as models without a seed do."""
    import numpy as np

    drawn = [random.random(), float(np.random.random())]  # noqa: NPY002 (that is the point)
    return {"draws": drawn, "order": list({"a", "b", "c", "d", "e"})}


def changes_place(folder, arguments):
    os.chdir("/")
    os.environ["CLASSICA_SURPRISE"] = "1"
    return {}


def where(folder, arguments):
    return {
        "place": os.getcwd(),
        "surprise": os.environ.get("CLASSICA_SURPRISE"),
        "threads": os.environ["CLASSICA_NUM_THREADS"],
        "tasks": len(os.listdir("/proc/self/task")),
        "pid": os.getpid(),
        "folder": str(folder),
    }


def holds(folder, arguments):
    held = b"x" * arguments["bytes"]
    time.sleep(arguments.get("sleep", 0))
    return {"bytes": len(held)}


def says(folder, arguments):
    print("to stdout")
    print("to stderr", file=sys.stderr)
    return {}


def returns_much(folder, arguments):
    return {"text": "x" * arguments["bytes"]}
