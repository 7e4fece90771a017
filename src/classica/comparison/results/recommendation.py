"""What to use and why, as data: sentences, terminal, report and model card are functions of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from classica.recorded import Recorded

#: most_accurate: nothing scores better; as_good: practically as good as what does; readable: people can read
#: the model, which they cannot of the most accurate one; smaller, faster: by a factor.
ReasonCode = Literal["most_accurate", "as_good", "readable", "smaller", "faster"]
#: Why there is no recommendation.
WhyNone = Literal["", "nothing evaluated", "baseline not evaluated", "not better than baseline"]


@dataclass(frozen=True)
class Reason(Recorded):
    """A reason for the recommended model.

    Attributes
    ----------
    code : {"most_accurate", "as_good", "readable", "smaller", "faster"}
        What speaks for it.
    value : float
        The probability of being as good, how many times smaller or faster it is than the most accurate
        model; NaN where there is no number.
    """

    code: ReasonCode
    value: float = float("nan")


@dataclass(frozen=True)
class WeakClass(Recorded):
    """The class that a model misses most often.

    Attributes
    ----------
    label : object
        The class.
    rows : int
        Predictions for rows of it.
    missed : float
        The share of them that is predicted as another class: one minus the recall.
    taken_for : object
        The class they are predicted as most often.
    """

    label: Any
    rows: int
    missed: float
    taken_for: Any


@dataclass(frozen=True)
class Recommendation(Recorded):
    """The model to use, and why that one.

    Attributes
    ----------
    model, most_accurate : str or None
        The recommended model, and the one with the best score (by the metric of the comparison).
    why_none : str
        Why there is no recommended model.
    reasons : tuple of Reason
        What speaks for the recommended model, the strongest first.
    as_good : float
        The probability that it is practically as good as the most accurate: at most `margin` worse.
    margin : float
        The region of practical equivalence.
    alternatives : tuple of str
        Other models that are significantly better than the baseline and practically as good as the most
        accurate, the best first.
    baseline : float
        What the baseline scores.
    baseline_class : object
        The most frequent class, which it always predicts.
    weakest_class : WeakClass or None
        Where the recommended model fails most; None if it misclassifies nothing.
    helps : str or None
        The code of the finding whose remedy would help most.
    """

    model: str | None
    most_accurate: str | None
    why_none: WhyNone
    reasons: tuple[Reason, ...]
    as_good: float
    margin: float
    alternatives: tuple[str, ...]
    baseline: float
    baseline_class: Any
    weakest_class: WeakClass | None
    helps: str | None
