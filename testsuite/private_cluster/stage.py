# SPDX-License-Identifier: GPL-2.0-or-later
"""What a build installs, as a directory to copy: one `meson install` serves all clusters until the
build is compiled again. (It costs a second of CPU time, and a copy 0.03.)"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

from . import daemons
from .problem import Problem

_NAME = "testsuite-stage"  # in the build's directory, with its lock and the hash of what is in it
_PLAN = Path("meson-info", "intro-installed.json")
_SCRIPTS = Path("meson-private", "install.dat")  # another one after each setup


def copy(build: Path, destination: Path) -> None:
    """The installed files below `destination`, a copy that no later compilation changes."""
    with open(build / f"{_NAME}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        there, told = build / _NAME, build / f"{_NAME}.hash"
        now = _hash(build)
        if not there.is_dir() or not told.exists() or told.read_text("ascii") != now:
            told.unlink(missing_ok=True)  # first: an interrupted installation is none
            shutil.rmtree(there, ignore_errors=True)
            _install(build, there)
            told.write_text(now, encoding="ascii")
        shutil.copytree(there, destination, symlinks=True)


def _hash(build: Path) -> str:
    """Of the names, sizes and times of all files that are installed."""
    digest = hashlib.sha256()
    try:
        plan = json.loads((build / _PLAN).read_text(encoding="utf-8"))
        for name in (*sorted(plan), build / _PLAN, build / _SCRIPTS):
            stat = os.stat(name) if os.path.isabs(name) else None  # else the text of a link
            facts = (stat.st_size, stat.st_mtime_ns) if stat else ()
            digest.update(repr((str(name), facts)).encode())
    except OSError as error:
        raise Problem(
            f"the build in '{build}' is not complete: {error}; has "
            f"`meson compile -C {build}` been run?"
        ) from None
    return digest.hexdigest()


def _install(build: Path, destination: Path) -> None:
    command = [
        str(daemons.find_program("meson", "meson")),
        "install",
        "-C",
        str(build),
        f"--destdir={destination}",
        "--no-rebuild",
        "--quiet",
    ]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Problem(
            f"`{' '.join(command)}` failed with status {done.returncode}; has "
            f"`meson compile -C {build}` been run?\n{(done.stdout + done.stderr)[-3000:]}"
        )
