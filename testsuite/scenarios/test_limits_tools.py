# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui diagnose -q`, -u, -g, -a, -c, -Q on real jobs: who is blocked by what, and what is left."""

from __future__ import annotations

import re
import unittest
from typing import Any

from harness import USERS, Cluster

FIRST, SECOND = USERS

# daemon's jobs have the QOS hi, and DEFAULT's limits; a job of root's is above the cap of its group
# whatever it does.
POLICY = f"""\
RMPOLLINTERVAL 1
FSPOLICY DEDICATEDPS
USERCFG[DEFAULT] MAXJOB=1,2 MAXIJOB=20
USERCFG[{FIRST}] QDEF=hi QLIST=hi
USERCFG[{SECOND}] MAXJOB=3 PRIORITY=7 FSTARGET=20+
USERCFG[nosuchuser] MAXJOB=1
GROUPCFG[root] FSTARGET=1^
ACCOUNTCFG[physics] MAXPROC=12
CLASSCFG[batch] MAXPROC=20 MAXJOB[USER]=5 MAXPROC[USER:{SECOND}]=6
QOSCFG[hi] PRIORITY=10 MAXPROC=40 OMAXPROC=30
SYSCFG MAXJOB=50
"""
SLURM_CONF = """\
PartitionName=closed Nodes=ALL State=DOWN
PrivateData=jobs
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=5,bf_min_prio_reserve=1
"""

Row = dict[str, Any]


class LimitsToolsTest(unittest.TestCase):
    cluster: Cluster
    running: dict[str, list[int]]
    waiting: dict[str, int]

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=2, cpus=8, maui_cfg=POLICY, slurm_conf=SLURM_CONF)
        )
        cls.submit()

    @classmethod
    def submit(cls) -> None:
        """Jobs of all kinds, of which those in running run and those in waiting never will."""
        submit = cls.cluster.sbatch
        cls.running = {SECOND: [submit("-n1", "-t60", "-Aphysics", user=SECOND) for _ in range(3)]}
        cls.running[FIRST] = [submit("-n2", "-t60", user=FIRST)]
        for job in sum(cls.running.values(), []):
            cls.cluster.wait_for_state(job, "RUNNING")
        first = cls.running[FIRST][0]
        cls.waiting = {
            "hard": submit("-n1", "-t60", user=SECOND),
            "soft": submit("-N2", "--exclusive", "-t60", user=FIRST),
            "cap": submit("-n1", "-t60"),
            "user-hold": submit("-n1", "--hold", "--array=1-3", user=FIRST),
            "system-hold": submit("-n1", "--hold", user=FIRST),
            "dependency": submit("-n1", f"--dependency=afterany:{first}", user=FIRST),
            "begin": submit("-n1", "--begin=now+2hours", user=FIRST),
            "class": submit("-n1", "-pclosed", user=FIRST),
        }
        cls.cluster.run(["scontrol", "release", str(cls.waiting["system-hold"])])
        cls.cluster.run(["scontrol", "hold", str(cls.waiting["system-hold"])])
        cls.cluster.wait_for(lambda: len(cls.blocked()) == len(cls.waiting), "jobs to be blocked")

    @classmethod
    def blocked(cls, *options: str, user: str | None = None) -> dict[int, Row]:
        data = cls.cluster.maui("diagnose", "-q", "--json", *options, user=user)
        return {job["job"]: job for job in data["jobs"]}

    def credentials(self, option: str, *words: str, user: str | None = None) -> dict[str, Row]:
        data = self.cluster.maui("diagnose", option, *words, "--json", user=user)
        self.assertEqual(
            (data["schema"], data["limited"], data["enforced"], data["counted"]),
            ("maui.diagnose-credentials/1", True, True, True),
        )
        return {row["name"]: row for row in data["credentials"]}

    def limits(self, row: Row) -> dict[str, tuple[Any, ...]]:
        """soft, hard, in use, left to the soft and to the hard limit"""
        names = ("soft", "hard", "usage", "soft_left", "left")
        return {limit["name"]: tuple(limit[name] for name in names) for limit in row["limits"]}

    def text(self, *words: str) -> str:
        return self.cluster.run(["maui", "diagnose", *words]).stdout

    # --- pages

    def test_a_page_for_anybody_has_nobodys_jobs(self) -> None:
        """PrivateData holds for root, too, who asks as the user nobody; each user sees his own."""
        def counts(*words: str, user: str | None = None) -> str:
            page = self.cluster.run(["maui", "page", *words], user=user).stdout
            self.assertIn("as anybody may see it" if "--public" in words else f"<strong>{FIRST}</strong>", page)
            users = page.partition('aria-label="Nodes by user"')[2].partition("</table>")[0]
            self.assertEqual(f"</svg> {SECOND}</th>" in users, user is None and "--public" not in words)
            found = re.search(r"<p>(\d+ waiting, \d+ running)\.</p>", page)
            assert found
            return found[1]

        self.assertEqual(counts("--public"), "0 waiting, 0 running")
        self.assertEqual(counts(user=FIRST), "6 waiting, 1 running")
        self.assertEqual(counts("-u", FIRST), "6 waiting, 1 running")

    # --- blocked jobs

    def test_each_blocked_job_has_its_reason(self) -> None:
        jobs = self.blocked()
        kinds = {
            name: (jobs[job]["kind"], jobs[job]["level"]) for name, job in self.waiting.items()
        }
        self.assertEqual(
            kinds,
            {
                "hard": ("limit", "hard"),
                "soft": ("limit", "soft"),
                "cap": ("fairshare-cap", None),
                "user-hold": ("user-hold", None),
                "system-hold": ("system-hold", None),
                "dependency": ("dependency", None),
                "begin": ("begin-time", None),
                "class": ("class", None),
            },
        )
        hard = jobs[self.waiting["hard"]]
        self.assertEqual((hard["user"], hard["partitions"]), (SECOND, ["batch"]))
        self.assertEqual(hard["text"], f"MAXJOB limit of 3 for user {SECOND} (3 in use)")
        self.assertEqual(hard["limit"]["holder"], SECOND)
        self.assertEqual((hard["limit"]["limit"], hard["limit"]["usage"]), (3, 3))
        self.assertEqual(hard["limit"]["metric"], "jobs")
        array = self.waiting["user-hold"]
        self.assertEqual(jobs[array]["array"], f"{array}_[1-3]")

    def test_the_lines_are_those_of_the_original(self) -> None:
        lines = self.text("-q").splitlines()
        self.assertEqual(
            lines[:2], ["Diagnosing blocked jobs (policylevel SOFT  partition ALL)", ""]
        )
        for name, message in (
            ("hard", f"violates active HARD MAXJOB limit of 3 for user {SECOND}  (R: 1, U: 3)"),
            ("soft", f"violates active SOFT MAXJOB limit of 1 for user {FIRST}  (R: 1, U: 1)"),
            ("system-hold", "cannot be selected  (Hold: System)"),
            ("class", "cannot be selected  (Class: closed)"),
        ):
            self.assertIn(f"job {self.waiting[name]} {message}", lines)
        array = self.waiting["user-hold"]
        self.assertIn(f"job {array}_[1-3] cannot be selected  (Hold: User)", lines)

    def test_the_reason_is_that_of_squeue(self) -> None:
        reasons = self.cluster.run("squeue --all -h -tPD -o '%A|%R'").stdout
        text = self.blocked()[self.waiting["hard"]]["text"]
        self.assertIn(text, reasons)

    def test_fewer_can_be_asked_for(self) -> None:
        level = self.blocked("-l", "HARD")
        self.assertEqual(set(self.blocked()) - set(level), {self.waiting["soft"]})
        self.assertEqual(set(self.blocked("-t", "closed")), {self.waiting["class"]})
        self.assertEqual(set(self.blocked(f"--user={SECOND}")), {self.waiting["hard"]})
        array = self.waiting["user-hold"]
        self.assertEqual(set(self.blocked(f"{array}_2")), {array})

    def test_users_see_what_squeue_shows_them(self) -> None:
        self.assertEqual(set(self.blocked(user=SECOND)), {self.waiting["hard"]})
        self.assertEqual(set(self.credentials("-u", user=SECOND)), {SECOND, "DEFAULT"})
        self.assertEqual(set(self.credentials("-c", user=SECOND)), {"DEFAULT"})
        self.assertEqual(self.credentials("-u", FIRST, user=SECOND), {})

    # --- credentials

    def test_users_have_their_limits_usage_and_room(self) -> None:
        rows = self.credentials("-u")
        self.assertEqual(set(rows), {FIRST, SECOND, "root", "nosuchuser", "DEFAULT"})
        second = rows[SECOND]
        self.assertEqual((second["priority"], second["target"], second["mark"]), (7, 20, "+"))
        self.assertEqual(second["configured"], [{"name": "MAXJOB", "soft": 3, "hard": 3}])
        self.assertEqual(
            self.limits(second), {"MAXJOB": (3, 3, 3, 0, 0), "MAXIJOB": (None, 20, 0, None, 20)}
        )
        self.assertEqual((second["active"]["jobs"], second["active"]["procs"]), (3, 3))
        self.assertEqual(second["pending"], 1)
        first = rows[FIRST]
        self.assertEqual(first["configured"], [])  # DEFAULT's hold
        # Over a soft limit it is eligible all the same.
        self.assertEqual(
            self.limits(first), {"MAXJOB": (1, 2, 1, 0, 1), "MAXIJOB": (None, 20, 1, None, 19)}
        )
        self.assertEqual((first["active"]["jobs"], first["active"]["procs"]), (1, 2))
        self.assertEqual((first["qdef"], first["qlist"]), ("hi", ["hi"]))
        self.assertEqual((rows["nosuchuser"]["limits"], rows["nosuchuser"]["active"]), ([], None))
        self.assertEqual(rows["DEFAULT"]["limits"], [])
        self.assertEqual(set(self.credentials("-u", SECOND)), {SECOND})

    def test_who_has_no_limit_has_usage_all_the_same(self) -> None:
        rows = self.credentials("-g")
        self.assertEqual(set(rows), {FIRST, SECOND, "root", "DEFAULT"})
        self.assertEqual(rows[SECOND]["limits"], [])
        self.assertEqual(rows[SECOND]["active"]["jobs"], 3)
        self.assertEqual(rows["root"]["mark"], "^")

    def test_accounts_classes_and_qos(self) -> None:
        accounts = self.credentials("-a")
        self.assertEqual(self.limits(accounts["physics"]), {"MAXPROC": (12, 12, 3, 9, 9)})
        classes = self.credentials("-c")
        self.assertEqual(set(classes), {"batch", "closed", "DEFAULT"})
        self.assertEqual(
            self.limits(classes["batch"]),
            {
                "MAXPROC": (20, 20, 5, 15, 15),
                f"MAXJOB[USER:{FIRST}]": (5, 5, 1, 4, 4),
                f"MAXJOB[USER:{SECOND}]": (5, 5, 3, 2, 2),
                f"MAXPROC[USER:{SECOND}]": (6, 6, 3, 3, 3),
            },
        )
        qos = self.credentials("-Q")
        self.assertEqual(
            self.limits(qos["hi"]),
            {"MAXPROC": (40, 40, 2, None, None), "OMAXPROC": (30, 30, 2, 28, 28)},
        )
        self.assertEqual(qos["hi"]["listed_by"]["user"], [FIRST])
        self.assertEqual(qos["DEFAULT"]["active"]["jobs"], 3)

    def test_the_tables_are_those_of_the_original(self) -> None:
        text = self.text("-u", SECOND)
        self.assertIn(
            f"{SECOND:<12}        7       [NONE]       [NONE]       [NONE]                "
            "[NONE]  20.00  MAXJOB=3\n  MAXJOB=3: 3 in use, 0 left\n",
            text,
        )
        self.assertIn("\nLimits of the whole system:\n  MAXJOB=50: 4 in use, 46 left\n", text)
        self.assertIn("  OMAXPROC=30: 2 in use, 28 left\n", self.text("-Q"))
        self.assertTrue(self.text("-g").startswith("Displaying group information...\nName "))
        self.assertTrue(self.text("-a").startswith("Displaying account information...\nName "))
        self.assertTrue(self.text("-c").startswith("Class/Queue Status\n\nName "))

    # --- changes

    def test_whom_an_event_frees_is_gone(self) -> None:
        """By its name the last of all tests: it ends a job."""
        freed = self.waiting["hard"]
        self.cluster.scancel(self.running[SECOND].pop())
        self.cluster.wait_for_state(freed, "RUNNING")
        self.assertNotIn(freed, self.blocked())
        self.assertEqual(self.limits(self.credentials("-u")[SECOND])["MAXJOB"], (3, 3, 3, 0, 0))
