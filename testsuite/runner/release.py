# SPDX-License-Identifier: GPL-2.0-or-later
"""The releases of Slurm that there are to build for, and a build for each."""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

import built_for
from built_for import ROOT

BUILDS = "build-releases"
UNPROVEN = "-Dslurm_unproven=true"  # the tests are what proves a release
WERROR = "-Dwerror=true"  # off elsewhere: another compiler's warnings stop no user's build


def supported() -> list[str]:
    """22.05 and the like, in the order of their numbers."""
    text = (ROOT / "plugins" / "compat" / "releases.h").read_text(encoding="utf-8")
    return [".".join(numbers) for numbers in re.findall(r"^\tRELEASE\((\d+), (\d+)\)", text, re.MULTILINE)]


class Release(NamedTuple):
    version: str
    directory: str  # empty: what is prepared

    @property
    def options(self) -> list[str]:
        """For meson setup."""
        return [f"-Dslurm_release={self.directory}", UNPROVEN]


def listed() -> list[list[str]]:
    """Rows of version, kind and place, as slurm-build/prepare --list has them."""
    done = subprocess.run([built_for.PREPARE, "--list"], stdout=subprocess.PIPE, text=True, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def own_version() -> str:
    """Of the Slurm that `build` is for, or will be for when it is set up; empty: there is none."""
    build = ROOT / "build"
    if not built_for.is_set_up(build):
        return next((version for version, kind, _ in listed() if kind == "prepared"), "")
    try:
        return built_for.of_build(build).version
    except built_for.Unknown as unknown:
        sys.exit(f"testsuite/run: {unknown}")


def found() -> list[Release]:
    """Each version once, what is prepared before others, in the order of their numbers."""
    releases: dict[str, Release] = {}
    for version, kind, place in listed():
        if kind != "installed":
            releases.setdefault(version, Release(version, place if kind == "release" else ""))
    return [releases[v] for v in sorted(releases, key=lambda v: [int(n) for n in re.findall(r"\d+", v)])]


def in_turn(releases: Sequence[Release], day: datetime.date) -> Release | None:
    """Another one each day of the year."""
    return releases[day.timetuple().tm_yday % len(releases)] if releases else None


def chosen(words: str) -> list[Release]:
    """Those of a comma list of versions, or all but the one that `build` is for."""
    releases = found()
    if words == "all":
        own = own_version()
        return [release for release in releases if release.version != own]
    by_version = {release.version: release for release in releases}
    if unknown := [word for word in words.split(",") if word not in by_version]:
        sys.exit(
            f"testsuite/run: no Slurm {unknown[0]}; slurm-build/prepare --list knows: {' '.join(by_version)}"
        )
    return [by_version[word] for word in words.split(",")]
