"""The results as JSON: everything the table and the plot show, and what it was measured on."""

import json
from dataclasses import asdict
from pathlib import Path

from benchmarks.result import RowResult, Run


def as_json(run: Run) -> str:
    """Return the run as indented JSON."""
    return json.dumps(
        {
            "machine": run.machine,
            "size": run.size,
            "seed": run.seed,
            "passed": not run.failures(),
            "rows": [_row(row) for row in run.rows],
            "growths": [{**asdict(growth), "failure": growth.failure()} for growth in run.growths],
            "waits": [{**asdict(wait), "ratio": wait.ratio, "failure": wait.failure()} for wait in run.waits],
        },
        indent=2,
        ensure_ascii=False,
    )


def write_json(run: Run, path: Path) -> None:
    """Write the run as a JSON file."""
    path.write_text(as_json(run) + "\n", encoding="utf-8")


def _row(row: RowResult) -> dict[str, object]:
    judge = row.judge.name if row.judge else None
    return {**asdict(row), "judge": judge, "floor": row.floor, "failure": row.failure()}
