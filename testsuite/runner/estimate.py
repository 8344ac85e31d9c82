# SPDX-License-Identifier: GPL-2.0-or-later
"""How long a run will take, from the CPU seconds of the last one, or of a table."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import surroundings

_FILE = "cpu.json"  # of each step of the report, the CPU seconds of the last run that had it
_FULL_CACHE = 1000  # files: ccache has more after one build


class Row(NamedTuple):
    """CPU seconds of a part of a run on a core of 2.5 GHz."""

    steps: tuple[str, ...]  # any of these wants it
    title: str  # as the report calls it
    first: float
    again: float
    directory: str = ""  # it is there after the first time


_ANY = ("style", "tidy", "unit", "sanitize", "scenario")
_ROWS = (
    Row(("style",), "style", 12, 12),
    Row(_ANY, "build", 200, 10, "build/build.ninja"),
    Row(("sanitize", "scenario"), "build with sanitizers", 270, 10, "build-asan/build.ninja"),
    Row(("tidy",), "clang-tidy", 306, 100, "build/tidy"),
    Row(("unit",), "unit tests", 124, 124),
    Row(("sanitize",), "unit tests with ASan and UBSan", 550, 550),
    Row(("scenario",), "scenarios", 4100, 4100),
    Row(("scenario",), "soak with ASan and UBSan", 197, 197),
)
_RELEASE = (155, 10, 50)  # a build, again; the scenario on it


def _last(output: Path) -> dict[str, float]:
    try:
        return dict(json.loads((output / _FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def keep(output: Path, seconds: dict[str, float]) -> None:
    """After a run in which nothing was skipped."""
    text = json.dumps(_last(output) | seconds, indent=1)
    (output / _FILE).write_text(text, encoding="utf-8")


def _cached() -> bool:
    """Whether ccache has what a build would compile."""
    try:
        done = subprocess.run(
            ["ccache", "--print-stats"],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | surroundings.for_builds(),
        )
    except FileNotFoundError:
        return False
    rows = (line.split("\t") for line in done.stdout.splitlines())
    return any(row[0] == "files_in_cache" and int(row[1]) > _FULL_CACHE for row in rows)


def _rows(versions: Iterable[str]) -> list[Row]:
    build, again, smoke = _RELEASE
    rows = list(_ROWS)
    for version in versions:
        there = f"build-releases/{version}/build.ninja"
        rows.append(Row(("scenario",), f"build for Slurm {version}", build, again, there))
        rows.append(Row(("scenario",), f"Slurm {version}", smoke, smoke))
    return rows


def words(
    steps: Sequence[str], versions: Sequence[str], output: Path, cores: int
) -> str:
    """The first line of a run."""
    last, total = _last(output), 0.0
    rows = [row for row in _rows(versions) if set(row.steps) & set(steps)]
    cached = _cached()
    for row in rows:
        known = not row.directory or Path(row.directory).exists()
        warm = known or (cached and row.title.startswith("build"))
        total += last.get(row.title, row.again) if warm else row.first
    built = sum(bool(row.directory) and Path(row.directory).exists() for row in rows)
    parts = sum(bool(row.directory) for row in rows)
    source = "the last run here" if any(row.title in last for row in rows) else "a table"
    return (
        f"about {max(1, round(total / 60 / cores))} minutes on {cores} cores: "
        f"{total / 60:.0f} minutes of CPU, by {source}; {built} of {parts} parts are built, "
        f"ccache is {'warm' if cached else 'empty or missing'}. "
        "Less: testsuite/run unit, or style, tidy, sanitize, scenario; "
        "--continue after a run that was interrupted or has failed"
    )
