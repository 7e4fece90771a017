"""Tells the memory that reading a CSV file needs at its peak: ``python -m benchmarks.read_memory``."""

import subprocess
import sys

from benchmarks.csv_files import KINDS, written

_SIZE = 200_000_000
#: Each reads in a process of its own: the peak of a process never falls.
_READERS = {
    "classica": "from classica.tables import read_table; table = read_table(path)",
    "polars, nothing checked": "import polars; table = polars.read_csv(path)",
}
_PROGRAM = """
import resource, sys
path = sys.argv[1]
{read}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def peak(reader: str, path: str) -> int:
    """Return the most megabytes that were resident in a process that reads a file."""
    program = _PROGRAM.format(read=_READERS[reader])
    process = subprocess.run(
        [sys.executable, "-c", program, path], capture_output=True, text=True, check=True
    )
    return int(process.stdout)


def main() -> None:
    """Print a line per kind of file."""
    for kind in KINDS:
        path = written(kind, _SIZE, seed=0)
        line = ", ".join(f"{reader} {peak(reader, str(path)):,} MB" for reader in _READERS)
        print(f"{kind}, {path.stat().st_size / 1e6:,.0f} MB: {line}")


if __name__ == "__main__":
    main()
