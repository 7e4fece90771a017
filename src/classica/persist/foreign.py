"""What a file is that is no model file, judged by its first bytes."""

from __future__ import annotations

#: How files begin, the more particular first.
_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"\x7fELF", "a program (ELF)"),
    (b"MZ", "a program (Windows)"),
    (b"\xca\xfe\xba\xbe", "a program (Java or Mach-O)"),
    (b"\xcf\xfa\xed\xfe", "a program (Mach-O)"),
    (b"#!", "a script"),
    (b"PK\x03\x04", "a zip archive (as skops, Keras, PyTorch or Excel files are)"),
    (b"PK\x05\x06", "a zip archive (an empty one)"),
    (b"\x1f\x8b", "gzip data (as compressed joblib files are)"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstandard data"),
    (b"\x04\x22\x4d\x18", "lz4 data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-zip archive"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"\x93NUMPY", "a NumPy array (.npy)"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"PAR1", "a Parquet table"),
    (b"ARROW1", "an Arrow table"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\xac\xed\x00\x05", "a serialised Java object (as WEKA's .model files are)"),
    (
        b"\x89CLASSICA",
        "a classica model file that is corrupt or was changed in transit (as text-mode transfers do)",
    ),
)
_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")


def kind_of(start: bytes) -> str:
    r"""Return in words what a file with this beginning is.

    Examples
    --------
    >>> kind_of(b"%PDF-1.7")
    'a PDF document'
    >>> kind_of(b"a,b\n1,2\n")
    'text'
    """
    if not start:
        return "an empty file"
    if _is_pickle(start):
        return "a Python pickle (which can run any code when it is read)"
    for beginning, words in _BEGINNINGS:
        if start.startswith(beginning):
            return words
    if len(start) > 262 and start[257:262] == b"ustar":
        return "a tar archive"
    if start[:2] in _ZLIB:
        return "zlib data (as compressed joblib files are)"
    return _kind_of_text(start)


def _is_pickle(start: bytes) -> bool:
    """Return whether it begins as pickles of protocol 2 and later do, or looks like protocols 0 and 1."""
    if len(start) > 1 and start[0] == 0x80 and 2 <= start[1] <= 5:
        return True
    return start.startswith(
        (b"ccopy_reg\n", b"c__builtin__\n", b"(dp0\n", b"(lp0\n", b"(i__main__\n", b"cnumpy")
    )


def _kind_of_text(start: bytes) -> str:
    try:
        # A character may be cut at the end of what was read.
        text = start.decode("utf-8") if len(start) < 4096 else start[:-4].decode("utf-8", errors="ignore")
    except UnicodeDecodeError:
        return "something else (unknown binary data)"
    if any(ord(letter) < 32 and letter not in "\t\n\r\f" for letter in text):
        return "something else (unknown binary data)"
    opening = text.lstrip()[:1]
    if opening == "<":
        return "a page or XML document"
    return "JSON text" if opening in ("{", "[") else "text"
