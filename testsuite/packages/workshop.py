# SPDX-License-Identifier: GPL-2.0-or-later
"""A Debian of another suite in a directory, in which packages for its Slurm are made."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import made
from debian import SUITE, mirror

_ENTER = """\
mount -t proc proc "$0/proc"; mount --bind /dev "$0/dev"
exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/root DEBIAN_FRONTEND=noninteractive sh -c "$1"
"""


def _debootstrap(root: Path) -> None:
    needs = made.output_of(made.ROOT / "slurm-build" / "packages", "--package", "--list").split()
    done = subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={','.join(needs)}", SUITE, root, mirror()],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )
    if done.returncode:
        made.leave_out(f"Debian's {SUITE}: {' '.join(done.stdout.splitlines()[-1:])}")


def run_in(root: Path, command: str) -> subprocess.CompletedProcess[str]:
    """By a shell in that directory, as root, with the machine's network."""
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    return subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", _ENTER, root, command],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )


def make(output: Path) -> None:
    """MAUI_SLURM_SOURCE: an unpacked source of the suite's Slurm, where its mirror has no source packages."""
    with tempfile.TemporaryDirectory(prefix="maui-workshop-") as directory:
        root = Path(directory)
        root.chmod(0o755)
        _debootstrap(root)
        made.copy_clone(root / "clone")
        source = ""
        if given := os.environ.get("MAUI_SLURM_SOURCE"):
            shutil.copytree(given, root / "slurm", symlinks=True)
            source = "--source /slurm"
        done = run_in(root, f"cd /clone && slurm-build/package --unproven {source} --output /output")
        if missing := re.search(r"apt cannot get the source of (.*), which", done.stdout):
            made.leave_out(f"Debian's {SUITE}: its mirror has no source of {missing[1]}; MAUI_SLURM_SOURCE names one")
        assert done.returncode == 0, done.stdout[-3000:]
        shutil.copytree(root / "output", output, dirs_exist_ok=True)
