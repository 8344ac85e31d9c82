# SPDX-License-Identifier: GPL-2.0-or-later
"""How benchmarks print figures, and write those that testsuite/bench/record keeps."""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DIGITS = 3  # of a figure that is kept

Figure = dict[str, Any]
Report = dict[str, Any]


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Median, then the range."""
    low, middle, high = min(values), median(values), max(values)
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def say(text: str, end: str = "\n") -> None:
    print(text, end=end, flush=True)


def verdict(reached: bool, goal: str) -> str:
    return f"goal: {goal}, {'reached' if reached else 'missed'}"


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no positive number")
    return value


def _summary(values: Sequence[float]) -> list[float]:
    """Median, least and most."""
    return [float(f"{one:.{DIGITS}g}") for one in (median(values), min(values), max(values))]


def figure(
    name: str,
    ours: Sequence[float],
    stock: Sequence[float] = (),
    ratios: Sequence[float] = (),
    at_most: float | None = None,
    at_least: float | None = None,
) -> Figure:
    """A row of benchmarks.md: one value a round. With stock the goal is one of the ratio, which is the
    rounds' own by default, else of ours. The name has the unit."""
    found: Figure = {"name": name, "ours": _summary(ours)}
    if stock:
        ratios = ratios or [one / other for one, other in zip(ours, stock, strict=True)]
        found |= {"stock": _summary(stock), "ratio": _summary(ratios)}
    goals = {"at_most": at_most, "at_least": at_least}
    return found | {key: goal for key, goal in goals.items() if goal is not None}


def name_of(key: str) -> str:
    """A figure's name by its key in a program's output: start_check_ns is "start check, ns"."""
    words = key.replace("_per_job", "_a_job").replace("_ns", ",_ns").replace("_ms", ",_ms")
    return words.replace("_", " ")


def write(path: str | Path | None, report: Report, figures: Sequence[Figure]) -> None:
    """The file of --json, if one is wanted: all of the report, and the figures to keep."""
    if path:
        text = json.dumps({**report, "figures": list(figures)}, indent=1)
        Path(path).write_text(text + "\n", encoding="utf-8")
