# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui metrics` of a real queue: what it counts is what squeue and maui.cfg say."""

from __future__ import annotations

import re
import sys
import time
import unittest
from collections import Counter
from pathlib import Path

from harness import USERS, Cluster

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import openmetrics  # noqa: E402  beside this directory

FIRST, SECOND = USERS
POLICY = f"""\
RMPOLLINTERVAL 1
FSPOLICY DEDICATEDPS
USERCFG[DEFAULT] MAXJOB=20
USERCFG[{FIRST}] MAXJOB=2 FSTARGET=25
USERCFG[{SECOND}] MAXPROC=6,12 FSTARGET=1000000^
SYSCFG MAXJOB=50
SRCFG[all] PERIOD=INFINITY HOSTLIST=n2 USERLIST={SECOND}
"""
SLURM_CONF = """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=5,bf_min_prio_reserve=1
"""

Families = dict[str, openmetrics.Family]


class MetricsTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=2, cpus=8, maui_cfg=POLICY, slurm_conf=SLURM_CONF)
        )
        submit = cls.cluster.sbatch
        # n1 is full then, and of the reservation on n2 half.
        running = [submit("-n3", "-t60", "-wn1", user=FIRST) for _ in range(2)]
        running.append(submit("-n4", "-t60", "-wn2", user=SECOND))
        running.append(submit("-n2", "-t60", "-wn1"))
        for job in running:
            cls.cluster.wait_for_state(job, "RUNNING")
        for _ in range(5):
            submit("-n1", "-t60", user=FIRST)  # over MAXJOB
        submit("-n1", "--array=1-7", user=FIRST)  # the same, and one job while it waits
        submit("-n3", "-t60", "-wn1", user=SECOND)  # over a soft limit
        submit("-n2", "-t60", "-wn1")  # waits for nodes
        for _ in range(3):
            submit("-n1", "--hold", user=SECOND)
        submit("-n1", f"--dependency=afterany:{running[0]}", user=SECOND)
        submit("-n1", "--begin=now+2hours", user=SECOND)
        # A reconfigure may cost slurmctld what it has not saved.
        cls.cluster.wait_until_saved(running[0])

    def families(self, *options: str, user: str | None = None) -> Families:
        return openmetrics.parse(self.cluster.run(["maui", "metrics", *options], user=user).stdout)

    def settled(self) -> Families:
        """With every pending job in its place."""

        def find() -> Families | None:
            families = self.families()
            return families if self.counts(families) == self.expected() else None

        try:
            return self.cluster.wait_for(find, "the counts to be squeue's")
        except AssertionError:
            self.assertEqual(self.counts(self.families()), self.expected())
            raise

    @staticmethod
    def counts(families: Families) -> dict[str, float]:
        samples = families["maui_pending_jobs"].samples.items()
        return {dict(labels)["reason"]: value for labels, value in samples if value}

    def pending(self) -> list[dict[str, str]]:
        """By squeue; an array that waits once."""
        jobs = self.cluster.squeue("--states=PD")
        return list({job["id"].split("_")[0]: job for job in jobs}.values())

    def expected(self) -> dict[str, float]:
        """From squeue's reasons alone."""
        counts: Counter[str] = Counter()
        for job in self.pending():
            if job["user"] == FIRST:
                counts["limit"] += 1
            elif job["reason"] == "JobHeldUser":
                counts["user-hold"] += 1
            elif job["reason"] == "Dependency":
                counts["dependency"] += 1
            elif job["reason"] == "BeginTime":
                counts["begin-time"] += 1
            else:
                counts["soft-limit" if job["user"] == SECOND else "eligible"] += 1
        return dict(counts)

    def test_pending_jobs_are_those_of_squeue(self) -> None:
        families = self.settled()
        pending = self.pending()
        self.assertEqual(sum(families["maui_pending_jobs"].samples.values()), len(pending))
        self.assertEqual(families["maui_snapshot_rows"].value(), len(pending))

    def test_limits_have_what_is_in_use_and_what_is_left(self) -> None:
        families = self.settled()
        usage, left = families["maui_limit_usage"], families["maui_limit_left"]
        jobs = Counter(job["user"] for job in self.cluster.squeue("--states=R"))
        self.assertEqual(usage.value(type="user", name=FIRST, limit="MAXJOB"), jobs[FIRST])
        self.assertEqual(left.value(type="user", name=FIRST, limit="MAXJOB", level="hard"), 0)
        self.assertEqual(left.value(type="user", name=SECOND, limit="MAXPROC", level="soft"), 2)
        self.assertEqual(left.value(type="user", name=SECOND, limit="MAXPROC", level="hard"), 8)
        self.assertEqual(usage.value(type="system"), sum(jobs.values()))
        self.assertEqual(families["maui_limit"].value(type="system", level="hard"), 50)

    def test_fairshare_is_that_of_diagnose(self) -> None:
        families = self.settled()
        self.assertEqual(families["maui_fairshare_target_ratio"].value(name=FIRST), 0.25)
        self.assertEqual(families["maui_fairshare_cap_procseconds"].value(name=SECOND), 1000000)
        before = self.cluster.maui("diagnose", "-f", "--json")
        shares = self.families()["maui_fairshare_usage_procseconds"]
        after = self.cluster.maui("diagnose", "-f", "--json")
        for name in USERS:
            low, high = (
                next(row["usage"] for row in data["credentials"]["user"] if row["name"] == name)
                for data in (before, after)
            )
            self.assertTrue(low <= shares.value(type="user", name=name) <= high, name)
        ratios = self.families()["maui_fairshare_usage_ratio"].samples
        users = [value for labels, value in ratios.items() if dict(labels)["type"] == "user"]
        self.assertAlmostEqual(sum(users), 1)

    def test_reservations_have_what_jobs_hold_of_them(self) -> None:
        families = self.settled()
        self.assertEqual(families["maui_reserved_procs"].value(), 8)
        self.assertEqual(families["maui_reservation_procs"].value(reservation="all"), 8)
        self.assertEqual(families["maui_reservation_used_procs"].value(reservation="all"), 4)

    def test_the_engine_tells_how_it_is(self) -> None:
        earlier = self.cluster.maui("status", "--json")["last_iteration"]
        families = self.settled()
        self.assertEqual(families["maui_up"].value(), 1)
        self.assertEqual(families["maui_mode"].value(mode="primary"), 1)
        self.assertEqual(families["maui_policy_source"].value(source="file"), 1)
        self.assertEqual(families["maui_select_loaded"].value(), 1)
        self.assertEqual(families["maui_scrape_complete"].value(), 1)
        self.assertGreater(families["maui_iteration_seconds"].value(), 0)
        age = families["maui_iteration_age_seconds"].value()
        self.assertTrue(0 <= age <= time.time() - earlier, age)

    def test_a_scrape_is_no_reason_for_an_iteration(self) -> None:
        self.cluster.write_maui_cfg(POLICY.replace("RMPOLLINTERVAL 1", "RMPOLLINTERVAL 1:00:00"))
        self.cluster.reconfigure()
        self.cluster.wait_for(
            lambda: self.families()["maui_iteration_interval_seconds"].value() > 1, "the interval"
        )
        # Each pass of a scheduler may ask for an iteration, also one that is under way here or there;
        # forty times seven questions do not.
        begun = self.passes()
        counts = [self.families()["maui_iterations"].value() for _ in range(40)]
        self.assertLessEqual(counts[-1] - counts[0], self.passes() - begun + 2, counts)
        self.cluster.write_maui_cfg(POLICY)
        self.cluster.reconfigure()

    def passes(self) -> int:
        """Of both schedulers, ever."""
        found = re.findall(r"Total cycles: +(\d+)", self.cluster.run(["sdiag"]).stdout)
        self.assertEqual(len(found), 2)
        return sum(map(int, found))

    def test_an_ordinary_user_gets_them_too(self) -> None:
        self.assertEqual(self.families(user=FIRST)["maui_up"].value(), 1)
