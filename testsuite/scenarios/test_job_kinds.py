# SPDX-License-Identifier: GPL-2.0-or-later
"""Every kind of job that Slurm has: each has the priority that Maui's arithmetic gives it.

What is expected is computed here, from the policy below, and not taken from the engine.
"""

from __future__ import annotations

import time

from harness import USERS, ClusterTest, check_sums
from priority_model import CLASS, FIRST, PARTITIONS, PRIORITIES, SECOND, USER, WAITING

TASKS = 5000

POLICY = "RMPOLLINTERVAL 1\n" + PRIORITIES

SLURM_CONF = """
MaxArraySize=6000
MaxJobCount=20000
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,bf_continue,enable_user_top
"""


def expected(user: str | None, cpus: int, partition: str = "batch") -> int:
    return USER[user or "root"] + CLASS[partition] + 10 * cpus


class JobKindsTest(ClusterTest):
    """Three nodes of four CPUs, filled by one job, so that the others wait.

    Three, as no two components of a heterogeneous job start on one node.
    """

    CLUSTER = dict(nodes=3, cpus=4, maui_cfg=POLICY, slurm_conf=SLURM_CONF + PARTITIONS)

    def setUp(self) -> None:
        self.blocker = self.cluster.sbatch("-N3", "-n12", "-t600")
        self.cluster.wait_for_state(self.blocker, "RUNNING")

    def tearDown(self) -> None:
        self.cluster.cancel_all()

    # --- what the tests are made of

    def priority(self, job: int) -> int:
        return int(self.cluster.job(job)["Priority"])

    def check(self, wanted: dict[int, int]) -> None:
        """At once and after iterations: squeue, sprio and maui agree on what is expected."""
        for again in (False, True):
            if again:
                self.cluster.wait_for_iterations(2)
            self.assertEqual({job: self.priority(job) for job in wanted}, wanted)
            rows = {int(row["id"]): int(row["priority"]) for row in self.cluster.sprio()}
            self.assertEqual({job: rows.get(job) for job in wanted}, wanted)
            check_sums(self, self.cluster)
            self.check_no_zero()
        answer = self.cluster.maui("diagnose", "-p", "--json")
        told = {row["job"]: row["priority"] for row in answer["jobs"]}
        self.assertEqual({job: told.get(job) for job in wanted}, wanted)

    def check_no_zero(self) -> None:
        done = self.cluster.run(
            ["squeue", "--noheader", "--all", "--states=PENDING", "-o", "%i %Q %r"]
        )
        for line in done.stdout.splitlines():
            _, priority, reason = line.split(None, 2)
            self.assertTrue(int(priority) > 0 or reason.startswith("JobHeld"), line)

    def array_rows(self, job: int, *options: str) -> dict[str, tuple[str, int]]:
        """Without --array: one row for all tasks that wait."""
        done = self.cluster.run(
            ["squeue", "--noheader", f"--jobs={job}", "-o", "%i %T %Q", *options]
        )
        rows = (line.split() for line in done.stdout.splitlines())
        return {name: (state, int(priority)) for name, state, priority in rows}

    # --- the tests

    def test_an_array_of_5000_tasks_and_the_tasks_that_are_split_off(self) -> None:
        number = expected(SECOND, 1)
        job = self.cluster.sbatch(
            "-n1", "-t10", f"--array=1-{TASKS}", "-o", "/dev/null", user=SECOND
        )
        other = self.cluster.sbatch("-n1", "-t10", user=SECOND)
        self.assertEqual(self.array_rows(job), {f"{job}_[1-{TASKS}]": ("PENDING", number)})
        self.cluster.wait_for_iterations(2)
        rows = [row for row in self.cluster.sprio() if row["id"].startswith(str(job))]
        self.assertEqual([int(row["priority"]) for row in rows], [number])
        text = self.cluster.run(["maui", "diagnose", "-p"]).stdout
        self.assertIn(f"{job}_[1-{TASKS}]", text)
        self.cluster.scancel(self.blocker)
        running = self.cluster.wait_for(
            lambda: [n for n, row in self.array_rows(job).items() if row[0] == "RUNNING"],
            "the first tasks to run",
        )
        self.cluster.wait_for_iterations(2)
        # One is put back: it is a job of its own now, and waits again.
        self.cluster.run(["scontrol", "requeuehold", running[0]])
        self.cluster.wait_for(
            lambda: self.array_rows(job, "--array").get(running[0]) == ("PENDING", 0),
            "the task to be put back",
        )
        self.cluster.run(["scontrol", "update", f"job={job}_[4000-4009]", "nice=100"])
        self.cluster.wait_for_iterations(2)
        rows = self.array_rows(job, "--array")
        waiting = {name: row[1] for name, row in rows.items() if row[0] == "PENDING"}
        self.assertEqual(waiting.pop(running[0]), 0)
        split = {f"{job}_{task}" for task in range(4000, 4010)}
        for name, priority in waiting.items():
            self.assertEqual(priority, number - 100 if name in split else number, name)
        self.assertLessEqual(split, set(waiting))
        check_sums(self, self.cluster)
        text = self.cluster.run(["maui", "diagnose", "-p"]).stdout
        self.assertIn(f"{job}_[", text)
        self.assertEqual(self.priority(other), number)
        self.check_no_zero()

    def test_every_component_of_a_heterogeneous_job_has_its_priority(self) -> None:
        job = self.cluster.sbatch(
            "-n1", "-t10", ":", "-n2", "-t10", ":", "-n1", "-t10", "--partition=urgent",
            wrap="true", user=FIRST,
        )
        wanted = {
            job: expected(FIRST, 1),
            job + 1: expected(FIRST, 2),
            job + 2: expected(FIRST, 1, "urgent"),
        }
        shown = self.cluster.run(
            ["squeue", "--noheader", "--states=PENDING", "-o", "%A %i %Q"]
        ).stdout.split("\n")
        told = {int(line.split()[0]): int(line.split()[2]) for line in shown if line}
        self.assertEqual(told, wanted)
        self.cluster.wait_for_iterations(2)
        self.check_no_zero()
        self.cluster.scancel(self.blocker)
        self.cluster.wait_for(
            lambda: not self.cluster.squeue("--states=PENDING"), "the components to start", 90
        )

    def test_a_job_in_several_partitions(self) -> None:
        jobs = {
            self.cluster.sbatch("-n2", "-t10", "--partition=long,urgent,batch", user=user): user
            for user in USERS
        }
        self.cluster.wait_for_iterations(2)
        rows = {(int(r["id"]), r["partition_name"]): int(r["priority"])
                for r in self.cluster.sprio()}
        self.assertEqual(
            rows, {(job, name): expected(user, 2, name) for job, user in jobs.items()
                   for name in CLASS}
        )
        check_sums(self, self.cluster)
        self.check_no_zero()

    def test_a_requeued_job_waits_anew(self) -> None:
        try:
            self.cluster.write_maui_cfg(WAITING)
            self.cluster.reconfigure()
            job = self.cluster.sbatch("-n1", "-t10", user=FIRST)
            self.cluster.wait_for(lambda: self.priority(job) >= 800, "eight seconds of waiting")
            self.cluster.scancel(self.blocker)
            self.cluster.wait_for_state(job, "RUNNING")
            before = int(time.time())
            self.cluster.run(["scontrol", "requeue", str(job)])
            self.cluster.wait_for_state(job, "PENDING")
            # From the next iteration on 100 for each second since the requeue, which came after `before`.
            self.cluster.wait_for(
                lambda: 1 <= self.priority(job) <= 100 * (int(time.time()) - before),
                "the queue time to start anew",
            )
            self.check_no_zero()
            check_sums(self, self.cluster)
        finally:
            self.cluster.write_maui_cfg(POLICY)
            self.cluster.reconfigure()

    def test_jobs_that_must_not_start_yet(self) -> None:
        run = self.cluster.sbatch
        first = self.cluster.sbatch("-n1", "-t10", "--hold", wrap="true", user=FIRST)
        wanted = {
            run("-n1", "-t10", "--begin=now+1hour", user=FIRST): expected(FIRST, 1),
            run("-n2", "-t10", f"--dependency=afterok:{first}", user=SECOND): expected(SECOND, 2),
            run("-n1", "-t10", "--dependency=singleton", user=SECOND): expected(SECOND, 1),
            run("-n3", "-t10", "--deadline=now+1hour", user=FIRST): expected(FIRST, 3),
        }
        self.check(wanted)
        self.assertEqual(self.priority(first), 0)
        # The dependency is met; its job keeps its priority and starts.
        second = list(wanted)[1]
        self.cluster.scancel(self.blocker)
        self.cluster.run(["scontrol", "release", str(first)])
        self.cluster.wait_for_state(first, "COMPLETED")
        self.cluster.wait_for_state(second, "RUNNING", "COMPLETED")
        self.assertEqual(self.priority(second), expected(SECOND, 2))

    def test_jobs_that_want_a_node_for_themselves_or_memory(self) -> None:
        run = self.cluster.sbatch
        self.check({
            run("-n1", "-t10", "--exclusive", user=FIRST): expected(FIRST, 1),
            run("-N1", "-n2", "-t10", "--mem=0", user=SECOND): expected(SECOND, 2),
            run("-n1", "-c3", "-t10", user=SECOND): expected(SECOND, 3),
            run("-n2", "-t10", "--oversubscribe"): expected(None, 2),
            run("-n1", "-t10", "--mem-per-cpu=10", user=FIRST): expected(FIRST, 1),
        })

    def test_a_job_with_a_reservation(self) -> None:
        self.cluster.run(
            ["scontrol", "create", "reservation", "ReservationName=later", "StartTime=now+1day",
             "Duration=60", "Users=daemon", "Nodes=ALL"]
        )
        try:
            job = self.cluster.sbatch("-n2", "-t10", "--reservation=later", user=FIRST)
            self.check({job: expected(FIRST, 2)})
            self.cluster.scancel(job)
        finally:
            self.cluster.cancel_all()
            self.cluster.run(["scontrol", "delete", "reservation=later"])

    def test_a_user_moves_a_job_to_the_top_of_the_others(self) -> None:
        jobs = [self.cluster.sbatch("-n1", "-t10", user=FIRST) for _ in range(3)]
        self.cluster.run(["scontrol", "top", str(jobs[2])], user=FIRST)
        self.cluster.wait_for_iterations(2)
        now = [self.priority(job) for job in jobs]
        self.assertGreater(now[2], max(now[:2]))
        # Slurm does it with nice values that make up for each other.
        nice = [int(self.cluster.job(job)["Nice"]) for job in jobs]
        self.assertEqual(now, [expected(FIRST, 1) - value for value in nice])
        self.assertLess(abs(sum(nice)), len(nice))  # but for rounding
        self.check(dict(zip(jobs, now, strict=True)))

    def test_a_suspended_job_comes_back_and_others_keep_their_priorities(self) -> None:
        job = self.cluster.sbatch("-n2", "-t10", user=SECOND)
        self.cluster.run(["scontrol", "suspend", str(self.blocker)])
        self.cluster.wait_for_state(self.blocker, "SUSPENDED")
        self.cluster.wait_for_iterations(2)
        self.cluster.wait_for_state(job, "RUNNING", "PENDING")
        self.assertEqual(self.priority(job), expected(SECOND, 2))
        self.cluster.scancel(job)
        self.cluster.run(["scontrol", "resume", str(self.blocker)])
        self.cluster.wait_for_state(self.blocker, "RUNNING")
        waiting = self.cluster.sbatch("-n3", "-t10", user=FIRST)
        self.check({waiting: expected(FIRST, 3)})

    def test_no_job_has_a_trace_of_a_federation(self) -> None:
        job = self.cluster.sbatch("-n1", "-t10", user=FIRST)
        self.cluster.wait_for_iterations(2)
        shown = self.cluster.job(job)
        for field in ("FedOrigin", "FedViableSiblings", "FedActiveSiblings"):
            self.assertNotIn(field, shown)
