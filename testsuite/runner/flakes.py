# SPDX-License-Identifier: GPL-2.0-or-later
"""Scenarios again and again, with busy loops beside them: how often does each fail?"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import surroundings

from . import steps
from .release import UNPROVEN
from .report import Report
from .schedule import Schedule
from .task import Task


@contextlib.contextmanager
def _busy(number: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run(names: list[str], times: int, load: int, side_by_side: int, directory: Path) -> int:
    """Every run counts: what fails once has failed."""
    environment = os.environ | surroundings.for_builds()
    subprocess.run(["bash", "-c", steps.set_up("build", [UNPROVEN])], check=True, env=environment)
    subprocess.run(["meson", "compile", "-C", "build"], check=True, env=environment)
    tests = steps.chosen(names)
    report = Report()
    schedule = Schedule(
        directory, 1, side_by_side, lambda outcome: report.add(outcome, schedule.known)
    )
    for number in range(1, times + 1):
        schedule.add(_numbered(steps.scenario("flakes", test), number) for test in tests)
    with _busy(load):
        schedule.run()
    print(f"\n{times} times with {load} busy loops beside them\n{'failed':>8}   {'longest':>8}")
    for test in tests:
        name = str(test["name"]).removeprefix("scenario ")
        mine = [one for one in report.outcomes if one.task.name.rpartition(" ")[0] == name]
        failed = sum(not one.good for one in mine)
        print(f"{failed:8}   {max(one.wall for one in mine):6.0f} s   {name}")
    report.failures()
    good = sum(one.good for one in report.outcomes)
    print(f"{good} passed, {len(report.outcomes) - good} failed")
    return int(good < len(report.outcomes))


def _numbered(task: Task, number: int) -> Task:
    return dataclasses.replace(task, name=f"{task.name} {number}")
