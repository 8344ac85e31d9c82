# SPDX-License-Identifier: GPL-2.0-or-later
"""Fairshare when the clock of slurmctld's machine is set: jobs are charged for the seconds that they
ran, which the cluster's clock does not know. The real clock does, and nobody sets that.
"""

from __future__ import annotations

import time
import unittest

import pytest
from harness import USERS, Cluster
from test_fairshare import POLICY

pytestmark = pytest.mark.usefixtures("utc")
# Windows of a day: a step of two hours stays in one.
CFG = POLICY.replace("FSINTERVAL         60", "FSINTERVAL 24:00:00")
CPUS = 8
ROUNDING = 4  # seconds: Slurm's clock is in whole ones, at each end and each restart


class SetClock(unittest.TestCase):
    """The bounds of a job's seconds are what this process saw of it: they hold at any speed."""

    def setUp(self) -> None:
        self.cluster = self.enterContext(
            Cluster(nodes=1, cpus=CPUS, maui_cfg=CFG, clock="2026-06-06T12:00:00")
        )

    def start_job(self) -> int:
        self.submitted = time.monotonic()
        # Slurm ends it at its limit by the clock that is two days ahead.
        job = self.cluster.sbatch(f"-n{CPUS}", "-t10-0", user=USERS[0])
        self.cluster.wait_for_state(job, "RUNNING")
        self.running = time.monotonic()
        self.ended: tuple[float, float] | None = None
        return job

    def end_job(self, job: int) -> None:
        asked = time.monotonic()
        self.cluster.scancel(job)
        self.cluster.wait_for_state(job, "CANCELLED")
        self.ended = (asked, time.monotonic())

    def counted(self) -> float:
        """An iteration begins, and counts everything that was used by now. What the windows have,
        in seconds of the job."""
        self.cluster.wait_for_iterations(2)
        report = self.cluster.maui("diagnose", "-f", "--json")
        return sum(window["usage"] for window in report["windows"]) / CPUS

    def check(self, when: str) -> float:
        """All seconds of the job are there, and no others."""
        least = (self.ended[0] if self.ended else time.monotonic()) - self.running
        used = self.counted()
        most = (self.ended[1] if self.ended else time.monotonic()) - self.submitted
        self.assertGreaterEqual(used, least - ROUNDING, when)
        self.assertLessEqual(used, most + ROUNDING, when)
        return used

    def restarts(self) -> None:
        for kill in (False, True, False):
            self.cluster.restart(kill=kill)
            self.check(f"restart, kill={kill}")
        self.cluster.reconfigure()
        self.check("reconfigure")

    def test_a_job_ends_while_the_clock_is_ahead(self) -> None:
        job = self.start_job()
        self.counted()
        self.cluster.set_clock("+7200")
        self.counted()
        self.end_job(job)
        self.check("ahead")
        self.cluster.set_clock("-7200")
        self.check("right again")
        self.restarts()
        self.assertRegex(self.cluster.log_text(), r"the clock was set back by 7[12]\d\d seconds")

    def test_the_clock_is_set_while_slurmctld_is_down(self) -> None:
        job = self.start_job()
        self.counted()
        for kill, step in ((False, "+7200"), (True, "-7200"), (True, "+7200"), (False, "-7200")):
            self.cluster.wait_until_saved(job)
            self.cluster.stop(kill=kill)
            self.cluster.set_clock(step)
            self.cluster.start()
            self.check(f"{step}, kill={kill}")
        self.end_job(job)
        self.check("at the end")
        self.restarts()

    def test_windows_to_come_wait_in_their_files(self) -> None:
        job = self.start_job()
        self.check("before")
        self.cluster.set_clock("+172800")
        self.end_job(job)
        self.check("ahead, both windows")
        self.cluster.set_clock("-172800")
        back = self.counted()
        self.assertLess(back, self.ended[1] - self.submitted)
        for kill in (False, True):
            self.cluster.restart(kill=kill)
            self.assertAlmostEqual(self.counted(), back, places=3)
        self.cluster.set_clock("+172800")
        self.check("when their time has come")
        self.restarts()
        self.assertIn("to come", self.cluster.log_text())
