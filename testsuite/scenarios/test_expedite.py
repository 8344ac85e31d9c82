# SPDX-License-Identifier: GPL-2.0-or-later
"""--requeue=expedite of Slurm 25.11: a job that has lost its node goes before all others, in Maui's order, too."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import built_for  # noqa: E402
from harness import Cluster  # noqa: E402

SLURM_CONF = """\
SlurmctldParameters=enable_expedited_requeue
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,bf_continue,bf_min_prio_reserve=2
"""
MAUI_CFG = """\
RMPOLLINTERVAL 1
CREDWEIGHT 1
USERWEIGHT 1
USERCFG[daemon] PRIORITY=1 MAXIJOB=1
USERCFG[bin] PRIORITY=1000
"""
WHOLE = ("-N1", "--exclusive", "-t10")
# Above the greatest of setspri, 1,000,001,000.
EXPEDITED = 1_000_001_001


class ExpediteTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        slurm = built_for.of_build(built_for.own_build())
        if slurm.series < (25, 11):
            raise unittest.SkipTest(f"--requeue=expedite is of Slurm 25.11, this is {slurm.version}")

    def setUp(self) -> None:
        self.cluster = self.enterContext(Cluster(nodes=2, maui_cfg=MAUI_CFG, slurm_conf=SLURM_CONF))
        self.lost = self.cluster.sbatch(*WHOLE, "--requeue=expedite", user="daemon")
        self.cluster.wait_for_state(self.lost, "RUNNING")
        self.node = self.cluster.job(self.lost)["NodeList"]
        self.other = self.cluster.sbatch(*WHOLE, user="games")
        self.cluster.wait_for_state(self.other, "RUNNING")

    def lose_its_node(self) -> None:
        self.cluster.run(f"scontrol update nodename={self.node} state=down reason=lost")
        self.cluster.wait_for(lambda: self.is_expedited(), "the requeue to be expedited")

    def state(self, job: int) -> str:
        return self.cluster.run(f"squeue -h -j {job} -o %T").stdout.strip()

    def reason(self, job: int) -> str:
        return self.cluster.run(f"squeue -h -j {job} -o %r").stdout

    def is_expedited(self) -> bool:
        return bool(self.cluster.run(f"squeue -h -j {self.lost} -t EXPEDITING -o %i").stdout)

    def row(self, job: int) -> dict[str, object]:
        rows = self.cluster.maui("diagnose", "-p", "--json")["jobs"]
        return next((row for row in rows if row["job"] == job), {})

    def test_it_goes_before_all_others(self) -> None:
        rich = self.cluster.sbatch(*WHOLE, user="bin")
        # Of its own user's jobs another is first, by an administrator's word, and MAXIJOB lets one be eligible.
        raised = self.cluster.sbatch(*WHOLE, user="daemon")
        self.cluster.run(f"maui setspri 1000 {raised}")
        self.lose_its_node()
        self.cluster.wait_for(lambda: self.row(self.lost).get("maui_priority") == EXPEDITED, "the greatest priority")
        self.cluster.wait_for(
            lambda: {row["id"]: row["priority"] for row in self.cluster.squeue()}[str(self.lost)] == str(EXPEDITED),
            "squeue to show it",
        )
        self.cluster.wait_for(lambda: "MAXIJOB" in self.reason(raised), "the other to be over MAXIJOB")
        self.assertNotIn("MAXIJOB", self.reason(self.lost))
        self.cluster.scancel(self.other)
        self.cluster.wait_for(lambda: self.state(self.lost) == "RUNNING", "it to start")
        self.assertEqual({self.cluster.job(job)["JobState"] for job in (rich, raised)}, {"PENDING"})

    def test_limits_and_holds_keep_it_back(self) -> None:
        self.cluster.install(MAUI_CFG + "USERCFG[daemon] MAXPROC=2\n")
        self.lose_its_node()
        self.cluster.scancel(self.other)
        self.cluster.wait_for(lambda: "MAXPROC" in self.reason(self.lost), "MAXPROC to be said")
        self.assertIn("MAXPROC", self.cluster.maui("why", str(self.lost), "--json")["summary"])
        self.cluster.install(MAUI_CFG)
        self.cluster.wait_for(lambda: self.state(self.lost) == "RUNNING", "it to start")
