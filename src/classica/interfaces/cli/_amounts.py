"""Amounts of time and memory as people write them."""

from __future__ import annotations

from typing import Any, ClassVar

import click


class Amount(click.ParamType[float]):
    """A number with a unit."""

    units: ClassVar[dict[str, float]] = {}
    example = ""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the amount in its smallest unit."""
        if isinstance(value, int | float):
            return float(value)
        text = str(value).strip().lower()
        unit = next((name for name in sorted(self.units, key=len, reverse=True) if text.endswith(name)), "")
        try:
            amount = float(text.removesuffix(unit)) * self.units[unit]
        except ValueError:
            amount = float("nan")
        if not 0 < amount < float("inf"):
            self.fail(f"{value!r} must be an amount such as {self.example}.", param, ctx)
        return amount


class Seconds(Amount):
    """A time: 90, 90s, 10m, 2h."""

    name = "time"
    units: ClassVar[dict[str, float]] = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
    example = "60s, 10m or 2h"


class Budget(Seconds):
    """A time, or none: infinite."""

    example = "30s, 10m or 2h, or none"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds."""
        if str(value).strip().lower() == "none":
            return float("inf")
        return super().convert(value, param, ctx)


class Bytes(Amount):
    """A size: 500MB, 2GB."""

    name = "size"
    units: ClassVar[dict[str, float]] = {"": 1.0, "b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9}
    example = "500MB or 2GB"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the size in bytes."""
        return int(super().convert(value, param, ctx))
