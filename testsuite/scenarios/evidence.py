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
import traceback
import unittest
from collections.abc import Callable
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
_show_output: Callable[[], None]


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


def name_of(node: str) -> str:
    """testsuite/scenarios/test_why.py::Why::test_a -> test_why.Why.test_a"""
    return node.rpartition("/")[2].replace(".py::", ".").replace("::", ".")


def current() -> str:
    """The test that runs, as pytest says it."""
    return name_of(os.environ.get("PYTEST_CURRENT_TEST", sys.argv[0]).partition(" (")[0])


def watch(item: Any) -> None:
    """pytest's item of a unittest test is the result that the test is told to fill. It is told of a failure at
    once, before anything is cleaned up; so what the failure leaves is kept then."""
    add_error, add_failure = item.addError, item.addFailure
    told: list[unittest.TestCase] = []

    def kept(add: Callable[..., None]) -> Callable[..., None]:
        def wrapper(test: unittest.TestCase, error: Any) -> None:
            keep(name_of(item.nodeid), _text(error))
            add(test, error)

        return wrapper

    def add_sub_test(_test: unittest.TestCase, sub: unittest.TestCase, error: Any) -> None:
        """The test goes on, and its report has the first failure alone: pytest would take another for one of
        the fixtures' end."""
        if error is not None:
            print(f"{sub}\n{_text(error)}", file=sys.stderr, flush=True)
            if not told:
                item.addFailure(sub, error)
            told.append(sub)

    item.addError, item.addFailure = kept(add_error), kept(add_failure)
    item.addSubTest, item.failfast = add_sub_test, False


def _text(error: Any) -> str:
    return "".join(traceback.format_exception(*error))


def bring_down() -> None:
    for cluster in running[:]:
        cluster._remove()


def _ended(_number: int, _frame: FrameType | None) -> None:
    """The test takes too long, or somebody wants the run to end."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _show_output()
    faulthandler.dump_traceback()
    keep("when it was ended")
    bring_down()
    os._exit(128 + signal.SIGTERM)


def install(show_output: Callable[[], None] = lambda: None) -> None:
    """For all tests of this process. show_output: what a test prints is kept elsewhere until then."""
    global _show_output
    _show_output = show_output
    signal.signal(signal.SIGTERM, _ended)
