# SPDX-License-Identifier: GPL-2.0-or-later
"""Each policy once, in a minute or two: what is tried with every release of Slurm.

One cluster, and a story: what a test leaves, the next one finds.
"""

from __future__ import annotations

import json
import re
import unittest
from typing import Any

from harness import Cluster, check_sums
from reservation_model import FAST, SLURM_CONF, show_reservations, wait_for_instances

USERS = ("daemon", "bin", "games")
CONF = SLURM_CONF.replace("bf_continue", "bf_continue,bf_min_prio_reserve=2")
OWN = "SRCFG[own] PERIOD=INFINITY HOSTLIST=n4 USERLIST=daemon\n"
POLICY = FAST.replace("FIRSTAVAILABLE", "LASTAVAILABLE") + """\
ADMIN1 root
QUEUETIMEWEIGHT 0
CREDWEIGHT 1
USERWEIGHT 1
USERCFG[daemon] PRIORITY=500
USERCFG[bin] PRIORITY=300 FSTARGET=50
USERCFG[games] PRIORITY=100 MAXJOB=1
FSPOLICY DEDICATEDPS
FSINTERVAL 1:00:00
FSDEPTH 2
FSWEIGHT 1
FSUSERWEIGHT 10
"""


class Smoke(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=4, cpus=2, maui_cfg=POLICY + OWN, slurm_conf=CONF)
        )
        wait_for_instances(cls.cluster, {"own.inf": "n4"})

    def submit(self, *options: str, user: str) -> int:
        return self.cluster.sbatch("-t60", *options, user=user)

    def reason(self, job: int) -> str:
        return self.cluster.squeue(f"--jobs={job}")[0]["reason"]

    def show(self, *command: str) -> Any:
        return self.cluster.maui(*command, "--json")

    def test_1_priorities(self) -> None:
        """In squeue as in sprio, by user, from the moment of submission."""
        for user, priority in (("daemon", "500"), ("bin", "300"), ("games", "100")):
            job = self.submit("--begin=now+1hour", user=user)
            self.assertEqual(self.cluster.job(job)["Priority"], priority)
        self.cluster.wait_for_iterations(2)
        self.assertEqual(check_sums(self, self.cluster), 3)
        self.cluster.cancel_all()

    def test_2_a_node_policy(self) -> None:
        """LASTAVAILABLE, and what is reserved for somebody else is not available."""
        job = self.submit("-N1", user="games")
        self.cluster.wait_for_state(job, "RUNNING")
        self.assertEqual(self.cluster.job(job)["NodeList"], "n3")

    def test_3_a_limit(self) -> None:
        """The job of the test before holds MAXJOB; it starts when that one is gone."""
        first = int(self.cluster.squeue("--states=RUNNING")[0]["id"])
        second = self.submit("-N1", user="games")
        self.cluster.wait_for(lambda: "MAXJOB" in str(self.show("why", str(second))), "maui why")
        self.cluster.wait_for(lambda: "MAXJOB" in self.reason(second), "Slurm's own words")
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.cluster.job(second)["JobState"], "PENDING")
        self.cluster.scancel(first)
        self.cluster.wait_for_state(second, "RUNNING")

    def test_4_a_reservation(self) -> None:
        """Insiders get in, outsiders do not, and are told why."""
        outsider = self.submit("-wn4", user="bin")
        insider = self.submit("-wn4", user="daemon")
        self.cluster.wait_for_state(insider, "RUNNING")
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.cluster.job(outsider)["JobState"], "PENDING")
        self.assertIn("own", json.dumps(self.show("why", str(outsider))))
        name = self.show("setres", "n1")["name"]
        self.assertIn(name, show_reservations(self.cluster))
        late = self.submit("-wn1", user="bin")
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.cluster.job(late)["JobState"], "PENDING")
        self.cluster.run(["maui", "releaseres", name])
        self.cluster.wait_for_state(late, "RUNNING")

    def test_5_fairshare(self) -> None:
        """Usage is counted, by user, and becomes a part of the priority."""
        def shares() -> dict[str, float]:
            text = self.cluster.run(["maui", "diagnose", "-f"]).stdout
            return {user: float(share) for user, share
                    in re.findall(r"^(\w+)\*? +([\d.]+)", text, re.MULTILINE) if user in USERS}

        self.cluster.wait_for(
            lambda: set(found := shares()) == set(USERS) and all(found.values()), "usage of all"
        )
        job = self.submit("--begin=now+1hour", user="bin")
        self.cluster.wait_for(
            lambda: self.cluster.job(job)["Priority"] not in ("300", "1"), "fairshare's part"
        )
        self.cluster.wait_for_iterations(2)
        self.assertGreater(check_sums(self, self.cluster), 0)

    def test_6_reconfigure(self) -> None:
        """A running job stays where it is, a bad file changes nothing, a good one is in force."""
        before = self.running()
        self.cluster.install("USERWEIGHT 1e999\n", refused=True)
        wait_for_instances(self.cluster, {"own.inf": "n4"})
        self.cluster.install(POLICY.replace("PRIORITY=500", "PRIORITY=600") + OWN)
        job = self.submit("--begin=now+1hour", user="daemon")
        self.assertEqual(self.cluster.job(job)["Priority"], "600")
        self.assertEqual(self.running(), before)

    def running(self) -> set[str]:
        return {row["id"] for row in self.cluster.squeue("--states=RUNNING")}

    def test_7_kill(self) -> None:
        """kill -9: priorities, reservations, usage and who is out stay as they were."""
        before = self.running()
        waiting = {row["id"]: row["priority"] for row in self.cluster.squeue("--states=PENDING")
                   if row["user"] in ("daemon", "games")}
        # A reconfigure that failed was a restart: Slurm reserves nothing on a node that has not registered.
        self.cluster.wait_for(lambda: not self.cluster.nodes_silent(), "all nodes to answer")
        # Cores of a node, and a whole one behind it in Slurm's file.
        kept = [self.show("setres", "-r", "PROCS=1", "TASKS==1")["name"], self.show("setres", "n1")["name"]]
        self.cluster.wait_for(
            lambda: all(name.encode() in self.cluster.saved("resv_state") for name in kept), "Slurm's file"
        )
        self.cluster.wait_until_saved(int(next(iter(before))))
        self.cluster.restart(kill=True)
        self.cluster.wait_for_iterations(2)
        self.assertEqual(set(show_reservations(self.cluster)), {"own.inf", *kept})
        self.assertNotIn("Incomplete reservation state", self.cluster.log_text())
        for name in kept:
            self.cluster.run(["maui", "releaseres", name])
        self.assertEqual(self.running(), before)
        after = {row["id"]: row["priority"] for row in self.cluster.squeue("--states=PENDING")}
        self.assertEqual({job: after[job] for job in waiting}, waiting)
        outsider = self.submit("-wn4", "-n1", user="bin")
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.cluster.job(outsider)["JobState"], "PENDING")

    def test_8_disable(self) -> None:
        """Nothing of ours is left, and every job may start."""
        self.cluster.run(["maui", "disable"])
        self.assertEqual(show_reservations(self.cluster), {})
        for row in self.cluster.squeue("--states=PENDING"):
            self.assertNotRegex(row["reason"], "MAX|maui")
        complaints = re.findall(r"error: maui: (?!.*maui.cfg).*", self.cluster.log_text())
        self.assertEqual(complaints, [])
