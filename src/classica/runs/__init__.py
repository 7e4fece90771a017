"""Fault-tolerant runs: units of work in child processes, one synced record per finished unit.

A run is a folder. This package does not depend on classifiers: a unit is a name with arguments, and a
function of the program takes the folder and the arguments and returns plain values. A folder names that
function by its key in the program's `WorkTable` and cannot select other code; everything read back is
checked.

    plan.json       what to do, written once
    journal.jsonl   one checked line per finished unit, on the disk before it counts
    lock            held by the one process that works on the folder

    Run ───────► Execution ─► ForkServer ~~~ children/server.py     imports once, computes nothing
                     │                          │ fork
                     ├──────► Child ~~~~~~~ children/worker.py      one unit after the other, watched
                     ▼
                  Journal
"""

from classica.runs.lock import require_own_files as require_own_files
from classica.runs.plan import Plan as Plan
from classica.runs.run import Run as Run
from classica.runs.run import open_run as open_run
from classica.runs.run_folder import is_resumable as is_resumable
from classica.runs.run_folder import read_outcomes as read_outcomes
from classica.runs.run_folder import read_plan as read_plan
from classica.runs.run_folder import run_units as run_units
from classica.runs.run_progress import Progress as Progress
from classica.runs.servers import server_ahead as server_ahead
from classica.runs.unit import Limits as Limits
from classica.runs.unit import Outcome as Outcome
from classica.runs.unit import Unit as Unit
from classica.runs.work_table import WorkTable as WorkTable
