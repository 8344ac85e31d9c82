# SPDX-License-Identifier: GPL-2.0-or-later
"""Stand-ins for SchedMD's own Debian packages: the releases in /opt/slurm under their names and versions."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

LIBRARIES = "usr/lib/x86_64-linux-gnu"
PLUGINS = f"{LIBRARIES}/slurm"
_RELEASES = Path(os.environ.get("MAUI_SLURM_RELEASES", "/opt/slurm"))
_PARTS = {  # a package's files, and where they go
    "slurm-smd": [("lib/libslurm.so*", LIBRARIES), ("lib/slurm/*.so", PLUGINS)],
    "slurm-smd-client": [("bin/*", "usr/bin")],
    "slurm-smd-slurmctld": [("sbin/slurmctld", "usr/sbin")],
    "slurm-smd-slurmd": [("sbin/slurmd", "usr/sbin"), ("sbin/slurmstepd", "usr/sbin")],
}
NAMES = tuple(_PARTS)


def releases() -> dict[str, Path]:
    """By series, such as 24.11."""
    return {path.name.rpartition(".")[0]: path for path in sorted(_RELEASES.glob("*.*.*")) if (path / "sbin/slurmctld").exists()}


def _fill(top: Path, name: str, release: Path) -> None:
    for pattern, where in _PARTS[name]:
        (top / where).mkdir(parents=True, exist_ok=True)
        for path in release.glob(pattern):
            shutil.copy2(path, top / where, follow_symlinks=False)
    if name != "slurm-smd":
        return
    # The release looks for its files below the prefix that it was built for.
    prefix = top / str(release)[1:]
    (prefix / "lib").mkdir(parents=True)
    for link, target in (("lib/slurm", f"/{PLUGINS}"), ("sbin", "/usr/sbin"), ("bin", "/usr/bin"), ("etc", "/etc/slurm")):
        (prefix / link).symlink_to(target)


def make(release: Path, output: Path) -> list[Path]:
    version = f"{release.name}-1"
    made = []
    for name in NAMES:
        with tempfile.TemporaryDirectory(prefix="maui-smd-") as directory:
            top = Path(directory)
            top.chmod(0o755)
            _fill(top, name, release)
            (top / "DEBIAN").mkdir()
            depends = "libmunge2" if name == "slurm-smd" else f"slurm-smd (= {version})"
            (top / "DEBIAN/control").write_text(
                f"Package: {name}\nVersion: {version}\nArchitecture: amd64\nMaintainer: nobody <nobody@localhost>\n"
                f"Depends: {depends}\nDescription: stands in for SchedMD's package\n"
            )
            if name == "slurm-smd":
                (top / "DEBIAN/postinst").write_text("#!/bin/sh\nldconfig\n")
                (top / "DEBIAN/postinst").chmod(0o755)
            made.append(output / f"{name}_{version}_amd64.deb")
            subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "-b", top, made[-1]], stdout=subprocess.DEVNULL, check=True)
    return made
