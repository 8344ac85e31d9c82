# SPDX-License-Identifier: GPL-2.0-or-later
"""What a failed test leaves behind: the files of its clusters, and what they said at that moment.

testsuite/run names the directory in MAUI_TEST_EVIDENCE; without it nothing is kept.
"""

from __future__ import annotations

import faulthandler
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback
import unittest
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

_SECONDS = 20  # for each question: the cluster may be what is broken
_MOST = 5  # failures of one file after which no more is kept
_FILES = ("etc", "log", "state")
# file -> what is asked
_QUESTIONS = {
    "squeue": "squeue --all --array --long",
    "sprio": "sprio --long",
    "jobs": "scontrol --details show job",
    "nodes": "scontrol show node",
    "partitions": "scontrol show partition",
    "reservations": "scontrol show reservation",
    "sdiag": "sdiag",
    "status.json": "maui status --json",
}


class Told(Protocol):
    """A cluster, as far as it matters here."""

    @property
    def dir(self) -> Path: ...

    @property
    def maui_cfg(self) -> Path: ...

    def run(
        self, command: str, *, check: bool, timeout: float
    ) -> subprocess.CompletedProcess[str]: ...

    def _remove(self) -> None: ...


running: list[Told] = []  # the clusters that are up
_kept: set[str] = set()


def keep(test: str, words: str = "") -> None:
    """Of every cluster that is up, once for each test; words: what is wrong."""
    for number, cluster in enumerate(running, 1):
        directory = _directory(test, number)
        if directory is not None:
            (directory / "failure").write_text(words, encoding="utf-8")
            keep_files(cluster, directory)
            _ask(cluster, directory)
    _kept.add(test)


def keep_files(cluster: Told, directory: Path) -> None:
    for name in _FILES:
        # Files come and go meanwhile.
        subprocess.run(["cp", "-r", cluster.dir / name, directory], stderr=subprocess.DEVNULL)
    if cluster.maui_cfg.exists():
        shutil.copy(cluster.maui_cfg, directory)


def keep_start(cluster: Told) -> None:
    """Of a cluster that did not start: it answers no questions."""
    if (directory := _directory("start", len(_kept))) is not None:
        keep_files(cluster, directory)


def _directory(test: str, number: int) -> Path | None:
    top = os.environ.get("MAUI_TEST_EVIDENCE")
    if top is None or test in _kept or len(_kept) >= _MOST:
        return None
    name = re.sub(r"[^A-Za-z0-9_.]+", "-", test)
    directory = Path(top, f"{name}-{number}" if number > 1 else name)
    directory.mkdir(parents=True, exist_ok=True)
    print(f"kept in {directory}", file=sys.stderr, flush=True)
    return directory


def _ask(cluster: Told, directory: Path) -> None:
    for name, command in _QUESTIONS.items():
        try:
            done = cluster.run(command, check=False, timeout=_SECONDS)
            text = done.stdout + done.stderr
        except (subprocess.TimeoutExpired, OSError) as error:
            text = f"{error}\n"
        (directory / name).write_text(text, encoding="utf-8")


class Result(unittest.TextTestResult):
    """Keeps what a failure leaves before anything is cleaned up, and says how long tests took."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.dots = False
        self._begun = time.monotonic()

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        now = time.monotonic()  # the time of setUpClass is the first test's
        self.stream.writeln(f"{now - self._begun:7.1f} s  {test.id()}")
        self.stream.flush()
        self._begun = now

    def _keep(self, test: unittest.TestCase, error: Any) -> None:
        keep(test.id(), "".join(traceback.format_exception(*error)))

    def addError(self, test: unittest.TestCase, error: Any) -> None:
        self._keep(test, error)
        super().addError(test, error)

    def addFailure(self, test: unittest.TestCase, error: Any) -> None:
        self._keep(test, error)
        super().addFailure(test, error)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self.stream.writeln(f"left out: {test.id()}: {reason}")  # testsuite/run says it again at its end

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, error: Any) -> None:
        if error is not None:
            self._keep(test, error)
        super().addSubTest(test, subtest, error)


def _ended(_number: int, _frame: FrameType | None) -> None:
    """The test takes too long, or somebody wants the run to end."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    faulthandler.dump_traceback()
    keep("when it was ended")
    for cluster in running[:]:
        cluster._remove()
    os._exit(128 + signal.SIGTERM)


def install() -> None:
    """For all tests of this process, whoever runs them."""
    unittest.TextTestRunner.resultclass = Result
    signal.signal(signal.SIGTERM, _ended)
