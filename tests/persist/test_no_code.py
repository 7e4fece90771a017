"""Loading runs no code: nothing is imported, compiled, unpickled, started or connected."""

import json
import subprocess
import sys
from pathlib import Path

from classica import save
from tests.contract.cases import CASES, build, table_for
from tests.persist.models import special_models

LISTEN = """
import json, sys
from classica import catalog
from classica.persist import inspect, load
from classica.persist.description import described_records
catalog.cards(), described_records()  # what is installed is imported once, whatever is loaded
heard = []
WATCHED = ("import", "exec", "compile", "pickle", "subprocess", "socket", "os.exec", "os.fork", "os.posix",
           "os.system", "ctypes", "marshal", "code", "urllib", "shutil", "webbrowser", "tempfile")

def listen(event, arguments):
    if event.startswith(WATCHED):
        heard.append([event, repr(arguments)[:100]])

sys.addaudithook(listen)
for path in sys.argv[1:]:
    load(path), load(path, mmap=True), inspect(path)
print(json.dumps(heard))
"""


def test_an_audit_hook_hears_nothing(tmp_path):
    models = [build(*case.values).fit(*table_for(case.values[0], rows=30)) for case in CASES]
    models += [model for _, model, _ in special_models()]
    paths = []
    for number, model in enumerate(models):
        paths.append(str(tmp_path / f"{number}.classica"))
        save(model, paths[-1])
    done = subprocess.run([sys.executable, "-c", LISTEN, *paths], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []
    print(f"{len(paths)} models loaded, not one event heard")


def test_the_hook_does_hear():
    """The same hook hears an import, a compilation and a pickle."""
    code = (
        LISTEN.partition("for path")[0]
        + "import pickle, wave; pickle.loads(pickle.dumps(print)); eval('1')\nprint(len(heard))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) >= 3


def test_the_package_knows_no_pickle():
    import classica.persist

    for source in Path(classica.persist.__file__).parent.rglob("*.py"):
        words = source.read_text()
        for word in ("import pickle", "import marshal", "import joblib", "eval(", "exec(", "import_module"):
            assert word not in words, source
