import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from benchmarks.discover import discover
from benchmarks.waiting import Wait

ONE = """
from benchmarks.agreement import same_labels
from benchmarks.benchmark import Benchmark
from benchmarks.estimator import estimator
def make(slug):
    pair = [estimator("classica", "c:C", ours=True), estimator("scikit-learn", "s:S")]
    return Benchmark(slug, "Work", lambda quick, seed: None, pair, same_labels, 2)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "some_rows").mkdir()
    (tmp_path / "some_rows" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "some_rows"]:
        monkeypatch.delitem(sys.modules, name)
    return import_module("some_rows")


def write(package: ModuleType, name: str, ending: str) -> None:
    (Path(package.__path__[0]) / name).write_text(ONE + ending)


def test_the_rows_of_the_project_are_found():
    rows = discover()
    assert {"nearest-mean", "nearest-mean-float32", "nearest-mean-one-row", "chance"} <= set(rows)
    assert {"knn-brute", "knn-kd-3", "knn-kd-8", "knn-one-row", "knn-loo-all-k", "knn-growth"} <= set(rows)
    assert {"compare-iris", "compare-spambase", "compare-mnist", "compare-million"} <= set(rows)
    assert all(slug == row.slug for slug, row in rows.items())


@pytest.mark.parametrize(
    "slug", sorted(slug for slug, row in discover().items() if not isinstance(row, Wait))
)
def test_quick_data_is_repeatable_finite_and_has_every_class(slug):
    make = discover()[slug].make
    data, again, other = make(True, 1), make(True, 1), make(True, 2)
    np.testing.assert_array_equal(data.rows, again.rows)
    np.testing.assert_array_equal(data.new_rows, again.new_rows)
    assert not np.array_equal(data.rows, other.rows)
    assert np.isfinite(data.rows).all()
    assert data.labels.dtype.kind == "f" or set(data.labels) == set(data.new_labels)


def test_one_file_is_one_row_or_some(package):
    write(package, "a.py", 'BENCHMARK = make("a")')
    write(package, "b.py", 'BENCHMARKS = [make("b"), make("c")]')
    write(package, "d.py", 'from benchmarks.growth import Growth\nGROWTH = Growth("d", "Work", None, [])')
    waits = 'WAITS = [Wait(slug, "Work", None, None) for slug in ("e", "f")]'
    write(package, "e.py", f"from benchmarks.waiting import Wait\n{waits}")
    assert list(discover(package)) == ["a", "b", "c", "d", "e", "f"]


def test_a_slug_is_used_once(package):
    write(package, "a.py", 'BENCHMARKS = [make("a"), make("a")]')
    with pytest.raises(ValueError, match="slug must be unique, got 'a' twice"):
        discover(package)


def test_a_file_without_a_row_is_an_error(package):
    write(package, "a.py", "")
    with pytest.raises(ValueError, match="must have one of BENCHMARK, GROWTH, BENCHMARKS, WAITS, got none"):
        discover(package)
