"""The pictures of a report, as SVG within the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from classica.comparison import Compared


def look_pictures(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    return []


def model_pictures(compared: Compared, entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"pictures": [], "text": ""}
