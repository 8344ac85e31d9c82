# SPDX-License-Identifier: GPL-2.0-or-later
"""For which Slurm a build directory was set up: it says so itself, whatever is prepared by now.

slurm-build/prepare wrote it there, and reads it, with what may be wrong with it.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PREPARE = ROOT / "slurm-build" / "prepare"
_RECORD = "built-for"


class Unknown(Exception):
    """prepare cannot say; its message, without its name."""


class Slurm(NamedTuple):
    """What prepare --query answers."""

    version: str
    prefix: Path
    src: Path
    obj: Path
    plugindir: Path
    slurmctld: Path

    @property
    def series(self) -> tuple[int, int]:
        """(22, 5) and the like."""
        major, minor = self.version.split(".")[:2]
        return int(major), int(minor)


def of_build(build: Path) -> Slurm:
    return _ask("--build", build)


def of_release(prefix: str | Path) -> Slurm:
    """A Slurm that was installed with its headers."""
    return _ask("--release", prefix)


def own_build() -> Path:
    return Path(os.path.abspath(os.environ.get("MAUI_BUILD") or ROOT / "build"))


def is_set_up(build: Path) -> bool:
    """Whether there is one that can be asked."""
    return (build / _RECORD).exists()


def _ask(*which: str | Path) -> Slurm:
    try:
        done = subprocess.run(
            [PREPARE, *which, "--query", ",".join(Slurm._fields)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise Unknown(f"cannot run '{PREPARE}': {error.strerror}") from None
    if done.returncode != 0:
        raise Unknown(done.stderr.strip().removeprefix("slurm-build/prepare: "))
    version, *paths = done.stdout.splitlines()
    return Slurm(version, *map(Path, paths))
