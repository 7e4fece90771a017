"""Contenders that search for the K nearest rows; the answer is their row numbers, nearest first."""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.benchmark import Contender, Data
from benchmarks.estimator import estimator

K = 5


def searchers(algorithm: str) -> list[Contender]:
    """Return the contenders that follow scikit-learn's interface, ours first, all on every core."""
    options: dict[str, Any] = {"n_neighbors": K, "algorithm": algorithm}
    made = [
        estimator("classica", "classica:KNeighborsClassifier", ours=True, **options),
        estimator("scikit-learn", "sklearn.neighbors:NearestNeighbors", n_jobs=-1, **options),
        estimator("scikit-learn-intelex", "sklearnex.neighbors:NearestNeighbors", **options),
    ]
    return [replace(contender, predict=_kneighbors) for contender in made]


def scipy_tree() -> Contender:
    """Return SciPy's k-d tree, on every core."""
    return Contender("SciPy", _tree("scipy.spatial:cKDTree"), _query_every_core, requires="scipy")


def pykdtree() -> Contender:
    """Return pykdtree, which uses every core by itself."""
    return Contender("pykdtree", _tree("pykdtree.kdtree:KDTree"), _query, requires="pykdtree")


def faiss_flat() -> Contender:
    """Return the exact search of faiss."""
    return Contender("faiss-cpu", _index, _search, requires="faiss")


def matrix_product(within: float) -> Contender:
    """Return the bare product of queries and rows as a yardstick: the arithmetic without the search."""
    return Contender("matrix product", _room, _multiply, requires="numpy", within=within)


def _kneighbors(data: Data, model: Any) -> NDArray[Any]:
    return _rows(model.kneighbors(data.new_rows))


def _tree(path: str) -> Callable[[Data], Any]:
    module, _, class_name = path.partition(":")
    return lambda data: getattr(import_module(module), class_name)(data.rows)


def _query(data: Data, tree: Any) -> NDArray[Any]:
    return _rows(tree.query(data.new_rows, k=K))


def _query_every_core(data: Data, tree: Any) -> NDArray[Any]:
    return _rows(tree.query(data.new_rows, k=K, workers=-1))


def _index(data: Data) -> Any:
    index = import_module("faiss").IndexFlatL2(data.rows.shape[1])
    index.add(data.rows)
    return index


def _search(data: Data, index: Any) -> NDArray[Any]:
    return _rows(index.search(data.new_rows, K))


def _rows(pair: tuple[NDArray[Any], NDArray[Any]]) -> NDArray[Any]:
    """Keep the row numbers; the distances of some are squared, and the check makes its own."""
    return pair[1].astype(np.int64)


def _room(data: Data) -> NDArray[Any]:
    """Make room for the product, and touch it: fresh memory can take longer than the product itself."""
    return np.ones((data.new_rows.shape[0], data.rows.shape[0]), dtype=data.rows.dtype)


def _multiply(data: Data, room: NDArray[Any]) -> NDArray[Any]:
    product = np.matmul(data.new_rows, data.rows.T, out=room)
    return product[:1, :1].copy()  # all of it would stay in memory until the row is done
