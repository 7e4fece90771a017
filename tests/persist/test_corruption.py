"""A file that is not byte for byte as it was written is refused as corrupt."""

import numpy as np
import pytest

from classica import NearestMeanClassifier, load, save
from classica.errors import ModelFileError
from classica.persist.container import verified


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "small.classica"
    save(NearestMeanClassifier().fit([[0.0], [1.0]], [0, 1]), path)
    return path.read_bytes()


def assert_refused(data):
    with pytest.raises(ModelFileError, match=r"corrupt|truncated|must be a classica model file"):
        verified(memoryview(data), "the file")


def test_every_bit(small):
    for place in range(len(small)):
        for bit in range(8):
            data = bytearray(small)
            data[place] ^= 1 << bit
            assert_refused(data)
    print(f"{8 * len(small):,} files with one bit changed, all refused")


def test_every_length(small):
    for length in range(len(small)):
        assert_refused(small[:length])
    print(f"{len(small):,} files cut short, all refused")


def test_trailing_bytes(small):
    for more in (b"\0", b"\n", bytes(64), small):
        assert_refused(small + more)


def test_load_says_so_too(small, tmp_path):
    path = tmp_path / "m.classica"
    path.write_bytes(small[:-1] + b"?")
    for mmap in (False, True):
        with pytest.raises(ModelFileError, match=r"m\.classica must .* corrupt"):
            load(path, mmap=mmap)


def test_blocks_exchanged(small):
    random = np.random.default_rng(0)
    for _ in range(200):
        first, second = (64 * int(k) for k in random.integers(len(small) // 64, size=2))
        data = bytearray(small)
        data[first : first + 64], data[second : second + 64] = (
            data[second : second + 64],
            data[first : first + 64],
        )
        if data != small:
            assert_refused(data)
