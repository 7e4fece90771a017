"""The learning curve of the best model, from the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classica.displays.canvas import headline, quiet_frame
from classica.displays.display import Display
from classica.selection.learning_curves import LearningCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class LearningCurveDisplay(Display):
    """Errors against training rows, and how the test error would go on.

    Parameters
    ----------
    curve : LearningCurve
        The learning curve.
    text : str
        What it says about more rows.
    """

    def __init__(self, curve: LearningCurve, text: str) -> None:
        self.curve, self.text = curve, text

    def plot(self, ax: Axes | None = None) -> LearningCurveDisplay:
        """Draw the curve."""
        axes = self._begin(ax)
        self.curve.plot(axes)
        axes.set_ylabel("error")
        axes.grid(visible=False)
        quiet_frame(axes)
        for line in axes.get_lines():
            if str(line.get_label()).startswith("by the law"):
                line.set_label("how it would go on")
        axes.legend(frameon=False, fontsize=9)
        headline(axes, "Would more rows help?", "Mean ± one standard deviation over folds.")
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        train, test = self.curve.train_errors[-1].mean(), self.curve.test_errors[-1].mean()
        seen = f"with most rows the training error is {train:.1%}, the test error {test:.1%}"
        return f"Learning curve; {seen}. {self.text}"
