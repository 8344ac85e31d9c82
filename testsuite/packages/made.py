# SPDX-License-Identifier: GPL-2.0-or-later
"""The packages for the installed Slurm, as slurm-build/package makes them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "maui-slurm"
COMMON = "maui-slurm-common"
PLUGINS = "slurm-wlm-maui-plugins"


def leave_out(why: str) -> NoReturn:
    """The run repeats such a line at its end."""
    raise unittest.SkipTest(why)


def make(output: Path, clone: Path = ROOT, *options: str) -> None:
    script = clone / "slurm-build" / "package"
    done = subprocess.run(
        [script, *options, "--output", output], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


maker: Callable[[Path], None] = make  # of those that are looked at


def copy_clone(to: Path) -> None:
    """All that belongs to the repository, and nothing else."""
    for name in output_of("git", "-C", ROOT, "ls-files").splitlines():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name, follow_symlinks=False)


def clone_to(to: Path) -> None:
    """The same, and what slurm-build/prepare has prepared."""
    copy_clone(to)
    shutil.copytree(ROOT / "slurm-build/tree", to / "slurm-build/tree", symlinks=True)


@cache
def directory() -> Path:
    """Made once for each program: a minute and a half of CPU time. MAUI_PACKAGES has those of an earlier run."""
    if given := os.environ.get("MAUI_PACKAGES"):
        return Path(given)
    output = Path(tempfile.mkdtemp(prefix="maui-packages-"))
    maker(output)
    return output


def deb(package: str, where: Path | None = None) -> Path:
    found = sorted((where or directory()).glob(f"{package}_*.deb"))
    assert len(found) == 1, f"{package}: {found}"
    return found[0]


def files(package: str) -> set[str]:
    """Files and links of a package, and directories that are empty."""
    names = [line.split()[5][1:] for line in output_of("dpkg-deb", "-c", deb(package)).splitlines()]
    return {
        name.rstrip("/")
        for name in names
        if not name.endswith("/") or not any(other != name and other.startswith(name) for other in names)
    }


def sections_to_strip(program: Path) -> list[str]:
    """Debugging information and symbols, of which a package has none."""
    sections = re.findall(r"(?m)^ +\[ *\d+\] (\S+)", output_of("readelf", "--wide", "--sections", program))
    return [name for name in sections if name == ".symtab" or name.startswith(".debug")]


def output_of(*command: str | Path) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
