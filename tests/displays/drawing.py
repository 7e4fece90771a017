"""Drawing in tests: without a window, without warnings, light and dark, and as a small SVG."""

import re
from contextlib import contextmanager
from xml.etree import ElementTree

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot

LARGEST_SVG = 60_000


@contextmanager
def closed_figures():
    try:
        yield
    finally:
        pyplot.close("all")


def assert_draws(display, *, largest=LARGEST_SVG, **options):
    """Draw on given axes, small and dark, and as an SVG; pytest makes an error of any warning."""
    with closed_figures(), pyplot.style.context("dark_background"):
        ax = pyplot.figure(figsize=(3, 2.4)).subplots()
        assert display.plot(ax, **options) is display
        assert display.ax_ is ax
        assert display.figure_ is ax.figure
    svg = display.to_svg(**options)
    assert len(svg.encode()) < largest
    assert_is_for_any_page(svg, display.describe())
    assert not pyplot.get_fignums()
    return svg


def assert_is_for_any_page(svg, description):
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == description
    assert "currentColor" in svg
    assert "#010203" not in svg
    assert "<metadata" not in svg
    assert "<!--" not in svg
    assert not re.search(r"20\d\d-\d\d-\d\d", svg)
    assert not re.search(r"(fill|stroke): #(000000|ffffff)", svg), "black or white text is lost on one ground"
    named = set(re.findall(r' id="([^"]*)"', svg))
    used = set(re.findall(r'href="#([^"]*)"', svg)) | set(re.findall(r"url\(#([^)]*)\)", svg))
    assert used <= named, "markers and clips must still be found"
