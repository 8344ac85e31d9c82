# SPDX-License-Identifier: GPL-2.0-or-later
"""Clusters with a name service of the tests' own (testsuite/names)."""

from __future__ import annotations

import errno
import os
import re
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness import Cluster, replace_file

BUILD = Path(os.environ.get("MAUI_BUILD") or Path(__file__).resolve().parents[2] / "build")
# An event has to do: no test waits for an iteration that comes by itself.
SLOW = "RMPOLLINTERVAL 3600\n"
SLURM_CONF = "SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=3,bf_min_prio_reserve=1\n"
NOT_SAID = "the name service has not said yet"
REASON = re.compile(rf"limit of|QLIST|{NOT_SAID}")
AGAIN = f"tryagain {errno.EAGAIN}\n"
UNAVAILABLE = f"unavail {errno.ECONNREFUSED}\n"
HANGS = "wait\n"


class NamesCase(unittest.TestCase):
    """Its name service gives the engine other answers than the rest of slurmctld, which needs one."""

    cluster: Cluster
    names: Path

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="maui-names.")
        self.addCleanup(directory.cleanup)
        self.names = Path(directory.name)
        self.names.chmod(0o755)
        self.say("")
        self.addCleanup(self.say, "")  # before the cluster ends: what hangs goes on
        before = {key: os.environ.get(key) for key in ("LD_PRELOAD", "MAUI_TEST_NAMES")}
        self.addCleanup(self.restore, before)
        os.environ["LD_PRELOAD"] = str(BUILD / "testsuite" / "names" / "libnss_maui_test.so.2")
        os.environ["MAUI_TEST_NAMES"] = str(self.names)

    def restore(self, before: dict[str, str | None]) -> None:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value

    def say(self, text: str) -> None:
        """What the name service does from now on."""
        self._say("maui", text)

    def say_to_all(self, text: str) -> None:
        """The same to all of slurmctld."""
        self._say("", text)

    def _say(self, thread: str, text: str) -> None:
        replace_file(self.names / "says", f"of slurmctld {thread}\n{text}")

    def wait_until_it_hangs(self) -> None:
        self.cluster.wait_for((self.names / "hanging.maui").exists, "the engine's thread to hang")

    def hangs(self) -> bool:
        return (self.names / "hanging.maui").exists()

    def edit(
        self, database: str, pattern: str, text: str | Callable[[re.Match[str]], str]
    ) -> None:
        """Change /etc/passwd or /etc/group, as the cluster sees it: a regular expression's matches."""
        old = Path("/etc", database).read_text(encoding="utf-8")
        new, count = re.subn(pattern, text, old, flags=re.MULTILINE)
        self.assertGreater(count, 0, f"{pattern} is not in /etc/{database}")
        replace_file(self.names / database, new)

    def start(self, maui_cfg: str, slurm_conf: str = "", **options: Any) -> None:
        self.cluster = Cluster(maui_cfg=SLOW + maui_cfg, slurm_conf=SLURM_CONF + slurm_conf, **options)
        self.cluster.__enter__()
        self.addCleanup(self.cluster.__exit__, None, None, None)

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
