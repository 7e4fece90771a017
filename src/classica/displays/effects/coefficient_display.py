"""Coefficients with their intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from classica.displays.canvas import class_color, foreground, headline, quiet_frame, shorten
from classica.displays.display import Display
from classica.errors import ParameterError, must
from classica.inspection.coefficients import Coefficient, Coefficients
from classica.params import Integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Classes of more than two that are drawn.
_MOST_CLASSES = 4


@dataclass(eq=False)
class CoefficientDisplay(Display):
    """The largest coefficients of a model with their intervals, class by class.

    Attributes
    ----------
    coefficients : Coefficients
        The coefficients.
    top : int
        How many are drawn for each class.
    """

    coefficients: Coefficients = field(repr=False)
    top: int = 12

    @classmethod
    def from_coefficients(cls, coefficients: Coefficients, *, top: int = 12) -> CoefficientDisplay:
        """Take a result of `classica.inspection.coefficient_intervals`.

        Parameters
        ----------
        coefficients : Coefficients
            The coefficients.
        top : int, default=12
            How many are drawn, for each class.
        """
        if not Integer(at_least=1).accepts(top):
            raise ParameterError(must("top", "an integer of at least 1", top))
        return cls(coefficients, top)

    @property
    def labels(self) -> list[Any]:
        """The classes that are drawn."""
        return _distinct(term.label for term in self.coefficients.terms)[:_MOST_CLASSES]

    def shown(self, label: object) -> list[Coefficient]:
        """Return the largest coefficients of a class, the largest first."""
        own = [term for term in self.coefficients.terms if term.label == label]
        each = self.top if len(self.labels) == 1 else max(self.top // 2, 3)
        return sorted(own, key=lambda term: -abs(term.estimate))[:each]

    def plot(self, ax: Axes | None = None) -> CoefficientDisplay:
        """Draw a point and its interval for each coefficient."""
        axes, place = self._begin(ax), 0.0
        ticks, names = [], []
        for code, label in enumerate(self.labels):
            if len(self.labels) > 1:
                across = axes.get_yaxis_transform()
                axes.text(
                    0.01, place, shorten(label, 30), transform=across, weight="bold", va="center", fontsize=9
                )
                place += 1
            for term in self.shown(label):
                color = class_color(code if len(self.labels) > 1 else 0)
                axes.plot([term.low, term.high], [place, place], color=color, lw=2, alpha=0.7)
                axes.plot([term.estimate], [place], "o", color=color, ms=5)
                ticks.append(place)
                names.append(shorten(term.name, 32))
                place += 1
        axes.axvline(0, color=foreground(), lw=0.8)
        axes.set_yticks(ticks, names)
        axes.set_ylim(place - 0.4, -0.7)
        axes.tick_params(axis="y", length=0)
        quiet_frame(axes)
        whose = "the class" if len(self.labels) > 1 else shorten(self.labels[0], 24)
        axes.set_xlabel(f"change of the log odds of {whose}")
        headline(axes, "Coefficients", self._note())
        return self

    def data(self) -> list[list[Any]]:
        """Return every coefficient with its interval, headings first."""
        terms = self.coefficients.terms
        rows = [[each.label, each.column, each.level, each.estimate, each.low, each.high] for each in terms]
        return [["class", "column", "level", "estimate", "low", "high"], *rows]

    def _size(self) -> tuple[float, float]:
        lines = sum(len(self.shown(label)) + (len(self.labels) > 1) for label in self.labels)
        return 6.4, min(1.8 + 0.26 * lines, 14.0)

    def _note(self) -> str:
        found = self.coefficients
        notes = [
            "Numbers: per standard deviation; levels: against the mean of all rows."
            f" Lines: {100 * found.confidence:g}% confidence intervals."
        ]
        if found.is_penalised:
            notes.append("The penalty draws estimates and intervals towards 0.")
        classes = len(_distinct(term.label for term in found.terms))
        if classes > len(self.labels):
            notes.append(f"The first {len(self.labels)} of {classes} classes.")
        drawn = len(self.shown(self.labels[0]))
        all_terms = (len(found.terms) + found.left_out) // classes
        if drawn < all_terms:
            notes.append(f"The {drawn} largest of {all_terms:,} coefficients.")
        return " ".join(notes)

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        said = "; ".join(
            f"{shorten(term.name, 40)} {term.estimate:+.2f} ({term.low:+.2f} to {term.high:+.2f})"
            for term in self.shown(self.labels[0])[:4]
        )
        return f"Coefficients for {self.labels[0]}: {said}."


def _distinct(labels: Iterable[Any]) -> list[Any]:
    return [*dict.fromkeys(labels)]
