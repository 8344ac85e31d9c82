# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of ours that were built for another micro release of Slurm than the one that loads them: it or
we say so, with both versions, and so does doctor; slurmctld does not start, or closes reservations, and
never crashes; with the right file all is as before.
"""

from __future__ import annotations

import json
import re
import unittest
from pathlib import Path

from harness import Cluster, cluster_command
from plugin_files import of_another_release, replace
from reservation_model import FAST, OPEN, SLURM_CONF, show_reservations, wait_for_instances

POLICY = FAST + "SRCFG[own] PERIOD=INFINITY HOSTLIST=n2 USERLIST=daemon\n"
CONF = SLURM_CONF.replace("bf_continue", "bf_continue,bf_min_prio_reserve=2")
CONF += "PreemptType=preempt/maui\nPreemptMode=REQUEUE\n"
# file, doctor's name of it
PLUGINS = {
    "priority_maui.so": "priority/maui",
    "job_submit_maui.so": "job_submit/maui",
    "preempt_maui.so": "preempt/maui",
}
LIBRARY = "libslurm_maui.so"


class WrongRelease(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(Cluster(nodes=2, maui_cfg=POLICY, slurm_conf=CONF))
        wait_for_instances(cls.cluster, {"own.inf": "n2"})
        cls.inside = cls.cluster.sbatch("-wn2", "-t60", user="daemon")
        cls.cluster.wait_for_state(cls.inside, "RUNNING")
        cls.outside = cls.cluster.sbatch("-wn2", "-n1", "-t60", user="bin")
        cls.shadows = not cls.cluster.names_our_select()
        mine = [int(n) for n in cls.cluster.maui("status", "--json")["slurm_version"].split(".")]
        cls.mine, cls.other = (f"{mine[0]}.{mine[1]:02}.{mine[2] + more}" for more in (0, 1))

    def find(self, name: str) -> Path:
        """The file that Slurm takes."""
        conf = (self.cluster.dir / "etc" / "slurm.conf").read_text(encoding="utf-8")
        (directories,) = re.findall(r"(?m)^PluginDir=(.*)$", conf)
        return next(
            path for path in (Path(one, name) for one in directories.split(":")) if path.exists()
        )

    def with_wrong(self, name: str, symbol: str = "plugin_version") -> tuple[str, str]:
        """Start slurmctld with this file of another release, and have the right one back in the end.
        Returns what the start says, empty if slurmctld runs, and slurmctld's log."""
        path = self.find(name)
        right = path.read_bytes()
        self.cluster.wait_until_saved(self.inside)
        self.cluster.stop()
        position = self.cluster.log_position()
        replace(path, of_another_release(path, symbol))
        self.addCleanup(self.as_before)
        self.addCleanup(replace, path, right)
        self.addCleanup(self.cluster.stop)
        done = cluster_command("start", "--dir", self.cluster.dir, check=False)
        return done.stderr, self.cluster.log_text(position)

    def as_before(self) -> None:
        self.cluster.start()
        self.cluster.wait_for(
            lambda: [one["MaxStartDelay"] for one in show_reservations(self.cluster).values()]
            == [OPEN],
            "the reservation to be open",
        )
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.cluster.job(self.inside)["JobState"], "RUNNING")
        self.assertEqual(self.cluster.job(self.outside)["JobState"], "PENDING")
        done = self.cluster.run(["maui", "doctor"], check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def assert_ended(self, said: str) -> None:
        """By itself: a signal is a negative number."""
        self.assertIn("slurmctld ended with status 1", said)

    def assert_doctor_knows(self, check: str) -> None:
        done = self.cluster.run(["maui", "doctor", "--json"], check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        (row,) = [row for row in json.loads(done.stdout)["checks"] if row["state"] == "wrong"]
        self.assertEqual(row["check"], check)
        for version in (self.mine, self.other):
            self.assertIn(version, row["text"])
        self.assertIn("meson install", row["remedy"])

    def assert_slurm_says(self, name: str, log: str) -> None:
        self.assertRegex(log, rf"Incompatible Slurm plugin \S*/{name} version \({self.other}\)")

    def test_a_plugin(self) -> None:
        for name, check in PLUGINS.items():
            with self.subTest(name):
                said, log = self.with_wrong(name)
                self.assert_ended(said)
                self.assert_slurm_says(name, log)
                self.assert_doctor_knows(check)
            self.doCleanups()

    def test_the_library(self) -> None:
        """Slurm does not look at it."""
        said, log = self.with_wrong(LIBRARY, "maui_engine_slurm_version")
        self.assert_ended(said)
        words = f"built for Slurm {self.mine}, but {LIBRARY} for {self.other}: "
        said_so = re.findall(rf"error: (\S+?)(?: of Maui)?: {words}", log)
        # Of those that use it slurmctld 22.05 loads select first; later ones end at the first.
        if self.shadows:
            self.assertEqual(said_so[:1], ["select/cons_tres"])
        else:
            self.assertIn(said_so[:1], [["select/cons_tres_maui"], ["priority/maui"], ["job_submit/maui"]])
        self.assert_doctor_knows("libslurm_maui")

    def test_the_select_plugin(self) -> None:
        """Where it has the name of Slurm's own, that one is taken instead."""
        name = "select_cons_tres.so" if self.shadows else "select_cons_tres_maui.so"
        said, log = self.with_wrong(name)
        self.assert_slurm_says(name, log)
        self.assert_doctor_knows("select")
        if not self.shadows:
            self.assert_ended(said)
            return
        self.assertEqual(said, "")
        self.cluster.wait_for(
            lambda: [one.get("MaxStartDelay") for one in show_reservations(self.cluster).values()]
            != [OPEN],
            "the reservation to be closed",
        )
        self.assertFalse(self.cluster.maui("status", "--json")["select"])
        self.assertEqual(self.cluster.job(self.outside)["JobState"], "PENDING")
