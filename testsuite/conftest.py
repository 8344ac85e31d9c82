# SPDX-License-Identifier: GPL-2.0-or-later
"""What all tests that pytest runs have in common: a known environment, and no file beside the sources."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Python has compiled this file before it runs this line. Where testsuite/run has set a prefix, it lies there.
if not sys.pycache_prefix:
    sys.dont_write_bytecode = True
    with contextlib.suppress(OSError):
        for compiled in (HERE / "__pycache__").glob("conftest.*.pyc"):
            compiled.unlink()
        (HERE / "__pycache__").rmdir()
sys.path[:0] = [str(HERE)]

import needed  # noqa: E402  (the path has to be set first)
import pytest  # noqa: E402
import surroundings  # noqa: E402

surroundings.adopt(surroundings.CLUSTER)


def pytest_configure(config: pytest.Config) -> None:
    needed.in_worker = hasattr(config, "workerinput")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Tests of a file share a cluster, and one finds what another has left."""
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)
