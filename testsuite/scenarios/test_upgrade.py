# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm is upgraded in place, from release to release as far as Slurm itself allows at once, with jobs
that run, wait, are over a limit, rejected, shut out and let in: nothing of Maui's is lost on the way.
Then it goes on without Maui, and nothing is left held.

It needs builds for several releases: `testsuite/run scenario --release all smoke` makes them.
"""

from __future__ import annotations

import re
import time
import unittest
from pathlib import Path
from typing import Any

from harness import Cluster  # which makes testsuite's packages known
from reservation_model import FAST, OPEN, SLURM_CONF, nodes_of, show_reservations, wait_for_instances
from runner import release

import built_for

# Slurm takes three steps at once from 24.11 on, two before.
CHAIN = tuple(release.supported())
CONF = SLURM_CONF.replace("bf_continue", "bf_continue,bf_min_prio_reserve=2")
# FSWEIGHT 0: priorities are the same at all times. Usage does not fade.
POLICY = FAST + """\
ADMIN1 root
QUEUETIMEWEIGHT 0
CREDWEIGHT 1
USERWEIGHT 1
ENABLENEGJOBPRIORITY TRUE
REJECTNEGPRIOJOBS TRUE
USERCFG[daemon] PRIORITY=500
USERCFG[bin] PRIORITY=300
USERCFG[games] PRIORITY=100 MAXJOB=1
USERCFG[man] PRIORITY=-3000
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSDEPTH 7
FSDECAY 1
FSWEIGHT 0
SRCFG[own] PERIOD=INFINITY HOSTLIST=n4 USERLIST=daemon
"""
COMPLAINTS = re.compile(r"error: maui: .*|.*\.damaged.*|.*Incomplete .* (?:state|checkpoint).*")


def builds() -> dict[str, tuple[str, str]]:
    """By series: where Slurm is, and our build for it. Without one, a series is left out."""
    own = built_for.own_build()
    places = [own, *(release.ROOT / release.BUILDS / one.version for one in release.found())]
    found: dict[str, tuple[str, str]] = {}
    for build in places:
        if Path(build, "plugins", "priority", "priority_maui.so").exists():
            slurm = built_for.of_build(build)
            series = ".".join(slurm.version.split(".")[:2])
            found.setdefault(series, (str(slurm.prefix), str(build)))
    return found


class Upgrade(unittest.TestCase):
    cluster: Cluster
    kept: dict[str, int]  # jobs that never start, by what they are for

    def setUp(self) -> None:
        self.builds = builds()
        if missing := [series for series in CHAIN if series not in self.builds]:
            self.skipTest(f"no build for Slurm {', '.join(missing)}")
        # 22.05 is the distribution's: it is what MAUI_BUILD is for.
        self.cluster = self.enterContext(
            Cluster(nodes=4, cpus=2, maui_cfg=POLICY, slurm_conf=CONF)
        )
        wait_for_instances(self.cluster, {"own.inf": "n4"})

    # --- what there is

    def submit(self, *options: str, user: str) -> int:
        return self.cluster.sbatch("-n2", "-t1-0", *options, user=user)

    def state(self, job: int) -> str:
        return self.cluster.job(job)["JobState"]

    def priorities(self) -> dict[int, str]:
        return {job: self.cluster.job(job)["Priority"] for job in self.kept.values()}

    def reservations(self) -> dict[str, set[str]]:
        return {name: nodes_of(one) for name, one in show_reservations(self.cluster).items()}

    def usage(self) -> float:
        """What games has used, in processor seconds: never more than one job of two processors."""
        users: Any = self.cluster.maui("diagnose", "-f", "--json")["credentials"]["user"]
        used = next((float(row["usage"]) for row in users if row["name"] == "games"), 0.0)
        self.assertLessEqual(used, 2 * (time.time() - self.began))
        return used

    def fill(self) -> None:
        self.began = time.time()
        name = self.cluster.maui("setres", "--json", "n3")["name"]
        self.assertEqual(name, "SYSTEM.0")
        self.over = self.submit("-wn1", user="games")
        self.inside = self.submit("-wn4", user="daemon")
        for job in (self.over, self.inside):
            self.cluster.wait_for_state(job, "RUNNING")
        self.kept = {
            "shut out": self.submit("-wn4", user="bin"),
            "of an administrator's": self.submit("-wn3", user="daemon"),
            "rejected": self.submit("-wn2", user="man"),
            "system": self.submit("--begin=now+10days", user="bin"),
            "by hand": self.submit("--begin=now+10days", user="bin"),
        }
        self.cluster.run(["maui", "setspri", "777", str(self.kept["system"])])
        self.cluster.run(["scontrol", "update", f"job={self.kept['by hand']}", "priority=4711"])
        self.refill()
        self.before = self.priorities()
        # Others than by hand are above 2^30, as ENABLENEGJOBPRIORITY has it.
        above = [(1 << 30) + term for term in (300, 500, 1000000777)]
        self.assertEqual(sorted(map(int, self.before.values())), [0, 4711, *above])

    def refill(self) -> None:
        """One more that waits for the limit, and one more that waits in the reservation."""
        self.parked = self.submit("-wn1", user="games")
        self.waiting = self.submit("-wn4", user="daemon")
        self.wait_until_parked()

    def wait_until_parked(self) -> None:
        self.cluster.wait_for(
            lambda: "MAXJOB" in self.cluster.job(self.parked)["Reason"], "the limit's reason"
        )

    # --- each release

    def look(self, series: str, used: float, position: int) -> None:
        """All is as it was."""
        self.cluster.wait_for(
            lambda: self.cluster.maui("status", "--json")["iteration"] >= 2, "iterations"
        )
        status = self.cluster.maui("status", "--json")
        self.assertTrue(status["slurm_version"].startswith(series), status)
        self.assertEqual(status["policy"]["source"], "file")
        self.wait_until_parked()
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.priorities(), self.before)
        self.assertEqual(self.reservations(), {"own.inf": {"n4"}, "SYSTEM.0": {"n3"}})
        for one in show_reservations(self.cluster).values():
            self.assertEqual(one["MaxStartDelay"], OPEN)
        for job in (self.over, self.inside):
            self.assertEqual(self.state(job), "RUNNING")
        for job in (self.parked, self.waiting, *self.kept.values()):
            self.assertEqual(self.state(job), "PENDING")
        self.assertGreaterEqual(self.usage(), used)
        self.assertEqual(COMPLAINTS.findall(self.cluster.log_text(position)), [])

    def go_on(self) -> None:
        """Who waited under the release before starts under this one, as soon as he may."""
        self.cluster.scancel(self.over, self.inside)
        for job in (self.parked, self.waiting):
            self.cluster.wait_for_state(job, "RUNNING")
        self.over, self.inside = self.parked, self.waiting
        self.refill()

    def test_nothing_is_lost(self) -> None:
        self.fill()
        used = self.cluster.wait_for(self.usage, "some usage")
        for number, series in enumerate(CHAIN[1:]):
            with self.subTest(f"Slurm {series}"):
                if number % 2:  # marks are in Slurm's file only if slurmctld was killed
                    # Some files Slurm saves at the end, or every five minutes, and else they are
                    # those of the release before.
                    self.cluster.restart()
                    self.wait_until_parked()
                    self.cluster.wait_until_saved(self.parked)
                    self.cluster.stop(kill=True)
                position = self.cluster.log_position()
                self.cluster.upgrade(*self.builds[series])
                self.look(series, used, position)
                used = self.usage()
                self.go_on()
        self.goes_on_without_us(CHAIN[-1])

    def goes_on_without_us(self, series: str, killed: bool = False) -> None:
        """Reservations stay, closed, and a rejected job stays held; nobody is over a limit any more."""
        self.cluster.upgrade(self.builds[series][0])
        self.assertEqual(self.cluster.config()["PriorityType"], "priority/multifactor")
        self.cluster.scancel(self.inside)
        self.cluster.run(["scontrol", "update", f"job={self.parked}", "reqnodelist=n2"])
        if killed:
            for word in ("hold", "release"):
                self.cluster.run(["scontrol", word, str(self.parked)])
        self.cluster.wait_for_state(self.parked, "RUNNING")
        self.assertEqual(self.state(self.over), "RUNNING")
        for one in show_reservations(self.cluster).values():
            self.assertEqual(one.get("MaxStartDelay") == OPEN, killed)
        self.assertEqual(self.state(self.kept["shut out"]), "PENDING")

    def test_from_one_to_a_later_one_without_us(self) -> None:
        """Our plugins are not built for the new release, and nobody has called `maui disable`."""
        self.fill()
        self.goes_on_without_us(CHAIN[1])

    def test_the_same_after_a_kill(self) -> None:
        """Only a slurmctld that ends in good order closes reservations, and takes back that a job is
        over a limit."""
        self.fill()
        self.cluster.wait_until_saved(self.parked)
        self.cluster.stop(kill=True)
        self.goes_on_without_us(CHAIN[1], killed=True)
