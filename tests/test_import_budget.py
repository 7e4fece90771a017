"""What an import costs and what it must not bring along."""

import json
import resource
import subprocess
import sys

import pytest

# Plotting, web, distributed, and readers: each is imported only by what draws, serves or reads.
FORBIDDEN = (
    "matplotlib",
    "jinja2",
    "starlette",
    "uvicorn",
    "msgspec",
    "dask",
    "distributed",
    "polars",
)


def modules_after(code):
    script = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}


def test_import_classica_brings_only_itself():
    assert modules_after("import classica") & {"sklearn", "numpy", "click", *FORBIDDEN} == set()


def test_an_estimator_brings_no_plotting_web_or_distributed_package():
    code = "from classica import NearestMeanClassifier as M; M().fit([[0.0], [1.0]], [0, 1]).predict([[0.2]])"
    assert modules_after(code) & set(FORBIDDEN) == set()


def test_a_decision_brings_no_plotting_web_or_distributed_package():
    code = (
        "from classica import BayesDecisionClassifier as D, NearestMeanClassifier as M\n"
        "model = D(M(), costs=[[0, 2], [1, 0]]).fit([[0.0], [1.0]], [0, 1])\n"
        "model.risk_coverage([[0.2], [0.9]], [0, 1])"
    )
    assert modules_after(code) & set(FORBIDDEN) == set()


def test_help_imports_neither_scikit_learn_nor_numpy():
    code = (
        "from classica.interfaces.cli import main\n"
        "import contextlib, io\n"
        "with contextlib.redirect_stdout(io.StringIO()): main(['--help'], standalone_mode=False)"
    )
    assert modules_after(code) & {"sklearn", "numpy", "scipy", "rich", *FORBIDDEN} == set()


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_answers_in_well_under_half_a_second(option):
    def seconds():
        # Of the processor, not of the clock: what else runs on the machine is not its fault.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "classica", option], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(5)) < 0.3
