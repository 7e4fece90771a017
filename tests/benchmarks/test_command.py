"""The command: what it runs, prints, writes and returns."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

import benchmarks.__main__ as command
from benchmarks.benchmark import Benchmark
from benchmarks.growth import Cost, Growth, Line, measure_growth
from benchmarks.measure import measure
from benchmarks.mixed_tables import mixed_table
from benchmarks.table_sources import BuiltIn, Generated, Stored, TableSource
from benchmarks.timed_command import TimedRun
from benchmarks.waiting import Targets, Wait, measure_wait

FILES = {"results.md", "results.json", "ratios.svg", "ratios.png"}


@pytest.fixture
def invoke(clock, monkeypatch, tmp_path) -> Callable[..., Result]:
    """Run the command on the given benchmarks, on the fake clock."""

    def run(benchmarks: list[Benchmark], *arguments: str, draws: bool = False) -> Result:
        if not draws:  # the slow part
            monkeypatch.setattr(command.plot, "write_plot", lambda figure, out: [])
        monkeypatch.setattr(command, "discover", lambda: {b.slug: b for b in benchmarks})
        monkeypatch.setattr(command, "measure", lambda b, **kw: measure(b, clock=clock, **kw))
        monkeypatch.setattr(command, "measure_growth", lambda g, **kw: measure_growth(g, clock=clock, **kw))
        return CliRunner().invoke(command.main, [*arguments, "--out", str(tmp_path / "out")])

    return run


@pytest.fixture
def row(clock, benchmark_of) -> Callable[..., Benchmark]:
    """Make a row with a good ratio, or one that goes wrong as told, and a peer nobody has."""

    def make(slug: str, **peer: Any) -> Benchmark:
        return benchmark_of(
            clock.contender("classica", ours=True),
            clock.contender("scikit-learn", **{"fit": [9], **peer}),
            clock.contender("rare", requires="no_such_module"),
            slug=slug,
        )

    return make


def test_a_good_run_returns_zero_and_writes_all_files(invoke, row, tmp_path):
    result = invoke([row("a"), row("b")], draws=True)
    assert result.exit_code == 0, result.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES
    assert all(path.stat().st_size for path in (tmp_path / "out").iterdir())
    assert "5.00× (5.00–5.00)" in result.stdout
    assert "not installed" in result.stdout
    assert "a: repeat 7/7: classica" in result.stderr


def test_failing_rows_return_one_with_a_line_each(invoke, row):
    result = invoke([row("good"), row("slow", fit=[1]), row("wrong", answer=1)])
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-2:] == [
        "slow: ratio to scikit-learn must be at least 2, got 1",
        "wrong: answers must agree with scikit-learn, got 3 different labels of 3",
    ]


def test_markdown_marks_what_does_not_count(invoke, row, tmp_path):
    invoke([row("wrong", answer=1)])
    text = (tmp_path / "out" / "results.md").read_text()
    assert "| ~~5.00× (5.00–5.00)~~ | answers differ: 3 different labels of 3 |" in text
    assert "| rare | – | – | **–** |  | not installed |" in text


def test_json_holds_the_whole_run(invoke, row, tmp_path):
    result = invoke([row("a")], "--quick", "--repeats", "2", "--json")
    run = json.loads(result.stdout)
    assert run == json.loads((tmp_path / "out" / "results.json").read_text())
    assert run["passed"] is True
    assert (run["size"], run["seed"]) == ("quick", 0)
    assert {"date", "cpu", "threads", "platform", "versions"} <= set(run["machine"])
    (found,) = run["rows"]
    assert (found["target"], found["floor"], found["repeats"]) == (4, 2, 2)
    assert found["sizes"]["rows"] == 4
    assert [each["status"] for each in found["outcomes"]] == [
        "measured",
        "measured",
        "not installed",
    ]
    assert found["outcomes"][1]["ratio"]["median"] == 5


def test_named_rows_only(invoke, row):
    result = invoke([row("a"), row("b", fit=[1])], "a")
    assert result.exit_code == 0
    assert "b:" not in result.stderr


def test_list_runs_nothing(invoke, row, tmp_path):
    result = invoke([row("a"), row("long-name")], "--list")
    assert result.stdout == "a          Fake work\nlong-name  Fake work\n"
    assert not (tmp_path / "out").exists()


def test_answers_alone_may_decide(invoke, row):
    assert invoke([row("slow", fit=[1])], "--answers-only").exit_code == 0
    assert invoke([row("wrong", answer=1)], "--answers-only").exit_code == 1


def test_an_unknown_row_is_refused(invoke, row):
    result = invoke([row("a"), row("b")], "c")
    assert result.exit_code == 2
    assert "ROW must be one of a, b, got 'c'" in result.stderr


def test_finished_rows_are_kept_when_the_run_is_cut_short(invoke, row, benchmark_of, tmp_path):
    def stop(quick: bool, seed: int) -> Any:
        raise KeyboardInterrupt

    contenders = row("b").contenders
    assert invoke([row("a"), benchmark_of(*contenders, slug="b", make=stop)]).exit_code == 1
    kept = json.loads((tmp_path / "out" / "results.json").read_text())
    assert [found["slug"] for found in kept["rows"]] == ["a"]


def test_a_run_without_any_ratio_still_draws(invoke, row, tmp_path):
    result = invoke([row("a", requires="no_such_module")], draws=True)
    assert result.exit_code == 1
    assert (tmp_path / "out" / "ratios.png").exists()


def test_a_slower_contender_is_drawn_and_reported(invoke, clock, benchmark_of, tmp_path):
    ours = clock.contender("classica", fit=[9], ours=True)
    result = invoke([benchmark_of(ours, clock.contender("scikit-learn"))])
    assert result.exit_code == 1
    assert "0.20× (0.20–0.20)" in result.stdout
    assert "0.20×" in (tmp_path / "out" / "results.md").read_text()


@pytest.mark.parametrize("steep", [False, True])
def test_growth_has_its_own_picture_table_and_verdict(invoke, clock, benchmark_of, row, tmp_path, steep):
    ours = clock.contender("tree", ours=True)
    cost = Cost("n⁻¹" if steep else "n", lambda n: 1 / n if steep else n)
    growth = Growth("growing", "Growing work", row("a").make, [Line(ours, cost, cost)], doublings=2)
    result = invoke([growth], draws=True)
    assert result.exit_code == (1 if steep else 0), result.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "results.md",
        "results.json",
        "growing.svg",
        "growing.png",
    }
    assert "n⁻¹: -1.00" in result.stdout if steep else "n: 1.00" in result.stdout
    assert "![time against rows](growing.svg)" in (tmp_path / "out" / "results.md").read_text()
    kept = json.loads((tmp_path / "out" / "results.json").read_text())
    assert kept["growths"][0]["sizes"] == [2, 4, 8]
    assert kept["passed"] is not steep


@pytest.mark.parametrize(("arguments", "repeats"), [((), 2), (("--quick",), 1), (("--budget", "100"), 7)])
def test_a_slow_peer_gets_few_repeats(invoke, row, tmp_path, arguments, repeats):
    invoke([row("slow", fit=[12])], *arguments)  # 13 seconds each, and the warm-up
    kept = json.loads((tmp_path / "out" / "results.json").read_text())
    assert kept["rows"][0]["outcomes"][1]["repeats"] == repeats


@pytest.fixture
def wait(monkeypatch) -> Callable[..., Wait]:
    """Make a row that waits for a command, which takes 2 seconds to a leaderboard and as long as told."""

    def make(table: TableSource, answer: float = 8.0, **run: Any) -> Wait:
        timed = TimedRun(2.0, answer, 10**9, **{"exit_code": 0, **run})
        runner = {"run": lambda arguments, folder: timed}
        monkeypatch.setattr(command, "measure_wait", lambda w, **kw: measure_wait(w, **runner, **kw))
        return Wait(f"compare-{answer:g}-{type(table).__name__}", "Wait", table, Targets(3, 10, ratio=10))

    return make


IRIS = BuiltIn("iris", "class", 150, 4)


def test_waits_share_one_table_and_stored_tables_may_be_absent(invoke, wait, tmp_path):
    rows = [wait(IRIS), wait(Stored("rare")), wait(Generated(mixed_table, 20, 8))]
    result = invoke(rows)
    assert result.exit_code == 0, result.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"results.md", "results.json"}
    kept = json.loads((tmp_path / "out" / "results.json").read_text())
    assert [found["unmeasured"] for found in kept["waits"]] == ["", "no table", ""]
    assert [found["rows"] for found in kept["waits"]] == [150, None, 20]
    text = (tmp_path / "out" / "results.md").read_text()
    measured = "2 s (3) | 8 s (10) | 1.00 GB | not measured (10×) | met |"
    assert f"| 8-BuiltIn | 150×4 | {measured}" in text
    assert "| 8-Stored | – | – (3) | – (10) | – | not measured (10×) | no table |" in text
    assert "8-Generated" in result.stdout
    assert "no table: compare-8-Stored" in result.stdout


def test_stored_tables_are_looked_for_in_a_folder(invoke, wait, tmp_path):
    (tmp_path / "rare").mkdir()
    (tmp_path / "rare" / "data.csv.gz").write_bytes(gzip.compress(b"a,class\n1,x\n2,y\n"))
    result = invoke([wait(Stored("rare"))], "--tables", str(tmp_path), "--exhaustive")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        "compare-8-Stored: ratio to the exhaustive search must be at least 5, got 1"
    )


def test_a_slow_comparison_fails_unless_answers_alone_decide(invoke, wait):
    assert invoke([wait(IRIS, answer=21)]).exit_code == 1
    assert invoke([wait(IRIS, answer=21)], "--answers-only").exit_code == 0
    result = invoke([wait(IRIS, exit_code=2, error="Error: [odd] | table")], "--answers-only")
    assert result.exit_code == 1
    assert "[odd]" in result.stdout
