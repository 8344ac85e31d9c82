# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests need of a machine. Where it is missing, pytest ends with a sentence and status 4; no test is skipped."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import built_for
import pytest
import surroundings


in_worker = False  # of xdist, which takes one that exits for one that crashed


def end(why: str) -> NoReturn:
    words = f"no test can run: {why}"
    if in_worker:
        pytest.fail(words, pytrace=False)  # and so each test of the folder
    pytest.exit(words, returncode=pytest.ExitCode.USAGE_ERROR)


def build(*files: str) -> Path:
    """The build directory, MAUI_BUILD or ./build, with these files."""
    directory = built_for.own_build()
    if not built_for.is_set_up(directory):
        end(
            f"'{directory}' is no build directory; `meson setup build` and `meson compile -C build` in "
            f"'{built_for.ROOT}' make one, and MAUI_BUILD may name another"
        )
    for file in files:
        if not (directory / file).exists():
            end(f"'{directory}' has no {file}; run `meson compile -C {directory}`")
    return directory


def slurm(directory: Path) -> built_for.Slurm:
    """That of the build directory, which is installed."""
    try:
        found = built_for.of_build(directory)
    except built_for.Unknown as unknown:
        end(str(unknown))
    if not found.slurmctld.exists():
        end(f"there is no '{found.slurmctld}', and the build is for it")
    return found


def programs(*names: str) -> None:
    if missing := [name for name in names if not shutil.which(name, path=surroundings.PATH)]:
        end(f"{', '.join(missing)} missing; slurm-build/packages --test installs all that tests need")


def root() -> None:
    if os.geteuid():
        end("private clusters need root: they run jobs as several users")
