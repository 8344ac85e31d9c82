#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""slurm-build/prepare --release, on a release that is made of the headers it lists for this build.

    prepare.py [--release DIR]      which Slurm's headers, as prepare takes it
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PREPARE = Path(__file__).resolve().parents[1] / "slurm-build" / "prepare"
OF_BUILD = sys.argv[1:]


def prepare(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PREPARE, *arguments], capture_output=True, text=True, check=False, env=os.environ | variables
    )


def answer(*arguments: str | Path) -> str:
    done = prepare(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class Release(unittest.TestCase):
    """A release with the headers that are listed, and no others."""

    def setUp(self) -> None:
        self.top = Path(tempfile.mkdtemp(prefix="maui-prepare-")).resolve()
        self.addCleanup(shutil.rmtree, self.top)
        self.release = self.top / "release"
        self.headers = answer(*OF_BUILD, "--query", "headers").splitlines()
        self.version = answer(*OF_BUILD, "--query", "version")
        places = [Path(answer(*OF_BUILD, "--query", key)) for key in ("obj", "src")]
        for name in self.headers:
            target = self.release / "src" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(next(place / name for place in places if (place / name).exists()), target)
        (self.release / "src" / "META").write_text(f"  Version:\t{self.version}\n")
        self.slurmctld = self.release / "sbin" / "slurmctld"
        self.slurmctld.parent.mkdir()
        self.slurmctld.write_text(f"#!/bin/sh\necho slurm {self.version}\n")
        self.slurmctld.chmod(0o755)
        (self.release / "lib" / "slurm").mkdir(parents=True)
        (self.release / "lib" / "slurm" / "priority_multifactor.so").touch()

    def ask(self, key: str) -> subprocess.CompletedProcess[str]:
        return prepare("--release", self.release, "--query", key)

    def refused(self, *words: str, key: str = "version") -> None:
        done = self.ask(key)
        self.assertEqual(done.returncode, 1, done)
        self.assertEqual(done.stdout, "")
        for word in words:
            self.assertIn(word, done.stderr)

    def test_its_answers(self) -> None:
        wanted = {
            "version": self.version,
            "src": str(self.release / "src"),
            "obj": str(self.release / "src"),
            "plugindir": str(self.release / "lib" / "slurm"),
            "slurmctld": str(self.slurmctld),
            "same-source": "yes",
        }
        for key, value in wanted.items():
            self.assertEqual(self.ask(key).stdout.strip(), value, key)
        several = self.ask(",".join(wanted)).stdout.splitlines()
        self.assertEqual(several, list(wanted.values()))

    def test_a_source_that_only_has_the_version(self) -> None:
        """Configured by whoever built slurmctld, or by us: maui doctor trusts the first alone."""
        tree = self.top / "slurm-build" / "tree"
        for place in ("src", "obj"):
            (tree / place).mkdir(parents=True)
        (tree / "src" / "META").touch()
        (tree / "obj" / "config.h").touch()
        script = shutil.copy2(PREPARE, self.top / "slurm-build")
        state = self.slurmctld.stat()
        for package, expected in (
            ("slurm-wlm 22.05.8-4", "yes"),
            ("release /opt/slurm/22.05.8", "yes"),
            ("configured source /src/slurm", "yes"),
            ("source /src/slurm", "no"),
        ):
            (tree / "stamp").write_text(
                f"format=1\nversion={self.version}\nslurmctld={self.slurmctld}\nplugindir=/p\n"
                f"fingerprint={state.st_size}-{int(state.st_mtime)}\npackage={package}\n"
            )
            done = subprocess.run([script, "--query", "same-source"], capture_output=True, text=True, check=False)
            self.assertEqual((done.stdout, done.stderr), (f"{expected}\n", ""), package)

    def test_the_list_of_headers_is_whole(self) -> None:
        done = self.ask("headers")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), self.headers)
        self.assertIn("src/slurmctld/slurmctld.h", self.headers)

    def test_a_missing_header_is_named(self) -> None:
        # One that Slurm's own headers include, and no file of ours.
        (self.release / "src" / "src" / "common" / "macros.h").unlink()
        self.refused("missing", "src/common/macros.h", key="headers")

    def test_headers_of_another_release(self) -> None:
        (self.release / "src" / "META").write_text("  Version:\t20.02.1\n")
        self.refused("20.02.1", self.version, "would refuse the plugins")

    def test_what_is_no_release(self) -> None:
        (self.release / "src" / "config.h").unlink()
        self.refused("no META or no config.h")
        self.slurmctld.unlink()
        self.refused(f"there is no '{self.slurmctld}'")
        shutil.rmtree(self.release)
        self.refused("there is no directory")

    def test_a_release_that_is_not_known(self) -> None:
        version_h = self.release / "src" / "slurm" / "slurm_version.h"
        text = version_h.read_text()
        number = text.partition("#define SLURM_VERSION_NUMBER ")[2].split()[0]
        version_h.write_text(text.replace(number, "0x140201"))
        self.refused("Slurm-Maui supports Slurm", key="headers")

    def test_it_is_listed(self) -> None:
        done = prepare("--list", MAUI_SLURM_RELEASES=str(self.top))
        self.assertIn(f"{self.version}\trelease\t{self.release}", done.stdout.splitlines())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
