"""Execute the units of a run that have no outcome yet."""

from __future__ import annotations

import os
import select
import signal
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from classica.children.processes import is_over
from classica.errors import RunError
from classica.runs.child import SLOWEST_LOOK, Child
from classica.runs.fork_server import ServerLostError
from classica.runs.ledger import Ledger, crashed, over_memory, over_time
from classica.runs.plan import Plan
from classica.runs.run_progress import Progress, RunClock, Tally
from classica.runs.servers import Servers
from classica.runs.unit import Outcome, Status, Unit
from classica.runs.work_table import WorkTable

_HEARTBEAT = 1.0
#: A worker that holds more memory than this, or this share of the limit, is replaced, so that the leftovers
#: of one unit do not count for the next.
_MOST_KEPT, _SHARE_KEPT = 64 << 20, 0.05


class Execution:
    """Execute the units that have no outcome yet, several at a time.

    Parameters
    ----------
    folder : Path
        The folder of the run.
    plan : Plan
        The plan.
    table : WorkTable
        The functions that units may call.
    ledger : Ledger
        The outcomes so far; new ones are added.
    clock : RunClock
        The time of the run.
    workers : int
        Number of concurrent units.
    servers : Servers
        The source of workers.
    progress : callable or None
        Called with a `Progress`.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        table: WorkTable,
        ledger: Ledger,
        clock: RunClock,
        workers: int,
        servers: Servers,
        progress: Callable[[Progress], object] | None,
    ) -> None:
        self._folder, self._plan, self._ledger = folder, plan, ledger
        self._modules, self._function = table.modules, table.reference(plan.work, folder)
        self._clock, self._workers, self._progress = clock, workers, progress
        self._queue = deque(unit for unit in plan.units if unit.key not in ledger.outcomes)
        self._tally = Tally(plan.units)
        for outcome in ledger.outcomes.values():
            self._tally.add(outcome)
        self._servers = servers
        self._busy: list[tuple[Child, Unit]] = []
        self._idle: list[Child] = []
        self._children: list[Child] = []
        # Units that ran when the server was lost: one of them may be the cause, so they are retried one by
        # one.
        self._quarantined: set[str] = set()
        self._losses = 0
        self._reported = 0.0

    def run(self, is_stopped: Callable[[], bool]) -> None:
        """Run all units, until the budget is spent or `is_stopped` returns true (a ``KeyboardInterrupt``).

        Units that are running then are killed and have no outcome.
        """
        if not self._queue or self._clock.left <= 0:
            return
        self._server = self._servers.server(self._modules)
        is_orderly = False
        try:
            self._tell(None)
            while (self._queue or self._busy) and self._clock.left > 0:
                if is_stopped():
                    is_orderly = True
                    raise KeyboardInterrupt
                try:
                    self._turn()
                except ServerLostError:
                    self._recover()
            is_orderly = True
        finally:
            self._leave() if is_orderly else self._end_all()

    @property
    def running(self) -> set[str]:
        """The keys of the units that were running at the end."""
        return {unit.key for _, unit in self._busy}

    def _turn(self) -> None:
        if time.monotonic() - self._reported > _HEARTBEAT:
            self._tell(None)
        if not self._server.wait(min(SLOWEST_LOOK, max(self._clock.left, 0.001))):
            return
        self._assign()
        self._sleep()
        for child, unit in list(self._busy):
            self._attend(child, unit)

    def _assign(self) -> None:
        most = 1 if self._quarantined else self._workers
        while self._queue and len(self._busy) < most:
            child = self._free_child()
            unit = self._queue.popleft()
            self._busy.append((child, unit))
            child.start(unit, self._function, self._folder)

    def _free_child(self) -> Child:
        while self._idle:
            child = self._idle.pop()
            # A thread left behind by a unit may have ended it meanwhile.
            if not is_over(child.pid):
                return child
            self._reap(child)
        self._children.append(self._server.fork())
        return self._children[-1]

    def _reap(self, child: Child, *, is_leaving: bool = False) -> tuple[int, bool]:
        self._children.remove(child)
        return self._server.reap(child, is_leaving=is_leaving)

    def _sleep(self) -> None:
        """Wait until a worker sends a message, or the limits of one are to be checked."""
        poll = select.poll()
        until = time.monotonic() + min(SLOWEST_LOOK, self._clock.left)
        for child, _ in self._busy:
            for handle in child.handles:
                poll.register(handle, select.POLLIN)
            until = min(until, child.next_look)
            if self._plan.limits.seconds is not None:
                until = min(until, child.started + self._plan.limits.seconds)
        poll.poll(max(0.0, 1000 * (until - time.monotonic())))

    def _attend(self, child: Child, unit: Unit) -> None:
        limits = self._plan.limits
        child.look(limits.memory)
        reply = child.reply()
        child.listen()
        if reply is not None:
            self._finish(child, unit, reply)
        elif child.gone:
            status, killed = self._reap(child, is_leaving=True)
            if _is_from_outside(status, killed) and unit.key not in self._quarantined:
                self._try_again(child, unit)
            else:
                self._end(child, unit, "crashed", crashed(status, killed))
        elif limits.seconds is not None and child.seconds > limits.seconds:
            self._reap(child)
            self._end(child, unit, "time", over_time(limits.seconds, child.tail.total))
        elif limits.memory is not None and child.peak > limits.memory:
            self._reap(child)
            self._end(child, unit, "memory", over_memory(limits.memory, child.tail.total))

    def _finish(self, child: Child, unit: Unit, reply: dict[str, Any]) -> None:
        self._busy.remove((child, unit))
        is_clean = reply.pop("clean")
        reply["peak_bytes"] = max(child.peak, reply["peak_bytes"])
        self._keep(Outcome(unit.key, output=child.tail.text, **reply))
        limit = self._plan.limits.memory
        kept = _MOST_KEPT if limit is None else _SHARE_KEPT * limit
        if reply["status"] == "done" and is_clean and not child.gone and child.growth() <= kept:
            self._idle.append(child)
        else:
            self._reap(child)

    def _end(self, child: Child, unit: Unit, status: Status, reason: str) -> None:
        self._busy.remove((child, unit))
        self._keep(
            Outcome(
                unit.key,
                status,
                reason,
                seconds=child.seconds,
                peak_bytes=child.peak,
                output=child.tail.text,
            )
        )

    def _try_again(self, child: Child, unit: Unit) -> None:
        """Quarantine a unit: retry it alone, because another unit may have exhausted the memory."""
        self._busy.remove((child, unit))
        self._queue.appendleft(unit)
        self._quarantined.add(unit.key)

    def _keep(self, outcome: Outcome) -> None:
        self._ledger.add(outcome, self._clock.elapsed)
        self._quarantined.discard(outcome.key)
        self._tally.add(outcome)
        self._tell(outcome)

    def _tell(self, last: Outcome | None) -> None:
        self._reported = time.monotonic()
        if self._progress is not None:
            running = [(unit.key, child.seconds) for child, unit in self._busy]
            self._progress(self._tally.progress(running, self._clock.elapsed, self._workers, last))

    def _recover(self) -> None:
        """Recover from the loss of the server, which a user or a unit may have killed."""
        self._end_all()
        busy, self._busy = self._busy, []
        self._losses += not busy
        if self._losses > 2:
            raise RunError("Cannot continue the run: the process that starts workers was killed three times.")
        units = [unit for _, unit in busy]
        if len(units) == 1 and units[0].key in self._quarantined:
            reason = "It killed the process that starts workers."
            self._keep(Outcome(units.pop().key, "crashed", reason, seconds=busy[0][0].seconds))
        self._queue.extendleft(reversed(units))
        self._quarantined.update(unit.key for unit in units)
        self._server = self._servers.server(self._modules)

    def _leave(self) -> None:
        """Stop all workers, and leave the server to the next run."""
        try:
            for child in list(self._children):
                self._reap(child)
        except ServerLostError:
            self._end_all()

    def _end_all(self) -> None:
        for child in self._children:
            child.close()
        self._children, self._idle = [], []
        self._servers.close()


def _is_from_outside(status: int, killed: bool) -> bool:
    """Return whether a worker was killed, and not by its run."""
    return not killed and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
