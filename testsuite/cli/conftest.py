# SPDX-License-Identifier: GPL-2.0-or-later
"""The command of the build, and a munged for all tests of it."""

import inspect
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent))

import cli_harness  # noqa: E402  (the path has to be set first)
import needed  # noqa: E402

PROGRAM = "contribs/maui/maui"


@pytest.fixture(scope="session", autouse=True)
def munge():
    """For the fake service; the tests have it as cli_harness.munge."""
    needed.build(PROGRAM)
    needed.programs("munged", "munge", "unmunge")
    with cli_harness.munge:
        yield cli_harness.munge


@pytest.fixture(scope="session")
def maui():
    return cli_harness.Maui(str(needed.build(PROGRAM) / PROGRAM))


def pytest_pycollect_makeitem(collector, name, obj):
    """A test whose name does not begin with test_ would never run."""
    if inspect.isfunction(obj) and obj.__module__ == collector.obj.__name__ and not name.startswith(("_", "test_")):
        raise collector.CollectError(f"{collector.path.name}: {name} is neither a test_ nor private")
