"""Why a unit is not done, in one sentence."""

from __future__ import annotations

import os
import signal

#: Who prints more than this is told so.
_MUCH = 1 << 20


def over_time(seconds: float, printed: int) -> str:
    """Return the reason of a unit that took too long."""
    return f"It took longer than the limit of {seconds:g} s{_and_printed(printed)}."


def over_memory(limit: int, printed: int) -> str:
    """Return the reason of a unit that held too much."""
    return f"It held more memory than the limit of {amount(limit)}{_and_printed(printed)}."


def crashed(status: int, killed: bool) -> str:
    """Return the reason of a unit whose process ended, from what `os.waitpid` tells."""
    if killed:
        return "It closed the line on which its process tells results."
    if not os.WIFSIGNALED(status):
        return f"It ended its process with exit status {os.waitstatus_to_exitcode(status)}."
    number = os.WTERMSIG(status)
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    hint = ", as the system does when memory runs out" if number == signal.SIGKILL else ""
    return f"Its process was ended by {name}{hint}."


def over_budget(budget: float, moment: str) -> str:
    """Return the reason of a unit for which no time was left; the moment is "started" or "finished"."""
    return f"The budget of {budget:g} s was spent before it {moment}."


def amount(size: int) -> str:
    """Return a number of bytes as people write it.

    Examples
    --------
    >>> amount(2_000_000_000)
    '2 GB'
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size:g} bytes"


def _and_printed(printed: int) -> str:
    return " and printed more than 1 MiB" if printed > _MUCH else ""
