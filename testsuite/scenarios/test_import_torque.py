# SPDX-License-Identifier: GPL-2.0-or-later
"""The files of a Torque, imported, in a real Slurm: its daemons take them, and limits of queues hold as they did."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import USERS, Cluster

MAUI = Path(os.environ.get("MAUI_BUILD", "build")).resolve() / "contribs" / "maui" / "maui"
TORQUE = Path(__file__).resolve().parents[1] / "cli" / "fixtures" / "import" / "torque" / "cluster"
FIRST, SECOND = USERS
FIRST_JOB = 4711


class ImportTorqueTest(unittest.TestCase):
    cluster: Cluster
    new: Path  # what the command has written

    @classmethod
    def setUpClass(cls) -> None:
        cls.new = Path(cls.enterClassContext(tempfile.TemporaryDirectory())) / "new"
        subprocess.run([MAUI, "import", f"--torque={TORQUE}", f"--output={cls.new}"], check=False, capture_output=True)
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=3, slurmdbd=True, maui_cfg=cls.written("maui.cfg"),
                    slurm_conf=f"{cls.written('slurm.conf')}AccountingStorageEnforce=associations,limits,qos\n"))
        cls.done = cls.cluster.run(["sh", "-e", str(cls.new / "sacctmgr.sh")], check=False)
        cls.cluster.wait_for(lambda: SECOND in cls.cluster.run(f"scontrol show assoc_mgr users={SECOND}").stdout,
                             "slurmctld to know the associations")

    @classmethod
    def written(cls, name: str) -> str:
        return (cls.new / name).read_text(encoding="utf-8")

    def tearDown(self) -> None:
        self.cluster.cancel_all()

    def submit(self, *options: str, user: str = FIRST) -> int:
        return self.cluster.sbatch("-n1", *options, user=user)

    def check_refused(self, *options: str, words: str, user: str = FIRST) -> None:
        """At submission, or as of 26.05 for ever."""
        done = self.cluster.run(["sbatch", "--parsable", *options, "--wrap", "true"], user=user, check=False)
        if done.returncode:
            self.assertRegex(done.stderr, words)
        else:
            self.cluster.wait_for(lambda: re.search(words, self.cluster.job(int(done.stdout))["Reason"]), words)

    def why(self, job: int) -> str:
        return self.cluster.run(["maui", "why", str(job)], check=False).stdout

    def wait_for_why(self, job: int, words: str) -> None:
        self.cluster.wait_for(lambda: words in self.why(job), f"job {job} to wait: {words}")

    def test_slurmctld_has_the_nodes_and_queues(self) -> None:
        nodes = {name: self.cluster.node(name) for name in ("n1", "n2", "n3")}
        self.assertEqual([node["CPUTot"] for node in nodes.values()], ["4", "8", "4"])
        self.assertEqual(nodes["n2"]["AvailableFeatures"], "fast,big")
        self.assertEqual(self.cluster.nodes_out(), {"n3"})
        self.assertEqual(self.cluster.partition("long")["Nodes"], "n2")
        self.assertEqual(self.cluster.config()["KillWait"], "7 sec")
        job = self.submit()
        self.assertGreaterEqual(job, FIRST_JOB)
        shown = self.cluster.job(job)
        self.assertEqual((shown["Partition"], shown["TimeLimit"]), ("short", "00:05:00"))

    def test_sacctmgr_and_the_engine_take_theirs(self) -> None:
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""), self.done.stdout)
        rows = self.cluster.run("sacctmgr -nP show assoc format=user,account,qos,defaultqos").stdout
        self.assertRegex(rows, rf"(?m)^{FIRST}\|physics\|[^|]*\bhi\b[^|]*\|hi$")
        log = self.cluster.install(self.written("maui.cfg"))
        self.assertEqual(re.findall(r"error: maui:.*|warning: maui:.*", log), [])
        checked = self.cluster.run(["maui", "check", "--json", str(self.cluster.maui_cfg)], check=False)
        problems = [problem["text"] for problem in json.loads(checked.stdout)["problems"]]
        self.assertEqual([text for text in problems if "ADEF; it is ignored: in Slurm: DefaultAccount" not in text], [])

    def test_max_user_run_holds(self) -> None:
        jobs = [self.submit() for _ in range(2)]
        for job in jobs:
            self.cluster.wait_for_state(job, "RUNNING")
        over, other = self.submit(), self.submit(user=SECOND)
        self.cluster.wait_for_state(other, "RUNNING")
        self.wait_for_why(over, f"MAXJOB[USER] limit of 2 for user {FIRST} in class short")
        self.cluster.scancel(jobs[0])
        self.cluster.wait_for_state(over, "RUNNING")

    def test_a_job_that_is_too_large_waits(self) -> None:
        large = self.submit("-n3")
        self.wait_for_why(large, "MAXPROCPERJOB")
        small = self.submit("-n2", "-N1")
        self.cluster.wait_for_state(small, "RUNNING")
        self.assertEqual(self.cluster.job(large)["JobState"], "PENDING")

    def test_walltimes_hold(self) -> None:
        longer = self.submit("-t31")
        self.cluster.wait_for(lambda: self.cluster.job(longer)["Reason"] == "PartitionTimeLimit",
                              "the job to be too long for its partition")
        self.cluster.wait_for_state(self.submit("-t30"), "RUNNING")

    def test_groups_and_closed_queues_hold(self) -> None:
        self.check_refused("-plong", words="group.not permitted to use this partition|not_in_group_permitted", user=SECOND)
        self.check_refused("-pold", words="(?i)partition not available|PartitionInactive|PartitionDown")
        first, second = (self.submit("-plong", "-t60") for _ in range(2))
        self.cluster.wait_for_state(first, "RUNNING")
        self.assertEqual(self.cluster.job(first)["NodeList"], "n2")
        self.wait_for_why(second, "MAXJOB limit of 1 for class long")
