"""The picture of the curse of dimensionality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from classica.displays.canvas import headline, legend_beside, quiet_frame
from classica.displays.display import Display
from classica.displays.neighbourhood.curse import CurseResult, curse_of_dimensionality
from classica.displays.palette import class_color, class_marker, foreground

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False)
class CurseDisplay(Display):
    """Four shares against the number of dimensions, all of which grow where they should not.

    Attributes
    ----------
    result : CurseResult
        The numbers.
    """

    size: ClassVar[tuple[float, float]] = (8.2, 4.4)

    result: CurseResult

    @classmethod
    def from_dimensions(cls, *arguments: Any, **options: Any) -> CurseDisplay:
        """Work out the numbers: takes what `curse_of_dimensionality` takes."""
        return cls(curse_of_dimensionality(*arguments, **options))

    def plot(self, ax: Axes | None = None) -> CurseDisplay:
        """Draw the four lines; exact ones solid, simulated ones dashed."""
        from matplotlib.ticker import NullFormatter, PercentFormatter, ScalarFormatter

        axes, found = self._begin(ax), self.result
        lines = [
            (found.shell, "volume within 5% of the surface", "-"),
            (found.edge, f"range of each column that holds\n{found.share:.0%} of the rows", "-"),
            (found.contrast, "distance to the nearest row\nover that to the farthest", "--"),
            (found.error, "error of 1-NN, one column\nof which tells the classes", "--"),
        ]
        for code, (values, label, dash) in enumerate(lines):
            style: dict[str, Any] = {
                "color": class_color(code),
                "marker": class_marker(code),
                "ls": dash,
                "ms": 5,
            }
            axes.plot(found.dimensions, values, label=label, **style)
        least = f"least error there can be: {found.bayes_error:.0%}"
        axes.axhline(found.bayes_error, color=foreground(), lw=1, ls=":", label=least)
        axes.set(xscale="log", xlabel="dimensions", ylim=(0, 1.02))
        axes.set_xticks(found.dimensions)
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        quiet_frame(axes)
        legend_beside(axes)
        note = f"Solid: exact. Dashed: simulated with {found.rows:,} rows."
        headline(axes, "In many dimensions nothing is near", note)
        return self

    def describe(self) -> str:
        """Return what the picture shows in a sentence."""
        found = self.result
        return (
            f"From {found.dimensions[0]} to {found.dimensions[-1]} dimensions the edge of a cube with "
            f"{found.share:.0%} of the volume goes from {found.edge[0]:.2f} to {found.edge[-1]:.2f}, "
            f"nearest over farthest distance from {found.contrast[0]:.2f} to {found.contrast[-1]:.2f}, "
            f"and the error of 1-NN from {found.error[0]:.1%} to {found.error[-1]:.1%}."
        )
