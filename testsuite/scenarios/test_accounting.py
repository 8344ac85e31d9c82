# SPDX-License-Identifier: GPL-2.0-or-later
"""With slurmdbd: accounts and QOS in priorities, and what Slurm's limits need of a priority plugin."""

from __future__ import annotations

import unittest

from harness import USERS, Cluster

FIRST, SECOND = USERS

POLICY = """
RMPOLLINTERVAL   2
QUEUETIMEWEIGHT  0
ACCOUNTWEIGHT    1
QOSWEIGHT        1
ACCOUNTCFG[physics]    PRIORITY=400
ACCOUNTCFG[DEFAULT]    PRIORITY=30
QOSCFG[high]           PRIORITY=5000
QOSCFG[DEFAULT]        PRIORITY=7
"""

ACCOUNTS = """
sacctmgr -i add qos high
sacctmgr -i add account physics
sacctmgr -i add account chemistry
sacctmgr -i add user daemon account=physics qos=normal,high defaultqos=normal
sacctmgr -i add user bin account=chemistry qos=normal defaultqos=normal
sacctmgr -i modify account chemistry set GrpTRESRunMins=cpu=100
"""


class AccountingTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(
                nodes=1,
                cpus=4,
                maui_cfg=POLICY,
                slurmdbd=True,
                slurm_conf="AccountingStorageEnforce=associations,limits,qos\n",
            )
        )
        cls.cluster.run(ACCOUNTS)

    def setUp(self) -> None:
        # slurmdbd tells slurmctld of new associations in its own time.
        self.cluster.wait_for(
            lambda: "bin" in self.cluster.run("scontrol show assoc_mgr users=bin").stdout,
            "slurmctld to know the associations",
        )

    def tearDown(self) -> None:
        self.cluster.cancel_all()

    def priority(self, job: int) -> int:
        return int(self.cluster.job(job)["Priority"])

    def fill(self) -> None:
        job = self.cluster.sbatch("-n4", "-t1", user=FIRST)
        self.cluster.wait_for_state(job, "RUNNING")

    def test_account_and_qos_have_their_priorities_and_columns(self) -> None:
        self.fill()
        high = self.cluster.sbatch("-n1", "-t1", "--qos=high", user=FIRST)
        plain = self.cluster.sbatch("-n1", "-t1", user=FIRST)
        other = self.cluster.sbatch("-n1", "-t1", user=SECOND)
        # 'normal' has no priority of its own: a QOS does not fall back to DEFAULT.
        wanted = {high: 5400, plain: 400, other: 30}
        self.assertEqual({job: self.priority(job) for job in wanted}, wanted)
        rows = {int(row["id"]): row for row in self.cluster.sprio()}
        self.assertEqual({job: rows[job]["priority"] for job in wanted}, wanted)
        self.assertEqual(rows[high]["qos"], 5000)
        self.assertEqual(rows[high]["assoc"], 400)
        told = {row["job"]: row for row in self.cluster.maui("diagnose", "-p", "--json")["jobs"]}
        self.assertEqual((told[high]["account"], told[high]["qos"]), ("physics", "high"))

    def test_a_changed_qos_counts_at_once(self) -> None:
        self.fill()
        job = self.cluster.sbatch("-n1", "-t1", user=FIRST)
        self.cluster.run(["scontrol", "update", f"job={job}", "qos=high"])
        self.assertEqual(self.priority(job), 5400)

    def test_grptresrunmins_is_given_back_when_a_job_ends(self) -> None:
        for _ in range(3):  # each takes 80 of the 100 cpu-minutes while it runs
            job = self.cluster.sbatch("-n1", "-t80", wrap="true", user=SECOND)
            self.cluster.wait_for_state(job, "COMPLETED")
        running = self.cluster.sbatch("-n1", "-t80", user=SECOND)
        self.cluster.wait_for_state(running, "RUNNING")
        waiting = self.cluster.sbatch("-n1", "-t80", user=SECOND)
        self.cluster.wait_for(
            lambda: self.cluster.job(waiting)["Reason"] == "AssocGrpCPURunMinutesLimit",
            "the limit to hold the second job back",
        )

    def test_sshare_and_sprio_work_for_users(self) -> None:
        self.fill()
        self.cluster.sbatch("-n1", "-t1", user=SECOND)
        self.assertIn("physics", self.cluster.run("sshare -a -l", user=FIRST).stdout)
        self.assertIn("bin", self.cluster.run("sprio -l", user=FIRST).stdout)
