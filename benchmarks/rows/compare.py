"""The main job: the whole command ``classica compare``, with targets in seconds."""

from benchmarks.mixed_tables import letters_table, mixed_table
from benchmarks.table_sources import BuiltIn, Generated, Stored, StoredImages, TableSource
from benchmarks.waiting import Targets, Wait

_IRIS = BuiltIn("iris", target="class", rows=150, columns=4)
#: How many times faster than the exhaustive search the race is meant to be.
_RATIO = 10


def _wait(
    name: str, words: str, table: TableSource, targets: Targets, quick: TableSource | None = None
) -> Wait:
    return Wait(f"compare-{name}", f"Compare all models on {words}", table, targets, quick)


def _stored(name: str, size: str, targets: Targets) -> Wait:
    return _wait(name, f"{name}, {size}", Stored(name), targets)


WAITS = [
    _wait("iris", "iris, 150×4", _IRIS, Targets(3, 10), quick=_IRIS),
    _wait(
        "mixed-1k",
        "mixed kinds of columns, 1,000×20",
        Generated(mixed_table, 1_000, 20),
        Targets(3, 20),
        quick=Generated(mixed_table, 300, 20),
    ),
    _stored("spambase", "4,601×57", Targets(5, 60, ratio=_RATIO)),
    _stored("optdigits", "5,620×64", Targets(5, 90, ratio=_RATIO)),
    _stored("kr-vs-kp", "3,196×36", Targets(5, 90, ratio=_RATIO)),
    _stored("nursery", "12,960×8", Targets(5, 90)),
    _stored("mushroom", "8,124×22", Targets(5, 90)),
    _stored("page-blocks", "5,473×10", Targets(5, 90, ratio=_RATIO)),
    _stored("magic", "19,020×10", Targets(8, 180)),
    _stored("shuttle", "58,000×9", Targets(8, 180)),
    _wait(
        "mixed-50k", "mixed kinds of columns, 50,000×14", Generated(mixed_table, 50_000, 14), Targets(10, 300)
    ),
    _wait("letters", "26 classes, 20,000×16", Generated(letters_table, 20_000, 16), Targets(10, 300)),
    _wait("mnist", "mnist, 70,000×784", StoredImages("mnist"), Targets(20, 300)),
    _wait(
        "million",
        "mixed kinds of columns, 1,000,000×50",
        Generated(mixed_table, 1_000_000, 50, suffix=".parquet"),
        Targets(30, 600, memory=4),
    ),
]
