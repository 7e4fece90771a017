"""The progress of a comparison: what runs now, which models lead, which were dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from classica.recorded import Recorded
from classica.statistics.interval import Interval

Phase = Literal["first look", "tuning", "judging", "final fit", "closer look"]


@dataclass(frozen=True)
class Running(Recorded):
    """A unit of work that is being done.

    Attributes
    ----------
    title : str
        The model, or what is looked at.
    rows : int
        Training rows.
    seconds : float
        How long it has been running.
    """

    title: str
    rows: int
    seconds: float


@dataclass(frozen=True)
class Leader(Recorded):
    """A model on the leaderboard so far.

    Attributes
    ----------
    name, title : str
        The slug and the name people use.
    score : Interval
        The score with its interval; it narrows as rows and folds come in.
    rows : int
        Training rows of the fits it rests on.
    test_rows : int
        Held-out rows it rests on.
    """

    name: str
    title: str
    score: Interval
    rows: int
    test_rows: int


@dataclass(frozen=True)
class Dropped(Recorded):
    """A model that was dropped, the size of its last training set, and the reason in one sentence."""

    name: str
    title: str
    rows: int
    reason: str


@dataclass(frozen=True)
class ComparisonProgress(Recorded):
    """The progress of a comparison, reported after every finished unit and about once a second.

    Attributes
    ----------
    phase : str
        What is being done.
    done, total : int
        Units of the present round.
    elapsed : float
        Seconds since the comparison began, including earlier runs of it.
    remaining : float or None
        Upper bound of the seconds until the result; None if unknown.
    running : tuple of Running
        What the workers are doing.
    leaders : tuple of Leader
        The leaderboard so far, the best first; empty until there is one.
    dropped : tuple of Dropped
        The models that were dropped, the latest last.
    is_new : bool
        Whether leaderboard or drops have changed since the last call.
    is_provisional : bool
        Whether the leaders rest on samples or default parameters only.
    """

    phase: Phase
    done: int
    total: int
    elapsed: float
    remaining: float | None
    running: tuple[Running, ...] = ()
    leaders: tuple[Leader, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    is_new: bool = False
    is_provisional: bool = True
