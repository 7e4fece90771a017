"""What is no model file is refused by what it is, whatever it is called."""

import bz2
import gzip
import io
import lzma
import pickle
import sys
import tarfile
import zipfile
import zlib

import joblib
import numpy as np
import pytest

from classica import NearestMeanClassifier, load
from classica.errors import ModelFileError
from classica.persist import inspect


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("schema.json", "{}")
    return buffer.getvalue()


def tarred():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a"))
    return buffer.getvalue()


def dumped():
    buffer = io.BytesIO()
    joblib.dump(NearestMeanClassifier().fit([[0.0], [1.0]], [0, 1]), buffer)
    return buffer.getvalue()


def array():
    buffer = io.BytesIO()
    np.save(buffer, np.arange(3))
    return buffer.getvalue()


def program():
    with open(sys.executable, "rb") as file:
        return file.read(10_000)


FILES = {
    **{
        f"pickle {p}": (pickle.dumps({"a": [1]}, protocol=p), "pickle")
        for p in range(pickle.HIGHEST_PROTOCOL + 1)
    },
    "joblib": (dumped(), "pickle"),
    "zip": (zipped(), "zip"),
    "tar": (tarred(), "tar"),
    "gzip": (gzip.compress(b"x"), "gzip"),
    "bzip2": (bz2.compress(b"x"), "bzip2"),
    "xz": (lzma.compress(b"x"), "xz"),
    "zlib": (zlib.compress(b"x"), "zlib"),
    "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
    "npy": (array(), "NumPy"),
    "program": (program(), "program"),
    "script": (b"#!/bin/sh\necho\n", "script"),
    "csv": ("größe,b\n1,2\n".encode(), "text"),
    "json": (b'{"a": 1}', "JSON"),
    "page": (b"<html></html>", "XML"),
    "java": (b"\xac\xed\x00\x05sr", "Java"),
    "nothing": (b"", "empty"),
    "noise": (bytes(range(128, 256)), "unknown binary"),
    "changed by a text transfer": (b"\x89CLASSICA\n\x1a\n", "corrupt"),
}


@pytest.mark.parametrize("name", FILES)
def test_refused_by_content(name, tmp_path):
    data, word = FILES[name]
    path = tmp_path / "model.classica"
    path.write_bytes(data)
    for read in (load, inspect, lambda file: load(file, mmap=True)):
        with pytest.raises(ModelFileError, match=word):
            read(path)


def test_no_file_and_a_folder(tmp_path):
    with pytest.raises(ModelFileError, match="No such file"):
        load(tmp_path / "none.classica")
    with pytest.raises(ModelFileError, match="directory"):
        load(tmp_path)
