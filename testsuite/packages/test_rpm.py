#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The RPMs, as Debian's rpmbuild makes them of the spec: what is in them beside the .debs, what they require, what rpmlint
says, and that they come out the same again. That they install and run is for a host with EL to show."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Callable
from functools import cache
from pathlib import Path

import made

PLUGINS = "slurm-maui-plugins"
PLUGIN_DIR = "/usr/lib64/slurm"
PAIRS = {made.COMMAND: made.COMMAND, made.COMMON: made.COMMON, made.PLUGINS: PLUGINS}
# KiB at most: a third more than 914, 443 and 13 of November 2026, by Debian's rpmbuild, which packs with gzip where EL's
# packs with zstd. test_files.py has the reason.
SIZES = {made.COMMAND: 1220, PLUGINS: 590, made.COMMON: 20}
TIMER = "maui-metrics.timer"
LINK = f"etc/systemd/system/timers.target.wants/{TIMER}"
# What only one of the two kinds has, or has elsewhere.
DEBIAN_S_OWN = re.compile(r"/usr/share/(lintian/|doc/[^/]+/(changelog.*|copyright)$)")
RPM_S_OWN = re.compile(r"/usr/lib/\.build-id(/|$)|/usr/share/licenses/")


@cache
def directory() -> Path:
    """MAUI_RPMS has those of an earlier run."""
    if given := os.environ.get("MAUI_RPMS"):
        return Path(given)
    output = Path(tempfile.mkdtemp(prefix="maui-rpms-"))
    made.make(output, made.ROOT, "--rpm")
    return output


def rpm(package: str) -> Path:
    found = sorted(directory().glob(f"{package}-[0-9]*.rpm"))
    assert len(found) == 1, f"{package}: {found}"
    return found[0]


def ask(package: str, *what: str) -> list[str]:
    return made.output_of("rpm", "-qp", *what, rpm(package)).splitlines()


def files(package: str) -> set[str]:
    """Files and links, and directories that are empty."""
    names = set(ask(package, "-l"))
    return {name for name in names if not any(other.startswith(f"{name}/") for other in names)}


def scriptlets(top: Path, scripts: dict[str, str]) -> tuple[Callable[[str, int], None], Callable[[], list[str]]]:
    """Runs one as RPM does, with how many packages there will be, beside a systemctl that works on a root; and that root's links."""
    units = top / "usr/lib/systemd/system"
    units.mkdir(parents=True)
    (units / TIMER).write_text("[Timer]\nOnBootSec=1min\n[Install]\nWantedBy=timers.target\n")
    presets = top / "usr/lib/systemd/system-preset"
    presets.mkdir()
    (presets / "99-default-disable.preset").write_text("disable *\n")
    real, programs = shutil.which("systemctl"), top / "programs"
    programs.mkdir()
    fake = programs / "systemctl"
    fake.write_text(f'#!/bin/sh\nfor word; do shift; [ "$word" = --now ] || set -- "$@" "$word"; done\nexec {real} --root={top} "$@"\n')
    fake.chmod(0o755)

    def run(name: str, count: int) -> None:
        environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
        subprocess.run(["sh", "-e", "-c", scripts[name], name, str(count)], env=environment, check=True)

    def links() -> list[str]:
        return sorted(str(path.relative_to(top)) for path in (top / "etc").rglob("*") if path.is_symlink())

    return run, links


class Rpms(unittest.TestCase):
    slurm: str
    deb_plugin_dir: str

    @classmethod
    def setUpClass(cls) -> None:
        prepare = made.ROOT / "slurm-build" / "prepare"
        cls.slurm = made.output_of(prepare, "--query", "version").strip()
        cls.deb_plugin_dir = made.output_of(prepare, "--query", "plugindir").strip()

    def as_rpm_has_it(self, name: str) -> str:
        return name.replace(self.deb_plugin_dir, PLUGIN_DIR)

    def test_the_files_are_those_of_the_debs(self) -> None:
        for deb, package in PAIRS.items():
            debs = {self.as_rpm_has_it(name) for name in made.files(deb) if not DEBIAN_S_OWN.match(name)}
            debs -= {name for name in debs if name.startswith("/usr/share/doc/") and deb != made.COMMAND}
            rpms = {name for name in files(package) if not RPM_S_OWN.match(name)}
            self.assertEqual(rpms - debs, set(), f"{package} alone")
            self.assertEqual(debs - rpms, set(), f"{deb} alone")

    def test_bound_to_one_slurm(self) -> None:
        requires = {package: ask(package, "--requires") for package in PAIRS.values()}
        version = ask(PLUGINS, "--queryformat", "%{VERSION}-%{RELEASE}\n")[0]
        self.assertIn(f"slurm-slurmctld(x86-64) = {self.slurm}", requires[PLUGINS])
        self.assertIn(f"maui-slurm-common(x86-64) = {version}", requires[PLUGINS])
        for package in (made.COMMAND, made.COMMON):
            self.assertFalse([line for line in requires[package] if "slurmctld" in line], package)
        self.assertFalse([line for lines in requires.values() for line in lines if "libslurm_maui" in line], "the engine is private")
        self.assertFalse([line for line in ask(PLUGINS, "--provides") if ".so" in line], "plugins are for slurmctld alone")

    def test_version(self) -> None:
        changelog = (made.ROOT / "slurm-build/debian/changelog").read_text()
        match = re.match(r"maui-slurm \((.*)-(\d+)\)", changelog)
        assert match
        for package in PAIRS.values():
            found = ask(package, "--queryformat", "%{VERSION} %{RELEASE}\n")[0]
            self.assertRegex(found, rf"^{re.escape(match[1])} {match[2]}\.slurm{re.escape(self.slurm)}(\.el\d+)?$")

    def test_descriptions_and_scripts_are_filled_in(self) -> None:
        for package in PAIRS.values():
            self.assertEqual([line for line in ask(package, "-i", "--scripts", "--changelog") if re.search(r"@[A-Z_]+[@:]", line)], [])
        words = "\n".join(ask(PLUGINS, "-i"))
        self.assertIn(f"Summary     : Maui's policies in Slurm: plugins for slurmctld {self.slurm}", words)
        self.assertIn("Nothing happens before slurm.conf names them.", words)

    def test_scripts_say_what_is_next(self) -> None:
        """What RPM calls them with: how many there will be."""
        with tempfile.TemporaryDirectory() as top:
            conf = Path(top) / "slurm.conf"
            conf.write_text("PriorityType=priority/maui\n")
            after, before = (
                ask(PLUGINS, "--queryformat", f"%{{{name}}}\n") for name in ("POSTIN", "PREUN")
            )
            for script, count, expected in (
                (after, "1", "PriorityParameters=maui_mode=shadow"), (after, "2", ""),
                (before, "0", "1:PriorityType=priority/maui"), (before, "1", ""),
            ):  # fmt: skip
                done = subprocess.run(
                    ["sh", "-c", "\n".join(script), "script", count],
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True, env=os.environ | {"SLURM_CONF": str(conf)},
                )  # fmt: skip
                # On a machine where a slurmctld runs with the plugins it has more to say.
                self.assertTrue(expected in done.stdout or "has loaded" in done.stdout, done.stdout)
                self.assertTrue(expected or "names the plugins" not in done.stdout, done.stdout)

    def test_the_timer_stays_as_the_site_sets_it_and_ends_with_the_package(self) -> None:
        scripts = {name: "\n".join(ask(made.COMMAND, "--queryformat", f"%{{{name}}}\n")) for name in ("POSTIN", "PREUN", "POSTUN")}
        with tempfile.TemporaryDirectory() as top:
            run, links = scriptlets(Path(top), scripts)
            run("POSTIN", 1)
            self.assertEqual(links(), [], "EL's preset leaves it off")
            subprocess.run(["systemctl", f"--root={top}", "enable", TIMER], stderr=subprocess.DEVNULL, check=True)
            self.assertEqual(links(), [LINK])
            for script, count in (("POSTIN", 2), ("PREUN", 1), ("POSTUN", 1)):
                run(script, count)
                self.assertEqual(links(), [LINK], f"an upgrade's {script}")
            run("PREUN", 0)
            self.assertEqual(links(), [])
            run("POSTUN", 0)

    def test_the_units_have_the_directory_of_epel(self) -> None:
        with tempfile.TemporaryDirectory() as top:
            content = subprocess.run(["rpm2cpio", rpm(made.COMMAND)], stdout=subprocess.PIPE, check=True).stdout
            subprocess.run(["cpio", "-idm", "--quiet"], input=content, cwd=top, check=True)
            for kind in ("timer", "service"):
                text = (Path(top) / f"usr/lib/systemd/system/maui-metrics.{kind}").read_text()
                self.assertIn("\nConditionPathIsDirectory=/var/lib/node_exporter/textfile_collector\n", text)

    def test_each_program_has_its_page(self) -> None:
        found = files(made.COMMAND)
        programs = {name.removeprefix("/usr/bin/") for name in found if name.startswith("/usr/bin/")}
        self.assertGreater(len(programs), 20)
        self.assertEqual({name for name in programs if f"/usr/share/man/man1/{name}.1.gz" not in found}, set())

    def test_rpmlint(self) -> None:
        names = sorted([*directory().glob("*.rpm"), *directory().glob("*.spec")])
        done = subprocess.run(
            ["rpmlint", "-c", made.ROOT / "slurm-build/rpm/rpmlint.toml", *names],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        self.assertRegex(done.stdout, r" 3 packages and 1 specfiles checked; 0 errors, 0 warnings,")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_programs_are_stripped_and_do_not_name_where_they_were_built(self) -> None:
        with tempfile.TemporaryDirectory() as top:
            for package in (made.COMMAND, PLUGINS):
                content = subprocess.run(["rpm2cpio", rpm(package)], stdout=subprocess.PIPE, check=True).stdout
                subprocess.run(["cpio", "-idm", "--quiet"], input=content, cwd=top, check=True)
            programs = [path for path in Path(top).rglob("*") if path.is_file() and not path.is_symlink()]
            programs = [path for path in programs if path.read_bytes().startswith(b"\x7fELF")]
            self.assertEqual(len(programs), 6)  # the command, the engine, four plugins
            for path in programs:
                self.assertFalse(re.findall(rb"/tmp/[ -~]*", path.read_bytes()), path)
                self.assertEqual(made.sections_to_strip(path), [], path)

    def test_sizes(self) -> None:
        for package, most in SIZES.items():
            size = rpm(package).stat().st_size // 1024
            print(f"{package}: {size} KiB, installed {int(ask(package, '--queryformat', '%{SIZE}')[0]) // 1024} KiB")
            self.assertLessEqual(size, most, package)

    def test_the_same_bits_again(self) -> None:
        """From a clone at another place, without git."""
        with tempfile.TemporaryDirectory(prefix="maui-clone-") as top:
            clone, again = Path(top) / "elsewhere", Path(top) / "output"
            made.clone_to(clone)
            made.make(again, clone, "--rpm")
            for one in sorted(directory().glob("*.rpm")):
                self.assertEqual(*(hashlib.sha256(path.read_bytes()).hexdigest() for path in (one, again / one.name)), one.name)
