#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's major releases under SchedMD's names of packages: 24.11, 25.05, 25.11, with our state in place, as
contribs/doc/upgrade.md has it, step by step. Nothing that waits, runs, was used or is reserved is lost.

MAUI_SMD_PACKAGES: a directory with ours of an earlier run, each release's in a directory of its version.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import made
import smd
from debian import Debian

CHAIN = ("24.11", "25.05", "25.11")
OURS = ("slurm-smd-maui-plugins", made.COMMAND, made.COMMON)
OWN_SELECT = "25.05"  # from here on the select plugin has a name of its own
MAUI_CFG = """\
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
CREDWEIGHT 1
USERWEIGHT 1
USERCFG[daemon] PRIORITY=700
USERCFG[bin] PRIORITY=300
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSDEPTH 3
FSWEIGHT 0
SRCFG[own] PERIOD=INFINITY HOSTLIST=fresh USERLIST=daemon
"""
LINES = "PriorityType=priority/maui\nJobSubmitPlugins=maui\nSchedulerParameters=bf_min_prio_reserve=2\nPriorityWeightAge=1\n"
BEFORE = f"PluginDir=/{smd.PLUGINS}/maui:/{smd.PLUGINS}\n"
SINCE = "SelectType=select/cons_tres_maui\n"
MULTIFACTOR = "PriorityType=priority/multifactor\n"


class Majors(unittest.TestCase):
    """One host's life: each test goes on where the one before has left it."""

    debian: Debian
    releases: dict[str, Path]
    waiting: dict[str, int] = {}

    @classmethod
    def setUpClass(cls) -> None:
        cls.releases = smd.releases()
        if missing := [series for series in CHAIN if series not in cls.releases]:
            made.leave_out(f"no release of Slurm {', '.join(missing)}: slurm-build/releases unpacks them")
        cls.scratch = Path(tempfile.mkdtemp(prefix="maui-smd-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        cls.packages = Path(os.environ.get("MAUI_SMD_PACKAGES") or cls.scratch)
        for series in CHAIN:
            version = cls.releases[series].name
            if not list((cls.packages / version).glob("*.deb")):
                made.make(cls.packages / version, made.ROOT, "--unproven", version)
        cls.debian = Debian()
        cls.addClassCleanup(cls.debian.remove)
        debian = cls.debian
        debian.ok("apt-get purge -y slurmctld slurmd slurm-client slurm-wlm-basic-plugins 'libslurm*'")
        debian.ok("id slurm || useradd --system slurm; mkdir -p /var/lib/slurm/slurmctld /var/log/slurm /etc/slurm; "
                  "chown -R slurm /var/lib/slurm /var/log/slurm")
        debian.write("/etc/slurm/cgroup.conf", "CgroupPlugin=disabled\n")
        debian.slurm_conf("")

    # ---- what apt has ----

    def offer(self, series: str) -> None:
        """apt has this release from now on."""
        repository = self.debian.root / "repository"
        shutil.rmtree(repository, ignore_errors=True)
        repository.mkdir()
        smd.make(self.releases[series], repository)
        index = subprocess.run(["dpkg-scanpackages", "."], cwd=repository, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        (repository / "Packages").write_bytes(index.stdout)
        shutil.rmtree(self.debian.root / "etc/apt/sources.list.d", ignore_errors=True)
        self.debian.write("/etc/apt/sources.list", "deb [trusted=yes] file:/repository ./\n")
        self.debian.ok("apt-get update")

    def ours(self, series: str) -> str:
        return self.debian.take(*(made.deb(name, self.packages / self.releases[series].name) for name in OURS))

    def install(self, series: str) -> str:
        """upgrade.md: both in one step."""
        return self.debian.ok(f"apt-get install -y {self.ours(series)} {' '.join(smd.NAMES)}")

    def installed(self) -> set[str]:
        rows = self.debian.ok("dpkg-query -W -f '${db:Status-Status} ${Package}\n'").splitlines()
        return {row.split()[1] for row in rows if row.startswith("installed ")}

    # ---- what there is ----

    def rows(self) -> str:
        return "".join(re.findall(r"(?m)^(?:warn|wrong) .*\n(?:       -> .*\n)?", self.debian.run("maui doctor").stdout))

    def priorities(self) -> dict[str, int]:
        jobs = self.debian.jobs()
        return {user: jobs[job][1] for user, job in self.waiting.items()}

    def used(self) -> float:
        users = json.loads(self.debian.ok("maui diagnose -f --json"))["credentials"]["user"]
        return next((float(row["usage"]) for row in users if row["name"] == "daemon"), 0.0)

    def reservations(self) -> set[str]:
        return set(re.findall(r"ReservationName=(\S+)", self.debian.ok("scontrol show reservation")))

    def has_maui_priorities(self) -> bool:
        return self.priorities() == {"daemon": 700, "bin": 300, "games": 2}

    def restart_slurmd(self) -> None:
        self.debian.ok("pkill -x slurmd || :")
        self.debian.wait("slurmd has ended", lambda: self.debian.run("pgrep -x slurmd").returncode != 0)

    def expect_all(self, series: str) -> None:
        """Nothing is lost, and it is this Slurm."""
        debian = self.debian
        self.assertIn(f" {self.releases[series].name}", debian.ok("slurmctld -V"))
        debian.wait("jobs have Maui's priorities", self.has_maui_priorities)
        debian.wait("reservations are there", lambda: self.reservations() == {"own.inf", "maint.0"})
        debian.wait("usage goes on", lambda: self.used() > self.before)
        type(self).before = self.used()
        self.assertEqual(debian.jobs()[self.running][0], "RUNNING")
        for job in self.waiting.values():
            self.assertEqual(debian.jobs()[job][0], "PENDING")
        self.assertEqual(self.rows(), "")
        self.assertFalse(list((debian.root / "var/lib/slurm/slurmctld/maui").glob("**/*.damaged")))

    # ---- the life ----

    def test_1_the_first_release(self) -> None:
        debian = self.debian
        self.offer(CHAIN[0])
        self.install(CHAIN[0])
        debian.write("/etc/slurm/maui.cfg", MAUI_CFG)
        debian.slurm_conf(LINES + BEFORE)
        debian.start()
        type(self).running = debian.submit("daemon", "-n4")
        debian.wait("a job runs", lambda: debian.jobs()[self.running][0] == "RUNNING")
        for user in ("games", "bin", "daemon"):
            self.waiting[user] = debian.submit(user, "-n4")
        debian.ok("maui setres -n maint -s +2:00:00:00 -d 1:00:00 fresh")
        type(self).before = 0.0
        self.expect_all(CHAIN[0])

    def test_2_apt_holds_slurm_back_or_takes_ours_away(self) -> None:
        debian = self.debian
        self.offer(CHAIN[1])
        said = {verb: debian.ok(f"apt-get -s {verb}") for verb in ("upgrade", "dist-upgrade")}
        self.assertRegex(said["upgrade"], r"kept back:\n(?:  .*\n)*?  .*\bslurm-smd-slurmctld\b")
        self.assertNotIn("Inst slurm-smd", said["upgrade"])
        held = "Inst slurm-smd-slurmctld" not in said["dist-upgrade"]
        self.assertTrue(held or f"Remv {OURS[0]}" in said["dist-upgrade"], said["dist-upgrade"])
        print(f"apt-get dist-upgrade: {'Slurm is kept back' if held else 'ours is removed'}")

    def test_3_both_in_one_step(self) -> None:
        debian = self.debian
        debian.stop()
        debian.ok("cp -a /var/lib/slurm/slurmctld /root/before")
        self.install(CHAIN[1])
        self.assertRegex(self.rows(), r"warn +SelectType: select/cons_tres")  # slurm.conf is that of 24.11
        debian.slurm_conf(LINES + SINCE)
        self.assertNotIn("wrong", self.rows())
        self.restart_slurmd()
        debian.start()
        self.expect_all(CHAIN[1])

    def test_4_ours_taken_away_and_brought_back(self) -> None:
        """apt-get install slurm-smd-slurmctld, and yes to everything."""
        debian = self.debian
        self.offer(CHAIN[2])
        debian.stop()
        output = debian.ok(f"apt-get install -y {' '.join(smd.NAMES)}")
        self.assertIn("WARNING", output)
        self.assertIn("PriorityType=priority/maui", output)
        self.assertNotIn(OURS[0], self.installed())
        self.assertNotEqual(debian.run("slurmctld -D").returncode, 0)
        self.assertRegex(debian.log()[-3000:], r"cannot create select context for select/cons_tres_maui\n.*fatal: failed to initialize node selection plugin")
        self.restart_slurmd()
        # Slurm's own lines meanwhile: nobody is lost, and Maui's files wait.
        debian.slurm_conf(MULTIFACTOR)
        debian.start()
        self.assertEqual(debian.jobs()[self.running][0], "RUNNING")
        self.assertEqual({debian.jobs()[job][0] for job in self.waiting.values()}, {"PENDING"})
        debian.stop()
        self.install(CHAIN[2])
        debian.slurm_conf(LINES + SINCE)
        debian.start()
        self.expect_all(CHAIN[2])
