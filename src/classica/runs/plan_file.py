"""``plan.json``: written once, as a whole or not at all."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from classica.errors import ClassicaError, RunError, must
from classica.runs.plan import Plan
from classica.whole_file import whole_file

NAME = "plan.json"
FORMAT = "classica run"
#: Of plan and journal together; raised whenever an older program could not read them.
VERSION = 2


def write_plan(folder: Path, plan: Plan) -> None:
    """Write the plan: after a crash at any moment there is a whole file or none."""
    record = {"format": FORMAT, "version": VERSION, **plan.record()}
    with whole_file(folder / NAME, RunError) as file:
        file.write(json.dumps(record, allow_nan=False, indent=1).encode())


def load_plan(folder: Path) -> tuple[Plan, str]:
    """Return the plan of a run folder and the digest of its file."""
    path = folder / NAME
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(must(f"The run folder {folder}", f"one with a {NAME}", error.strerror)) from error
    return _checked(path, data), hashlib.sha256(data).hexdigest()


def _checked(path: Path, data: bytes) -> Plan:
    try:
        record: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RunError(must(f"The plan {path}", "a JSON file", str(error))) from error
    if not isinstance(record, dict) or record.pop("format", None) != FORMAT:
        raise RunError(must(f"The plan {path}", "that of a run of classica", data[:60]))
    version = record.pop("version", None)
    if version != VERSION:
        raise RunError(must(f"The version of the run {path.parent}", str(VERSION), version))
    try:
        return Plan.from_record(record)
    except ClassicaError as error:
        raise RunError(must(f"The plan {path}", "as it was written", str(error))) from error
