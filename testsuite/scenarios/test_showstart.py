# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui showbf`, `showstart`, `setspri` and `schedctl` against what then really happens."""

from __future__ import annotations

import re
import subprocess
import time
import unittest
from datetime import datetime
from typing import Any

import jobcomp
from harness import USERS, Cluster

FIRST, SECOND = USERS

POLICY = f"""\
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
SRCFG[club] HOSTLIST=n4 PERIOD=INFINITY USERLIST={FIRST}
USERCFG[games] MAXJOB=1
USERWEIGHT 10
USERCFG[{SECOND}] PRIORITY=100
"""
# n1 and n2 are for showbf, n3 for showstart, n4 is reserved, n5 for setspri.
SLURM_CONF = """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=1,bf_resolution=1,bf_min_prio_reserve=1
PartitionName=batch Nodes=n[1-2,4] Default=YES MaxTime=INFINITE State=UP
PartitionName=lone Nodes=n3 MaxTime=INFINITE State=UP
PartitionName=queue Nodes=n5 MaxTime=INFINITE State=UP
"""


class ShowstartTest(unittest.TestCase):
    cluster: Cluster
    ends: int
    must_end: float
    follows: int
    hour: tuple[int, int]
    big: int
    foretold: dict[str, Any]
    slurm_foretold: float

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=5, cpus=4, maui_cfg=POLICY, slurm_conf=SLURM_CONF, jobcomp=True)
        )
        cls.foretell()
        cls.fill()

    @classmethod
    def foretell(cls) -> None:
        """A job that ends some seconds before its minute does, and what is said of the one behind."""
        cls.ends = cls.cluster.sbatch("-plone", "-n4", "-t1", wrap="sleep 50")
        cls.cluster.wait_for_state(cls.ends, "RUNNING")
        limit = cls.cluster.job(cls.ends)["EndTime"]
        cls.must_end = datetime.fromisoformat(limit).timestamp()
        cls.follows = cls.cluster.sbatch("-plone", "-n4", "-t10", user=SECOND)
        cls.slurm_foretold, cls.foretold = cls.cluster.wait_for(
            lambda: cls.told_of_one_plan(cls.follows, "showstart", str(cls.follows)),
            "backfill to plan the job behind",
        )

    @classmethod
    def told_of_one_plan(cls, job: int, *command: str) -> tuple[float, dict[str, Any]] | None:
        """When backfill plans the job, and what the command says of the same plan."""
        before = cls.planned(job)
        if not before:
            return None
        ours = cls.cluster.maui(*command, "--json", user=SECOND)
        return (before, ours) if before == cls.planned(job) else None

    @classmethod
    def fill(cls) -> None:
        """n1 is full, n2 half, and both are planned for a job in an hour."""
        first = cls.cluster.sbatch("-wn1", "-n4", "-t60")
        second = cls.cluster.sbatch("-wn2", "-n2", "-t60")
        cls.hour = (first, second)
        for job in cls.hour:
            cls.cluster.wait_for_state(job, "RUNNING")
        cls.big = cls.cluster.sbatch("-wn[1-2]", "-N2", "--exclusive", "-t30", user=SECOND)

    @classmethod
    def planned(cls, job: int) -> float:
        """squeue --start, epoch seconds; 0: it does not say."""
        text = cls.cluster.run(["squeue", "--start", "--noheader", f"--job={job}", "-o", "%S"]).stdout
        return 0 if "N/A" in text else datetime.fromisoformat(text.strip()).timestamp()

    def windows(self, *options: str, user: str | None = None) -> list[tuple[int, int | None]]:
        # A new slurmctld knows no plans, and a reconfigure may be one.
        self.cluster.wait_for(
            lambda: "SchedNodeList" in self.cluster.job(self.big), "backfill to plan the large job"
        )
        data = self.cluster.maui("showbf", "--json", *options, user=user)
        self.assertEqual(data["schema"], "maui.showbf/1")
        return [(window["procs"], window["seconds"]) for window in data["windows"]]

    def fails(self, *words: str, user: str | None = None) -> subprocess.CompletedProcess[str]:
        done = self.cluster.run(list(words), user=user, check=False)
        self.assertNotEqual(done.returncode, 0)
        return done

    # --- upcoming

    def test_upcoming_has_backfills_plan_and_reservations(self) -> None:
        self.cluster.run("scontrol create reservation=soon users=root start=now+30minutes duration=10 nodes=n5")
        self.addCleanup(self.cluster.run, "scontrol delete reservation=soon")
        later = self.cluster.sbatch("-pqueue", "-n1", "-t1", "--begin=now+40minutes")
        held = self.cluster.sbatch("-pqueue", "-n1", "-t1", "--hold", user=SECOND)
        self.addCleanup(self.cluster.scancel, later)
        self.addCleanup(self.cluster.scancel, held)
        self.cluster.wait_for(lambda: self.cluster.job(later)["Reason"] == "BeginTime", "the begin time to hold the job")
        self.cluster.wait_for(lambda: "SchedNodeList" in self.cluster.job(self.big), "backfill to plan the large job")
        planned, told = self.cluster.wait_for(
            lambda: self.told_of_one_plan(self.big, "upcoming", "2:00:00"), "the same plan before and after"
        )
        rows = [(row["kind"], row.get("job", {}).get("job") or row.get("reservation", {}).get("name")) for row in told["events"]]
        self.assertEqual([row for row in rows if row[1] in (self.big, "soon", later)],
                         [("reservation-start", "soon"), ("reservation-end", "soon"), ("job-eligible", later), ("job-start", self.big)])
        big = next(row for row in told["events"] if row.get("job", {}).get("job") == self.big)
        self.assertEqual((big["job"]["source"], big["job"]["scheduled_nodes"]), ("backfill", "n[1-2]"))
        self.assertEqual(big["time"], planned)
        submitted = datetime.fromisoformat(self.cluster.job(self.big)["SubmitTime"]).timestamp()
        self.assertTrue(submitted <= big["job"]["last_evaluated"] <= told["time"], big)
        self.assertGreaterEqual(told["blocked"], 1)
        text = self.cluster.run("maui upcoming 2:00:00").stdout
        self.assertRegex(text, rf"job {self.big} of {SECOND} starts: \d+ processors on n\[1-2\], planned by backfill at ")
        self.assertNotIn(f"job {self.big} ", self.cluster.run("maui upcoming 0:10:00").stdout)

    # --- showbf

    def starts(self, *options: str) -> bool:
        """Whether such a job runs before backfill plans it for later."""
        job = self.cluster.sbatch(*options, user=SECOND)
        state = self.cluster.wait_for(
            lambda: (now := self.cluster.job(job))["JobState"] == "RUNNING"
            and "runs"
            or now["StartTime"] != "Unknown"
            and datetime.fromisoformat(now["StartTime"]).timestamp() > time.time() + 60
            and "waits",
            f"backfill to look at job {job}",
        )
        self.cluster.scancel(job)
        self.cluster.wait_for_state(job, "CANCELLED")
        return state == "runs"

    def test_what_showbf_offers_starts_and_more_does_not(self) -> None:
        asked = int(time.time())
        offered = self.windows("-pbatch", user=SECOND)
        answered = time.time()
        self.assertEqual([procs for procs, _ in offered], [2])
        seconds = offered[0][1]
        assert seconds is not None
        # Until the job's limit that ends last: the large job is planned for then.
        limits = [self.cluster.job(job)["EndTime"] for job in self.hour]
        last = max(datetime.fromisoformat(limit).timestamp() for limit in limits)
        self.assertTrue(last - answered <= seconds <= last + 1 - asked, (offered, limits))
        self.assertTrue(self.starts("-n2", "-t50"))
        self.assertFalse(self.starts("-n2", "-t90"))
        self.assertFalse(self.starts("-n3", "-t50"))
        self.assertEqual(self.windows("-pbatch", "-d", "1:30:00", user=SECOND), [])
        self.assertEqual(self.windows("-pbatch", "-n", "2", user=SECOND), [])

    def test_showbf_knows_whom_a_reservation_admits(self) -> None:
        offered = self.windows("-pbatch", user=FIRST)
        self.assertEqual(offered[0][0], 6)
        self.assertEqual(offered[-1], (4, None))
        as_root = self.windows("-pbatch", "-u", FIRST)
        self.assertEqual([procs for procs, _ in as_root], [procs for procs, _ in offered])
        self.assertEqual(self.windows("-pbatch", "-A")[-1], (4, None))
        job = self.cluster.sbatch("-n4", "-t300", user=FIRST)
        self.cluster.wait_for_state(job, "RUNNING")
        self.assertEqual(self.cluster.job(job)["NodeList"], "n4")
        self.assertEqual([procs for procs, _ in self.windows("-pbatch", user=FIRST)], [2])
        self.cluster.scancel(job)
        text = self.cluster.run(["maui", "showbf", "-v"], user=SECOND).stdout
        self.assertIn("node n4 does not meet requirements (ReserveTime): club.inf\n", text)
        self.assertIn("node n1 is unavailable (state 'Busy')\n", text)

    # --- showstart

    def test_when_showstart_says_the_job_starts(self) -> None:
        self.assertEqual(self.foretold["source"], "backfill")
        self.assertEqual(self.foretold["start"], self.slurm_foretold)
        self.assertEqual(self.foretold["completion"], self.foretold["start"] + 600)
        self.cluster.wait_for_state(self.follows, "RUNNING", timeout=120)
        started = datetime.fromisoformat(self.cluster.job(self.follows)["StartTime"]).timestamp()
        # It is planned for when the job before it must end, and starts when that has ended.
        self.assertIn(self.foretold["start"] - self.must_end, (0, 1))
        (ended,) = jobcomp.ends(self.cluster.jobcomp_text())[str(self.ends)]
        self.assertGreaterEqual(started, ended)
        running = self.cluster.maui("showstart", str(self.follows), "--json")
        self.assertEqual((running["source"], running["start"]), ("running", started))
        self.assertEqual(running["completion"], started + 600)

    def earliest(self, procs: int, limit: str) -> float:
        """When such a job would start; later the later it is asked."""
        done = self.cluster.run(
            ["sbatch", "--test-only", f"-n{procs}", f"--time={limit}", "--wrap=true"], user=SECOND
        )
        start = re.search(r"to start at (\S+)", done.stdout + done.stderr)
        assert start is not None
        return datetime.fromisoformat(start[1]).timestamp()

    def test_processors_are_asked_for_as_sbatch_does(self) -> None:
        for procs, limit in ((2, "0:10:00"), (4, "0:10:00"), (8, "2:00:00")):
            before = self.earliest(procs, limit)
            data = self.cluster.maui("showstart", f"{procs}@{limit}", "--json", user=SECOND)
            self.assertEqual((data["source"], data["partition"]), ("slurm", "batch"))
            self.assertTrue(before <= data["start"] <= self.earliest(procs, limit), procs)
        lines = self.cluster.run(["maui", "showstart", "2@0:10:00"], user=SECOND).stdout
        self.assertRegex(
            lines,
            r"\Ajob 2@0:10:00 requires 2 procs for 00:10:00\n"
            r"Earliest start in      +(\d+:)?\d+:\d\d:\d\d on .*\n"
            r"Earliest completion in +(\d+:)?\d+:\d\d:\d\d on .*\n"
            r"Best Partition: batch\n\n\Z",
        )
        done = self.fails("maui", "showstart", "100@0:10:00", user=SECOND)
        self.assertEqual(done.returncode, 1)
        self.assertIn("\nNo start is known\n", done.stdout)

    def test_a_job_that_is_held_back_has_no_start(self) -> None:
        held = self.cluster.sbatch("--hold", "-n1", user=SECOND)
        self.cluster.wait_for_state(
            self.cluster.sbatch("-pqueue", "-n1", "-t5", user="games"), "RUNNING"
        )
        limited = self.cluster.sbatch("-pqueue", "-n1", "-t5", user="games")
        for job, pattern in (
            (held, r"cannot be selected  \(Hold: User\)"),
            (limited, r"violates active HARD MAXJOB limit of 1 for user games  \(R: 1, U: 1\)"),
        ):
            self.cluster.wait_for(
                lambda job=job: self.cluster.maui("diagnose", "-q", str(job), "--json")["jobs"],
                "the engine to see it",
            )
            done = self.fails("maui", "showstart", str(job))
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stdout, rf"\njob {job} {pattern}\nNo start is known\n\n\Z")
        self.cluster.run("scancel -u games; scancel " + str(held))

    # --- setspri

    def queue(self) -> list[str]:
        return [row["id"] for row in self.cluster.squeue("-pqueue", "--states=PENDING", "--sort=-p")]

    def priority(self, job: int) -> int:
        return int(self.cluster.job(job)["Priority"])

    def mark(self, job: int) -> str:
        """What stands behind its number in diagnose -p."""
        lines = self.cluster.run(["maui", "diagnose", "-p", str(job)]).stdout
        match = re.search(rf"(?m)^{job} +-?\d+(.)", lines)
        assert match is not None, lines
        return match[1]

    def test_a_system_priority_goes_before_all_and_stays(self) -> None:
        submit = self.cluster.sbatch
        blocker = submit("-pqueue", "-n4", "-t60", user=FIRST)
        self.cluster.wait_for_state(blocker, "RUNNING")
        high = submit("-pqueue", "-n4", "-t60", "--nice=0", user=SECOND)
        low = submit("-pqueue", "-n4", "-t60", user=FIRST)
        usual = self.priority(low)
        self.assertEqual(self.queue(), [str(high), str(low)])
        for job, who in ((low, FIRST), (high, FIRST)):
            done = self.fails("maui", "setspri", "500", str(job), user=who)
            self.assertEqual((done.returncode, done.stdout), (5, ""))
            self.assertRegex(done.stderr, rf"cannot set system priority of job {job}: (Access.*denied|Invalid user id)")
        self.assertEqual(self.queue(), [str(high), str(low)])

        done = self.cluster.run(["maui", "setspri", "500", str(low)])
        self.assertEqual(done.stdout, "\njob system priority adjusted\n")
        self.assertEqual(self.priority(low), 1000000500)
        self.assertEqual((self.queue(), self.mark(low)), ([str(low), str(high)], "*"))
        self.cluster.run(["maui", "schedctl", "-R"])
        self.cluster.wait_for_iterations(3)
        self.assertEqual((self.priority(low), self.mark(low)), (1000000500, "*"))
        self.cluster.run(["maui", "setspri", "501", str(high)])
        self.assertEqual(self.queue(), [str(high), str(low)])
        self.sums((low, high))

        self.cluster.run(["maui", "setspri", "-r", "2000", str(low), str(high)])
        self.assertEqual(self.priority(low), usual + 2000)
        self.assertEqual((self.queue(), self.mark(low)), ([str(high), str(low)], "*"))
        self.cluster.run(["maui", "setspri", "-r", "-5", str(low)])
        self.sums((low, high))
        self.cluster.run(["maui", "setspri", "0", str(low), str(high)])
        self.assertEqual(self.priority(low), usual)
        self.assertEqual((self.queue(), self.mark(low)), ([str(high), str(low)], " "))
        self.cluster.scancel(blocker, high, low)
        done = self.fails("maui", "setspri", "1", "99999")
        self.assertEqual(done.returncode, 5)
        self.assertRegex(done.stderr, "job 99999: Invalid job id")

    def sums(self, jobs: tuple[int, ...]) -> None:
        """sprio's columns add up, also those of a system priority."""
        rows = {row["id"]: row for row in self.cluster.sprio()}
        for job in jobs:
            row = rows[str(job)]
            total = sum(
                row[name]
                for name in ("site", "age", "assoc", "fairshare", "jobsize", "partition", "qos")
            )
            self.assertEqual(total - row["nice"], row["priority"])

    # --- schedctl

    def test_schedctl_has_maui_cfg_read(self) -> None:
        self.fails("maui", "schedctl", "-R", user=SECOND)
        self.cluster.write_maui_cfg(POLICY + "USERCFG[games] PRIORITY=77\n")
        self.assertIn("maui.cfg", self.cluster.run(["maui", "schedctl", "-R"]).stdout)
        self.cluster.wait_for(
            lambda: "=77" in self.cluster.run(["maui", "schedctl", "-l", "PRIORITY"]).stdout,
            "the new policy",
        )
