"""Saving, loading and looking into model files."""

from __future__ import annotations

import json
import mmap as memory_map
import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, BinaryIO

import numpy as np
from sklearn.base import BaseEstimator

from classica.errors import ModelFileError, must
from classica.persist.container import (
    START_BYTES,
    VERSION,
    Contents,
    canonical,
    damaged,
    declared_length,
    pieces,
    verified,
)
from classica.persist.decoder import Decoder
from classica.persist.description import checked_parts
from classica.persist.encoder import Encoder
from classica.persist.model_summary import is_summary, model_summary
from classica.persist.names import estimator_name, estimators
from classica.whole_file import shown_path, whole_file


def save(
    model: BaseEstimator, path: str | os.PathLike[str], *, metadata: Mapping[str, Any] | None = None
) -> None:
    """Write a fitted model to a file.

    The same model gives the same bytes. The file is written whole or not at all: whatever happens on the way,
    a file that was there before is not touched.

    Parameters
    ----------
    model : estimator
        A fitted classifier or regressor of the catalog, or a decision around one. It must be made of plain
        values: one with a function as metric or kernel, or with classifiers of other packages as members, is
        refused.
    path : str or path
        Where to; the usual ending is ``.classica``.
    metadata : mapping, optional
        What to keep along with it, as JSON knows it: when and on which table it was trained, scores, and so
        on.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from classica import NearestMeanClassifier, load, save
    >>> model = NearestMeanClassifier().fit([[3.0], [5.0], [6.0], [8.0]], ["a", "a", "b", "b"])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "means.classica"
    >>> save(model, path, metadata={"table": "four rows"})
    >>> load(path).predict([[5.4], [5.6]])
    array(['a', 'b'], dtype='<U1')
    """
    if not isinstance(model, BaseEstimator) or estimator_name(model) is None:
        raise ModelFileError(must("model", "an estimator of the catalog to be saved", model))
    encoder = Encoder()
    encoder.value(model, type(model).__name__)
    checked = checked_parts(model)
    if checked is None:
        raise ModelFileError(must("model", "fitted before it can be saved", model))
    encoder.require_checked(checked)
    header = {
        "metadata": _plain_metadata(metadata),
        "objects": encoder.objects,
        "summary": model_summary(model, encoder.arrays),
        "versions": _versions(),
    }
    with whole_file(path, ModelFileError) as file:
        for piece in pieces(header, encoder.arrays):
            file.write(piece)


def add_metadata(path: str | os.PathLike[str], metadata: Mapping[str, Any]) -> None:
    """Write entries into the metadata of a model file; entries of other names stay, and so does the model.

    The file is written whole or not at all, with a new hash; not at all if nothing changes.

    Parameters
    ----------
    path : str or path
        A model file.
    metadata : mapping
        As in `save`.
    """
    contents = _read(path, mmap=False)
    before = contents.header.get("metadata")
    if not isinstance(before, dict):
        raise damaged("metadata")
    header = {name: part for name, part in contents.header.items() if name != "blocks"}
    header["metadata"] = {**before, **_plain_metadata(metadata)}
    if header["metadata"] == before:
        return
    with whole_file(path, ModelFileError) as file:
        for piece in pieces(header, contents.arrays):
            file.write(piece)


def load(path: str | os.PathLike[str], *, mmap: bool = False) -> Any:
    """Return the model in a file.

    Reading cannot run code. The file is checked in two stages: that every byte is as it was written, and that
    all parts of the model fit together, so that a file made to do harm is refused like one that is damaged.

    Parameters
    ----------
    path : str or path
        The file.
    mmap : bool, default=False
        Whether arrays stay in the file, to be read when they are needed and shared among processes. The model
        then cannot learn more rows, and the file must not be changed in place (`save` never does): the system
        ends a process that reads where a file has been cut short.

    Returns
    -------
    model : estimator
        As it was saved: the same predictions, to the last bit.
    """
    return built(_read(path, mmap=mmap))


def built(contents: Contents) -> Any:
    """Return the model that verified contents describe, once all its parts are known to fit."""
    reader = _READERS[contents.version](contents.arrays)
    try:
        model = reader.model(contents.header.get("objects"))
        checked = checked_parts(model) if isinstance(model, BaseEstimator) else None
    except RecursionError:
        raise damaged("objects that are not nested endlessly") from None
    if checked is None:
        raise damaged("a fitted model")
    if not checked >= {id(part) for part in reader.objects}:
        raise damaged("objects where objects belong")
    return model


def inspect(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what a model file says about itself, once its hash is right; the model is not built.

    Returns
    -------
    contents : dict
        As JSON knows it: ``kind``, ``class``, ``parameters``, ``classes``, ``features``, sizes, ``metadata``,
        ``versions`` of what wrote it, ``format`` and ``sha256``.
    """
    contents = _read(path, mmap=True)
    header = contents.header
    if not all(isinstance(header.get(part), dict) for part in ("summary", "versions", "metadata")):
        raise damaged("a summary")
    if not is_summary(header["summary"]):
        raise damaged("a summary of a model")
    return {
        "file": os.fsdecode(path),
        "format": contents.version,
        **header["summary"],
        "known": header["summary"].get("kind") in estimators(),
        "file_bytes": os.path.getsize(path),
        "metadata": header["metadata"],
        "versions": header["versions"],
        "sha256": contents.digest,
    }


_PIECE = 1 << 24
#: Version of the format → what builds a model from header and arrays. Old versions keep their entries.
_READERS = {1: Decoder}


def _read(path: str | os.PathLike[str], *, mmap: bool) -> Contents:
    name = shown_path(path)
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if mmap and size:
                data = memoryview(memory_map.mmap(file.fileno(), 0, access=memory_map.ACCESS_READ))
            else:
                data = memoryview(_all_bytes(file, name))
    except OSError as error:
        raise ModelFileError(f"Cannot read {name}: {error.strerror or error}.") from None
    except ValueError as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{name} must be the name of a file, got: {error}.") from None
    return verified(data, name)


def _all_bytes(file: BinaryIO, name: str) -> bytearray:
    """Return what is in a file, which may be a pipe: no more than it says at its beginning, and one byte.

    The bytes can be written to: whoever goes on learning writes into the arrays of a model.
    """
    data = bytearray(file.read(START_BYTES))
    rest = declared_length(bytes(data), name) + 1 - len(data)
    while rest > 0 and (piece := file.read(min(rest, _PIECE))):
        data += piece
        rest -= len(piece)
    return data


def _plain_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    try:
        text = canonical(dict(metadata or {}))
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelFileError(f"metadata must be plain JSON, got something else ({error}).") from None
    found: dict[str, Any] = json.loads(text)
    return found


def _versions() -> dict[str, str]:
    return {
        "classica": version("classica"),
        "format": str(VERSION),
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
