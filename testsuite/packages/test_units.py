#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What packages do with their systemd units, from installation to purge, in a root of its own; and that what their
documents link to is there."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import made
from test_life import altered

TIMER = "maui-metrics.timer"
UNITS = "usr/lib/systemd/system"
LINK = "etc/systemd/system/timers.target.wants/" + TIMER


class Root:
    """An empty root with dpkg's files, whose maintainer scripts run outside of it with DPKG_ROOT: no daemon is reached."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="maui-root-"))
        for name in ("info", "updates", "triggers"):
            (self.path / "var/lib/dpkg" / name).mkdir(parents=True)
        (self.path / "var/lib/dpkg/status").touch()

    def dpkg(self, *words: str | Path) -> None:
        options = [f"--root={self.path}", f"--log={self.path}/dpkg.log", "--force-depends", "--force-script-chrootless"]
        done = subprocess.run(["dpkg", *options, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        assert done.returncode == 0, done.stdout

    def systemctl(self, *words: str) -> str:
        done = subprocess.run(["systemctl", f"--root={self.path}", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.stdout.strip()

    def links(self) -> list[str]:
        """Of systemd: names without the root, whether they lead somewhere or not."""
        return sorted(str(path.relative_to(self.path)) for path in (self.path / "etc").rglob("*") if path.is_symlink())

    def state(self) -> list[str]:
        """What deb-systemd-helper remembers."""
        return sorted(path.name for path in (self.path / "var/lib/systemd").rglob("*") if path.is_file())


class Debs(unittest.TestCase):
    def setUp(self) -> None:
        made.directory()
        self.root = Root()
        self.addCleanup(shutil.rmtree, self.root.path)
        self.deb = made.deb(made.COMMAND)

    def scripts(self) -> dict[str, str]:
        with tempfile.TemporaryDirectory() as top:
            subprocess.run(["dpkg-deb", "-e", self.deb, top], check=True)
            return {path.name: path.read_text() for path in Path(top).iterdir() if path.name in ("postinst", "prerm", "postrm")}

    def later(self, directory: str) -> Path:
        version = made.output_of("dpkg-deb", "-f", self.deb, "Version").strip()
        later = version.replace("-1+", "-2+")
        return altered(self.deb, Path(directory), later, (version, later))

    def test_installation_enables_nothing(self) -> None:
        self.root.dpkg("-i", self.deb)
        self.assertTrue((self.root.path / UNITS / TIMER).is_file())
        self.assertEqual(self.root.links(), [])
        self.assertEqual(self.root.systemctl("is-enabled", TIMER), "disabled")

    def test_what_is_enabled_stays_so_in_an_upgrade_and_is_gone_after_a_purge(self) -> None:
        self.root.dpkg("-i", self.deb)
        self.root.systemctl("enable", TIMER)
        self.assertEqual(self.root.links(), [LINK])
        with tempfile.TemporaryDirectory() as directory:
            self.root.dpkg("-i", self.later(directory))
        self.assertEqual(self.root.systemctl("is-enabled", TIMER), "enabled")
        self.assertEqual(self.root.links(), [LINK])
        self.root.dpkg("-r", made.COMMAND)
        self.assertFalse((self.root.path / UNITS / TIMER).exists())
        self.root.dpkg("-P", made.COMMAND)
        self.assertEqual((self.root.links(), self.root.state()), ([], []))

    def test_what_is_disabled_stays_so_in_an_upgrade(self) -> None:
        self.root.dpkg("-i", self.deb)
        with tempfile.TemporaryDirectory() as directory:
            self.root.dpkg("-i", self.later(directory))
        self.assertEqual(self.root.systemctl("is-enabled", TIMER), "disabled")
        self.root.dpkg("-P", made.COMMAND)
        self.assertEqual((self.root.links(), self.root.state()), ([], []))

    def test_removal_stops_the_timer(self) -> None:
        """dpkg cannot show it without a systemd: what the script calls where there is one."""
        prerm = self.scripts()["prerm"]
        self.assertRegex(prerm, rf'(?s)"\$1" = remove.*deb-systemd-invoke stop .*{TIMER}')

    def test_units_are_right(self) -> None:
        self.root.dpkg("-i", self.deb)
        for kind, directory in (("timer", UNITS), ("service", UNITS)):
            text = (self.root.path / directory / f"maui-metrics.{kind}").read_text()
            self.assertIn("ConditionPathIsDirectory=/var/lib/prometheus/node-exporter\n", text)
        done = subprocess.run(
            ["systemd-analyze", f"--root={self.root.path}", "verify", TIMER], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        self.assertNotRegex(done.stdout, r"maui-metrics.*(Unknown|Failed to parse|ignoring)")

    def test_links_of_documents_lead_somewhere(self) -> None:
        self.root.dpkg("-i", self.deb)
        there = self.root.path / "usr/share/doc/maui-slurm"
        documents = sorted(there.glob("*.md"))
        self.assertGreater(len(documents), 15)
        broken = []
        for document in documents:
            for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text()):
                path = self.root.path / target[1:] if target.startswith("/usr/") else there / target
                if not path.exists() and not target.startswith("/usr/share/common-licenses/"):
                    broken.append(f"{document.name}: {target}")
        self.assertEqual(broken, [])
