# SPDX-License-Identifier: GPL-2.0-or-later
"""maui import --compare at a site with stock plugins alone: each component of priority/multifactor in turn."""

from __future__ import annotations

import os
import random
import re
import unittest
from pathlib import Path
from typing import Any

from harness import USERS, Cluster

# The site has not installed ours.
MAUI = Path(os.environ.get("MAUI_BUILD", "build")).resolve() / "contribs" / "maui" / "maui"
FIRST, SECOND = USERS
NODES, CPUS = 4, 8
JOBS = 1000
LEAST = 0.99
WEIGHT = 100000  # of the component that is on; --nice is at most a thousandth of it

SLURM_CONF = """
PriorityType=priority/multifactor
PriorityCalcPeriod=00:01:00
PriorityWeightQOS=1
AccountingStorageEnforce=associations,limits,qos  # without limits stock counts no job that ends between passes
MaxJobCount=5000
PartitionName=gold Nodes=ALL MaxTime=INFINITE State=UP PriorityJobFactor=30
PartitionName=half Nodes=n[1-2] MaxTime=INFINITE State=UP PriorityJobFactor=10
PartitionName=plain Nodes=ALL MaxTime=INFINITE State=UP
"""

ACCOUNTS = f"""
sacctmgr -i add qos high,low
sacctmgr -i modify qos high set priority=90
sacctmgr -i modify qos low set priority=20
sacctmgr -i add account physics,chemistry,biology
sacctmgr -i modify account physics set priority=40
sacctmgr -i modify account biology set priority=25
sacctmgr -i add user {FIRST} account=physics qos=normal,high,low defaultqos=normal fairshare=10
sacctmgr -i add user {SECOND} account=chemistry qos=normal,high,low defaultqos=normal fairshare=30
sacctmgr -i add user {SECOND} account=biology qos=normal,high,low defaultqos=normal fairshare=50
"""

OFF = ("Age", "Assoc", "Fairshare", "JobSize", "Partition", "QOS", "TRES")
# Age is last: slurmctld sets a job's AccrueTime only when its scheduler looks at it.
COMPONENTS: dict[str, dict[str, str]] = {
    "association": {"PriorityWeightAssoc": str(WEIGHT)},
    "fairshare": {"PriorityWeightFairshare": str(WEIGHT)},
    "fairshare, classic": {"PriorityWeightFairshare": str(WEIGHT), "PriorityFlags": "NO_FAIR_TREE"},
    "fairshare, oblivious": {"PriorityWeightFairshare": str(WEIGHT), "PriorityFlags": "DEPTH_OBLIVIOUS"},
    "not normalised": {
        "PriorityWeightAssoc": "1000", "PriorityWeightPartition": "1000", "PriorityWeightQOS": "1000",
        "PriorityWeightTRES": "cpu=1000,mem=10", "PriorityFlags": "NO_NORMAL_ALL",
    },
    "size": {"PriorityWeightJobSize": str(WEIGHT)},
    "small size": {"PriorityWeightJobSize": str(WEIGHT), "PriorityFavorSmall": "YES"},
    "size, other flags": {"PriorityWeightJobSize": str(WEIGHT), "PriorityFlags": "CALCULATE_RUNNING,MAX_TRES"},
    "size by time": {"PriorityWeightJobSize": str(WEIGHT * 100), "PriorityFlags": "SMALL_RELATIVE_TO_TIME"},
    "partition": {"PriorityWeightPartition": str(WEIGHT)},
    "QOS": {"PriorityWeightQOS": str(WEIGHT)},
    "TRES": {"PriorityWeightTRES": f"cpu={WEIGHT},mem={WEIGHT // 2},node={WEIGHT // 5}"},
    "all": {
        "PriorityWeightAge": str(WEIGHT), "PriorityMaxAge": "0-1", "PriorityWeightAssoc": str(WEIGHT // 2),
        "PriorityWeightJobSize": str(WEIGHT), "PriorityFavorSmall": "YES", "PriorityWeightPartition": str(WEIGHT // 3),
        "PriorityWeightFairshare": str(WEIGHT // 2), "PriorityWeightQOS": str(WEIGHT),
        "PriorityWeightTRES": f"cpu={WEIGHT // 4},mem={WEIGHT // 4}", "PriorityFlags": "ACCRUE_ALWAYS",
    },
    "age": {"PriorityWeightAge": str(WEIGHT * 10), "PriorityMaxAge": "0-1"},
    "age, always": {"PriorityWeightAge": str(WEIGHT * 10), "PriorityMaxAge": "0-1", "PriorityFlags": "ACCRUE_ALWAYS"},
}

UNLIKE = "size by time"


class ImportCompareTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=NODES, cpus=CPUS, slurmdbd=True, slurm_conf=SLURM_CONF, stock=True)
        )
        cls.cluster.run(ACCOUNTS)
        cls.cluster.wait_for(lambda: SECOND in cls.cluster.run(f"scontrol show assoc_mgr users={SECOND}").stdout,
                             "slurmctld to know the associations")
        job = cls.cluster.sbatch(f"-n{NODES * CPUS}", "-pgold", "-o/dev/null", wrap="sleep 3", user=FIRST)
        cls.cluster.wait_for_state(job, "COMPLETED")
        cls.cluster.wait_for(lambda: cls.fair_shares() > 1, "usage in the tree", 240)
        cls.cluster.run("scontrol update NodeName=ALL State=DRAIN Reason=test")
        cls.fill_queue(random.Random(5))
        cls.conf = cls.cluster.dir / "etc" / "slurm.conf"
        cls.stock = cls.conf.read_text(encoding="utf-8")

    @classmethod
    def fair_shares(cls) -> int:
        """How many differ."""
        rows = cls.cluster.run(["sshare", "-a", "-P", "-n", "-o", "User,FairShare"]).stdout.splitlines()
        return len({row.split("|")[1] for row in rows if row.split("|")[0].strip() in USERS})

    @classmethod
    def fill_queue(cls, generator: random.Random) -> None:
        """A process of sbatch for each job, in one script for each user."""
        scripts: dict[str, list[str]] = {user: [] for user in USERS}
        for _ in range(JOBS):
            user = generator.choice(USERS)
            partition = generator.choice(["gold", "half", "plain", "gold,half"])
            nodes = generator.randint(1, 2 if "half" in partition else NODES)
            tasks = generator.randint(nodes, nodes * CPUS)
            account = "physics" if user == FIRST else generator.choice(["chemistry", "biology"])
            scripts[user].append(
                f"sbatch -Q -o /dev/null -n{tasks} -N{nodes} -t{generator.randint(10, 3000)} -p{partition} "
                f"-A{account} --qos={generator.choice(['normal', 'high', 'low'])} "
                f"--mem-per-cpu={generator.randint(1, 20)} --nice={generator.randint(0, 100)} --wrap=true")
        for user, lines in scripts.items():
            cls.cluster.run("\n".join(["set -e", "cd /", *lines]), user=user)

    def put_in_force(self, settings: dict[str, str]) -> None:
        """slurmctld computes all priorities when it starts, and then each minute."""
        off = {f"PriorityWeight{name}" for name in OFF} | {"PriorityFlags", "PriorityFavorSmall", "PriorityMaxAge"}
        lines = [line for line in self.stock.splitlines() if line.split("=")[0] not in off]
        lines += [f"{name}={value}" for name, value in settings.items()]
        self.conf.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.cluster.restart()
        self.cluster.wait_for(lambda: max(self.points("%A|%B|%F|%J|%P|%Q|%T"), default=0) > WEIGHT // 1000,
                              f"points of {settings}")
        if "PriorityWeightAge" in settings:
            self.cluster.wait_for(lambda: min(self.points("%A"), default=0) > 0, "each job to have an age", 240)

    def points(self, columns: str) -> list[float]:
        rows = self.cluster.run(["sprio", "-h", "-o", columns]).stdout.split()
        return [float(number) for row in rows for number in re.findall(r"[\d.]+", row)]

    def compare(self, *options: str) -> Any:
        return self.cluster.run([str(MAUI), "import", *options], check=False)

    def tau(self, done: Any) -> float:
        """0 if a side has no order: a file without points gives all jobs its least priority."""
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn(f"{JOBS} waiting jobs compared", done.stdout)
        found = re.search(r"^Kendall's tau-b: (?:(-?[\d.]+) |not defined, .* of the file are equal$)", done.stdout,
                          re.MULTILINE)
        self.assertIsNotNone(found, done.stdout)
        assert found
        return float(found[1] or 0)

    def test_each_component_in_turn(self) -> None:
        nothing = self.cluster.home / "nothing.cfg"
        nothing.write_text("QUEUETIMEWEIGHT 0\nENABLENEGJOBPRIORITY TRUE\n", encoding="utf-8")  # --nice alone
        for name, settings in COMPONENTS.items():
            with self.subTest(name):
                self.put_in_force(settings)
                done = self.compare("--compare")
                tau, without = self.tau(done), self.tau(self.compare(f"--compare={nothing}"))
                print(f"{name}: tau {tau}, with nothing in the file {without}", done.stdout if tau < 1 else "")
                if name == UNLIKE:
                    self.assertIn("# Nothing in Maui does this", self.compare().stdout)
                    self.assertIn("points,\nand the file has no counterpart", done.stdout)
                    continue
                self.assertGreaterEqual(tau, LEAST, done.stdout)
                if not name.startswith("fairshare"):  # few have used anything: most jobs have the same points
                    self.assertLess(without, 0.9, done.stdout)

    def test_a_queue_that_cannot_be_had_is_an_error(self) -> None:
        self.cluster.stop()
        try:
            conf = self.cluster.dir / "etc" / "slurm.conf"
            done = self.compare(f"--slurm-conf={conf}", "--compare", "--timeout=2")
        finally:
            self.cluster.start()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("ERROR:", done.stderr)
