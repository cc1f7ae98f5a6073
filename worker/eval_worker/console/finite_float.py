"""Flags that take a number: within their range, and never `nan`, which is in no range and out of none."""

import math
from typing import Any

import click


class FiniteFloat(click.FloatRange):
    """As click's FloatRange, which lets `nan` pass since every comparison with it is false."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number
