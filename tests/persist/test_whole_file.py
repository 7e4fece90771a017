"""A file is written whole or not at all: whoever looks finds the old one or the new one."""

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from classica import NearestMeanClassifier, load, save, whole_file
from classica.errors import ModelFileError

OLD = NearestMeanClassifier().fit([[0.0], [1.0]], ["old", "older"])
NEW = NearestMeanClassifier().fit([[0.0], [1.0]], ["new", "newer"])

#: Writes NEW over a file again and again, each time killed when so many bytes are written.
KILLED = """
import os, signal, sys
import builtins
from classica import save
from classica.persist import load
from classica import whole_file
model = load(sys.argv[1])
path, step = sys.argv[2], int(sys.argv[3])

class Cut:
    def __init__(self, file, limit):
        self.file, self.left = file, limit
    def __enter__(self):
        return self
    def __exit__(self, *_):
        self.file.close()
    def __getattr__(self, name):
        return getattr(self.file, name)
    def write(self, data):
        data = memoryview(data).cast("B") if len(data) else b""
        if len(data) > self.left:
            self.file.write(data[: self.left])
            self.file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= len(data)
        return self.file.write(data)

size, limit = os.path.getsize(sys.argv[1]), 0
while limit <= size + step:
    child = os.fork()
    if not child:
        whole_file.open = lambda name, mode, limit=limit: Cut(builtins.open(name, mode), limit)
        save(model, path)
        os._exit(0)
    os.waitpid(child, 0)
    print(limit, load(path).classes_[0], flush=True)
    limit += step
"""


def test_a_writer_killed_at_any_byte(tmp_path):
    new, path = tmp_path / "new.classica", tmp_path / "model.classica"
    save(NEW, new)
    save(OLD, path)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(new), str(path), "29"], capture_output=True, text=True, check=True
    )
    found = [line.split()[1] for line in done.stdout.splitlines()]
    size = new.stat().st_size
    assert set(found[: size // 29]) == {"old"}
    assert found[-1] == "new"
    assert path.read_bytes() == new.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["model.classica", "new.classica"]  # the last one has cleared up
    print(f"killed at {len(found)} places of {size:,} bytes: the file was whole each time")


def test_killed_after_writing_before_the_name(tmp_path, monkeypatch):
    path = tmp_path / "m.classica"
    save(OLD, path)

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(whole_file.os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        save(NEW, path)
    assert load(path).classes_[0] == "old"
    assert os.listdir(tmp_path) == ["m.classica"]


def test_what_lives_or_is_not_ours_is_not_cleared_away(tmp_path):
    path, others = tmp_path / "m.classica", [".m.classica.tmp", ".m.classica.mine.tmp", f".m.{'0' * 16}.tmp"]
    for name in others:
        (tmp_path / name).touch()
    with whole_file.whole_file(path, ModelFileError) as first:
        first.write(b"first")
        with whole_file.whole_file(path, ModelFileError) as second:
            second.write(b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert sorted(os.listdir(tmp_path)) == sorted([*others, "m.classica"])


def test_a_file_cleared_away_before_it_was_locked_is_begun_again(tmp_path, monkeypatch):
    path, lock, taken = tmp_path / "m", whole_file.fcntl.flock, []

    def too_late(file, how):
        if not taken:
            taken.append(os.unlink(file.name))
        lock(file, how)

    monkeypatch.setattr(whole_file.fcntl, "flock", too_late)
    with whole_file.whole_file(path, ModelFileError) as file:
        file.write(b"whole")
    assert path.read_bytes() == b"whole"
    assert os.listdir(tmp_path) == ["m"]


LIMITED = """
import resource, signal, sys
from classica import load, save
from classica.errors import ModelFileError
model = load(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
try:
    save(model, sys.argv[2])
except ModelFileError as error:
    print(error)
"""


def test_no_room_for_the_file(tmp_path):
    new, path = tmp_path / "new.classica", tmp_path / "m.classica"
    save(NEW, new)
    save(OLD, path)
    arguments = [sys.executable, "-c", LIMITED, str(new), str(path), "1000"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert "Cannot write" in done.stdout
    assert load(path).classes_[0] == "old"
    assert sorted(os.listdir(tmp_path)) == ["m.classica", "new.classica"]


def test_a_full_disk(tmp_path, monkeypatch):
    """Every write and flush to /dev/full fails as on a full disk."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    path = tmp_path / "m.classica"
    save(OLD, path)
    full = functools.partial(open, "/dev/full")
    monkeypatch.setattr(whole_file, "open", lambda *_: full("wb"), raising=False)
    with pytest.raises(ModelFileError, match="No space left"):
        save(NEW, path)
    assert load(path).classes_[0] == "old"


def test_a_folder_that_cannot_be_written(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "m.classica"
    save(OLD, path)
    folder.chmod(0o500)
    try:
        if os.access(folder, os.W_OK):  # the superuser may write anywhere
            with pytest.raises(ModelFileError, match="Cannot write"):
                save(NEW, "/proc/m.classica")
        else:
            with pytest.raises(ModelFileError, match="Permission denied"):
                save(NEW, path)
            assert load(path).classes_[0] == "old"
    finally:
        folder.chmod(0o700)


def test_no_such_folder(tmp_path):
    with pytest.raises(ModelFileError, match="No such file"):
        save(NEW, tmp_path / "none" / "m.classica")


def test_a_link_stays_a_link(tmp_path):
    save(OLD, tmp_path / "real.classica")
    (tmp_path / "link.classica").symlink_to("real.classica")
    save(NEW, tmp_path / "link.classica")
    assert (tmp_path / "link.classica").is_symlink()
    assert load(tmp_path / "real.classica").classes_[0] == "new"


def test_a_mapped_model_outlives_its_file(tmp_path):
    path = tmp_path / "m.classica"
    save(OLD, path)
    model = load(path, mmap=True)
    save(NEW, path)
    path.unlink()
    assert model.predict([[0.0]]).tolist() == ["old"]
