# SPDX-License-Identifier: GPL-2.0-or-later
"""Limits that have other values at night, in a cluster with a clock of its own: jobs over the change."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from harness import ClusterTest
from test_limits import SLURM_CONF, settle

# No iteration comes by itself: what happens at a change is the engine's own doing.
CFG = """\
RMPOLLINTERVAL 3600
PERIODCFG[night] STARTTIME=20:00:00 ENDTIME=6:00:00
USERCFG[daemon] MAXJOB=2 MAXJOB[PERIOD:night]=4 MAXPROC[PERIOD:night]=100
"""
DAY = "MAXJOB limit of 2 for user daemon ({} in use)"
NIGHT = "MAXJOB[PERIOD:night] limit of 4 for user daemon ({} in use)"
ZONE = "Europe/Berlin"
CHANGED = "maui: limits: a period has begun or ended"


class Periods(ClusterTest):
    evenings = 0  # each test has a later one: a Slurm whose clock goes back waits

    CLUSTER = dict(
        nodes=2,
        cpus=8,
        maui_cfg=CFG,
        slurm_conf=SLURM_CONF,
        clock="2026-06-06T12:00:00",
        time_zone=ZONE,
    )

    def setUp(self) -> None:
        Periods.evenings += 1
        self.today = datetime(2026, 6, 6) + self.evenings * timedelta(days=7)
        self.cluster.cancel_all()
        self.at("19:00:00")
        self.cluster.install(CFG)
        self.jobs = [
            self.cluster.sbatch("-n1", "-t2880", "-o/dev/null", user="daemon") for _ in range(6)
        ]
        self.expect(2, DAY.format(2))

    def tearDown(self) -> None:
        """What is counted is what a recount gives."""
        self.assertNotIn("error: maui: limits:", self.cluster.log_text())

    def at(self, clock: str, day: int = 0) -> None:
        self.cluster.set_clock(f"{self.today + timedelta(days=day):%Y-%m-%d}T{clock}")

    def second(self, clock: str, day: int = 0) -> float:
        when = datetime.fromisoformat(f"{self.today + timedelta(days=day):%Y-%m-%d}T{clock}")
        return when.replace(tzinfo=ZoneInfo(ZONE)).timestamp()

    def running(self) -> list[int]:
        return [int(row["id"]) for row in self.cluster.squeue() if row["state"] == "RUNNING"]

    def expect(self, count: int, text: str) -> None:
        """So many run, and each other job says so."""

        def look() -> bool:
            # At one moment: a job that was cancelled leaves the queue meanwhile.
            rows = self.cluster.squeue()
            others = [row["reason"] for row in rows if row["state"] == "PENDING"]
            return (
                sum(row["state"] == "RUNNING" for row in rows) == count
                and len(others) + count == len(rows)
                and all(text in other for other in others)
            )

        self.cluster.wait_for(look, f"{count} jobs to run, others: {text}")

    def limit(self) -> dict[str, Any]:
        """The one of MAXJOB in force."""
        rows = self.cluster.maui("diagnose", "-u", "daemon", "--json")["credentials"]
        return next(
            limit
            for row in rows
            if row["name"] == "daemon"
            for limit in row["limits"]
            if limit["metric"] == "jobs"
        )

    def cause(self) -> dict[str, Any]:
        waiting = next(job for job in self.jobs if job not in self.running())
        findings = self.cluster.maui("why", str(waiting), "--json")["findings"]
        return next(row["facts"] for row in findings if row["kind"] == "limit" and row["part"] == "cause")

    def test_over_an_evening_and_a_morning(self) -> None:
        life, evening = self.cluster.life(), self.second("20:00:00")
        self.assertEqual((self.cause()["period"], self.cause()["until"]), (None, evening))
        self.assertEqual((self.limit()["name"], self.limit()["until"]), ("MAXJOB", evening))
        text = self.cluster.run(["maui", "diagnose", "-u", "daemon"]).stdout
        self.assertRegex(text, r"MAXJOB=2: 2 in use, 0 left, until \S+T20:00:00, when night begins\n")
        self.assertRegex(text, r"MAXPROC: not in force, until \S+T20:00:00, when night begins\n")
        first = self.running()
        position = self.cluster.log_position()
        self.at("19:59:55")
        self.expect(4, NIGHT.format(4))
        self.assertIn(CHANGED, self.cluster.log_text(position))
        for job in set(self.running()) - set(first):
            # Nobody began a second too early.
            start = self.cluster.job(job)["StartTime"]
            self.assertGreaterEqual(start, f"{self.today:%Y-%m-%d}T20:00:00")
        self.assertLess(set(first), set(self.running()))
        morning = self.second("06:00:00", day=1)
        self.assertEqual((self.cause()["period"], self.cause()["until"]), ("night", morning))
        limit = self.limit()
        self.assertEqual(
            (limit["name"], limit["hard"], limit["usage"], limit["left"], limit["until"]),
            ("MAXJOB[PERIOD:night]", 4, 4, 0, morning),
        )
        text = self.cluster.run(["maui", "diagnose", "-u", "daemon"]).stdout
        self.assertRegex(text, r"MAXJOB\[PERIOD:night\]=4: 4 in use, 0 left, until \S+, when night ends\n")
        self.assertRegex(text, r"MAXPROC\[PERIOD:night\]=100: 4 in use, ")
        self.assertIn("that of the period night", self.cluster.run(["maui", "why", str(self.jobs[-1])]).stdout)
        self.morning(life)

    def morning(self, life: object) -> None:
        """No job is stopped, and none starts until fewer than two run."""
        jobs = self.running()
        self.at("05:59:55", day=1)
        self.expect(4, DAY.format(4))
        self.assertEqual(self.running(), jobs)
        self.cluster.scancel(*jobs[:2])
        self.expect(2, DAY.format(2))
        self.cluster.scancel(jobs[2])
        self.cluster.wait_for(lambda: len(set(self.running()) - set(jobs)) == 1, "another job to start")
        self.expect(2, DAY.format(2))
        self.assertEqual(self.cluster.life(), life)

    def test_a_kill_over_the_evening(self) -> None:
        for job in self.jobs:
            self.cluster.wait_until_saved(job)
        self.at("19:59:50")
        self.cluster.stop(kill=True)
        self.at("20:00:30")
        self.cluster.start()
        self.expect(4, NIGHT.format(4))

    def test_reconfigures_right_at_it(self) -> None:
        self.at("19:59:57")
        count = 0
        while self.cluster.time() < self.second("20:00:00") or count < 3:
            self.cluster.reconfigure()
            count += 1
        self.expect(4, NIGHT.format(4))

    def test_a_limit_of_the_night_alone(self) -> None:
        """By day nothing limits: more run than may start at night."""
        self.cluster.install(CFG.replace(" MAXJOB=2", ""))
        self.cluster.wait_for(lambda: len(self.running()) == 6, "all to run")
        position = self.cluster.log_position()
        self.at("19:59:55")
        self.cluster.wait_for(lambda: CHANGED in self.cluster.log_text(position), "the evening")
        late = self.cluster.sbatch("-n1", "-t60", "-o/dev/null", user="daemon")
        self.assertIn(NIGHT.format(6), settle(self.cluster, [late])[late])
        self.assertEqual(len(self.running()), 6)
        self.at("05:59:55", day=1)
        self.cluster.wait_for_state(late, "RUNNING")
