"""What holds for all displays: lazy names, one palette, the same bytes, figures of their own."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgb

from classica import displays
from classica.displays.canvas import COLORS, class_color, class_marker
from tests.displays.drawing import closed_figures


def luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(first, second):
    light, dark = sorted([luminance(first), luminance(second)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


# Linear RGB as people without long- or medium-wave cones see it (Viénot, Brettel and Mollon, 1999).
SEEN = {
    "all cones": np.eye(3),
    "no long-wave cones": np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
    "no medium-wave cones": np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
}


def lightness(linear):
    """Return CIE L*a*b* of linear RGB."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    f = np.cbrt(np.clip(to_xyz @ linear, 0, None) / [0.9505, 1, 1.089])
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eyes", SEEN)
def test_the_first_colours_differ_for_all_eyes(eyes):
    linear = [
        np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
        for c in np.array([to_rgb(c) for c in COLORS])
    ]
    seen = [lightness(SEEN[eyes] @ color) for color in linear]
    apart = [np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i]]
    assert min(apart) > 8
    assert min(np.linalg.norm(a - b) for i, a in enumerate(seen[:4]) for b in seen[:i]) > 16


def test_colours_are_seen_on_light_and_dark():
    assert all(contrast(color, "#ffffff") > 2 and contrast(color, "#14171a") > 3 for color in COLORS)


def test_classes_differ_by_colour_or_marker():
    looks = {(class_color(code), class_marker(code)) for code in range(80)}
    assert len(looks) == 80
    assert len({class_marker(code) for code in range(8)}) == 8


def test_names_are_found_and_nothing_is_drawn_before_it_is_asked_for():
    for name in displays.__all__:
        assert getattr(displays, name).__module__.startswith("classica.displays.")
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = displays.Nothing
    code = (
        "import sys, classica.displays as displays\n"
        "d = displays.ConfusionDisplay.from_predictions([0, 1], [0, 1]); d.describe()\n"
        "[getattr(displays, name) for name in displays.__all__]\n"
        "sys.exit('matplotlib' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "display",
    [
        displays.ConfusionDisplay.from_matrix([[5, 1], [2, 7]], ["no", "yes"]),
        displays.VoronoiDisplay.from_points(np.random.default_rng(0).random((30, 2)), np.arange(30) % 3),
        displays.GaussianErrorDisplay.from_densities([0, 2]),
    ],
    ids=lambda display: type(display).__name__,
)
def test_the_same_display_gives_the_same_bytes_whatever_the_style(display):
    first = display.to_svg()
    with pyplot.style.context(["dark_background", {"font.size": 10}]):
        assert display.to_svg() == first
    assert not pyplot.get_fignums()


def test_a_display_makes_a_figure_of_its_own():
    display = displays.ConfusionDisplay.from_matrix([[5, 1], [2, 7]], ["no", "yes"])
    with closed_figures():
        assert display.plot() is display
        assert display.figure_ is pyplot.gcf()
        assert display.ax_ in display.figure_.axes
        display.figure_.canvas.draw()
    assert 'viewBox="0 0 288' in display.to_svg(size=(4, 3))
