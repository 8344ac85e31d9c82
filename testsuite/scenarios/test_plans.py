# SPDX-License-Identifier: GPL-2.0-or-later
"""Planned starts, for which cons_tres is shown a list of the active jobs alone, and only the nodes
that matter.

With DebugFlags=SelectType each use of the list is compared with slurmctld's own, and says how many
jobs were in it. What is expected comes from squeue.
"""

from __future__ import annotations

import re
import time

from harness import ClusterTest

# A job that cannot start closes its partition to the main scheduler: backfill starts those behind.
SLURM_CONF = """\
DebugFlags=SelectType
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=1,bf_resolution=1,bf_continue
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
KillWait=5
MaxArraySize=1000
PartitionName=batch Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
PartitionName=first Nodes=n[1-3] PriorityTier=9 MaxTime=INFINITE State=UP
PartitionName=last Nodes=n[1-3] PriorityTier=0 MaxTime=INFINITE State=UP
"""
ACTIVE = ("RUNNING", "SUSPENDED")
USED = re.compile(r"is planned among (\d+) active of (\d+) jobs")
WRONG = "is active, and not where it should be"
TIME = "%Y-%m-%dT%H:%M:%S"  # scontrol's
SHOWN = r"JobId={job} on (\d+) of (\d+) nodes until (\d+): No error, at (\d+)"
ALL = ("-N3", "--exclusive", "-t5")


class PlansTest(ClusterTest):
    """A job holds n1; others that want all three nodes are planned behind it in each pass."""

    CLUSTER = dict(nodes=3, cpus=4, maui_cfg="RMPOLLINTERVAL 1\n", slurm_conf=SLURM_CONF)

    def setUp(self) -> None:
        self.begin = self.cluster.log_position()
        self.hold = self.cluster.sbatch("-wn1", "-n4", "-t60")
        self.cluster.wait_for_state(self.hold, "RUNNING")
        self.big = [self.cluster.sbatch(*ALL) for _ in range(3)]
        self.sees_all_active()

    def tearDown(self) -> None:
        self.cluster.cancel_all()
        lines = self.cluster.log_text(self.begin).splitlines()
        self.assertEqual([line for line in lines if WRONG in line], [])

    def sees_all_active(self, least: int = 1) -> None:
        """A pass from now on has in its list as many as squeue says, and not all jobs there are."""
        position = self.cluster.log_position()

        def shown() -> bool:
            used = USED.findall(self.cluster.log_text(position))
            active = sum(job["state"] in ACTIVE for job in self.cluster.squeue())
            return (
                bool(used)
                and active >= least
                and int(used[-1][0]) == active
                and int(used[-1][1]) > active
            )

        self.cluster.wait_for(shown, "a plan among all active jobs, and only these")

    def run_small(self, *options: str, wrap: str = "sleep 1000") -> int:
        job = self.cluster.sbatch("-n1", "-t1", *options, wrap=wrap)
        self.cluster.wait_for_state(job, "RUNNING")
        return job

    def test_start_and_end(self) -> None:
        jobs = [self.run_small() for _ in range(3)]
        self.sees_all_active(4)
        self.cluster.scancel(jobs[1])
        self.sees_all_active(3)

    def test_only_nodes_that_matter(self) -> None:
        """n2 is free first, then n3, then n1: a job of one node is planned there, and those that are busy
        for longer are not looked at; with n2 drained it is planned on n3."""
        first = self.run_small("-wn2", "-c4", "-t9")
        second = self.run_small("-wn3", "-c4", "-t30")
        for node, until in (("n2", first), ("n3", second)):
            position = self.cluster.log_position()
            job = self.cluster.sbatch("-N1", "--exclusive", "-t5")
            pattern = re.compile(SHOWN.format(job=job))
            found = self.cluster.wait_for(
                lambda pattern=pattern, position=position: pattern.findall(
                    self.cluster.log_text(position)
                ),
                f"a plan of job {job} on few nodes",
            )
            self.assertEqual({row[:2] for row in found}, {("1", "3" if node == "n2" else "2")})
            ends = {time.strftime(TIME, time.localtime(int(end))) for row in found for end in row[2:]}
            self.assertEqual(ends, {self.cluster.job(until)["EndTime"]})
            self.cluster.scancel(job)
            if node == "n2":
                update = ["scontrol", "update", "nodename=n2", "state=drain", "reason=test"]
                self.cluster.run(update)
                self.addCleanup(
                    self.cluster.run, ["scontrol", "update", "nodename=n2", "state=resume"]
                )

    def test_completing(self) -> None:
        """It does not end at once, and is not active any more."""
        job = self.run_small(wrap="trap '' TERM; while :; do sleep 1; done")
        self.sees_all_active(2)
        self.cluster.scancel(job)
        self.sees_all_active(1)

    def test_suspended_and_resumed(self) -> None:
        job = self.run_small()
        self.cluster.run(["scontrol", "suspend", str(job)])
        self.cluster.wait_for_state(job, "SUSPENDED")
        self.sees_all_active(2)
        self.cluster.run(["scontrol", "resume", str(job)])
        self.cluster.wait_for_state(job, "RUNNING")
        self.sees_all_active(2)

    def test_requeued(self) -> None:
        job = self.run_small()
        self.cluster.run(["scontrol", "requeue", str(job)])
        self.cluster.wait_for_state(job, "PENDING")
        self.sees_all_active(1)
        self.cluster.begin_again(job)
        self.cluster.wait_for_state(job, "RUNNING")
        self.sees_all_active(2)

    def test_preempted(self) -> None:
        victim = self.run_small("-plast", "-wn2", "-c4")
        self.sees_all_active(2)
        taker = self.cluster.sbatch("-pfirst", "-wn2", "-n1", "-c4", "-t1")
        self.cluster.wait_for_state(taker, "RUNNING")
        self.cluster.wait_for_state(victim, "PENDING")
        self.sees_all_active(2)

    def test_array(self) -> None:
        self.cluster.sbatch("-n1", "-t1", "--array=1-4")
        self.cluster.wait_for(
            lambda: sum(job["state"] == "RUNNING" for job in self.cluster.squeue()) == 5,
            "all tasks to run",
        )
        self.sees_all_active(5)

    def test_heterogeneous(self) -> None:
        text = "#!/bin/sh\n#SBATCH -n1 -t1\n#SBATCH hetjob\n#SBATCH -n1 -t1\nsleep 1000\n"
        script = self.cluster.home / "het.sh"
        script.write_text(text, encoding="utf-8")
        leader = int(self.cluster.run(["sbatch", "--parsable", str(script)]).stdout)
        self.cluster.wait_for_state(leader, "RUNNING")
        self.sees_all_active(3)

    def test_restart(self) -> None:
        suspended, running = self.run_small(), self.run_small()
        self.cluster.run(["scontrol", "suspend", str(suspended)])
        for kill in (False, True):
            for job in (suspended, running):
                self.cluster.wait_until_saved(job)
            self.cluster.restart(kill=kill)
            self.sees_all_active(3)

    def test_reconfigure(self) -> None:
        self.run_small()
        self.cluster.reconfigure()
        self.sees_all_active(2)

    def test_started_within_a_pass(self) -> None:
        """Between two plans of one pass, and so within one second, a job starts."""
        update = ["scontrol", "update", "partitionname=batch"]
        for _ in range(5):
            self.cluster.run([*update, "state=down"])
            small = [self.cluster.sbatch("-n1", "-t1") for _ in range(3)]
            large = [self.cluster.sbatch(*ALL) for _ in range(2)]
            self.cluster.run([*update, "state=up"])
            for job in small:
                self.cluster.wait_for_state(job, "RUNNING")
            self.sees_all_active(4)
            self.cluster.scancel(*small, *large)
            self.cluster.wait_for(
                lambda: len(self.cluster.squeue()) == 4, "only the first jobs to be left"
            )
