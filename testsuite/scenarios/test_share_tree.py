# SPDX-License-Identifier: GPL-2.0-or-later
"""FSTREEWEIGHT: priorities by Slurm's own tree of shares, as sshare shows it, with Fair Tree and without."""

from __future__ import annotations

import unittest
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

from harness import USERS, Cluster, replace_file

FIRST, SECOND = USERS
CPUS = 4
WEIGHT = 100000
WAIT = 240  # two of Slurm's shortest PriorityCalcPeriod, and as much again
NEUTRAL = "RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\n"
TREE = NEUTRAL + f"FSWEIGHT 1\nFSTREEWEIGHT {WEIGHT}\n"

SLURM_CONF = """
AccountingStorageEnforce=associations
PriorityCalcPeriod=1
PriorityDecayHalfLife=1000-0
"""
SHADOW_CONF = SLURM_CONF + f"""
PriorityType=priority/multifactor
PriorityParameters=maui_mode=shadow
PriorityFlags=NO_FAIR_TREE
PriorityWeightFairshare={WEIGHT}
"""

# optics is below physics; each has another part of the shares.
ASSOCIATIONS = (("physics", FIRST), ("physics", SECOND), ("optics", FIRST), ("chemistry", FIRST), ("chemistry", SECOND))
ACCOUNTS = f"""
sacctmgr -i add account physics fairshare=60
sacctmgr -i add account optics parent=physics fairshare=5
sacctmgr -i add account chemistry fairshare=40
sacctmgr -i add user {FIRST} account=physics fairshare=30
sacctmgr -i add user {SECOND} account=physics fairshare=10
sacctmgr -i add user {FIRST} account=optics fairshare=7
sacctmgr -i add user {FIRST} account=chemistry fairshare=3
sacctmgr -i add user {SECOND} account=chemistry fairshare=parent
"""

Association = tuple[str, str]


def shares(cluster: Cluster) -> dict[Association, float]:
    """FairShare of users' associations, by sshare."""
    done = cluster.run(["sshare", "-a", "-P", "-n", "-o", "Account,User,FairShare"])
    rows = [[field.strip() for field in line.split("|")] for line in done.stdout.splitlines()]
    return {(account, user): float(factor) for account, user, factor in rows if user in USERS}


def as_shown(priority: float, factor: float, cap: float = 1) -> bool:
    """sshare has six decimals, and a priority is a whole number: Slurm's least is 1 or 2."""
    return abs(priority - WEIGHT * min(cap, factor)) <= 2


class ShareTreeTest(unittest.TestCase):
    ours: Cluster
    shadow: Cluster
    jobs: dict[Association, int]

    @classmethod
    def setUpClass(cls) -> None:
        stack = cls.enterClassContext(ExitStack())
        options = {"nodes": 1, "cpus": CPUS, "slurmdbd": True}
        cls.ours = stack.enter_context(Cluster(maui_cfg=TREE, slurm_conf=SLURM_CONF, **options))
        cls.shadow = stack.enter_context(
            Cluster(maui_cfg=NEUTRAL, slurm_conf=SHADOW_CONF, stock_select=True, **options)
        )
        with ThreadPoolExecutor(2) as pool:
            # The classic factor of a user without usage is 1, with any shares.
            cls.jobs = list(pool.map(cls.fill, (cls.ours, cls.shadow), (4, 2)))[0]

    @classmethod
    def fill(cls, cluster: Cluster, different: int) -> dict[Association, int]:
        """A job that uses the machine, a waiting one of each association, and usage in the tree: so many factors are
        different."""
        cluster.run(ACCOUNTS)
        cluster.wait_for(lambda: set(shares(cluster)) == set(ASSOCIATIONS), "slurmctld to know the associations")
        for account, user in (("physics", FIRST), ("optics", FIRST)):
            used = cluster.sbatch(f"-n{CPUS}", f"-A{account}", "-t600", wrap="sleep 3", user=user)
            cluster.wait_for_state(used, "COMPLETED")
        blocker = cluster.sbatch(f"-n{CPUS}", "-Achemistry", "-t600", user=FIRST)
        cluster.wait_for_state(blocker, "RUNNING")
        jobs = {(account, user): cluster.sbatch(f"-n{CPUS}", f"-A{account}", "-t1", user=user)
                for account, user in ASSOCIATIONS}
        cluster.wait_for(lambda: len(set(shares(cluster).values())) >= different, "usage in the tree", WAIT)
        return jobs

    def priorities(self) -> dict[Association, int]:
        return {association: int(self.ours.job(job)["Priority"]) for association, job in self.jobs.items()}

    def wait_for_shares(self, cap: float = 1) -> dict[Association, float]:
        """Until squeue's priorities are sshare's factors; a pass may come between the two questions."""
        last: list[Any] = []

        def agree() -> bool:
            last[:] = factors, priorities = shares(self.ours), self.priorities()
            return all(as_shown(priorities[one], factors[one], cap) for one in ASSOCIATIONS)

        self.ours.wait_for(agree, "priorities by sshare's factors", 30)
        factors: dict[Association, float] = last[0]
        return factors

    def test_a_priority_is_its_associations_fairshare(self) -> None:
        self.ours.install(TREE)
        factors = self.wait_for_shares()
        self.assertGreater(len(set(factors.values())), 2, factors)

    def test_sprio_and_maui_priority_show_it(self) -> None:
        self.ours.install(TREE)
        self.wait_for_shares()

        def agree() -> bool:
            rows = {int(row["id"]): row for row in self.ours.sprio()}
            return all(rows[job]["fairshare"] == rows[job]["priority"] == self.priorities()[one]
                       for one, job in self.jobs.items())

        self.ours.wait_for(agree, "sprio's FAIRSHARE to be the priority", 30)
        job = self.jobs["physics", SECOND]
        data = self.ours.maui("priority", "--json", str(job))
        term = data["jobs"][0]["components"]["FS"]["subcomponents"]["FSTREE"]
        self.assertEqual(term["weight"], WEIGHT)
        self.assertTrue(0 < term["factor"] <= 1, term)
        self.assertIn("FSTREE", self.ours.run(["maui", "priority", str(job)]).stdout)
        self.assertIn("Tree", self.ours.run(["maui", "diagnose", "-p"]).stdout)

    def test_a_cap_cuts_it(self) -> None:
        self.ours.install(TREE + "FSTREECAP 0.5\n")
        factors = self.wait_for_shares(0.5)
        self.assertGreater(max(factors.values()), 0.5)
        self.assertLess(min(factors.values()), 0.5)

    def test_whatif_has_the_factors_that_todays_policy_does_not_count(self) -> None:
        self.ours.install(NEUTRAL)
        path = self.ours.dir / "then.cfg"
        replace_file(path, TREE)

        def agree() -> bool:
            factors = shares(self.ours)
            data = self.ours.maui("whatif", "--json", str(path))
            self.assertEqual(data["notes"], [])
            then = {row["job"]: row["priority"]["then"] for row in data["movers"]}
            return all(as_shown(then[job], factors[one]) for one, job in self.jobs.items() if job in then) and bool(then)

        self.ours.wait_for(agree, "whatif's priorities by sshare's factors", 30)
        self.assertLess(max(self.priorities().values()), 3)
        self.ours.install(TREE)
        self.wait_for_shares()

    def test_check_finds_nothing(self) -> None:
        path = self.ours.dir / "checked.cfg"
        replace_file(path, TREE)
        self.assertNotIn("FSTREE", self.ours.run(["maui", "check", str(path)], check=False).stdout)

    def test_an_imported_weight_gives_slurms_own_classic_points(self) -> None:
        cluster = self.shadow
        imported = cluster.run(["maui", "import"], check=False).stdout
        self.assertIn(f"FSTREEWEIGHT {WEIGHT} ", " ".join(imported.split()) + " ")
        cluster.install("RMPOLLINTERVAL 1\n" + imported)
        last: list[Any] = []

        def agree() -> bool:
            last[:] = [cluster.maui("diff", "--json")["jobs"]]
            return len(last[0]) == len(ASSOCIATIONS) and all(
                abs(job["maui"]["priority"] - job["slurm"]["priority"]) <= 2 for job in last[0])

        cluster.wait_for(agree, "Maui's priorities to be Slurm's", 90)
        self.assertGreater(len({job["slurm"]["priority"] for job in last[0]}), 1, last)
