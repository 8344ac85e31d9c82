# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui whatif FILE` says of a real queue what a reconfigure to FILE then does, and changes nothing itself."""

from __future__ import annotations

import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

from harness import USERS, Cluster

FIRST, SECOND = USERS
DAY = 86400

# No term grows with the time that passes between two looks: no weight of queue time, and so much usage that
# what runs meanwhile does not show. Targets end in .005, so that no product lies near a whole number.
COMMON = """\
RMPOLLINTERVAL 1
QUEUETIMEWEIGHT 0
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSDEPTH 3
FSDECAY 0.5
STATDIR {statdir}
"""
TODAY = COMMON + f"""\
CREDWEIGHT 1
USERWEIGHT 10
CLASSWEIGHT 1
RESWEIGHT 1
PROCWEIGHT 100
FSWEIGHT 1
FSUSERWEIGHT 100
USERCFG[DEFAULT] MAXJOB=2,3 MAXIJOB=6
USERCFG[{FIRST}] PRIORITY=40 FSTARGET=30.005
USERCFG[{SECOND}] PRIORITY=300 FSTARGET=20.005 MAXJOB=3
CLASSCFG[other] PRIORITY=50 MAXPROC=4
"""
# Other weights, targets, decay and limits; some are freed, some are blocked, some for another reason.
OTHER = COMMON.replace("FSDECAY 0.5", "FSDECAY 0.25") + f"""\
CREDWEIGHT 1
USERWEIGHT 2
QOSWEIGHT 7
RESWEIGHT 1
PROCWEIGHT -30
WALLTIMEWEIGHT 1
FSWEIGHT 1
FSUSERWEIGHT 20
FSWEIGHT[other] 3
ENABLENEGJOBPRIORITY TRUE
#INCLUDE limits.cfg
"""
LIMITS = f"""\
USERCFG[DEFAULT] MAXIPROC=9
USERCFG[{FIRST}] PRIORITY=-20 FSTARGET=60.005 MAXJOB=4
USERCFG[{SECOND}] PRIORITY=3 FSTARGET=5.005- MAXJOB=2
CLASSCFG[batch] MAXPROC[USER]=8
USERCFG[{SECOND}] QDEF=hi
QOSCFG[hi] PRIORITY=11 MAXPROC=9
ACCOUNTCFG[physics] FSTARGET=1^
SYSCFG MAXPROC=40
"""
SLURM_CONF = """\
PartitionName=other Nodes=ALL State=UP MaxTime=INFINITE
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=5,bf_min_prio_reserve=1
"""
NEGATIVE = "ENABLENEGJOBPRIORITY TRUE\nREJECTNEGPRIOJOBS TRUE\n"
BY_POLICY = {"limit", "fairshare-cap", "qos", "negative-priority"}

Row = dict[str, Any]


class WhatifTest(unittest.TestCase):
    cluster: Cluster
    statdir: Path
    waiting: list[int]

    @classmethod
    def setUpClass(cls) -> None:
        home = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="maui-whatif."))
        Path(home).chmod(0o755)
        cls.statdir = Path(home)
        cls.seed()
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=2, cpus=8, maui_cfg=cls.text(TODAY), slurm_conf=SLURM_CONF)
        )
        (cls.cluster.maui_cfg.parent / "limits.cfg").write_text(LIMITS, encoding="utf-8")
        cls.submit()

    @classmethod
    def text(cls, policy: str) -> str:
        return policy.format(statdir=cls.statdir)

    @classmethod
    def seed(cls) -> None:
        """A history beside which nothing counts that runs during a test."""
        window = int(time.time()) // DAY * DAY
        for k, (first, second) in enumerate(((5e11, 2e11), (1e11, 6e11))):
            rows = (("user", FIRST, first), ("user", SECOND, second), ("sched", "NONE", 1e12))
            lines = [f"# FS Data File (Duration:  {DAY} seconds)  Starting: long ago", ""]
            lines += [f"{kind:<10} {name:>15} {usage:12.3f}" for kind, name, usage in rows]
            path = cls.statdir / f"FS.{window - DAY * k}"
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    @classmethod
    def submit(cls) -> None:
        """All processors are in use, so that nobody starts while a test compares."""
        submit = cls.cluster.sbatch
        running = [submit("-n2", "-t600", user=FIRST) for _ in range(3)]
        running += [submit("-n2", "-t600", user=SECOND) for _ in range(2)]
        running += [submit("-n1", "-t600", user=SECOND, *("-pother",))]
        running += [submit("-n5", "-t600")]
        for job in running:
            cls.cluster.wait_for_state(job, "RUNNING")
        waiting = []
        for i in range(1, 5):
            waiting.append(submit(f"-n{i}", f"-t{100 - 20 * i}", user=FIRST))
            waiting.append(submit(f"-n{5 - i}", f"-t{7 * i}", f"--nice={i}", user=SECOND))
            waiting.append(submit(f"-n{2 * i}", f"-t{3 + 11 * i}", "-pother"))
        waiting.append(submit("-n3", "-t9", "-pbatch,other", user=SECOND))
        waiting.append(submit("-n2", "-t15", "--array=1-4", user=FIRST))
        waiting.append(submit("-n1", "--hold", user=FIRST))
        waiting.append(submit("-n1", f"--dependency=afterany:{running[0]}", user=SECOND))
        waiting += [submit("-n1", "-t20", "-Aphysics") for _ in range(2)]
        parts = submit("-n1", "-t8", ":", "-n2", user=FIRST)
        waiting += [parts, parts + 1]
        waiting.append(submit("-n6", "-t30"))
        cls.waiting = waiting
        # A reconfigure may end slurmctld, and cost it what it has not saved (may_fail_to_reconfigure()).
        cls.cluster.wait_until_saved(waiting[-1])
        cls.cluster.run(["scontrol", "update", f"job={waiting[-1]}", "priority=777"])
        cls.settle()

    @classmethod
    def settle(cls) -> None:
        """Until every job is there, and two iterations have found the same."""
        def same() -> bool:
            first = (cls.order(), cls.blocked())
            return len(first[0]) == len(cls.waiting) and first == (cls.order(), cls.blocked())

        cls.cluster.wait_for(same, "the queue to be settled")

    # --- what the engine itself says

    @classmethod
    def order(cls) -> list[tuple[int, int]]:
        """Jobs and their priorities, in the order of the queue; of several partitions the best."""
        best: dict[int, int] = {}
        for row in cls.cluster.maui("diagnose", "-p", "--json")["jobs"]:
            best[row["job"]] = max(best.get(row["job"], 0), row["priority"])
        return sorted(best.items(), key=lambda item: (-item[1], item[0]))

    @classmethod
    def blocked(cls) -> dict[int, str]:
        """Those whom a policy blocks, and how."""
        jobs = cls.cluster.maui("diagnose", "-q", "--json")["jobs"]
        return {job["job"]: job["message"] for job in jobs if job["kind"] in BY_POLICY}

    def whatif(self, policy: str, name: str = "other.cfg") -> Row:
        path = self.cluster.maui_cfg.parent / name
        path.write_text(self.text(policy), encoding="utf-8")
        data: Row = self.cluster.maui("whatif", "--json", str(path))
        self.assertEqual((data["schema"], data["file"]), ("maui.whatif/1", str(path)))
        return data

    def take(self, policy: str) -> None:
        """The policy comes into force."""
        before = self.cluster.maui("status", "--json")["policy"]["loaded"]
        # `loaded` counts seconds.
        self.cluster.wait_for(lambda: time.time() >= before + 1, "another second")
        self.cluster.write_maui_cfg(self.text(policy))
        self.cluster.reconfigure()
        self.cluster.wait_for(
            lambda: self.cluster.maui("status", "--json")["policy"]["loaded"] > before,
            "the policy to be in force",
        )
        self.settle()

    @staticmethod
    def messages(jobs: list[Row]) -> dict[int, str]:
        return {job["job"]: job["message"] for job in jobs}

    def compare(self, policy: str) -> Row:
        """Ask, look that nothing has changed, reconfigure, and look whether it was right."""
        order, blocked = self.order(), self.blocked()
        data = self.whatif(policy)
        self.assertEqual((self.order(), self.blocked()), (order, blocked), "whatif has changed it")
        today = {job: place for place, (job, _) in enumerate(order, 1)}
        expected = dict(today)
        for mover in data["movers"]:
            job = mover["job"]
            self.assertEqual(mover["rank"]["today"], today[job])
            self.assertEqual(mover["priority"]["today"], dict(order)[job])
            expected[job] = mover["rank"]["then"]
        self.take(policy)
        new_order, new_blocked = self.order(), self.blocked()
        self.assertEqual([job for job, _ in new_order], sorted(expected, key=expected.__getitem__))
        for mover in data["movers"]:
            self.assertEqual(mover["priority"]["then"], dict(new_order)[mover["job"]], mover)
        changed = sum(dict(order)[job] != priority for job, priority in new_order)
        self.assertEqual(data["priorities_changed"], changed)
        self.assertEqual(data["blocked"], {"today": len(blocked), "then": len(new_blocked)})
        self.assertEqual(
            self.messages(data["newly_blocked_jobs"]),
            {job: text for job, text in new_blocked.items() if job not in blocked},
        )
        self.assertEqual(
            self.messages(data["freed_jobs"]),
            {job: text for job, text in blocked.items() if job not in new_blocked},
        )
        self.assertEqual(
            self.messages(data["blocked_otherwise_jobs"]),
            {job: text for job, text in new_blocked.items() if blocked.get(job, text) != text},
        )
        return data

    # --- tests, in the order of their names

    def test_1_the_file_in_force_changes_nothing(self) -> None:
        blocked = self.blocked()
        self.assertGreater(len(blocked), 3)
        data = self.whatif(TODAY)
        counts = ("ranks_changed", "priorities_changed", "newly_blocked", "freed", "blocked_otherwise")
        self.assertEqual([data[name] for name in counts], [0] * 5)
        self.assertEqual(data["jobs"], len(self.waiting))
        self.assertEqual(data["blocked"], {"today": len(blocked), "then": len(blocked)})
        self.assertEqual(data["notes"], [])

    def test_2_a_reconfigure_does_what_was_said_and_back(self) -> None:
        data = self.compare(OTHER)
        # The load shows something of everything.
        kinds = {job["kind"] for job in data["newly_blocked_jobs"] + data["blocked_otherwise_jobs"]}
        self.assertEqual(kinds, {"limit", "fairshare-cap"})
        self.assertIn("hi", {job["qos"] for job in data["movers"]})
        self.assertGreater(data["ranks_changed"], 8)
        for name in ("newly_blocked", "freed", "blocked_otherwise"):
            self.assertGreater(data[name], 0, name)
        back = self.compare(TODAY)
        self.assertEqual(back["ranks_changed"], data["ranks_changed"])
        self.assertEqual((back["newly_blocked"], back["freed"]), (data["freed"], data["newly_blocked"]))

    def test_3_jobs_that_would_be_held_for_a_negative_priority(self) -> None:
        negative = TODAY.replace("PROCWEIGHT 100", "PROCWEIGHT -2000") + NEGATIVE
        data = self.compare(negative)
        kinds = {job["kind"] for job in data["newly_blocked_jobs"]}
        self.assertIn("negative-priority", kinds)
        self.compare(TODAY)

    def test_4_what_cannot_be_told_is_named(self) -> None:
        other = TODAY.replace("FSINTERVAL 24:00:00", "FSINTERVAL 1:00:00")
        other += "SRCFG[night] STARTTIME=20:00 HOSTLIST=n1 USERLIST=bin\nNODEALLOCATIONPOLICY FASTEST\n"
        names = [note["name"] for note in self.whatif(other)["notes"]]
        self.assertEqual(names, ["FSINTERVAL", "SRCFG", "NODECFG"])
        deeper = self.whatif(TODAY.replace("FSDEPTH 3", "FSDEPTH 5"))
        self.assertEqual([note["name"] for note in deeper["notes"]], ["FSDEPTH"])
        self.assertIn("the 2 oldest windows", deeper["notes"][0]["text"])

    def test_5_a_file_longer_than_a_request(self) -> None:
        lines = "".join(f"USERCFG[nobody{i}] PRIORITY={i % 7} MAXJOB=9\n" for i in range(4000))
        self.assertGreater(len(lines), 1 << 17)
        data = self.whatif(TODAY + lines, "long.cfg")
        self.assertEqual((data["ranks_changed"], data["newly_blocked"], data["freed"]), (0, 0, 0))

    def test_6_who_may_ask_and_for_what(self) -> None:
        maui_cfg = str(self.cluster.maui_cfg)
        done = self.cluster.run(["maui", "whatif", maui_cfg], user=FIRST, check=False)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("whatif is for root, SlurmUser and ADMIN1..3", done.stderr)
        bad = self.cluster.maui_cfg.parent / "bad.cfg"
        bad.write_text("FSDEPTH many\n", encoding="utf-8")
        done = self.cluster.run(["maui", "whatif", str(bad)], check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"{bad}:1:", done.stderr)
