# SPDX-License-Identifier: GPL-2.0-or-later
"""The pages in Chromium, which is installed for it, and axe-core from npm as package-lock.json has it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from . import steps
from .release import ROOT, UNPROVEN
from .report import Report
from .schedule import Schedule
from .task import Task

_TESTS = ROOT / "testsuite" / "browser"


def _axe(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(_TESTS / name, directory / name)
    subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=directory, check=True)
    return directory / "node_modules" / "axe-core" / "axe.min.js"


def run(directory: Path) -> int:
    if subprocess.run([ROOT / "slurm-build" / "packages", "--test-browser"], check=False).returncode:
        return 1
    build = ROOT / "build"
    if not (build / "build.ninja").exists():
        subprocess.run(["meson", "setup", build, UNPROVEN], cwd=ROOT, check=True)
    subprocess.run(["ninja", "-C", build, "contribs/maui/maui"], check=True)
    axe = _axe(build / "testsuite-browser")
    pictures = directory.absolute() / "pictures"
    report = Report()
    schedule = Schedule(directory, steps.CORES, 1, lambda outcome: report.add(outcome, schedule.known))
    words = [sys.executable, _TESTS / "test_browser.py", build / "contribs" / "maui" / "maui", axe, pictures]
    schedule.add([Task("browser", "pages", [str(word) for word in words], counted=True, cores=1)])
    schedule.run()
    print(f"what the browser drew: {pictures}")
    report.failures()
    print(f"{report.passed} passed, {report.failed} failed")
    return int(report.failed > 0 or report.passed == 0)
