# SPDX-License-Identifier: GPL-2.0-or-later
"""Private clusters for tests, and what a test that fails leaves of them."""

from __future__ import annotations

import os
import sys
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent)]

import evidence  # noqa: E402  (the path has to be set first)
import needed  # noqa: E402
from harness import Cluster  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def machine() -> None:
    """What every cluster needs."""
    needed.root()
    needed.programs("munged", "munge", "slurmd", "squeue")
    needed.slurm(needed.build("plugins/priority/priority_maui.so", "contribs/maui/maui"))


@pytest.fixture(scope="module")
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """A private cluster for the tests of a file, with the arguments of its mark:
    pytestmark = pytest.mark.cluster(nodes=4, maui_cfg="RMPOLLINTERVAL 1\\n")"""
    mark = request.node.get_closest_marker("cluster")
    with Cluster(**(mark.kwargs if mark else {})) as cluster:
        yield cluster


def set_time_zone(name: str) -> None:
    os.environ["TZ"] = name
    time.tzset()


def make_it_noon() -> None:
    """Puts this process, and all that it starts, into a time zone where it is about noon.

    So the hour at which tests run decides nothing: a window that a test makes out of the clock is
    not cut by midnight, and has not begun or ended because it is evening. Tests of the calendar set
    their cluster's clock and time zone themselves.
    """
    ahead = 12 - int(time.time()) // 3600 % 24
    set_time_zone(f"NOON{-ahead:+d}")


@pytest.fixture(scope="module")
def utc() -> Iterator[None]:
    """For the tests of a file whose clusters have a clock of their own: windows of fairshare of a day begin
    at midnight of UTC, and noon is far from that."""
    noon = os.environ["TZ"]
    set_time_zone("UTC")
    yield
    set_time_zone(noon)


def pytest_configure(config: pytest.Config) -> None:
    make_it_noon()  # before test files are imported, which may ask for the hour
    capture = config.pluginmanager.getplugin("capturemanager")
    evidence.install(capture.suspend_global_capture)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    if issubclass(getattr(item, "cls", None) or object, unittest.TestCase):
        evidence.watch(item)  # it is the result of its test, in the words of unittest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Before fixtures bring clusters down."""
    if call.excinfo and not call.excinfo.errisinstance((unittest.SkipTest, pytest.skip.Exception)):
        evidence.keep(evidence.name_of(item.nodeid), str(call.excinfo.getrepr()))


def pytest_sessionfinish() -> None:
    """Ctrl-C in setUpClass leaves clusters, as unittest's cleanups are for errors."""
    evidence.bring_down()
