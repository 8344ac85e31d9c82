# SPDX-License-Identifier: GPL-2.0-or-later
"""From Slurm's own policy to ours, whole: a site with Fair Tree is imported and compared, and watched in shadow mode
while jobs come, run and go; then one knob of Maui's is turned.

MAUI_SHOW_SECONDS of traffic: 20, or 600 in `testsuite/run long`.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import time
import unittest
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness import Cluster, replace_file

SECONDS = float(os.environ.get("MAUI_SHOW_SECONDS", "20"))
MOMENTS = max(6, int(SECONDS / 10))  # of the traffic, at which the two orders are compared
JOBS = 1000
NODES, CPUS = 4, 8
LEAST = 0.99
APART = 3  # points of two jobs that their ages cannot turn round between one plugin's look and the other's

# A minute of age is less than two points.
SLURM_CONF = """
PriorityType=priority/multifactor
PriorityParameters=maui_mode=shadow
PriorityCalcPeriod=1
PriorityDecayHalfLife=0-1
PriorityWeightAge=10000
PriorityMaxAge=5-0
PriorityWeightFairshare=20000
PriorityWeightJobSize=2000
PriorityWeightPartition=3000
PriorityWeightQOS=10000
PriorityWeightTRES=cpu=1000,mem=500
PriorityFlags=ACCRUE_ALWAYS
AccountingStorageEnforce=associations,limits,qos
MaxJobCount=20000
PartitionName=DEFAULT Nodes=ALL MaxTime=INFINITE State=UP
PartitionName=short PriorityJobFactor=40
PartitionName=day PriorityJobFactor=20
PartitionName=week PriorityJobFactor=0
"""
PARTITIONS = ("short", "day", "week")

QOS = {"normal": 0, "urgent": 90, "high": 50, "low": 10}
# A user of each group; groups are below faculties.
TREE = {"science": {"physics": ("daemon", "bin"), "chemistry": ("sys",)}, "arts": {"history": ("games",), "music": ("man",)}}
SHARES = {"science": 60, "arts": 40, "physics": 30, "chemistry": 10, "history": 5, "music": 1,
          "daemon": 3, "bin": 1, "sys": 1, "games": 1, "man": 1}
GROUPS = {user: group for groups in TREE.values() for group, users in groups.items() for user in users}
USERS = tuple(GROUPS)
KNOB = "low"

STARTED = re.compile(r"(?:Allocate|Started) JobId=(\d+)")


def accounts() -> str:
    """The script that makes QOS and tree."""
    lines = [f"sacctmgr -i add qos {','.join(QOS.keys() - {'normal'})}"]
    lines += [f"sacctmgr -i modify qos {name} set priority={priority}" for name, priority in QOS.items()]
    for faculty, groups in TREE.items():
        lines.append(f"sacctmgr -i add account {faculty} fairshare={SHARES[faculty]}")
        for group, users in groups.items():
            lines.append(f"sacctmgr -i add account {group} parent={faculty} fairshare={SHARES[group]}")
            lines += [f"sacctmgr -i add user {user} account={group} fairshare={SHARES[user]} qos={','.join(QOS)} "
                      "defaultqos=normal" for user in users]
    return "\n".join(lines)


@dataclass(frozen=True)
class Moment:
    """Priorities of the waiting jobs, on both sides."""

    log: int  # slurmctld's log before the question
    tau: float
    slurm: dict[int, int]
    maui: dict[int, int]


class ImportShowTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=NODES, cpus=CPUS, memory=16000, slurmdbd=True, slurm_conf=SLURM_CONF,
                    maui_cfg="RMPOLLINTERVAL 1\n", stock_select=True))
        cls.cluster.run(accounts())
        cls.cluster.wait_for(lambda: all(user in cls.cluster.run("scontrol show assoc_mgr flags=assoc").stdout
                                         for user in USERS), "slurmctld to know the associations")
        cls.generator = random.Random(23)

    @classmethod
    def shares(cls) -> set[str]:
        """FairShare of users, those that differ."""
        rows = cls.cluster.run(["sshare", "-a", "-P", "-n", "-o", "User,FairShare"]).stdout.splitlines()
        return {share for user, _, share in (row.strip().partition("|") for row in rows) if user in USERS}

    def use_the_machine(self) -> None:
        """Some have used it already: slurmctld counts that, and computes the tree, when it starts."""
        for user, seconds in zip(USERS, (6, 4, 2)):
            self.cluster.sbatch(f"-N{NODES}", "-t5", "-pshort", "-o/dev/null", wrap=f"sleep {seconds}", user=user)
        self.cluster.wait_for(lambda: not self.cluster.squeue(), "these jobs to end")
        self.cluster.restart()
        self.cluster.wait_for(lambda: len(self.shares()) > 2, "usage in the tree", 240)

    # --- jobs

    def job(self) -> tuple[str, str]:
        """A user, and the line that submits a job of his."""
        pick = self.generator
        user = pick.choice(USERS)
        line = (f"sbatch -Q -o /dev/null -N1 -n{pick.randint(1, CPUS)} -t{pick.randint(5, 3000)} -p{pick.choice(PARTITIONS)} "
                f"--qos={pick.choice(tuple(QOS))} --mem={pick.randint(100, 8000)} --nice={pick.randint(0, 50)} "
                f"--wrap='sleep {pick.choice((2, 4, 8))}'")
        return user, line

    def submit(self, count: int) -> None:
        """In one script for each user, side by side."""
        scripts: dict[str, list[str]] = {user: ["set -e", "cd /"] for user in USERS}
        for user, line in (self.job() for _ in range(count)):
            scripts[user].append(line)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda user: self.cluster.run("\n".join(scripts[user]), user=user), USERS))

    def drain(self, state: str) -> None:
        self.cluster.run(f"scontrol update NodeName=ALL State={state} Reason=test")

    def traffic(self, end: float) -> int:
        """About a job a second comes until then, as one ends."""
        count = 0
        while time.monotonic() < end:
            user, line = self.job()
            self.cluster.run(f"cd / && {line} && sleep 0.7", user=user)
            count += 1
        return count

    # --- what the two say

    def look(self) -> Moment:
        log = self.cluster.log_position()
        diff = self.cluster.maui("diff", "--json")
        ranked = [job for job in diff["jobs"] if job["slurm"]["rank"] and job["maui"]["rank"]]
        return Moment(log, diff["alike"]["tau_b"] or 0, {job["job"]: job["slurm"]["priority"] for job in ranked},
                      {job["job"]: job["maui"]["priority"] for job in ranked})

    def settled(self) -> Moment:
        """The engine has Slurm's shares and jobs of some pass: between two of them neither is wrong."""
        last: list[Moment] = []

        def agree() -> bool:
            last[:] = [self.look()]
            return last[0].tau >= LEAST

        self.cluster.wait_for(agree, f"tau-b of at least {LEAST}", 30)
        return last[0]

    def watch(self, coming: Future[int], begun: float) -> Iterator[tuple[float, Moment]]:
        """The tau-b that was found first, and the settled moment."""
        for number in range(1, MOMENTS + 1):
            self.cluster.wait_for(lambda at=begun + SECONDS * number / MOMENTS: time.monotonic() >= at or coming.done(),
                                  "the next moment", SECONDS)
            yield self.look().tau, self.settled()

    def check_starts(self, moments: list[Moment]) -> None:
        """Of two jobs of a moment that start before the next one the first has the higher priority, but for backfill:
        on both sides as often."""
        found = {"slurm": [0, 0], "maui": [0, 0]}
        for moment, after in zip(moments, [*moments[1:], None]):
            log = self.cluster.log_text(moment.log)
            if after:
                log = log[: after.log - moment.log]
            started = [int(job) for job in dict.fromkeys(STARTED.findall(log))]
            for side, priorities in (("slurm", moment.slurm), ("maui", moment.maui)):
                known = [priorities[job] for job in started if job in priorities]
                pairs = [(one, other) for one, other in itertools.combinations(known, 2) if abs(one - other) > APART]
                found[side][0] += sum(one > other for one, other in pairs)
                found[side][1] += len(pairs)
        told = {side: f"{right} of {pairs}" for side, (right, pairs) in found.items()}
        print(f"pairs of starts in the order of priorities: {told}")
        (ours, our_pairs), (slurms, slurm_pairs) = found["maui"], found["slurm"]
        few = min(our_pairs, slurm_pairs)
        self.assertGreater(few, 20, told)
        if few > 1000:  # in some seconds backfill may have started most of them
            self.assertGreater(min(ours / our_pairs, slurms / slurm_pairs), 0.6, told)
        # A few pairs are APART on one side alone.
        self.assertLess(abs(ours / our_pairs - slurms / slurm_pairs), 0.01 + 3 / few, told)

    # --- the parts of the show, in turn

    def import_site(self) -> str:
        done = self.cluster.run(["maui", "import"], check=False)
        self.assertEqual(done.stderr, "")
        for words in ("# Nothing in Maui does this", "# This is different"):
            self.assertNotIn(words, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^FSTREEWEIGHT +20000 ")
        return str(done.stdout)

    def compare(self) -> None:
        found = self.cluster.maui("import", "--compare", "--json")
        self.assertEqual(found["schema"], "maui.import-compare/1")
        self.assertEqual((found["counts"]["jobs"], found["notes"]), (JOBS, []))
        self.assertGreaterEqual(found["alike"]["tau_b"], LEAST, found["mean"])
        text = self.cluster.run(["maui", "import", "--compare"]).stdout
        self.assertIn(f"{JOBS} waiting jobs compared", text)
        print(f"import --compare: tau-b {found['alike']['tau_b']:.4f}")

    def run_traffic(self) -> list[Moment]:
        moments = [self.settled()]
        self.drain("RESUME")
        begun = time.monotonic()
        with ThreadPoolExecutor(1) as pool:
            coming = pool.submit(self.traffic, begun + SECONDS)
            firsts = []
            for first, moment in self.watch(coming, begun):
                firsts.append(first)
                moments.append(moment)
            came = coming.result()
        self.drain("DRAIN")
        self.cluster.wait_for(lambda: not self.cluster.squeue("--states=RUNNING,COMPLETING"), "the machine to be idle")
        print(f"{SECONDS:.0f} s: {came} jobs came, {JOBS + came - len(self.look().maui)} started; tau-b at {MOMENTS} "
              f"moments from {min(firsts):.4f} to {max(firsts):.4f}, settled from {min(one.tau for one in moments):.4f}")
        self.assertGreaterEqual(sorted(firsts)[len(firsts) // 2], LEAST, firsts)
        return moments

    def turn_the_knob(self, text: str) -> None:
        """QOS low counts more than all others."""
        jobs = self.settled()
        turned = re.sub(rf"(?m)^(QOSCFG\[{KNOB}\] +)PRIORITY=\d+", r"\1PRIORITY=1000", text)
        self.assertNotEqual(turned, text)
        path = self.cluster.home / "turned.cfg"
        replace_file(path, turned)
        low = {int(row["id"]) for row in self.cluster.squeue("--states=PENDING") if row["qos"] == KNOB}
        told = self.cluster.maui("whatif", "--json", str(path))
        self.assertEqual((told["jobs"], told["newly_blocked"]), (len(jobs.maui), 0))
        self.assertEqual(told["priorities_changed"], len(low))
        for job in told["movers"]:
            rises = job["rank"]["then"] < job["rank"]["today"]
            self.assertEqual(rises, job["job"] in low, job)
            self.assertEqual(job["most"], "CRED" if job["job"] in low else None, job)
        self.check_words(path, low)
        self.cluster.install(turned)
        self.cluster.wait_for(lambda: self.look().tau < LEAST, "the turned knob to count")
        diff = self.cluster.maui("diff", "--json")
        first = {job["job"] for job in diff["jobs"] if job["maui"]["rank"] and job["maui"]["rank"] <= len(low)}
        self.assertEqual(first, low)
        print(self.cluster.run(["maui", "diff"]).stdout)

    def check_words(self, path: Path, low: set[int]) -> None:
        text = self.cluster.run(["maui", "whatif", str(path)]).stdout
        print(text)
        self.assertRegex(text, rf"\n\d+ jobs, \d+ change rank, {len(low)} priority, 0 newly blocked, 0 freed")
        rows = re.findall(r"(?m)^(\d+) +\w+ +(\d+) -> (\d+) +\d+ -> \d+ +(.*)$", text)
        self.assertGreater(len(rows), 10, text)
        for job, today, then, most in rows:
            self.assertEqual(int(then) < int(today), int(job) in low, text)
            self.assertRegex(most, r"CRED \+\d+\.\d\d" if int(job) in low else "-")

    def test_the_show(self) -> None:
        self.use_the_machine()
        self.drain("DRAIN")
        self.submit(JOBS)
        text = "RMPOLLINTERVAL 1\n" + self.import_site()
        self.cluster.install(text)
        self.cluster.wait_for(lambda: len(self.cluster.maui("diff", "--json")["jobs"]) == JOBS, "the engine to have all jobs")
        self.settled()
        self.compare()
        self.check_starts(self.run_traffic())
        self.turn_the_knob(text)
