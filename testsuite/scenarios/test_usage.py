# SPDX-License-Identifier: GPL-2.0-or-later
"""Usage over time with slurmdbd: the same work under priority/multifactor and under priority/maui.

Slurm's shortest PriorityCalcPeriod is a minute, so most tests wait for the end of one. Both
clusters do everything at the same time.
"""

from __future__ import annotations

import struct
import time
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from harness import USERS, Cluster, replace_file

FIRST, SECOND = USERS
PERIOD = 60
WAIT = 2 * PERIOD + 60

# Usage must not fade while tests look at it.
SLURM_CONF = """
AccountingStorageEnforce=associations,limits,qos
PriorityCalcPeriod=1
PriorityDecayHalfLife=1000-0
"""

# An account for each test, so that the order of tests does not matter.
ACCOUNTS = ("short", "long", "minutes", "wall", "reserved", "reset", "restart", "shares", "decay", "frugal")
LIMITS = {
    "minutes": "GrpTRESMins=cpu=2",
    "wall": "GrpWall=1",
    "reserved": "GrpTRESRunMins=cpu=100",
}

_T = TypeVar("_T")
_COLUMNS = ("Account", "User", "RawUsage", "NormShares", "NormUsage", "EffectvUsage", "FairShare",
            "LevelFS", "TRESRunMins")


def accounts_script() -> str:
    lines = [f"sacctmgr -i add account {','.join(ACCOUNTS)}"]
    lines += [f"sacctmgr -i modify account {name} set {limit}" for name, limit in LIMITS.items()]
    lines.append(f"sacctmgr -i add user {FIRST} account={','.join(ACCOUNTS)}")
    lines.append(f"sacctmgr -i add user {SECOND} account=shares fairshare=3")
    return "\n".join(lines)


def shares(cluster: Cluster, account: str, user: str = "") -> dict[str, str]:
    """A row of sshare."""
    done = cluster.run(["sshare", "-a", "-P", "-n", "-A", account, "-o", ",".join(_COLUMNS)])
    for line in done.stdout.splitlines():
        row = dict(zip(_COLUMNS, (field.strip() for field in line.split("|")), strict=True))
        if (row["Account"], row["User"]) == (account, user):
            return row
    raise AssertionError(f"no {account}/{user} in\n{done.stdout}")


def raw(cluster: Cluster, account: str) -> int:
    return int(shares(cluster, account)["RawUsage"])


def shown(used: int) -> tuple[int, int]:
    """RawUsage of so many CPU seconds. Some of one has faded, and sshare shows no fractions."""
    return used - 1, used


def last_pass(cluster: Cluster) -> int:
    """The second until which usage of running jobs has been counted, by the file that says so; 0: by none."""
    saved = cluster.saved("priority_last_decay_ran")
    return struct.unpack(">q", saved[:8])[0] if saved else 0


def reserved(cluster: Cluster, account: str) -> int:
    """CPU minutes that running jobs may still use."""
    tres = dict(item.split("=") for item in shares(cluster, account)["TRESRunMins"].split(","))
    return int(tres["cpu"])


def stamp(cluster: Cluster, job: int, key: str) -> int:
    """StartTime or EndTime of a job."""
    return int(datetime.fromisoformat(cluster.job(job)[key]).timestamp())


def seconds(cluster: Cluster, job: int) -> int:
    """How long a job that has ended has run."""
    return stamp(cluster, job, "EndTime") - stamp(cluster, job, "StartTime")


def prepare(cluster: Cluster) -> None:
    cluster.run(accounts_script())
    cluster.wait_for(
        lambda: SECOND in cluster.run(f"scontrol show assoc_mgr users={SECOND}").stdout,
        "slurmctld to know the associations",
    )


@dataclass
class Seen:
    """CPU seconds that jobs used, by their start and end and by sshare, and what was reserved."""

    short_wanted: int
    short_raw: int
    long_wanted: int
    long_raw: int
    first_state: str
    apart: int  # seconds from the first job's start to that of the one that its reserve held back
    reserved_of_two: int
    least_of_two: int  # what their limits left of it when it was asked for
    reserved_of_none: int


def observe(cluster: Cluster) -> Seen:
    """Jobs of several accounts at once, so that all of them wait for the same few periods."""

    def wait_for_reason(job: int, reason: str) -> None:
        cluster.wait_for(lambda: cluster.job(job)["Reason"] == reason, f"job {job}: {reason}")

    long = cluster.sbatch("-Along", "-n2", "-t60", user=FIRST)
    stopped = cluster.sbatch("-Aminutes", "-n4", "-t60", user=FIRST)
    stopped_by_wall = cluster.sbatch("-Awall", "-n1", "-t60", user=FIRST)
    first = cluster.sbatch("-Areserved", "-n1", "-t60", user=FIRST)
    short = cluster.sbatch("-Ashort", "-n2", "-t5", wrap="sleep 4", user=FIRST)
    cluster.wait_for_state(first, "RUNNING")
    second = cluster.sbatch("-Areserved", "-n1", "-t42", user=FIRST)

    cluster.wait_for_state(short, "COMPLETED")
    short_raw = cluster.wait_for(lambda: raw(cluster, "short"), "the short job's usage", WAIT)

    cluster.wait_for_state(stopped, "TIMEOUT", timeout=WAIT)
    wait_for_reason(cluster.sbatch("-Aminutes", "-n1", "-t1", user=FIRST),
                    "AssocGrpCPUMinutesLimit")

    cluster.wait_for_state(second, "RUNNING", timeout=WAIT)  # 60 minutes have become 58
    first_state = cluster.job(first)["JobState"]
    starts = [stamp(cluster, job, "StartTime") for job in (first, second)]
    reserved_of_two = reserved(cluster, "reserved")
    least_of_two = ((60 + 42) * 60 + sum(starts) - 2 * int(time.time() + 1)) // 60
    cluster.scancel(first, second)
    for job in (first, second):
        cluster.wait_for_state(job, "CANCELLED")
    reserved_of_none = reserved(cluster, "reserved")

    cluster.wait_for_state(stopped_by_wall, "TIMEOUT", timeout=WAIT)
    cluster.wait_for(lambda: raw(cluster, "long") > 2 * PERIOD, "a second period", WAIT)
    cluster.scancel(long)
    cluster.wait_for_state(long, "CANCELLED")
    return Seen(2 * seconds(cluster, short), short_raw, 2 * seconds(cluster, long),
                raw(cluster, "long"), first_state, starts[1] - starts[0],
                reserved_of_two, least_of_two, reserved_of_none)


class UsageTest(unittest.TestCase):
    stock: Cluster
    ours: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        options = {"nodes": 1, "cpus": 16, "slurmdbd": True, "slurm_conf": SLURM_CONF}
        stack = cls.enterClassContext(ExitStack())
        cls.stock = stack.enter_context(Cluster(stock=True, **options))
        cls.ours = stack.enter_context(Cluster(maui_cfg="RMPOLLINTERVAL 30\n", **options))
        cls.both(prepare)

    @classmethod
    def both(cls, work: Callable[[Cluster], _T]) -> tuple[_T, _T]:
        """The same on both clusters at once; the results are of stock Slurm's and of ours."""
        with ThreadPoolExecutor(2) as pool:
            stock, ours = (pool.submit(work, cluster) for cluster in (cls.stock, cls.ours))
            return stock.result(), ours.result()

    def tearDown(self) -> None:
        self.both(Cluster.cancel_all)

    def test_usage_is_counted_once_and_limits_hold(self) -> None:
        for name, seen in zip(("stock", "ours"), self.both(observe), strict=True):
            with self.subTest(name, what="a job shorter than a period"):
                self.assertGreater(seen.short_wanted, 0)
                self.assertIn(seen.short_raw, shown(seen.short_wanted))
            with self.subTest(name, what="a job of several periods"):
                self.assertIn(seen.long_raw, shown(seen.long_wanted))
            with self.subTest(name, what="GrpTRESRunMins shrinks while a job runs"):
                self.assertEqual(seen.first_state, "RUNNING")
                self.assertGreaterEqual(seen.apart, PERIOD)
                self.assertIn(seen.reserved_of_two, range(seen.least_of_two, 101))
                self.assertEqual(seen.reserved_of_none, 0)

    def test_sacctmgr_resets_usage(self) -> None:
        def work(cluster: Cluster) -> None:
            job = cluster.sbatch("-Areset", "-n4", "-t5", wrap="sleep 3", user=FIRST)
            cluster.wait_for_state(job, "COMPLETED")
            cluster.wait_for(lambda: raw(cluster, "reset"), "the job's usage", WAIT)
            cluster.run("sacctmgr -i modify account reset set rawusage=0")
            cluster.wait_for(lambda: not raw(cluster, "reset"), "the reset")

        self.both(work)

    def test_a_usage_threshold_holds_no_longer_than_the_usage(self) -> None:
        """Stock Slurm compares it with Fair Tree's factor, which is 1 for whoever is alone."""
        cluster = self.ours
        cluster.run(
            "sacctmgr -i add qos frugal set UsageThreshold=0.999 Flags=EnforceUsageThreshold"
        )
        cluster.run(f"sacctmgr -i modify user {FIRST} where account=frugal set qos+=frugal")
        used = cluster.sbatch("-Afrugal", "-n4", "-t5", user=FIRST, wrap="sleep 3")
        cluster.wait_for_state(used, "COMPLETED")
        cluster.wait_for(
            lambda: float(shares(cluster, "frugal", FIRST)["EffectvUsage"]) > 0, "usage", WAIT
        )
        job = cluster.sbatch("-Afrugal", "-n4", "-t5", "--qos=frugal", user=FIRST)
        cluster.wait_for(
            lambda: cluster.job(job)["Reason"] == "QOSUsageThreshold", "the threshold to hold it"
        )
        cluster.run("sacctmgr -i modify account frugal set RawUsage=0")
        cluster.wait_for_state(job, "RUNNING", timeout=WAIT)

    def test_usage_survives_a_restart_and_is_counted_once(self) -> None:
        def work(cluster: Cluster) -> tuple[int, int]:
            job = cluster.sbatch("-Arestart", "-n2", "-t60", user=FIRST)
            before = cluster.wait_for(lambda: raw(cluster, "restart"), "a period", WAIT)
            cluster.restart()
            self.assertGreaterEqual(raw(cluster, "restart"), before)
            cluster.wait_for(lambda: raw(cluster, "restart") > before, "the next pass", WAIT)
            self.assertLess(reserved(cluster, "restart"), 2 * 60)
            cluster.restart()
            cluster.scancel(job)
            cluster.wait_for(lambda: not cluster.squeue(), "the job's end")
            self.assertEqual(reserved(cluster, "restart"), 0)
            return 2 * seconds(cluster, job), raw(cluster, "restart")

        for wanted, got in self.both(work):
            self.assertIn(got, shown(wanted))

    def test_sshare_shows_the_same_columns(self) -> None:
        def reset(cluster: Cluster) -> None:
            cluster.run("sacctmgr -i modify account root set rawusage=0")
            cluster.wait_for(lambda: not raw(cluster, "root"), "the reset of all")

        def used(cluster: Cluster) -> list[float]:
            job = cluster.sbatch("-Ashares", "-n4", "-t5", wrap="sleep 4", user=FIRST)
            other = cluster.sbatch("-Ashares", "-n2", "-t5", wrap="sleep 4", user=SECOND)
            for number in (job, other):
                cluster.wait_for_state(number, "COMPLETED")
            ended = max(stamp(cluster, number, "EndTime") for number in (job, other))
            # A pass while they run derives columns, too.
            cluster.wait_for(lambda: last_pass(cluster) > ended, "a pass after both", WAIT)
            each = 4 * seconds(cluster, job), 2 * seconds(cluster, other)
            return [one / sum(each) for one in each]

        def columns(cluster: Cluster) -> list[dict[str, str]]:
            cluster.wait_for(
                lambda: float(shares(cluster, "shares")["NormUsage"] or 0) > 0,
                "a period's normalised usage",
                WAIT,
            )
            return [shares(cluster, "shares", user) for user in (FIRST, SECOND)]

        self.both(reset)  # What the tests before have used is not the same on both.
        parts = self.both(used)
        self.compare_columns(parts, self.both(columns), level=True)
        self.both(self.without_fair_tree)
        self.compare_columns(parts, self.both(columns), level=False)

    @staticmethod
    def without_fair_tree(cluster: Cluster) -> None:
        conf = cluster.dir / "etc" / "slurm.conf"
        replace_file(conf, conf.read_text() + "PriorityFlags=NO_FAIR_TREE\n")
        cluster.restart()  # which forgets what the other algorithm has found

    def compare_columns(self, parts: tuple[list[float], list[float]],
                        rows: tuple[list[dict[str, str]], list[dict[str, str]]],
                        level: bool) -> None:
        """parts: of each user in the account's usage on either cluster, by the times of its job."""
        for wanted, got in zip(*rows, strict=True):
            if level:
                with self.subTest(user=wanted["User"]):
                    self.assertEqual(got["FairShare"], wanted["FairShare"])
                    self.assertAlmostEqual(self.level_share(got), self.level_share(wanted), 2)
        for name, mine, shown in zip(("stock", "ours"), parts, rows, strict=True):
            for row, part, share in zip(shown, mine, (1 / 4, 3 / 4), strict=True):
                with self.subTest(name, user=row["User"], fair_tree=level):
                    # The classic algorithm adds of what others used what a user's share is.
                    effective = part if level else part + (1 - part) * share
                    self.assertAlmostEqual(float(row["EffectvUsage"]), effective, 3)
                    if not level:
                        self.assertAlmostEqual(float(row["FairShare"]), self.classic_factor(row), 3)

    @staticmethod
    def level_share(row: dict[str, str]) -> float:
        """LevelFS is a share by the usage: the share, which does not depend on seconds."""
        return float(row["LevelFS"]) * float(row["EffectvUsage"])

    @staticmethod
    def classic_factor(row: dict[str, str]) -> float:
        """What the classic algorithm makes of the row's own usage."""
        return 2 ** -(float(row["EffectvUsage"]) / float(row["NormShares"]))


class DecayTest(unittest.TestCase):
    def test_usage_fades_and_is_cleared(self) -> None:
        conf = SLURM_CONF.replace("1000-0", "1")
        with Cluster(nodes=1, cpus=8, slurmdbd=True, slurm_conf=conf) as cluster:
            prepare(cluster)
            job = cluster.sbatch("-Adecay", "-n8", "-t5", wrap="sleep 15", user=FIRST)
            cluster.wait_for_state(job, "COMPLETED")
            cluster.wait_for(lambda: raw(cluster, "decay"), "the job's usage")
            before, used = cluster.wait_for(lambda: self.left(cluster, 0), "usage of a pass", WAIT)
            after, faded = cluster.wait_for(lambda: self.left(cluster, before), "some to fade", WAIT)
            # The half-life is a minute, and sshare shows no fractions.
            part = 2 ** -((after - before) / 60)
            self.assertLess(faded, used)
            self.assertTrue(int(used * part) <= faded <= (used + 1) * part, (used, faded, part))
            path = cluster.dir / "etc" / "slurm.conf"
            replace_file(path, path.read_text() + "PriorityUsageResetPeriod=NOW\n")
            cluster.reconfigure()
            cluster.wait_for(lambda: not raw(cluster, "decay"), "the reset")

    @staticmethod
    def left(cluster: Cluster, after: int) -> tuple[int, int] | None:
        """A later pass, and the usage since. Its time is in the file when all usage has faded, that of the
        next one a period later: in between neither can be of another pass."""
        made = last_pass(cluster)
        used = raw(cluster, "decay")
        return (made, used) if made > after and time.time() < made + PERIOD / 2 else None


class SwitchTest(unittest.TestCase):
    def test_a_site_changes_from_maui_to_multifactor_with_its_usage(self) -> None:
        with Cluster(nodes=1, cpus=8, slurmdbd=True, slurm_conf=SLURM_CONF) as cluster:
            prepare(cluster)
            job = cluster.sbatch("-Along", "-n8", "-t60", user=FIRST)
            before = cluster.wait_for(lambda: raw(cluster, "long"), "a period", WAIT)
            path = cluster.dir / "etc" / "slurm.conf"
            replace_file(path, path.read_text().replace("priority/maui", "priority/multifactor"))
            cluster.restart()
            self.assertEqual(cluster.config()["PriorityType"], "priority/multifactor")
            self.assertGreaterEqual(raw(cluster, "long"), before)
            cluster.scancel(job)
            cluster.wait_for_state(job, "CANCELLED")
            self.assertIn(raw(cluster, "long"), shown(8 * seconds(cluster, job)))
