"""Model files that are damaged on purpose, with hashes that are right: what bad intentions can write."""

import copy
import hashlib
import json
import math
import struct

import numpy as np

from classica.persist.container import canonical, pieces, verified

#: What is put in the place of values.
ODD_VALUES = [
    None,
    True,
    -1,
    0,
    1,
    2,
    3,
    7,
    2**31 - 1,
    2**31,
    2**63,
    -(2**63),
    10**30,
    0.5,
    -0.0,
    1e308,
    -1e308,
    5e-324,
    {"float": struct.pack(">d", math.nan).hex()},
    {"float": struct.pack(">d", math.inf).hex()},
    {"float": struct.pack(">d", -math.inf).hex()},
    "",
    "x",
    "fraction",
    "soft",
    "hard",
    "precomputed",
    [],
    [0],
    {"tuple": []},
    {"dict": []},
    {"dict": [["x", 1]]},
    {"set": []},
    {"bytes": "00"},
    {"scalar": ["<f8", "000000000000f87f"]},
    {"scalar": ["<i8", "ffffffffffffffff"]},
    {"texts": [[1], ["x"]]},
]
ODD_FLOATS = [math.nan, math.inf, -math.inf, 1e308, -1e308, 1e160, 5e-324, 0.0, -1.0, 1.0, 1e9]
ODD_WHOLES = [-1, -2, 0, 1, 2, 3, 5, 8, 127, 255, 2**15, 2**31 - 1, 2**31, 2**62, -(2**31), -(2**63)]


def whole_file(header, arrays):
    """Return the bytes of a file with this header and these arrays."""
    return b"".join(bytes(piece) for piece in pieces(header, arrays))


def with_hash(body):
    """Return bytes with the hash they should have."""
    return body + hashlib.sha256(body).digest()


def taken_apart(data):
    """Return the header (without its blocks) and copies of the arrays of a file."""
    contents = verified(memoryview(data), "a file")
    header = json.loads(canonical(contents.header))
    del header["blocks"]
    return header, [array.copy(order="K") for array in contents.arrays]


class Damage:
    """Makes damaged files of a good one; the same number makes the same file."""

    def __init__(self, data):
        header, self.arrays = taken_apart(data)
        self.text = json.dumps(header)

    def made(self, number):
        """Return a damaged file, and what was done to it."""
        random = np.random.default_rng(number)
        header, arrays = json.loads(self.text), list(self.arrays)
        done = []
        for _ in range(1 + (random.random() < 0.2)):
            way = random.choice(
                [self._element, self._element, self._array, self._node, self._node, self._state]
            )
            done.append(way(random, header, arrays))
        return whole_file(header, arrays), "; ".join(done)

    def _element(self, random, header, arrays):
        if not any(array.size for array in arrays):
            return self._node(random, header, arrays)
        place = int(random.choice([k for k, array in enumerate(arrays) if array.size]))
        array = arrays[place] = arrays[place].copy(order="K")
        flat = (array if array.flags.c_contiguous else array.T).reshape(-1)
        many = 1 if random.random() < 0.7 else int(random.integers(1, flat.size + 1))
        chosen = random.integers(0, flat.size, many)
        if random.random() < 0.2 and array.nbytes:
            as_bytes = flat.view(np.uint8)
            as_bytes[random.integers(0, as_bytes.size, many)] = random.integers(0, 256, many)
            return f"bytes of array {place}"
        flat[chosen] = odd_element(random, array.dtype)
        return f"{many} elements of array {place} ({array.dtype}): {flat[chosen[:1]]}"

    def _array(self, random, header, arrays):
        if not arrays:
            return self._node(random, header, arrays)
        place = int(random.integers(len(arrays)))
        array = arrays[place]
        arrays[place] = changed = _changed(random, array, arrays[int(random.integers(len(arrays)))])
        return f"array {place}: {array.dtype}{array.shape} -> {changed.dtype}{changed.shape}"

    def _node(self, random, header, arrays):
        spots = list(_spots(header["objects"]))
        holder, key = spots[int(random.integers(len(spots)))]
        before = holder[key]
        odd = random.integers(4)
        if odd == 0 and arrays:
            holder[key] = {"array": int(random.integers(len(arrays)))}
        elif odd == 1:
            holder[key] = {"object": int(random.integers(len(header["objects"])))}
        elif odd == 2:
            other_holder, other_key = spots[int(random.integers(len(spots)))]
            holder[key] = copy.deepcopy(other_holder[other_key])
        else:
            holder[key] = copy.deepcopy(ODD_VALUES[int(random.integers(len(ODD_VALUES)))])
        return f"{key}: {str(before)[:60]} -> {str(holder[key])[:60]}"

    def _state(self, random, header, arrays):
        record = header["objects"][int(random.integers(len(header["objects"])))]
        if not isinstance(record, dict) or not isinstance(record.get("state"), dict):
            return "nothing"
        names = sorted(record["state"])
        if not names:
            return "nothing"
        name, way = names[int(random.integers(len(names)))], int(random.integers(4))
        if way == 0:
            del record["state"][name]
        elif way == 1:
            record["state"][f"{name}_"] = record["state"].pop(name)
        elif way == 2:
            record["state"]["predict"] = "x"
        else:
            kind = "estimator" if "estimator" in record else "record"
            others = [other for other in header["objects"] if isinstance(other, dict) and kind in other]
            record[kind] = others[int(random.integers(len(others)))][kind]
        return f"state of {record.get('estimator') or record.get('record')}: {name} in way {way}"


def _changed(random, array, other):
    """Return an array of another length, shape, order or type, or another array."""
    if not array.ndim:
        return other
    kind = random.choice(["<f8", "<i8", "<i4", "<f4", "|u1", "|b1", "<U3", "<f2"])
    ways = [
        lambda: array[: len(array) // 2],
        lambda: np.concatenate([array, array]),
        lambda: array.reshape(-1),
        lambda: np.asfortranarray(array) if array.ndim > 1 else array[::-1].copy(),
        lambda: array.T.copy() if array.ndim > 1 else array[:, None],
        lambda: array[:0],
        lambda: array.astype(kind) if array.dtype.kind in "biuf" else array,
        lambda: other,
    ]
    with np.errstate(all="ignore"):
        return ways[int(random.integers(len(ways)))]()


def odd_element(random, dtype):
    """Return something that an array of this type may hold and should not."""
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return np.float64(random.choice(ODD_FLOATS)).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return int(np.clip(ODD_WHOLES[int(random.integers(len(ODD_WHOLES)))], limits.min, limits.max))
    if dtype.kind == "b":
        return bool(random.integers(2))
    return "é" if dtype.kind == "U" else np.zeros(1, dtype)[0]


def _spots(node):
    """Give every place in nested lists and dicts, as (holder, key)."""
    pairs = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in list(pairs):
        if key not in ("estimator", "record"):
            yield node, key
        if isinstance(value, dict | list):
            yield from _spots(value)
