#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is in the packages, what they depend on, what lintian says, and that they come out the same again."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import made

SELECT_OF_ITS_OWN = (25, 5)  # from this Slurm on ours has a name of its own
# KiB at most, of the .deb: a third more than 782, 443 and 13 of November 2026. A second copy of the program or of the
# documents would be beyond that, and debugging information, which adds 1600 to the command.
SIZES = {made.COMMAND: 1040, made.PLUGINS: 590, made.COMMON: 20}


def field(package: str, name: str) -> str:
    return made.output_of("dpkg-deb", "-f", made.deb(package), name).strip()


class Packages(unittest.TestCase):
    slurm: str

    @classmethod
    def setUpClass(cls) -> None:
        prepare = made.ROOT / "slurm-build" / "prepare"
        made.directory()
        cls.slurm = made.output_of(prepare, "--query", "version").strip()

    def test_version(self) -> None:
        version = re.search(r"version: '(.*)'", (made.ROOT / "meson.build").read_text())
        assert version
        ours = version[1].removesuffix(".0")
        changelog = (made.ROOT / "slurm-build/debian/changelog").read_text()
        news = (made.ROOT / "contribs/doc/NEWS.md").read_text()
        self.assertTrue(changelog.startswith(f"maui-slurm ({ours}-"), "the changelog's first entry")
        self.assertIn(f"\n## {version[1]}, ", news)
        for package in (made.COMMAND, made.PLUGINS, made.COMMON):
            self.assertRegex(field(package, "Version"), rf"^{re.escape(ours)}-\d+\+slurm{re.escape(self.slurm)}$")

    def test_bound_to_one_slurm(self) -> None:
        series, _, micro = self.slurm.rpartition(".")
        depends = field(made.PLUGINS, "Depends").split(", ")
        self.assertIn(f"slurmctld (>= {self.slurm})", depends)
        self.assertIn(f"slurmctld (<< {series}.{int(micro) + 1}~)", depends)
        for package in (made.COMMAND, made.COMMON):
            self.assertNotIn("slurmctld", field(package, "Depends"), package)
        self.assertRegex(field(made.COMMAND, "Depends"), r"libslurm\d+ \| slurm-smd")

    def test_plugins(self) -> None:
        top = self.plugin_dir()
        own_name = tuple(map(int, self.slurm.split(".")[:2])) >= SELECT_OF_ITS_OWN
        select = {"select_cons_tres_maui.so", "select_maui.so"} if own_name else {"maui/select_cons_tres.so"}
        wanted = {"libslurm_maui.so", "priority_maui.so", "job_submit_maui.so", "preempt_maui.so", *select}
        found = made.files(made.PLUGINS)
        self.assertEqual({name for name in found if name.endswith(".so")}, {f"{top}/{name}" for name in wanted})
        self.assertIn(f"{top}/libslurm_maui.layouts", found)
        for name in found:
            self.assertTrue(name.startswith(top) or "/share/doc/" in name or "/share/lintian/" in name, name)

    def test_the_slurmctld_of_the_build_is_known(self) -> None:
        """Its debugging information is not here; it was built from the source of the headers."""
        prepare = made.ROOT / "slurm-build" / "prepare"
        slurmctld = made.output_of(prepare, "--query", "slurmctld").strip()
        build_id = re.findall(r"Build ID: (\w+)", made.output_of("readelf", "-n", slurmctld))[0]
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run(["dpkg-deb", "-x", made.deb(made.PLUGINS), directory], check=True)
            head = (Path(directory) / self.plugin_dir()[1:] / "libslurm_maui.layouts").read_text().split("\nrecord ")[0]
        self.assertRegex(head, rf"\nslurm {re.escape(self.slurm)}\nslurmctld {build_id} (same-source|compared)$")

    def test_common_is_one_directory(self) -> None:
        found = {name for name in made.files(made.COMMON) if "/share/" not in name}
        self.assertEqual(found, {f"{self.plugin_dir()}/maui"})

    def test_command(self) -> None:
        found = made.files(made.COMMAND)
        for name in (
            "/usr/bin/maui",
            "/usr/bin/showq",
            "/usr/share/man/man1/showq.1.gz",
            "/usr/share/man/man5/maui.cfg.5.gz",
            "/usr/share/man/man8/maui-slurm.8.gz",
            "/usr/share/bash-completion/completions/maui",
            "/usr/share/zsh/site-functions/_maui",
            "/usr/share/maui-slurm/layouts",
            "/usr/share/doc/maui-slurm/install.md",
            "/usr/share/doc/maui-slurm/upgrade.md",
            "/usr/share/doc/maui-slurm/examples/maui.cfg",
        ):
            self.assertIn(name, found)
        self.assertFalse([name for name in found if name.endswith(".so")])

    def plugin_dir(self) -> str:
        prepare = made.ROOT / "slurm-build" / "prepare"
        return made.output_of(prepare, "--query", "plugindir").strip()

    def test_programs_are_stripped_and_do_not_name_where_they_were_built(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            for package in (made.COMMAND, made.PLUGINS):
                subprocess.run(["dpkg-deb", "-x", made.deb(package), directory], check=True)
            for path in Path(directory).rglob("*"):
                if path.is_file() and (content := path.read_bytes()).startswith(b"\x7fELF"):
                    self.assertFalse(re.findall(rb"/tmp/[ -~]*", content), path)
                    self.assertEqual(made.sections_to_strip(path), [], path)

    def test_sizes(self) -> None:
        for package, most in SIZES.items():
            size = made.deb(package).stat().st_size // 1024
            print(f"{package}: {size} KiB, installed {field(package, 'Installed-Size')} KiB")
            self.assertLessEqual(size, most, package)

    def test_lintian(self) -> None:
        changes = next(made.directory().glob("*.changes"))
        done = subprocess.run(
            ["lintian", "--fail-on", "error,warning", "--allow-root", changes],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_the_same_bits_again(self) -> None:
        """From a clone at another place, without git."""
        with tempfile.TemporaryDirectory(prefix="maui-clone-") as directory:
            clone = Path(directory) / "elsewhere"
            made.clone_to(clone)
            again = Path(directory) / "output"
            made.make(again, clone)
            for one in sorted(made.directory().glob("*.deb")):
                self.assertEqual(*(hashlib.sha256(path.read_bytes()).hexdigest() for path in (one, again / one.name)), one.name)
