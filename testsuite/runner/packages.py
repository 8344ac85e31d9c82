# SPDX-License-Identifier: GPL-2.0-or-later
"""The packages: made, looked at, and installed, upgraded and removed in a fresh Debian."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import surroundings

from . import steps
from .release import ROOT
from .report import Report
from .schedule import Schedule
from .task import Task

_TESTS = ROOT / "testsuite" / "packages"


def run(names: list[str], directory: Path) -> int:
    there = [path.stem.removeprefix("test_") for path in sorted(_TESTS.glob("test_*.py"))]
    if unknown := [name for name in names if name not in there]:
        sys.exit(f"testsuite/run: no packages' test '{unknown[0]}'; there are: {' '.join(there)}")
    packages = [ROOT / "slurm-build" / "packages", "--test-packages"]
    environment = os.environ | surroundings.network()
    if subprocess.run(packages, check=False, env=environment).returncode:
        return 1
    report = Report()
    schedule = Schedule(directory, steps.CORES, 1, lambda outcome: report.add(outcome, schedule.known))
    schedule.add(
        [
            Task(
                "packages",
                name,
                [*steps.PYTEST, str(_TESTS / f"test_{name}.py")],
                environment=surroundings.network(),
                counted=True,
                cores=steps.CORES,
            )
            for name in names or there
        ]
    )
    schedule.run()
    report.left_out()
    report.failures()
    print(f"{report.passed} passed, {report.failed} failed")
    return int(report.failed > 0 or report.passed == 0)
