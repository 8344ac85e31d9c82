# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui showq`, `checkjob`, `diagnose -j` on real jobs: they agree with squeue, whoever asks, and without the engine."""

from __future__ import annotations

import json
import re
import socket
import unittest
from typing import Any

from harness import USERS, Cluster

FIRST, SECOND = USERS

POLICY = f"""\
RMPOLLINTERVAL 1
USERCFG[{SECOND}] MAXJOB=1
"""
SLURM_CONF = """\
PartitionName=closed Nodes=ALL State=DOWN
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=5,bf_min_prio_reserve=1
"""
ALONE = "NOTE:     this is from Slurm alone, as the engine does not answer: "

Row = dict[str, Any]


class ShowqTest(unittest.TestCase):
    cluster: Cluster
    sections: dict[str, set[str]]
    names: dict[str, str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=2, cpus=8, maui_cfg=POLICY, slurm_conf=SLURM_CONF, main_scheduler=True)
        )
        cls.submit()

    @classmethod
    def submit(cls) -> None:
        """A full machine, and jobs that wait for it, or for something else."""
        submit = cls.cluster.sbatch
        array = submit("-n4", "-t60", "--array=1-2", user=FIRST)
        running = submit("-n8", "-t90", user=SECOND)
        cls.cluster.wait_for(
            lambda: [job["STATE"] for job in cls.squeue()] == ["RUNNING"] * 3, "jobs to run"
        )
        waiting = submit("-n1", "-t10", "--array=1-3", user=FIRST)
        names = {
            "idle": submit("-n4", "-t30", user=FIRST),
            "limit": submit("-n1", "-t60", user=SECOND),
            "user-hold": submit("-n1", "-t60", "--hold", user=FIRST),
            "system-hold": submit("-n1", "-t60", user=FIRST),
            "dependency": submit("-n1", "-t60", f"--dependency=afterany:{running}", user=FIRST),
            "begin-time": submit("-n1", "-t60", "--begin=now+2hours", user=FIRST),
            "class": submit("-n1", "-t60", "-pclosed", user=FIRST),
        }
        cls.cluster.run(["scontrol", "hold", str(names["system-hold"])])
        cls.names = {kind: str(job) for kind, job in names.items()}
        cls.names |= {"array": f"{waiting}_[1-3]", "task": f"{array}_1", "running": str(running)}
        cls.sections = {
            "active": {f"{array}_1", f"{array}_2", str(running)},
            "idle": {cls.names["array"], cls.names["idle"]},
        }
        cls.sections["blocked"] = {
            cls.names[kind] for kind in names if kind not in ("idle", "array")
        }
        cls.cluster.wait_for(lambda: cls.told() == cls.sections, "each job to have its section")

    @classmethod
    def squeue(cls, user: str | None = None) -> list[Row]:
        """As squeue has it: an array whose tasks wait is one job."""
        words = ["squeue", "--all", "-h", "-o", "%i %T %u %C %Q"]
        lines = cls.cluster.run(words, user=user).stdout.splitlines()
        columns = ("JOBID", "STATE", "USER", "CPUS", "PRIORITY")
        return [dict(zip(columns, line.split())) for line in lines]

    @classmethod
    def told(cls, *options: str, user: str | None = None) -> dict[str, set[str]]:
        data = cls.cluster.maui("showq", "--json", *options, user=user)
        return {
            section: {job["id"] for job in data["jobs"] if job["section"] == section}
            for section in ("active", "idle", "blocked")
        }

    def free_port(self) -> str:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            return f"--port={listener.getsockname()[1]}"

    def agrees(self, *options: str, user: str | None = None) -> Row:
        """showq has squeue's jobs, states, processors and priorities, and its text the same sums."""

        def both() -> Row | None:
            before = self.squeue(user)
            done = self.cluster.run(["maui", "showq", "--json", *options], user=user)
            return {"queue": before, "data": json.loads(done.stdout)} if before == self.squeue(
                user) else None

        found = self.cluster.wait_for(both, "a queue that stands still")
        jobs = {job["id"]: job for job in found["data"]["jobs"]}
        rows = {row["JOBID"]: row for row in found["queue"]}
        self.assertEqual(set(jobs), set(rows))
        for name, row in rows.items():
            job = jobs[name]
            self.assertEqual(job["slurm_state"], row["STATE"], name)
            self.assertEqual(job["section"] == "active", row["STATE"] == "RUNNING", name)
            self.assertEqual((job["user"], job["procs"]), (row["USER"], int(row["CPUS"])), name)
            self.assertEqual(job["priority"], int(row["PRIORITY"]), name)
        idle = [job["priority"] for job in found["data"]["jobs"] if job["section"] == "idle"]
        self.assertEqual(idle, sorted(idle, reverse=True))
        return found["data"]

    def sums(self, *options: str, user: str | None = None) -> tuple[int, ...]:
        text = self.cluster.run(["maui", "showq", *options], user=user).stdout
        last = re.search(
            r"^Total Jobs: (\d+) +Active Jobs: (\d+) +Idle Jobs: (\d+) +Blocked Jobs: (\d+)$",
            text, re.MULTILINE)
        assert last, text
        return tuple(int(number) for number in last.groups())

    # --- who asks

    def test_everybody_sees_the_queue_as_squeue_has_it(self) -> None:
        for user in (None, FIRST, SECOND):
            data = self.agrees(user=user)
            self.assertTrue(data["engine"])
            self.assertEqual(self.told(user=user), self.sections)
            self.assertEqual(self.sums(user=user), (11, 3, 2, 6))
            self.assertEqual(data["procs"], {"active": 16, "up": 16})
            self.assertEqual(data["nodes"], {"active": 2, "up": 2})
        kinds = {job["id"]: job["kind"] for job in data["jobs"]}
        for kind in ("limit", "user-hold", "system-hold", "dependency", "begin-time", "class"):
            self.assertEqual(kinds[self.names[kind]], kind)

    def test_without_the_engine_slurm_is_enough(self) -> None:
        for user in (None, FIRST):
            port = self.free_port()
            data = self.agrees(port, user=user)
            self.assertFalse(data["engine"])
            self.assertEqual(self.told(port, user=user), self.sections)
            for words in (["showq"], ["showq", "-b"], ["checkjob", self.names["limit"]],
                          ["diagnose", "-j"]):
                done = self.cluster.run(["maui", *words, port], user=user)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertTrue(done.stderr.startswith(ALONE), done.stderr)

    def test_jobs_and_partitions_can_be_chosen(self) -> None:
        self.assertEqual(self.sums("-u", SECOND), (2, 1, 0, 1))
        self.assertEqual(self.sums("-u", FIRST), (9, 2, 2, 5))
        self.assertEqual(self.sums("-p", "closed"), (1, 0, 0, 1))
        self.assertEqual(self.told("-b")["blocked"], self.sections["blocked"])
        self.assertEqual(self.told("-b")["idle"], set())

    def users_on_page(self, user: str, *options: str) -> set[str]:
        """Whose jobs are on a page of all users that `user` makes."""
        page = self.cluster.run(["maui", "page", "--all", *options], user=user).stdout
        table = page.partition("<caption>Jobs by user</caption>")[2].partition("</table>")[0]
        return set(re.findall(r'<tr><th scope="row">(\w+)</th>', table))

    def test_privatedata_hides_the_jobs_of_others(self) -> None:
        overlay = self.cluster.dir / "etc" / "slurm.conf"
        before = overlay.read_text(encoding="utf-8")
        try:
            overlay.write_text(before + "PrivateData=jobs\n", encoding="utf-8")
            self.cluster.reconfigure()
            self.cluster.wait_for(lambda: len(self.squeue(SECOND)) == 2, "jobs to be hidden")
            self.cluster.wait_for(
                lambda: self.told()["blocked"] == self.sections["blocked"], "the engine"
            )
            for options in ((), (self.free_port(),)):
                self.agrees(*options, user=SECOND)
                self.assertEqual(self.sums(*options, user=SECOND), (2, 1, 0, 1))
                self.assertEqual(self.sums(*options), (11, 3, 2, 6))
                done = self.cluster.run(["maui", "showq", *options], user=SECOND)
                self.assertIn("jobs that are not yours to see have 8 of these processors",
                              done.stderr)
                other = ["maui", "checkjob", self.names["idle"], *options]
                self.assertEqual(self.cluster.run(other, user=SECOND, check=False).returncode, 5)
                self.assertEqual(self.users_on_page(SECOND, *options), {SECOND})
                self.assertEqual(self.users_on_page("root", *options), {FIRST, SECOND})
        finally:
            overlay.write_text(before, encoding="utf-8")
            self.cluster.reconfigure()
            self.cluster.wait_for(lambda: len(self.squeue(SECOND)) == 11, "jobs to be seen")

    # --- one job

    def check(self, name: str, user: str | None = None) -> str:
        return self.cluster.run(["maui", "checkjob", self.names[name]], user=user).stdout

    def test_checkjob_says_why_a_job_waits(self) -> None:
        for name, pattern in (
            ("idle", r"^job cannot run in partition batch \(insufficient idle procs available: 0 < 4\)$"),
            ("limit", rf"\(job {self.names['limit']} violates active HARD MAXJOB limit of 1 "
                      rf"for user {SECOND}  \(R: 1, U: 1\)$"),
            ("user-hold", r"^Holds:    User  $"),
            ("user-hold", r"^cannot select job \d+ for partition batch \(job hold active\)$"),
            ("system-hold", r"^Holds:    System  $"),
            ("dependency", r"^cannot select job \d+ for partition batch \(Dependency\)$"),
            ("begin-time", r"^cannot select job \d+ for partition batch \(ReleaseTime: "),
            ("class", r"^cannot select job \d+ for partition closed \(Class: closed\)$"),
        ):
            self.assertRegex(self.check(name, FIRST), re.compile(pattern, re.MULTILINE))

    def test_checkjob_shows_what_a_job_has(self) -> None:
        text = self.check("running")
        node = self.cluster.job(int(self.names["running"]))["NodeList"]
        for pattern in (r"^State: Running$", rf"^Creds:  user:{SECOND}  ", r"^WallTime: .* of 1:30:00$",
                        rf"^\[{node}:8\]$", r"^Total Tasks: 8$", r"StartCount: 1$",
                        rf"^Reservation '{self.names['running']}' \(-.* Duration: 1:30:00\)$"):
            self.assertRegex(text, re.compile(pattern, re.MULTILINE))
        self.assertIn(f"checking job {self.names['task']}\n", self.check("task"))

    def test_diagnose_j_has_all_jobs(self) -> None:
        data = self.cluster.maui("diagnose", "-j", "--json")
        self.assertEqual({job["id"] for job in data["jobs"]}, set().union(*self.sections.values()))
        text = self.cluster.run(["maui", "diagnose", "-j"]).stdout
        self.assertIn("\nTotal Jobs: 11  Active Jobs: 3\n", text)


class HiddenTest(unittest.TestCase):
    """What is in a partition with Hidden=YES is left out, as by squeue without -a; a partition that is named is shown."""

    CONF = """\
PartitionName=batch Nodes=n1 Default=YES State=UP
PartitionName=secret Nodes=n2 Hidden=YES State=UP
"""

    def test_showq_and_showbf_leave_out_hidden_partitions(self) -> None:
        cluster = self.enterContext(
            Cluster(nodes=2, cpus=8, maui_cfg="RMPOLLINTERVAL 1\n", slurm_conf=self.CONF)
        )
        jobs = {partition: cluster.sbatch("-n3", "-t60", f"-p{partition}", user=FIRST)
                for partition in ("batch", "secret")}
        for job in jobs.values():
            cluster.wait_for_state(job, "RUNNING")

        def ids(*words: str, user: str | None) -> set[str]:
            return set(cluster.run(["squeue", "-h", "-o", "%i", *words], user=user).stdout.split())

        def told(*words: str, user: str | None) -> set[str]:
            data = cluster.maui("showq", "--json", *words, user=user)
            return {job["id"] for job in data["jobs"]}

        def free(*words: str) -> int:
            return max(row["procs"] for row in cluster.maui("showbf", "--json", *words, user=FIRST)["windows"])

        self.assertEqual(ids(user=FIRST), {str(jobs["batch"])})
        for user in (None, FIRST, SECOND):
            self.assertEqual(told(user=user), ids(user=user), user)
            for partition, job in jobs.items():
                self.assertEqual(told("-p", partition, user=user), {str(job)}, f"{user}: {partition}")
        self.assertEqual((free(), free("-p", "secret")), (5, 5))
        listed = cluster.maui("diagnose", "-j", "--json", user=FIRST)["jobs"]
        self.assertEqual([job["id"] for job in listed], [str(jobs["batch"])])
        listed = cluster.maui("diagnose", "-j", str(jobs["secret"]), "--json", user=FIRST)["jobs"]
        self.assertEqual([job["id"] for job in listed], [str(jobs["secret"])], "who asks for it")
        parts = cluster.maui("diagnose", "-t", "--json", user=FIRST)["partitions"]
        self.assertEqual([one["name"] for one in parts], ["batch"])
        parts = cluster.maui("diagnose", "-t", "secret", "--json", user=FIRST)["partitions"]
        self.assertEqual([one["name"] for one in parts], ["secret"])
        for partition in jobs:
            cluster.sbatch("-H", "-t60", f"-p{partition}", user=FIRST)
        self.assertEqual(cluster.maui("upcoming", "--json", user=FIRST)["blocked"], 1)
