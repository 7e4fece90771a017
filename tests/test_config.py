import json
import os
import platform
import subprocess
import sys
from importlib.metadata import version

import pytest

import classica
from classica.build_config import configuration
from classica.threads import cores, threads_for


def test_configuration_names_build_machine_and_versions():
    facts = configuration()
    assert list(facts) == [
        "compiler",
        "build",
        "sanitizers",
        "index checks",
        "instruction level",
        "cores",
        "threads",
        "python",
        "platform",
        "classica",
        "numpy",
        "scipy",
        "scikit-learn",
        "narwhals",
        "polars",
    ]
    assert facts["instruction level"] in ("base", "avx2")
    assert facts["cores"] == cores()
    assert facts["threads"] == threads_for(None)
    assert facts["python"] == platform.python_version()
    assert facts["classica"] == version("classica") == classica.__version__


def test_configuration_is_plain():
    assert json.loads(json.dumps(configuration())) == configuration()


def test_threads_follow_the_environment(monkeypatch):
    monkeypatch.setenv("CLASSICA_NUM_THREADS", "1")
    assert configuration()["threads"] == 1


def test_show_config_prints_one_line_for_each_fact(capsys):
    classica.show_config()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(configuration())
    for line, (name, value) in zip(lines, configuration().items(), strict=True):
        assert line.startswith(name)
        assert line.endswith(str(value))


def import_core(level):
    code = "from classica import _core; print(_core.configuration()['level'])"
    environment = os.environ | {"CLASSICA_ISA": level}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)


@pytest.mark.native
def test_the_lower_instruction_level_can_be_forced():
    assert import_core("base").stdout.strip() == "base"


@pytest.mark.native
def test_an_unknown_instruction_level_is_told_at_import():
    run = import_core("avx1024")
    assert run.returncode != 0
    assert (
        "The environment variable CLASSICA_ISA must be 'base' or, on a machine that has it, 'avx2', "
        "got 'avx1024'." in run.stderr
    )
