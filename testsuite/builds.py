#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A build stays for the Slurm that it was set up for, whatever is prepared later.

    builds.py BUILD      the build directory with whose Slurm's headers
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

import built_for
from prepare import InTemporary, make_release
from private_cluster import lifecycle
from private_cluster.problem import Problem


class Builds(InTemporary):
    """Build directories for two Slurms, set up by the real meson.build in a copy of this tree."""

    def setUp(self) -> None:
        super().setUp()
        self.tree = self.top / "tree"
        for folder in ("common", "plugins", "contribs", "slurm-build"):
            ignored = shutil.ignore_patterns("tree", "__pycache__")
            shutil.copytree(built_for.ROOT / folder, self.tree / folder, symlinks=True, ignore=ignored)
        for file in ("meson.build", "meson_options.txt"):
            shutil.copy2(built_for.ROOT / file, self.tree)
        series, _, micro = self.version.rpartition(".")
        self.versions = {"one": self.version, "two": f"{series}.{int(micro.split('-')[0]) + 1}"}
        for name, version in self.versions.items():
            make_release(self.top / name, version)

    def prepare(self, name: str) -> None:
        command = [self.tree / "slurm-build" / "prepare", "--release", self.top / name]
        subprocess.run(command, stderr=subprocess.DEVNULL, check=True)

    def meson(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["meson", *arguments], cwd=self.tree, capture_output=True, text=True, check=False
        )

    def ninja(self, build: str, *arguments: str) -> list[str]:
        command = ["ninja", "-C", build, *arguments]
        done = subprocess.run(command, cwd=self.tree, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout.splitlines()

    def set_up(self, build: str, *options: str) -> None:
        done = self.meson("setup", *options, "-Dtests=false", "-Dslurm_unproven=true", build)
        self.assertEqual(done.returncode, 0, done.stdout)

    def assert_for(self, build: str, name: str) -> None:
        """What a cluster takes from the build, where the plugins go, and whose headers they see."""
        release = self.top / name
        with mock.patch.dict(os.environ, MAUI_BUILD=str(self.tree / build)):
            slurm = lifecycle.Plugins.locate(None).slurm
            self.assertEqual(lifecycle.Plugins.locate(str(release)).slurm, slurm)
            other = self.top / next(one for one in self.versions if one != name)
            with self.assertRaisesRegex(Problem, f"is for Slurm {self.versions[name]} in '{release}'"):
                lifecycle.Plugins.locate(str(other))
        self.assertEqual((slurm.version, slurm.prefix), (self.versions[name], release))
        installed = json.loads(self.meson("introspect", "--installed", build).stdout)
        self.assertIn(str(release / "lib" / "slurm" / "priority_maui.so"), installed.values())
        self.ninja(build, "plugins/priority/priority_maui.so.p/priority_maui.c.o")
        seen = [line.strip() for line in self.ninja(build, "-t", "deps") if line.endswith("/slurmctld.h")]
        self.assertEqual({Path(file).resolve() for file in seen}, {release / "src/src/slurmctld/slurmctld.h"})

    def test_a_build_stays_what_it_was_set_up_for(self) -> None:
        self.prepare("one")
        self.set_up("default")
        self.prepare("two")
        self.set_up("later")
        self.set_up("default", "--reconfigure")
        self.assert_for("default", "one")
        self.prepare("one")
        self.assert_for("later", "two")
        self.prepare("two")
        self.set_up("default", "--wipe")
        self.assert_for("default", "two")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
