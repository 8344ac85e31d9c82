# SPDX-License-Identifier: GPL-2.0-or-later
"""Fairshare: every second of every job is counted once, and targets are reached.

The truth is what Slurm itself says of its jobs: sacct of each run of each job, requeued ones
included, or scontrol where there is no slurmdbd.
"""

from __future__ import annotations

import itertools
import random
import re
import shutil
import time
import unittest
from datetime import datetime
from pathlib import Path
from typing import Any

import jobcomp
from harness import USERS, Cluster

FIRST, SECOND = USERS
SECTIONS = ("User", "Group", "Account", "QOS", "Class")

# As many windows as a test can last, so that nothing is forgotten while it looks.
POLICY = """
RMPOLLINTERVAL     1
FSPOLICY           DEDICATEDPS
FSINTERVAL         60
FSDEPTH            24
FSDECAY            0.9
CHECKPOINTINTERVAL 5
FSWEIGHT           1
FSUSERWEIGHT       1000
"""


class Files:
    """The sums of a directory of FS.<epoch> files: of each credential, and of all ("TOTAL").

    counted: until when all usage is in them. The engine writes one file after the other, the current
    window's last, so only a file whose window that time is in tells; a window that is over says
    "now" when the next one has no file yet. Files are replaced, removed and set aside while they are
    read: then they are read again.
    """

    def __init__(self, directory: Path) -> None:
        while not self._read_all(directory):
            pass

    def _read_all(self, directory: Path) -> bool:
        self.usage: dict[tuple[str, str], float] = {}
        self.windows: dict[int, float] = {}
        self.counted = 0
        try:
            stamps = self._stamps(directory)
            for name, _ in stamps:
                self._read(directory / name)
            return stamps == self._stamps(directory)
        except FileNotFoundError:
            return False

    @staticmethod
    def _stamps(directory: Path) -> list[tuple[str, int]]:
        """Another inode each time that a file is replaced."""
        paths = [path for path in directory.glob("FS.*") if path.suffix[1:].isdigit()]
        return sorted((path.name, path.stat().st_ino) for path in paths)

    def _read(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        start = int(path.suffix[1:])
        duration = re.search(r"Duration: +(\d+)", text)
        counted = re.search(r"Counted until: (\d+)", text)  # an imported file says nothing of it
        if duration and counted and int(counted[1]) < start + int(duration[1]):
            self.counted = max(self.counted, int(counted[1]))
        for line in text.splitlines():
            words = line.split()
            if words and words[0] in SECTIONS:
                key = (words[0], words[1])
                self.usage[key] = self.usage.get(key, 0) + float(words[2])
            elif words and words[0] == "TOTAL":
                self.windows[start] = float(words[1])

    @property
    def total(self) -> float:
        return sum(self.windows.values())

    def of(self, section: str, name: str) -> float:
        return self.usage.get((section, name), 0)


def directory(cluster: Cluster) -> Path:
    return cluster.dir / "state" / "maui" / "stats"


def wait_for_files(cluster: Cluster, when: float) -> Files:
    """The files once they hold everything that was used before this time."""
    return cluster.wait_for(
        lambda: (files := Files(directory(cluster))).counted >= when and files,
        f"files that are counted until {when:.0f}",
        timeout=90,
    )


def seconds_of(elapsed: str) -> int:
    """[DAYS-]HH:MM:SS"""
    days, _, clock = elapsed.rpartition("-")
    hours, minutes, seconds = map(int, clock.split(":"))
    return ((int(days or 0) * 24 + hours) * 60 + minutes) * 60 + seconds


def stamp(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def used_by_records(cluster: Cluster, jobs: list[int], now: float) -> float:
    """Processor-seconds of jobs that nobody suspended, resized or requeued."""
    used = 0.0
    for job in jobs:
        record = cluster.job(job)
        if record["StartTime"] == "Unknown" or record["JobState"] == "PENDING":
            continue
        # Of a job that runs EndTime is its limit; one may have ended since.
        end = now if record["JobState"] == "RUNNING" else min(now, stamp(record["EndTime"]))
        used += int(record["NumCPUs"]) * max(0.0, end - stamp(record["StartTime"]))
    return used


class AccountingTest(unittest.TestCase):
    """With slurmdbd, whose sacct knows every run to the second."""

    def test_usage_is_what_ran_to_the_second(self) -> None:
        with Cluster(nodes=4, cpus=8, maui_cfg=POLICY, slurmdbd=True, jobcomp=True) as cluster:
            dice = random.Random(20261121)
            jobs = self._submit(cluster, dice, 200)
            self._disturb(cluster, dice, jobs)
            cluster.wait_for(lambda: not cluster.squeue(), "all jobs to end", timeout=300)
            runs = cluster.wait_for(
                lambda: self._runs(cluster, jobs), "sacct to know every end", timeout=60
            )
            files = wait_for_files(cluster, time.time())
            self._check(files, runs)

    def _submit(self, cluster: Cluster, dice: random.Random, count: int) -> list[int]:
        """Many at once: a command of its own for each would take as long as the jobs."""
        jobs = []
        for user in USERS:
            lines = [
                f"sbatch --parsable -o/dev/null -n{dice.choice((1, 1, 2, 3, 8))} -t10 --requeue"
                f" --wrap 'sleep {dice.randint(1, 12)}'"
                for _ in range(count // len(USERS))
            ]
            done = cluster.run("cd /; " + "; ".join(lines), user=user)
            jobs += [int(line.split(";")[0]) for line in done.stdout.split()]
        return jobs

    def _disturb(self, cluster: Cluster, dice: random.Random, jobs: list[int]) -> None:
        """Suspend and resume, requeue and cancel while the queue drains."""
        paused: list[str] = []
        suspended = set()  # slurmdbd has no time of such a run if it is requeued
        requeued = set()
        cluster.wait_for(lambda: cluster.squeue("--states=RUNNING"), "the first job to run")
        for round_ in range(40):
            if not cluster.squeue():
                break
            # None, before the scheduler's first look at the queue, or between two of them.
            running = [row["id"] for row in cluster.squeue("--states=RUNNING")]
            job = dice.choice(running) if running else None
            kind = round_ % 4
            if kind == 3 and job:
                cluster.run(["scancel", job], check=False)
            elif kind == 2 and job and job not in requeued | suspended:
                requeued.add(job)
                self._requeue(cluster, job)
            elif kind == 1 and job:
                cluster.run(["scontrol", "suspend", job], check=False)
                paused.append(job)
                suspended.add(job)
            elif paused:
                cluster.run(["scontrol", "resume", paused.pop(0)], check=False)
            # What is disturbed has to run for a while in between.
            time.sleep(dice.random())
        for job in paused:
            cluster.run(["scontrol", "resume", job], check=False)
        cluster.begin_again(*requeued)

    def _requeue(self, cluster: Cluster, job: str) -> None:
        after = cluster.log_position()
        if cluster.run(["scontrol", "requeue", job], check=False).returncode:
            return
        # A change before that is one of the run that has ended: then accounting has the start that
        # backfill has planned in place of the run's own.
        cluster.wait_for(
            lambda: cluster.log_contains(f"Requeuing JobId={job}\n", after), f"job {job} to be queued"
        )
        cluster.begin_again(job)

    def _runs(self, cluster: Cluster, jobs: list[int]) -> list[tuple[str, str, int]] | None:
        """User, state and processor-seconds of every run; None while some have not ended."""
        done = cluster.run(
            "SLURM_TIME_FORMAT=%s sacct -D -X -a -n -P -S now-1hour"
            " -o JobID,User,State,Start,End,AllocCPUS,Elapsed"
        )
        rows = [line.split("|") for line in done.stdout.splitlines()]
        if {int(row[0]) for row in rows} < set(jobs) or any(row[4] == "Unknown" for row in rows):
            return None
        ends = jobcomp.ends(cluster.jobcomp_text())
        runs = []
        for job, user, state, start, end, cpus, elapsed in rows:
            seconds = seconds_of(elapsed)
            if state == "REQUEUED" and start.isdigit():
                late = int(end) - jobcomp.true_end(ends.get(job, []), int(start), int(end))
                seconds -= late
            runs.append((user, state.split()[0], int(cpus) * seconds))
        return runs

    def _check(self, files: Files, runs: list[tuple[str, str, int]]) -> None:
        kinds = {state for _, state, _ in runs}
        self.assertLessEqual({"COMPLETED", "REQUEUED", "CANCELLED"}, kinds, "not disturbed enough")
        self.assertGreaterEqual(len(runs), 200)
        truth = sum(used for _, _, used in runs)
        self.assertEqual(files.total, truth, runs)
        for user in USERS:
            mine = sum(used for owner, _, used in runs if owner == user)
            self.assertGreater(mine, 0)
            self.assertEqual(files.of("User", user), mine)
        self.assertEqual(files.of("Class", "batch"), truth)


class CompletingTest(unittest.TestCase):
    """slurmctld tells of the end of a completing job again whenever it reads slurm.conf."""

    def test_an_end_counts_once_though_slurm_conf_is_read_again(self) -> None:
        with Cluster(nodes=2, maui_cfg=POLICY, slurm_conf="SlurmdTimeout=0\n") as cluster:
            requeued = cluster.sbatch("-w", "n1", "-n2", "--requeue", user=FIRST)
            cancelled = cluster.sbatch("-w", "n1", "-n1", user=SECOND)
            cluster.sbatch("-w", "n2")  # whose usage makes the engine write files
            for job in (requeued, cancelled):
                cluster.wait_for_state(job, "RUNNING")
            time.sleep(10)  # as much would be counted again
            cluster.stop("slurmd.n1")
            cluster.run(["scontrol", "requeue", str(requeued)])
            cluster.run(["scancel", str(cancelled)])
            cluster.wait_for(
                lambda: len(cluster.squeue("--states=COMPLETING")) == 2, "both to be completing"
            )
            before = self._used(cluster)
            for _ in range(2):
                cluster.reconfigure()
                self.assertEqual(self._used(cluster), before)
            self.assertGreaterEqual(before[0], 2 * 10)
            self.assertGreaterEqual(before[1], 10)

    def _used(self, cluster: Cluster) -> tuple[float, float]:
        files = wait_for_files(cluster, time.time() + 2)
        return files.of("User", FIRST), files.of("User", SECOND)


class UtilizedTest(unittest.TestCase):
    """UTILIZEDPS: of steps what Slurm has measured, and what a job holds beside them."""

    # timeout would leave the step's processes: they are known by their process group.
    SPIN = "timeout --foreground 4 yes >/dev/null"

    def test_use_is_what_slurm_has_measured_of_steps(self) -> None:
        policy = POLICY.replace("DEDICATEDPS", "UTILIZEDPS")
        conf = "JobAcctGatherType=jobacct_gather/linux\n"
        with Cluster(nodes=2, cpus=4, maui_cfg=policy, slurmdbd=True, slurm_conf=conf) as cluster:
            busy = f"srun -n1 {self.SPIN}; srun -n2 sh -c '{self.SPIN}'"
            jobs = {
                cluster.sbatch("-n2", "-t5", user=FIRST, wrap=busy),
                cluster.sbatch("-n2", "-t5", user=SECOND, wrap="srun -n2 sleep 6"),
                cluster.sbatch("-n1", "-t5", user=SECOND, wrap="sleep 4"),
                ended := cluster.sbatch("-n2", "-t5", user=SECOND, wrap="srun -n2 sleep 1000"),
            }
            cluster.wait_for(
                lambda: f"{ended}.0" in cluster.run("squeue --noheader --steps").stdout,
                "the step that is to be cancelled",
            )
            held = wait_for_files(cluster, time.time() + 4)
            self.assertGreaterEqual(held.of("User", SECOND), 2 * 4)  # not measured yet
            cluster.scancel(ended)
            cluster.wait_for(lambda: not cluster.squeue(), "all jobs to end", timeout=120)
            used, dedicated = cluster.wait_for(
                lambda: self._measured(cluster, jobs), "sacct to know", timeout=60
            )
            files = wait_for_files(cluster, time.time() + 2)
            # What the steps' processors were held at least, by what each of them ran: 4 seconds on 1
            # and on 2; 6 and 4 seconds on 2. Both ends are whole seconds.
            for user, in_steps in ((FIRST, 3 * 1 + 3 * 2), (SECOND, 5 * 2 + 3 * 2)):
                # slurmctld and the accounting read the clock one after the other when a step ends: how
                # long it held its processors may differ by seconds. What it used must not, and so the
                # rest is whole seconds of processors that were held beside steps.
                beside = files.of("User", user) - used[user]
                self.assertAlmostEqual(beside, round(beside), 2)
                self.assertGreaterEqual(round(beside), 0)
                self.assertLessEqual(round(beside), dedicated[user] - in_steps)
            self.assertAlmostEqual(files.total, sum(files.of("User", user) for user in USERS), 2)

    def test_what_steps_use_that_slurmctld_does_not_see_is_not_guessed(self) -> None:
        policy = POLICY.replace("DEDICATEDPS", "UTILIZEDPS")
        conf = "JobAcctGatherType=jobacct_gather/linux\nPrologFlags=Contain\n"
        with Cluster(nodes=2, cpus=4, maui_cfg=policy, slurm_conf=conf) as cluster:
            version = cluster.run(["sinfo", "--version"]).stdout.split()[-1]
            can_hide = [int(number) for number in version.split(".")[:2]] >= [24, 5]
            if can_hide:
                self._count_unseen(cluster)
        if not can_hide:
            self.skipTest("this Slurm has no --stepmgr")

    def _count_unseen(self, cluster: Cluster) -> None:
        seen = cluster.sbatch("-n2", "-t5", user=FIRST, wrap="srun -n2 sleep 10")
        unseen = [
            cluster.sbatch("-n2", "-t5", "--stepmgr", user=SECOND, wrap="srun -n2 sleep 10")
            for _ in range(2)
        ]
        cluster.wait_for(lambda: not cluster.squeue(), "all jobs to end", timeout=120)
        files = wait_for_files(cluster, time.time() + 2)
        held = used_by_records(cluster, [seen], files.counted)
        self.assertLess(files.of("User", FIRST), held - 2 * 10 + 1)
        held = used_by_records(cluster, unseen, files.counted)
        self.assertEqual(files.of("User", SECOND), held)
        said = "UTILIZEDPS counts what jobs with --stepmgr hold"
        self.assertEqual(cluster.log_text().count(said), 1)

    def _measured(
        self, cluster: Cluster, jobs: set[int]
    ) -> tuple[dict[str, float], dict[str, float]] | None:
        """By user what steps used, and what jobs held; None while some have not ended."""
        done = cluster.run("sacct -a -n -P -S now-1hour -o JobID,User,End,AllocCPUS,Elapsed,TotalCPU")
        owner: dict[str, str] = {}
        used, dedicated = dict.fromkeys(USERS, 0.0), dict.fromkeys(USERS, 0.0)
        for line in done.stdout.splitlines():
            job, user, end, cpus, elapsed, cpu = line.split("|")
            held = int(cpus) * seconds_of(elapsed)
            if end == "Unknown":
                return None
            if "." not in job:
                owner[job] = user
                dedicated[user] += held
            elif not job.endswith(".batch"):
                used[owner[job.partition(".")[0]]] += self._seconds(cpu)
        return (used, dedicated) if set(map(int, owner)) == jobs else None

    def _seconds(self, cpu: str) -> float:
        """[HH:]MM:SS[.mmm]"""
        total = 0.0
        for part in cpu.split(":"):
            total = total * 60 + float(part)
        return total


class SpeedTest(unittest.TestCase):
    """USEMACHINESPEEDFORFS: a second on a fast node counts for more."""

    def test_use_is_scaled_with_the_speed_of_the_nodes(self) -> None:
        policy = POLICY + "USEMACHINESPEEDFORFS TRUE\nNODECFG[n1] SPEED=3\n"
        with Cluster(nodes=2, maui_cfg=policy) as cluster:
            for user, nodes in ((FIRST, "--nodelist=n1"), (SECOND, "--nodelist=n[1-2]")):
                cluster.wait_for_state(cluster.sbatch("-n2", "-t5", nodes, user=user), "RUNNING")
            files = wait_for_files(cluster, time.time() + 3)
            for user, job, speed in ((FIRST, 1, 3), (SECOND, 2, 2)):
                wanted = speed * used_by_records(cluster, [job], files.counted)
                self.assertEqual(files.of("User", user), wanted)


class SharingTest(unittest.TestCase):
    """Two users who want more than there is."""

    TARGETS = """
RMPOLLINTERVAL     1
FSPOLICY           DEDICATEDPS
FSINTERVAL         10
FSDEPTH            8
FSDECAY            0.9
CHECKPOINTINTERVAL 5
FSWEIGHT           1
FSUSERWEIGHT       1000
QUEUETIMEWEIGHT    0
USERCFG[daemon]    FSTARGET=80
USERCFG[bin]       FSTARGET=20
"""
    DEPTH = 8
    TURNS = 6  # from one user to the other who has more than the target

    def test_two_users_end_at_their_targets(self) -> None:
        """Who has more than the target waits until he has less: shares go to and fro over their targets, as
        slow or as far as the machine is slow."""
        with Cluster(nodes=2, cpus=5, maui_cfg=self.TARGETS) as cluster:
            # Of many lengths: jobs that end together are followed by as many of one user.
            length = "sleep $((SLURM_ARRAY_TASK_ID % 5 + 2))"
            for user in USERS:
                cluster.sbatch("-n1", "-t5", "--array=1-600", user=user, wrap=length)
            above: list[bool] = []

            def has_turned() -> bool:
                above.extend(self._is_above(cluster))
                return sum(one != other for one, other in itertools.pairwise(above)) >= self.TURNS

            cluster.wait_for(has_turned, "shares to go to and fro", timeout=240)
            waiting = {row["user"] for row in cluster.squeue("--states=PENDING")}
            self.assertEqual(waiting, set(USERS), "the machine was not flooded")
            text = cluster.run(["maui", "diagnose", "-f"]).stdout
            self.assertRegex(text, rf"(?m)^{FIRST} +\d+\.\d\d +80\.00 ")

    def _is_above(self, cluster: Cluster) -> list[bool]:
        """Whether the first user has more than the target and the second has less, once all windows that
        count have usage; nothing before, or if both have what they should."""
        report = cluster.maui("diagnose", "-f", "--json")
        percent = {row["name"]: row["percent"] for row in report["credentials"]["user"]}
        if sum(window["usage"] > 0 for window in report["windows"]) < self.DEPTH or percent[FIRST] == 80:
            return []
        self.assertEqual(percent[FIRST] > 80, percent[SECOND] < 20, percent)
        return [percent[FIRST] > 80]


class CapsTest(unittest.TestCase):
    """Who is over a hard cap waits, and `maui diagnose -f` names all such jobs."""

    CAPS = """
USERCFG[daemon]    FSTARGET=1000^
USERCFG[DEFAULT]   FSTARGET=40%
"""

    def test_jobs_over_a_cap_are_named(self) -> None:
        with Cluster(nodes=1, cpus=4, maui_cfg=POLICY + self.CAPS) as cluster:
            blocker = cluster.sbatch("-n4", "-t10")
            cluster.wait_for_state(blocker, "RUNNING")
            large = cluster.sbatch("-n2", "-t10", user=FIRST)  # asks for 1200
            small = cluster.sbatch("-n2", "-t5", user=FIRST)  # 600
            percent = cluster.sbatch("-n1", "-t600", user=SECOND)  # more than was ever used
            def told() -> tuple[float, dict[int, dict[str, Any]], float] | None:
                asked = time.time()
                answer = cluster.maui("diagnose", "-f", "--json")
                rows = {row["job"]: row for row in answer["blocked"]}
                return (asked, rows, time.time()) if answer["usage"] and rows else None

            asked, blocked, answered = cluster.wait_for(told, "usage")
            self.assertNotIn(small, blocked)
            self.assertEqual(
                {name: blocked[large][name] for name in ("type", "name", "mode", "cap", "usage")},
                {"type": "user", "name": FIRST, "mode": "cap-ps", "cap": 1000, "usage": 0},
            )
            self.assertEqual((blocked[large]["request"], blocked[large]["until"]), (1200, None))
            self.assertEqual(
                (blocked[percent]["mode"], blocked[percent]["cap"]), ("cap-percent", 40)
            )
            # A cap in percent ends when nothing counts any more: 24 windows of a minute.
            until = blocked[percent]["until"]
            self.assertTrue(asked - 62 <= until - 24 * 60 <= answered + 62, (asked, until, answered))
            text = cluster.run(["maui", "diagnose", "-f"]).stdout
            self.assertRegex(
                text,
                rf"(?m)^{large} +user {FIRST}: cap 1000.00 proc-seconds, used 0.00, asks for"
                r" 1200.00; free from never$",
            )
            cluster.scancel(blocker)
            cluster.wait_for_state(small, "RUNNING")
            self.assertTrue(cluster.job(large)["Reason"].startswith("FSTARGET_cap_of_1000_"))


class ImportTest(unittest.TestCase):
    """A machine moves from Maui to Slurm, and takes its users' history along."""

    def test_maui_statistics_are_imported_and_count(self) -> None:
        with Cluster(nodes=1, cpus=4, maui_cfg=POLICY) as cluster:
            cluster.stop()
            shutil.rmtree(directory(cluster))
            maui = cluster.home / "maui-stats"
            maui.mkdir()
            window = int(time.time()) // 60 * 60
            for k, used in enumerate((0, 1000, 3000)):
                (maui / f"FS.{window - 60 * k}").write_text(self._window(used), encoding="utf-8")
            done = cluster.run(["maui", "fs", "import", str(maui)])
            self.assertIn("3 imported, 0 skipped, 0 damaged", done.stdout)
            shown = cluster.run(["maui", "fs", "show"]).stdout
            self.assertRegex(shown, rf"(?m)^{FIRST} +75\.00 ")
            # A month may have begun with the last window.
            months = [
                cluster.maui("showstats", "-u", f"--month={month}", "--json")
                for month in ("last", "this")
            ]
            hours = [r["hours"] for data in months for r in data["rows"] if r["name"] == FIRST]
            self.assertAlmostEqual(sum(hours), 3000 / 3600)
            cluster.start()
            # A user of the machine, and one who has not come along.
            report = cluster.wait_for(
                lambda: (answer := cluster.maui("diagnose", "-f", "--json"))["usage"] and answer,
                "the usage",
            )
            rows = {row["name"]: row for row in report["credentials"]["user"]}
            self.assertEqual(sum(rows[FIRST]["windows"]), 3000)
            self.assertEqual(sum(rows["gone_away"]["windows"]), 1000)
            job = cluster.sbatch("-n1", "-t10", user=FIRST)
            cluster.wait_for_state(job, "RUNNING")
            files = wait_for_files(cluster, time.time() + 3)
            mine = used_by_records(cluster, [job], files.counted)
            self.assertEqual(files.of("User", FIRST), 3000 + mine)
            self.assertEqual(files.of("User", "gone_away"), 1000)
            rows = cluster.maui("diagnose", "-f", "--json")["credentials"]["user"]
            self.assertEqual(sorted(row["name"] for row in rows), [FIRST, "gone_away"])

    def _window(self, used: int) -> str:
        """The original's dialect; a quarter is gone_away's."""
        lines = ["# FS Data File (Duration:     60 seconds)  Starting: Sun Nov 19 00:51:42", ""]
        if used:
            lines += [
                f"{'user':<10} {FIRST:>15} {used * 3 / 4:12.3f}",
                f"{'user':<10} {'gone_away':>15} {used / 4:12.3f}",
                f"{'sched':<10} {'NONE':>15} {used:12.3f}",
            ]
        return "\n".join(lines) + "\n"
