# SPDX-License-Identifier: GPL-2.0-or-later
"""A name service that is down, and one that learns names later: no limit is exceeded, nobody is let
in who must not be, and nobody who was known is shut out."""

from __future__ import annotations

import errno
import os
import re
import tempfile
import unittest
from pathlib import Path

from harness import Cluster

# An event has to do: no test waits for an iteration that comes by itself.
SLOW = "RMPOLLINTERVAL 3600\n"
SLURM_CONF = "SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=3,bf_min_prio_reserve=1\n"
NOT_SAID = "the name service has not said yet"
REASON = re.compile(rf"limit of|QLIST|{NOT_SAID}")
BUILD = Path(os.environ.get("MAUI_BUILD") or Path(__file__).resolve().parents[2] / "build")
DOWN = "error %d\n" % errno.EAGAIN


class NamesTest(unittest.TestCase):
    cluster: Cluster
    names: Path

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="maui-names.")
        self.addCleanup(directory.cleanup)
        Path(directory.name).chmod(0o755)
        self.names = Path(directory.name) / "names"
        before = {key: os.environ.get(key) for key in ("LD_PRELOAD", "MAUI_TEST_NAMES")}
        self.addCleanup(self.restore, before)
        os.environ["LD_PRELOAD"] = str(BUILD / "testsuite" / "names" / "test_names.so")
        os.environ["MAUI_TEST_NAMES"] = str(self.names)

    def restore(self, before: dict[str, str | None]) -> None:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value

    def say(self, text: str) -> None:
        """What the name service does from now on, at one stroke."""
        new = self.names.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.rename(self.names)

    def start(self, maui_cfg: str) -> None:
        self.cluster = self.enterContext_(
            Cluster(maui_cfg=SLOW + maui_cfg, slurm_conf=SLURM_CONF)
        )

    def enterContext_(self, cluster: Cluster) -> Cluster:
        entered = cluster.__enter__()
        self.addCleanup(cluster.__exit__, None, None, None)
        return entered

    def settle(self, jobs: list[int]) -> list[str]:
        """Wait until each job runs ("") or says why not."""

        def look() -> list[str] | None:
            rows = {int(row["id"]): row for row in self.cluster.squeue() if row["id"].isdigit()}
            found = [
                "" if rows[job]["state"] == "RUNNING" else rows[job]["reason"] for job in jobs
            ]
            return found if all(not text or REASON.search(text) for text in found) else None

        return self.cluster.wait_for(look, f"jobs {jobs} to run or to say why not", 60)

    def settle_as(self, jobs: list[int], running: int, reason: str) -> None:
        def look() -> bool:
            texts = self.settle(jobs)
            return texts.count("") == running and all(reason in text for text in texts if text)

        self.cluster.wait_for(look, f"{running} of {jobs} to run, the others: {reason}", 60)

    def submit(self, user: str, count: int = 1, *options: str) -> list[int]:
        return [self.cluster.sbatch(*options, user=user) for _ in range(count)]

    def unanswered(self) -> int:
        return int(self.cluster.maui("status", "--json")["names"]["unanswered"])

    def test_limits_and_lists_stay_while_it_is_down(self) -> None:
        self.start(
            "USERCFG[daemon] MAXJOB=1\nGROUPCFG[sys] MAXPROC=2\nSRCFG[keep] PERIOD=INFINITY HOSTLIST=n2 USERLIST=games,!bin\n"
        )
        bin_job = self.submit("bin")  # known by his job
        self.settle_as(bin_job, 1, "")
        self.say(DOWN)
        self.cluster.reconfigure()
        self.cluster.wait_for(lambda: self.unanswered() == 4, "the outage to be noticed", 60)
        self.settle_as(self.submit("daemon", 3), 1, "MAXJOB limit of 1 for user daemon")
        self.settle_as(self.submit("sys", 3), 2, "MAXPROC limit of 2 for group sys")
        self.cluster.cancel_all()
        self.cluster.restart()
        self.cluster.wait_for(lambda: self.unanswered() == 4, "the outage to be noticed", 60)
        self.settle_as(self.submit("daemon", 3), 1, "MAXJOB limit of 1 for user daemon")
        self.settle_as(self.submit("bin"), 1, "")
        self.say("")
        self.cluster.wait_for(lambda: self.unanswered() == 0, "the outage to be over", 120)
        self.settle_as(self.submit("daemon", 1), 0, "MAXJOB limit of 1 for user daemon")

    def test_who_could_be_a_name_never_known_waits(self) -> None:
        self.say(DOWN)
        self.start("USERCFG[daemon] MAXJOB=1\n")
        jobs = self.submit("daemon", 2) + self.submit("bin")
        self.settle_as(jobs, 0, NOT_SAID)
        self.say("")
        self.settle_as(jobs, 2, "MAXJOB limit of 1 for user daemon")
        self.assertEqual(self.settle(jobs[2:]), [""])

    def test_who_is_made_later_is_limited_from_the_first_job(self) -> None:
        self.say("hide daemon\nhide sys\n")
        self.start("USERCFG[daemon] MAXJOB=1\nGROUPCFG[sys] MAXPROC=2\n")
        self.cluster.wait_for(
            lambda: "there is no user 'daemon' on this machine" in self.cluster.log_text(),
            "the names to be asked for", 60,
        )
        self.say("")
        jobs = self.submit("daemon", 3)
        self.settle_as(jobs, 1, "MAXJOB limit of 1 for user daemon")
        more = self.submit("sys", 3)
        self.settle_as(more, 2, "MAXPROC limit of 2 for group sys")
        started = [
            row for row in self.cluster.squeue() if row["state"] == "RUNNING" and int(row["id"]) in jobs
        ]
        self.assertEqual(len(started), 1)


if __name__ == "__main__":
    unittest.main()
