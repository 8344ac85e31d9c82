# SPDX-License-Identifier: GPL-2.0-or-later
"""The policy of a cluster with priority/multifactor, imported: in shadow mode the order of its jobs stays."""

from __future__ import annotations

import itertools
import json
import random
import unittest
from pathlib import Path
from typing import Any

from harness import USERS, Cluster

FIRST, SECOND = USERS
NODES, CPUS = 4, 8
JOBS = 40
APART = 3  # points of two jobs that their age cannot turn round between one plugin's look and the other's

# A minute of age is less than a point.
SLURM_CONF = """
PriorityType=priority/multifactor
PriorityParameters=maui_mode=shadow
PriorityCalcPeriod=1
PriorityWeightAge=1000
PriorityMaxAge=1-0
PriorityWeightAssoc=700
PriorityWeightFairshare=0
PriorityWeightJobSize=900
PriorityFavorSmall=YES
PriorityWeightPartition=500
PriorityWeightQOS=1100
PriorityWeightTRES=cpu=300,node=50
PriorityFlags=ACCRUE_ALWAYS
AccountingStorageEnforce=associations,limits,qos
PartitionName=gold Nodes=ALL MaxTime=INFINITE State=UP PriorityJobFactor=30
PartitionName=half Nodes=n[1-2] MaxTime=INFINITE State=UP PriorityJobFactor=10
"""

ACCOUNTS = f"""
sacctmgr -i add qos high,low
sacctmgr -i modify qos high set priority=90
sacctmgr -i modify qos low set priority=20 MaxJobsPU=2
sacctmgr -i add account physics,chemistry
sacctmgr -i modify account physics set priority=40
sacctmgr -i add user {FIRST} account=physics qos=normal,high,low defaultqos=normal
sacctmgr -i add user {SECOND} account=chemistry qos=normal,high,low defaultqos=normal
sacctmgr -i modify user {SECOND} where account=chemistry set priority=15
"""


class ImportTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=NODES, cpus=CPUS, slurmdbd=True, slurm_conf=SLURM_CONF, maui_cfg="RMPOLLINTERVAL 1\n",
                    stock_select=True)
        )
        cls.cluster.run(ACCOUNTS)

    def file(self, name: str) -> Path:
        return self.cluster.dir / name

    def save(self, name: str, text: str) -> Path:
        self.file(name).write_text(text, encoding="utf-8")
        return self.file(name)

    def import_policy(self) -> str:
        """From the files that are in force."""
        run = self.cluster.run
        qos = self.save("qos", run(["sacctmgr", "-P", "show", "qos"]).stdout)
        name = self.cluster.config()["ClusterName"]
        run(["sacctmgr", "dump", name, f"file={self.file('associations')}"])
        conf = self.cluster.dir / "etc" / "slurm.conf"
        done = run(["maui", "import", f"--slurm-conf={conf}", f"--qos={qos}",
                    f"--associations={self.file('associations')}"], check=False)
        self.assertEqual(done.stderr, "")
        self.assertNotIn("# Nothing in Maui does this", done.stdout)
        self.assertNotIn("# This is different", done.stdout)
        self.assertIn("MaxJobsPU=2 of QOS low", done.stdout)
        self.assertEqual(done.returncode, 0)
        return str(done.stdout)

    def submit(self, generator: random.Random) -> None:
        for _ in range(JOBS):
            partition = generator.choice(["gold", "half"])
            tasks = generator.randint(1, CPUS * (2 if partition == "half" else 4))
            nodes = generator.randint((tasks + CPUS - 1) // CPUS, 2 if partition == "half" else min(4, max(tasks, 1)))
            self.cluster.sbatch(f"-n{max(tasks, nodes)}", f"-N{nodes}", "-t60", f"-p{partition}",
                                f"--qos={generator.choice(['normal', 'high', 'low'])}",
                                f"--nice={generator.randint(0, 400)}", user=generator.choice(USERS))

    def jobs(self) -> list[dict[str, Any]]:
        jobs: list[dict[str, Any]] = self.cluster.maui("diff", "--json")["jobs"]
        return jobs

    def check_findings(self, text: str) -> None:
        """Besides what shadow mode is: nothing that the file could help."""
        done = self.cluster.run(["maui", "check", "--json", self.save("imported.cfg", text)], check=False)
        found = [problem["text"] for problem in json.loads(done.stdout)["problems"]]
        self.assertEqual([one for one in found if "priority/maui" not in one and "select/cons_tres_maui" not in one], [])

    def test_the_order_of_the_jobs_stays(self) -> None:
        generator = random.Random(11)
        text = self.import_policy()
        self.check_findings(text)
        self.cluster.install("RMPOLLINTERVAL 1\n" + text)
        self.cluster.wait_for(lambda: SECOND in self.cluster.run(f"scontrol show assoc_mgr users={SECOND}").stdout,
                              "slurmctld to know the associations")
        blocker = self.cluster.sbatch(f"-n{NODES * CPUS}", "-pgold", "-t600", user=FIRST)
        self.cluster.wait_for_state(blocker, "RUNNING")
        self.submit(generator)
        self.cluster.wait_for(lambda: len(self.jobs()) == JOBS, "the engine to have all jobs")
        jobs = self.jobs()
        for job in jobs:
            self.assertLessEqual(abs(job["maui"]["priority"] - job["slurm"]["priority"]), APART, job)
        self.check_tau([(job["slurm"]["priority"], job["maui"]["priority"]) for job in jobs])

    def check_tau(self, priorities: list[tuple[int, int]]) -> None:
        """Kendall's, of the pairs that Slurm's plugin tells apart, which are most."""
        pairs = list(itertools.combinations(priorities, 2))
        apart = [(one, other) for one, other in pairs if abs(one[0] - other[0]) > 2 * APART]
        signs = [1 if (one[0] - other[0]) * (one[1] - other[1]) > 0 else -1 for one, other in apart]
        self.assertGreater(len(apart), len(pairs) * 0.9)
        self.assertEqual(sum(signs) / len(signs), 1.0)


if __name__ == "__main__":
    unittest.main()
