# SPDX-License-Identifier: GPL-2.0-or-later
"""What the engine remembers of pending jobs: bypass counts and queue times, through restarts."""

from __future__ import annotations

import time
import unittest
from pathlib import Path
from typing import Any

from harness import USERS, Cluster, ClusterTest

HIGH, LOW = USERS

POLICY = f"""
RMPOLLINTERVAL       1
JOBPRIOACCRUALPOLICY FULLPOLICY
QUEUETIMEWEIGHT      0
BYPASSWEIGHT         1000
USERWEIGHT           1
USERCFG[{HIGH}]      PRIORITY=50000
USERCFG[{LOW}]       PRIORITY=100
"""

# Two partitions with a node each: in the second one the main scheduler finds a node free.
PARTITIONS = """
PartitionName=batch Nodes=n1 Default=YES MaxTime=UNLIMITED State=UP
PartitionName=side Nodes=n2 MaxTime=UNLIMITED State=UP
"""


class StateTest(ClusterTest):
    """A job holds three of the first node's four CPUs; who wants four waits for it."""

    CLUSTER = dict(nodes=2, cpus=4, maui_cfg=POLICY, slurm_conf=PARTITIONS)

    def setUp(self) -> None:
        self.blocker = self.cluster.sbatch("-n3", "-t60")
        self.cluster.wait_for_state(self.blocker, "RUNNING")

    def tearDown(self) -> None:
        self.cluster.cancel_all()

    # --- what there is

    @property
    def state(self) -> Path:
        return self.cluster.dir / "state" / "maui" / "jobs"

    def priority(self, job: int) -> int:
        return int(self.cluster.job(job)["Priority"])

    def told(self, job: int) -> dict[str, Any]:
        answer = self.cluster.maui("diagnose", "-p", "--json")
        rows: list[dict[str, Any]] = [row for row in answer["jobs"] if row["job"] == job]
        self.assertEqual(len(rows), 1, f"job {job} in {answer}")
        return rows[0]

    def bypass(self, job: int) -> int:
        return int(self.told(job)["bypass"])

    def written(self, job: int) -> list[str] | None:
        """The state file's line about a job: submission, start of its waiting, bypasses."""
        try:
            lines = self.state.read_text(encoding="ascii").splitlines()
        except FileNotFoundError:
            return None
        return next((x.split()[2:] for x in lines if x.startswith(f"job {job} ")), None)

    def backfilled(self, *jobs: int | str) -> int:
        """How many of these jobs backfill started, in the words of slurmctld's log."""
        # From Slurm 26.05 on with the flag's name.
        log = self.cluster.log_text().replace("HETJOB: ", "")
        return sum(f"sched/backfill: _start_job: Started JobId={job} in" in log for job in jobs)

    # --- what happens

    def waiting(self, *options: str, user: str | None = HIGH) -> int:
        """A job that waits for the whole first node; it was there before those that come later."""
        job = self.cluster.sbatch("-n4", "-t10", *options, user=user)
        self.cluster.wait_for_iterations(1)
        return job

    def fill(self, count: int, *options: str, user: str | None = LOW) -> list[int]:
        """Small jobs run in the gap that is left, and end; the ids of those."""
        jobs = [
            self.cluster.sbatch("-n1", "-t1", *options, wrap="true", user=user)
            for _ in range(count)
        ]
        for job in jobs:
            self.cluster.wait_for_state(job, "COMPLETED")
        return jobs

    def wait_for_bypass(self, job: int, wanted: int) -> None:
        self.cluster.wait_for(
            lambda: self.bypass(job) == wanted, f"job {job} to be bypassed {wanted} times"
        )

    def wait_until_written(self, job: int, bypass: int) -> None:
        def done() -> bool:
            line = self.written(job)
            return line is not None and int(line[2]) == bypass

        self.cluster.wait_for(done, f"{self.state} to say that job {job} was bypassed {bypass}")

    # --- bypasses

    def test_each_backfilled_job_counts_once_for_each_job_that_it_passes(self) -> None:
        top = self.waiting()
        second = self.waiting(user=LOW)  # the small ones have its priority, and come later
        behind = self.waiting(user=None)
        held = self.cluster.sbatch("-n4", "-t10", "--hold", user=HIGH)
        later = self.cluster.sbatch("-n4", "-t10", "--begin=now+1hour", user=HIGH)
        depends = self.cluster.sbatch(
            "-n4", "-t10", f"--dependency=afterok:{self.blocker}", user=HIGH
        )
        self.assertEqual(self.priority(top), 50000)
        self.cluster.wait_for_iterations(1)
        small = self.fill(3)
        self.wait_for_bypass(top, 3)  # asks for iterations, several a second
        small += self.fill(2)
        self.assertEqual(self.backfilled(*small), 5)
        late = self.waiting()
        self.wait_for_bypass(top, 5)
        self.cluster.run(["scontrol", "release", str(held)])
        self.cluster.wait_for_iterations(3)
        self.assertEqual(self.priority(top), 50000 + 5 * 1000)
        self.assertEqual(self.priority(second), 100 + 5 * 1000)
        self.assertEqual(
            self.told(top)["components"]["SERV"]["subcomponents"]["BYPASS"],
            {"weight": 1000, "factor": 5},
        )
        for job in (behind, held, later, depends, late):
            self.assertEqual(self.bypass(job), 0, f"job {job}")

    def test_tasks_of_an_array_do_not_pass_each_other(self) -> None:
        top = self.waiting()
        tasks = self.cluster.sbatch("-n1", "-t5", "--array=1-3", user=LOW)
        self.cluster.wait_for(
            lambda: self.backfilled(f"{tasks}_1({tasks + 1})"), "backfill to start a task"
        )
        self.wait_for_bypass(top, 1)
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.bypass(tasks), 0)
        self.assertEqual(self.bypass(top), 1)

    def test_starts_by_the_main_scheduler_do_not_count(self) -> None:
        if not self.cluster.main_scheduler_starts_jobs():
            self.skipTest("without slurmdbd the main scheduler of this Slurm starts nothing")
        top = self.waiting()
        started: list[int] = []

        def some() -> bool:
            started.extend(self.fill(3, "--partition=side"))
            return self.backfilled(*started) < len(started)

        self.cluster.wait_for(some, "the main scheduler to start a job")
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.bypass(top), self.backfilled(*started))

    def test_a_requeued_job_starts_anew(self) -> None:
        top = self.waiting("--requeue")
        self.fill(2)
        self.wait_until_written(top, 2)
        self.cluster.scancel(self.blocker)
        self.cluster.wait_for_state(top, "RUNNING")
        self.blocker = self.cluster.sbatch("-n3", "-t60", "--partition=side")
        self.cluster.run(["scontrol", "requeuehold", str(top)])
        # Its new life begins when its processes have ended.
        self.wait_for_bypass(top, 0)
        self.cluster.wait_until_saved(self.blocker)
        self.cluster.restart(kill=True)
        self.assertEqual(self.bypass(top), 0)

    # --- restarts

    def test_twenty_kills_cost_nothing(self) -> None:
        plain = self.waiting()
        released = self.waiting()
        self.cluster.run(["scontrol", "hold", str(released)])
        self.cluster.wait_for_iterations(3)
        self.cluster.run(["scontrol", "release", str(released)])
        self.cluster.wait_for_iterations(1)
        since = self.told(released)["queued_since"]
        submitted = self.told(plain)["queued_since"]
        self.assertGreater(since, submitted)
        count = 0
        for kill in range(20):
            if kill % 5 == 0:
                small = self.fill(1)
                self.assertEqual(self.backfilled(*small), 1)
                count += 1
                self.wait_for_bypass(plain, count)
                self.cluster.wait_until_saved(self.blocker)
                if kill == 0:
                    self.wait_until_written(released, 1)
            self.cluster.restart(kill=True)
            # Before the first iteration, or after: nobody held these jobs.
            shown = {int(row["id"]): int(row["priority"]) for row in self.cluster.squeue()}
            for job in (plain, released):
                self.assertGreaterEqual(shown[job], 50000, f"job {job} after {kill + 1} kills")
            row = self.told(released)
            self.assertEqual((row["queued_since"], row["bypass"]), (since, count))
            row = self.told(plain)
            self.assertEqual((row["queued_since"], row["bypass"]), (submitted, count))
            self.assertEqual(row["priority"], 50000 + count * 1000)
        self.assertFalse(self.state.with_suffix(".damaged").exists())

    def test_what_was_counted_after_the_last_write_is_counted_again(self) -> None:
        top = self.waiting()
        self.fill(1)
        self.wait_until_written(top, 1)
        before = self.state.read_bytes()
        small = self.fill(3)
        self.assertEqual(self.backfilled(*small), 3)
        self.wait_until_written(top, 4)
        self.cluster.wait_until_saved(self.blocker)
        self.state.write_bytes(before)
        self.cluster.restart(kill=True)
        self.assertEqual(self.bypass(top), 4)
        self.cluster.restart(kill=True)
        self.assertEqual(self.bypass(top), 4)

    def test_an_orderly_end_writes_what_was_counted_last(self) -> None:
        top = self.waiting()
        self.fill(1)
        self.wait_for_bypass(top, 1)
        self.cluster.restart()
        line = self.written(top)
        self.assertTrue(line and line[2] == "1", line)
        self.assertEqual(self.bypass(top), 1)

    def test_a_damaged_file_costs_only_itself_and_is_set_aside(self) -> None:
        top = self.waiting()
        damaged = self.state.with_suffix(".damaged")
        for name, damage in (
            ("cut short", lambda good: good[:-20]),
            ("one byte", lambda good: good.replace(b"job ", b"jpb ", 1)),
            ("foreign", lambda _: bytes(range(256)) * 99),
            ("empty", lambda _: b""),
        ):
            with self.subTest(name):
                before = self.bypass(top)
                self.fill(1)
                self.wait_until_written(top, before + 1)
                self.cluster.wait_until_saved(self.blocker)
                content = damage(self.state.read_bytes())
                self.state.write_bytes(content)
                position = self.cluster.log_position()
                self.cluster.restart(kill=True)
                self.assertEqual(self.bypass(top), 0)
                self.assertEqual(self.priority(top), 50000)
                self.assertEqual(damaged.read_bytes(), content)
                log = self.cluster.log_text(position)
                self.assertEqual(log.count(f"{self.state} cannot be used"), 1, log)
                damaged.unlink()

    def test_a_file_of_a_later_version_is_kept_as_it_is(self) -> None:
        top = self.waiting()
        self.fill(1)
        self.wait_until_written(top, 1)
        self.cluster.wait_until_saved(self.blocker)
        content = self.state.read_bytes().replace(b"slurm-maui jobs 2\n", b"slurm-maui jobs 3\n", 1)
        self.assertNotEqual(content, self.state.read_bytes())
        words = "a later Slurm-Maui wrote it: it has version 3 of its format, and this one reads 2"
        self.cluster.stop(kill=True)
        self.state.write_bytes(content)
        for start in ("after a kill", "after an orderly end"):
            with self.subTest(start):
                position = self.cluster.log_position()
                self.cluster.start()
                self.assertEqual(self.bypass(top), 0)
                self.fill(1)
                self.wait_for_bypass(top, 1)
                self.assertEqual(self.priority(top), 51000)
                log = self.cluster.log_text(position)
                self.assertEqual(log.count(f"{self.state} is kept as it is, and not read ({words})"), 1, log)
                self.cluster.wait_for(
                    lambda position=position: "is not replaced: a later" in self.cluster.log_text(position),
                    "the engine to say what a restart would forget",
                )
                kept = [{"path": str(self.state), "why": words}]
                self.assertEqual(self.cluster.maui("status", "--json")["kept_files"], kept)
                rows = self.cluster.run(["maui", "doctor"], check=False)
                self.assertIn(f"{self.state} is not read, nor written: {words}", rows.stdout)
                self.cluster.stop()
                # Without a file, starts count from the second on in which slurmctld begins.
                stopped = int(time.time())
                self.cluster.wait_for(lambda stopped=stopped: time.time() >= stopped + 1, "the next second")
                self.assertEqual(self.state.read_bytes(), content)
                self.assertFalse(self.state.with_suffix(".damaged").exists())
        self.state.unlink()
        self.cluster.start()
        self.assertEqual(self.cluster.maui("status", "--json")["kept_files"], [])
        self.fill(1)
        self.wait_until_written(top, self.bypass(top))

    def test_without_a_file_nothing_is_said(self) -> None:
        top = self.waiting()
        self.fill(1)
        self.wait_until_written(top, 1)
        self.cluster.wait_until_saved(self.blocker)
        self.cluster.stop(kill=True)
        self.state.unlink()
        position = self.cluster.log_position()
        self.cluster.start()
        self.assertEqual(self.bypass(top), 0)
        self.assertNotIn("error: maui", self.cluster.log_text(position))

    def test_another_job_with_the_same_id_inherits_nothing(self) -> None:
        top = self.waiting()
        self.fill(1)
        self.wait_until_written(top, 1)
        self.cluster.wait_until_saved(self.blocker)
        submitted = self.told(top)["queued_since"]
        self.state.write_bytes(
            signed(f"counted {int(time.time())}", f"job {top} {submitted - 9} {submitted + 5} 77")
        )
        self.cluster.restart(kill=True)
        row = self.told(top)
        self.assertEqual((row["bypass"], row["queued_since"]), (0, submitted))
        self.assertFalse(self.state.with_suffix(".damaged").exists())


class FailOverTest(unittest.TestCase):
    """The backup controller goes on where the primary was killed."""

    def test_the_backup_knows_what_the_primary_counted(self) -> None:
        with Cluster(nodes=1, cpus=4, maui_cfg=POLICY, backup=True) as cluster:

            def told(job: int) -> tuple[int, int]:
                answer = cluster.maui("diagnose", "-p", "--json")
                row = next(row for row in answer["jobs"] if row["job"] == job)
                return int(row["queued_since"]), int(row["bypass"])

            cluster.wait_for_state(cluster.sbatch("-n3", "-t60"), "RUNNING")
            top = cluster.sbatch("-n4", "-t10", user=HIGH)
            submitted, _ = told(top)
            cluster.run(["scontrol", "hold", str(top)])
            cluster.wait_for(lambda: told(top)[0] > submitted + 1, "the hold to cost queue time")
            cluster.run(["scontrol", "release", str(top)])
            since, _ = told(top)
            cluster.wait_for_state(cluster.sbatch("-n1", "-t1", wrap="true", user=LOW), "COMPLETED")
            cluster.wait_for(lambda: told(top) == (since, 1), "the bypass to count")
            state = cluster.dir / "state" / "maui" / "jobs"
            cluster.wait_for(
                lambda: f"job {top} {submitted} {since} 1\n" in state.read_text(encoding="ascii"),
                "the state file to say so",
            )
            cluster.wait_until_saved(top)
            cluster.stop(kill=True)
            cluster.wait_for(lambda: cluster.in_charge() == "backup", "the backup to take over")
            self.assertEqual(told(top), (since, 1))
            self.assertEqual(int(cluster.job(top)["Priority"]), 50000 + 1000)


def signed(*lines: str) -> bytes:
    """A state file, as contribs/doc/state-files.md says."""
    text = "".join(line + "\n" for line in ("slurm-maui jobs 1", *lines)).encode("ascii")
    checksum = 0xCBF29CE484222325
    for byte in text:
        checksum = (checksum ^ byte) * 0x100000001B3 % 2**64
    return text + f"end {len(lines) + 1} {checksum:016x}\n".encode("ascii")
