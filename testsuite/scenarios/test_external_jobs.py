# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that something else runs (sbatch --external, as Slinky's slurm-bridge does for pods), and nodes of such jobs."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import built_for  # noqa: E402
from harness import Cluster  # noqa: E402

SLURM_CONF = "SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,bf_min_prio_reserve=2\n"
MAUI_CFG = """\
RMPOLLINTERVAL 1
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
USERCFG[daemon] MAXPROC=4
"""


class ExternalJobsTest(unittest.TestCase):
    cluster: Cluster
    slurm: built_for.Slurm

    @classmethod
    def setUpClass(cls) -> None:
        cls.slurm = built_for.of_build(built_for.own_build())
        if cls.slurm.series < (25, 5):
            raise unittest.SkipTest(f"--external is of Slurm 25.05, this is {cls.slurm.version}")

    def external(self, *options: str, user: str) -> int:
        done = self.cluster.run(["sbatch", "--parsable", "--external", "-t10", *options], user=user)
        return int(done.stdout)

    def test_policies_hold_for_them(self) -> None:
        self.cluster = self.enterContext(Cluster(nodes=2, maui_cfg=MAUI_CFG, slurm_conf=SLURM_CONF))
        first = self.external("-n3", user="daemon")
        self.cluster.wait_for_state(first, "RUNNING")
        second = self.external("-n2", user="daemon")
        script = self.cluster.sbatch("-n2", "-t10", user="daemon")
        for job in (second, script):
            self.cluster.wait_for(lambda job=job: "MAXPROC" in str(self.cluster.squeue(f"-j{job}")), "MAXPROC")
            told = self.cluster.maui("why", str(job), "--json")["summary"]
            self.assertIn("MAXPROC limit of 4 for user daemon (3 in use, 2 asked for)", told)
        page = self.cluster.run(["maui", "page"], user="daemon").stdout
        self.assertIn("2 waiting, 1 running", page)
        self.assertIn("MAXPROC limit of 4 for user daemon", page)
        self.cluster.scancel(first)
        self.cluster.wait_for_state(second, "RUNNING")
        self.cluster.wait_for_state(script, "RUNNING")

    def test_nodes_of_their_own(self) -> None:
        """In a partition of their own: Slurm's backfill plans jobs that are not external on them, too, and in
        vain, and so keeps external ones behind these waiting."""
        if self.slurm.series < (26, 5):
            self.skipTest(f"State=EXTERNAL is of Slurm 26.05, this is {self.slurm.version}")
        nodes = (
            "NodeName=n[1-3] CPUs=4 RealMemory=4000\nNodeName=n3 State=EXTERNAL\n"
            "PartitionName=batch Nodes=n[1-2]\nPartitionName=pods Nodes=n3\n"
        )
        self.cluster = self.enterContext(Cluster(nodes=3, maui_cfg=MAUI_CFG, slurm_conf=nodes + SLURM_CONF))
        wide = self.cluster.sbatch("-N2", "--exclusive", "-t10", user="bin")
        self.cluster.wait_for_state(wide, "RUNNING")
        waits = self.cluster.sbatch("-N1", "--exclusive", "-t10", user="bin")
        self.cluster.wait_for_iterations(3)
        self.assertEqual(self.cluster.job(waits)["JobState"], "PENDING")
        told = self.cluster.maui("why", str(waits), "--json")["summary"]
        self.assertIn("partition batch has 2 nodes: 2 busy", told)
        outside = self.external("-N1", "-ppods", user="bin")
        self.cluster.wait_for_state(outside, "RUNNING")
        self.assertEqual(self.cluster.job(outside)["NodeList"], "n3")
        self.cluster.scancel(wide)
        self.cluster.wait_for_state(waits, "RUNNING")
