#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""slurm-build/prepare, on releases that are made of the headers it lists for a build.

    pytest testsuite/prepare.py      with the headers of the Slurm that MAUI_BUILD, or ./build, is for
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import built_for
from private_cluster import lifecycle
from private_cluster.problem import Problem

PREPARE = built_for.PREPARE
BUILD = built_for.own_build()


def prepare(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PREPARE, *arguments], capture_output=True, text=True, check=False, env=os.environ | variables
    )


def answer(*arguments: str | Path) -> str:
    done = prepare(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def headers_of_build() -> list[str]:
    return answer("--build", BUILD, "--query", "headers").splitlines()


def make_release(release: Path, version: str) -> None:
    """With the headers that are listed, and no others."""
    of = built_for.of_build(BUILD)
    for name in headers_of_build():
        target = release / "src" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(next(place / name for place in (of.obj, of.src) if (place / name).exists()), target)
    number, _, candidate = version.partition("-")
    (release / "src" / "META").write_text(f"  Version:\t{number}\n  Release:\t{candidate or 1}\n")
    slurmctld = release / "sbin" / "slurmctld"
    slurmctld.parent.mkdir()
    slurmctld.write_text(f"#!/bin/sh\necho slurm {version}\n")
    slurmctld.chmod(0o755)
    (release / "lib" / "slurm").mkdir(parents=True)
    (release / "lib" / "slurm" / "priority_multifactor.so").touch()
    (release / "lib" / "libslurm.so").symlink_to(of.plugindir.parent / "libslurm.so")
    (release / "include").mkdir()
    (release / "include" / "slurm").symlink_to("../src/slurm")


class InTemporary(unittest.TestCase):
    def setUp(self) -> None:
        self.top = Path(tempfile.mkdtemp(prefix="maui-prepare-")).resolve()
        self.addCleanup(shutil.rmtree, self.top)
        self.version = built_for.of_build(BUILD).version


class Release(InTemporary):
    def setUp(self) -> None:
        super().setUp()
        self.release = self.top / "release"
        self.headers = headers_of_build()
        make_release(self.release, self.version)
        self.slurmctld = self.release / "sbin" / "slurmctld"

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
            "prefix": str(self.release),
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
        tree = self.top / "slurm-build" / "tree" / "prepared"
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
                f"format=2\nversion={self.version}\nslurmctld={self.slurmctld}\nplugindir=/p\n"
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

    def test_a_candidate_has_it_in_its_version(self) -> None:
        """As slurmctld says it: META has it in another line."""
        release = self.top / "candidate"
        make_release(release, f"{self.version}-0rc1")
        done = prepare("--release", release, "--query", "version")
        self.assertEqual((done.stdout, done.stderr), (f"{self.version}-0rc1\n", ""))

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


class Records(InTemporary):
    """What --set-up writes, without meson."""

    def setUp(self) -> None:
        super().setUp()
        self.build = self.top / "build"
        (self.build / "meson-private").mkdir(parents=True)
        for name in ("one", "two"):
            make_release(self.top / name, self.version)

    def set_up(self, name: str) -> subprocess.CompletedProcess[str]:
        return prepare("--release", self.top / name, "--set-up", self.build, "--query", "prefix")

    def test_another_release_is_another_slurm(self) -> None:
        for name in ("one", "one", "two"):
            done = self.set_up(name)
            self.assertEqual((done.stdout, done.stderr), (f"{self.top / name}\n", ""))
            self.assertEqual(built_for.of_build(self.build).prefix, self.top / name)

    def test_a_slurm_that_has_changed(self) -> None:
        self.set_up("one")
        # Of another size: it may be the same second.
        (self.top / "one" / "sbin" / "slurmctld").write_text("#!/bin/sh\n# changed\necho slurm 99.11.12\n")
        done = self.set_up("one")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        with mock.patch.dict(os.environ, MAUI_BUILD=str(self.build)):
            with self.assertRaises(Problem) as caught:
                lifecycle.Plugins.locate(None)
        for text in (done.stderr, str(caught.exception)):
            for word in ("has changed since the build", f"prepared for: {self.version}", "now: 99.11.12", "--wipe"):
                self.assertIn(word, text)

    def test_a_directory_that_is_no_build(self) -> None:
        done = prepare("--build", self.top, "--query", "version")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"'{self.top}' does not say for which Slurm it is", done.stderr)
        self.assertFalse(built_for.is_set_up(self.top))

    def test_what_does_not_go_together(self) -> None:
        for arguments in (
            ("--build", self.build),
            ("--build", self.build, "--release", self.top / "one", "--query", "version"),
            ("--set-up", self.build),
        ):
            done = prepare(*arguments)
            self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
            self.assertIn("go", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
