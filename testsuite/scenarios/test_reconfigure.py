# SPDX-License-Identifier: GPL-2.0-or-later
"""`scontrol reconfigure` in slurmctld's own process, with partitions that come, go and move.

Slurm rebuilds its node and partition records then, in another order and at other addresses, while
jobs wait. What must stay is everything Maui says of them. The nodes change their order only: when
their number changes 22.05 ends ("node count has changed ... You have to restart slurmctld"), so
nodes come and go with a restart.
"""

from __future__ import annotations

import random
import re
import unittest
from collections.abc import Callable

from harness import USERS, Cluster, check_sums
from priority_model import CLASS, PARTITIONS, PRIORITIES, SECOND, USER

ROUNDS = 20

POLICY = f"RMPOLLINTERVAL 1\n{PRIORITIES}PROCWEIGHT[urgent] 70\nCREDWEIGHT[long] 3\n"
PROC_WEIGHT = {"urgent": 70}
CRED_WEIGHT = {"long": 3}
FIXED = tuple(CLASS)
EXTRA = ("extra1", "extra2", "extra3")  # without a priority of their own


def expected(user: str, partition: str, tasks: int) -> int:
    """The policy's arithmetic, done by hand."""
    credentials = USER[user] + CLASS.get(partition, 0)
    return (
        CRED_WEIGHT.get(partition, 1) * credentials + PROC_WEIGHT.get(partition, 10) * tasks
    )


class SlurmConfFile:
    """The cluster's slurm.conf, to be written again with other nodes and partitions."""

    def __init__(self, cluster: Cluster) -> None:
        self._path = cluster.dir / "etc" / "slurm.conf"
        lines = self._path.read_text(encoding="utf-8").splitlines()
        is_node = re.compile(r"NodeName=", re.IGNORECASE).match
        is_partition = re.compile(r"PartitionName=", re.IGNORECASE).match
        self.nodes = [line for line in lines if is_node(line)]
        self.partitions = [line for line in lines if is_partition(line)]
        self._head = [line for line in lines if not is_node(line) and not is_partition(line)]

    def write(self, nodes: list[str], partitions: list[str]) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.write_text("\n".join([*self._head, *nodes, *partitions, ""]), encoding="utf-8")
        fresh.replace(self._path)


class ReconfigureTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=2, cpus=4, maui_cfg=POLICY, slurm_conf=PARTITIONS)
        )
        cls.conf = SlurmConfFile(cls.cluster)

    def setUp(self) -> None:
        self.blockers = [self.cluster.sbatch("-n4", "-t600") for _ in range(2)]
        for blocker in self.blockers:
            self.cluster.wait_for_state(blocker, "RUNNING")

    def tearDown(self) -> None:
        self.conf.write(self.conf.nodes, self.conf.partitions)
        self.reconfigure()
        self.cluster.cancel_all()

    # --- what the tests are made of

    def reconfigure(self) -> None:
        """Reconfigure, and wait until the engine has read maui.cfg."""
        self.cluster.install()

    def more_nodes(self, count: int) -> list[str]:
        """Nodes that do not answer, nor are expected to."""
        line = self.conf.nodes[0].replace("State=UNKNOWN", "State=DOWN")
        return [
            # No two nodes of a host may have the same port; on these nobody listens.
            re.sub(r"NodeName=\S+(.*) Port=\d+", rf"NodeName=x{n}\1 Port={901 + n}", line)
            for n in range(count)
        ]

    def submit(self) -> dict[int, tuple[str, int, tuple[str, ...]]]:
        """Jobs that wait: their user, tasks and partitions."""
        jobs = {}
        for user in (*USERS, None):
            for tasks, partitions in (
                (1, ("batch",)), (2, ("long",)), (3, ("urgent",)),
                (2, ("long", "batch")), (4, ("urgent", "long", "batch")),
            ):
                job = self.cluster.sbatch(
                    f"-n{tasks}", "-t10", "--partition=" + ",".join(partitions), user=user
                )
                jobs[job] = (user or "root", tasks, partitions)
        return jobs

    def check(self, jobs: dict[int, tuple[str, int, tuple[str, ...]]]) -> None:
        wanted = {
            (job, partition): expected(user, partition, tasks)
            for job, (user, tasks, partitions) in jobs.items()
            for partition in partitions
        }
        rows = self.cluster.sprio()
        told = {(int(r["id"]), r["partition_name"]): int(r["priority"]) for r in rows}
        self.assertEqual(told, wanted)
        for row in rows:
            partition = row["partition_name"]
            share = CRED_WEIGHT.get(partition, 1) * CLASS.get(partition, 0)
            self.assertEqual(row["partition"], share, row)
        self.assertEqual(check_sums(self, self.cluster), len(jobs))
        answer = self.cluster.maui("diagnose", "-p", "--json")
        told = {(row["job"], row["partition"]): row["priority"] for row in answer["jobs"]}
        self.assertEqual(told, wanted)
        for row in self.cluster.squeue("--states=PENDING"):
            user, tasks, partitions = jobs[int(row["id"])]
            numbers = [expected(user, partition, tasks) for partition in partitions]
            self.assertIn(int(row["priority"]), numbers, row)

    def check_log(self, position: int) -> None:
        wrong = [
            line
            for line in self.cluster.log_text(position).splitlines()
            if re.search(r"\b(error|fatal)\b.*\b(maui|priority)", line)
        ]
        self.assertEqual(wrong, [])

    def rounds(self, change: Callable[[int], None], count: int = ROUNDS) -> None:
        """Reconfigure again and again, with another slurm.conf each time, while jobs wait."""
        jobs = self.submit()
        self.check(jobs)
        position = self.cluster.log_position()
        life = self.cluster.life()
        for number in range(count):
            change(number)
            self.reconfigure()
            self.check(jobs)
        self.check_log(position)
        self.assertEqual(self.cluster.life(), life)
        self.assertEqual(self.cluster.maui("status", "--json")["mode"], "primary")
        for blocker in self.blockers:
            self.assertEqual(self.cluster.job(blocker)["JobState"], "RUNNING")

    # --- the tests

    def test_partitions_come_and_go_and_nodes_change_places(self) -> None:
        chance = random.Random(22058)  # always the same
        extra = [f"PartitionName={name} Nodes=ALL State=UP" for name in EXTRA]

        def change(number: int) -> None:
            nodes = list(self.conf.nodes)
            partitions = self.conf.partitions + chance.sample(extra, number % 4)
            chance.shuffle(nodes)
            chance.shuffle(partitions)
            self.conf.write(nodes, partitions)

        self.rounds(change)

    def test_the_same_files_again_change_nothing(self) -> None:
        self.rounds(lambda number: None, count=3)

    def test_partitions_change_their_tier_and_with_it_the_order_in_a_job(self) -> None:
        def change(number: int) -> None:
            tiers = (number % 3, (number + 1) % 3, (number + 2) % 3)
            self.conf.write(
                self.conf.nodes,
                [
                    f"{line} PriorityTier={tier + 1}"
                    for line, tier in zip(self.conf.partitions, tiers, strict=True)
                ],
            )

        self.rounds(change, count=6)

    def test_a_job_submitted_between_two_reconfigures_has_its_priority_at_once(self) -> None:
        for number in range(5):
            step = 1 if number % 2 else -1
            self.conf.write(self.conf.nodes[::step], self.conf.partitions[::-step])
            self.reconfigure()
            job = self.cluster.sbatch("-n3", "-t10", "--partition=urgent", user=SECOND)
            self.assertEqual(
                int(self.cluster.job(job)["Priority"]), expected(SECOND, "urgent", 3)
            )
            self.cluster.scancel(job)

    def test_a_new_partition_gets_the_priority_that_maui_cfg_has_for_its_name(self) -> None:
        try:
            self.cluster.write_maui_cfg(POLICY + "CLASSCFG[extra1] PRIORITY=333\n")
            self.conf.write(
                self.conf.nodes, ["PartitionName=extra1 Nodes=ALL State=UP", *self.conf.partitions]
            )
            self.reconfigure()
            job = self.cluster.sbatch("-n1", "-t10", "--partition=long,extra1", user=SECOND)
            rows = {
                r["partition_name"]: int(r["priority"])
                for r in self.cluster.sprio()
                if r["id"] == str(job)
            }
            self.assertEqual(
                rows, {"extra1": 1000 + 333 + 10, "long": expected(SECOND, "long", 1)}
            )
            self.cluster.cancel_all()  # no job may be in a partition that goes
        finally:
            self.cluster.write_maui_cfg(POLICY)

    def test_a_restart_with_other_nodes_counts_these(self) -> None:
        try:
            self.cluster.write_maui_cfg(
                "RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\nRESWEIGHT 1\nPEWEIGHT 100\n"
            )
            self.reconfigure()
            job = self.cluster.sbatch("-n1", "-t10", "--mem=4000")
            for extra in (0, 2, 0):
                self.conf.write(self.conf.nodes + self.more_nodes(extra), self.conf.partitions)
                self.cluster.restart()
                # 4000 of all memory, as a part of all CPUs: 4 CPUs whatever the number of nodes.
                self.cluster.wait_for(
                    lambda: int(self.cluster.job(job)["Priority"]) == 400, "a PE of 4", timeout=20
                )
            self.assertEqual(check_sums(self, self.cluster), 1)
        finally:
            self.cluster.write_maui_cfg(POLICY)
