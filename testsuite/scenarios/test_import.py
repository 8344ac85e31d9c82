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
PriorityCalcPeriod=00:01:00
PriorityWeightAge=1000
PriorityMaxAge=1-0
PriorityWeightAssoc=700
PriorityWeightFairshare=2000
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
sacctmgr -i modify qos low set priority=20 MaxJobsPU=2 MaxTRESPU=cpu=500,mem=400G GrpSubmit=900
sacctmgr -i modify qos high set GrpTRESMins=cpu=900000
sacctmgr -i add account physics,chemistry
sacctmgr -i modify account physics set priority=40 GrpTRES=cpu=900,node=90
sacctmgr -i add user {FIRST} account=physics qos=normal,high,low defaultqos=normal
sacctmgr -i add user {SECOND} account=chemistry qos=normal,high,low defaultqos=normal
sacctmgr -i modify user {SECOND} where account=chemistry set priority=15 GrpJobs=800
"""

# As the command asks for them.
QOS_COLUMNS = (
    "Name,Priority,GraceTime,Preempt,PreemptExemptTime,PreemptMode,Flags,UsageThreshold,UsageFactor,LimitFactor,"
    "GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJobs,GrpJobsAccrue,GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,"
    "MaxWall,MaxTRESPU,MaxTRESRunMinsPU,MaxJobsPU,MaxJobsAccruePU,MaxSubmitPU,MaxTRESPA,MaxTRESRunMinsPA,MaxJobsPA,"
    "MaxJobsAccruePA,MaxSubmitPA,MinPrioThreshold,MinTRES"
)
TAKEN = (
    "QOSCFG[low] MAXJOB[USER]=2", "QOSCFG[low] MAXPROC[USER]=500", "QOSCFG[low] MAXMEM[USER]=409600",
    "ACCOUNTCFG[physics] MAXPROC=900", f"ACCOUNTCFG[chemistry] MAXJOB[USER:{SECOND}]=800",
    "# sacctmgr -i modify qos where name=low set MaxTRESPerUser=cpu=-1,mem=-1",
)


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

    def import_files(self, *options: str) -> Any:
        """From the files that are in force."""
        run = self.cluster.run
        qos = self.save("qos", run(["sacctmgr", "-P", "show", "qos", f"format={QOS_COLUMNS}"]).stdout)
        name = self.cluster.config()["ClusterName"]
        run(["sacctmgr", "dump", name, f"file={self.file('associations')}"])
        conf = self.cluster.dir / "etc" / "slurm.conf"
        return run(["maui", "import", f"--slurm-conf={conf}", f"--qos={qos}",
                    f"--associations={self.file('associations')}", *options], check=False)

    def import_policy(self) -> str:
        done = self.import_files()
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
        """Besides what shadow mode is, and limits that are too high on purpose: nothing that the file could help."""
        done = self.cluster.run(["maui", "check", "--json", self.save("imported.cfg", text)], check=False)
        found = [problem["text"] for problem in json.loads(done.stdout)["problems"]]
        known = ("priority/maui", "select/cons_tres_maui", "PluginDir=", "nothing can reach")
        self.assertEqual([one for one in found if not any(words in one for words in known)], [])

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
        last: list[list[dict[str, Any]]] = []

        def agree() -> bool:
            """For a moment the two may count shares of different passes."""
            last[:] = [self.jobs()]
            return len(last[0]) == JOBS and all(
                abs(job["maui"]["priority"] - job["slurm"]["priority"]) <= APART for job in last[0])

        self.cluster.wait_for(agree, "the engine to have all jobs with Slurm's priorities")
        jobs = last[0]
        self.check_tau([(job["slurm"]["priority"], job["maui"]["priority"]) for job in jobs])

    def compare(self, *options: str) -> str:
        """The file that the running Slurm becomes, which is that of its files, but for the first line's names."""
        reservations = self.save("reservations", self.cluster.run("scontrol show reservation").stdout)
        files = self.import_files(f"--reservations={reservations}", *options)
        live = self.cluster.run(["maui", "import", *options], check=False)
        self.assertEqual(live.stderr, "")
        self.assertEqual(live.stdout.splitlines()[1:], files.stdout.splitlines()[1:])
        self.assertEqual(live.returncode, files.returncode)
        self.assertIn("# Made by `maui import` from slurmctld, sacctmgr show qos, sacctmgr dump", live.stdout)
        return str(live.stdout)

    def test_the_running_slurm_becomes_what_its_files_become(self) -> None:
        self.cluster.cancel_all()  # else the reservation overlaps their time at some hours of the day
        self.cluster.run(f"scontrol create reservation ReservationName=night StartTime=20:00:00 Duration=60 "
                         f"Flags=DAILY Nodes=n1 Users={FIRST}")
        try:
            self.assertIn("SRCFG[night]", self.compare())
            text = self.compare("--take-limits")
        finally:
            self.cluster.run("scontrol delete ReservationName=night")
        words = [" ".join(line.split()) for line in text.splitlines()]
        for line in TAKEN:
            self.assertTrue(any(one.startswith(line) for one in words), f"{line}\n{text}")
        for stays in ("GrpTRES=node=90 of account physics", "GrpSubmit=900 of QOS low",
                      "GrpTRESMins=cpu=900000 of QOS high"):
            self.assertIn(f"#   {stays}", text)
        self.check_findings(text)

    def test_what_sacctmgr_refuses_is_an_error(self) -> None:
        done = self.cluster.run(["maui", "import"], user=FIRST, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("cannot ask Slurm for its associations: ", done.stderr)

    def check_tau(self, priorities: list[tuple[int, int]]) -> None:
        """Kendall's, of the pairs that Slurm's plugin tells apart, which are most."""
        pairs = list(itertools.combinations(priorities, 2))
        apart = [(one, other) for one, other in pairs if abs(one[0] - other[0]) > 2 * APART]
        signs = [1 if (one[0] - other[0]) * (one[1] - other[1]) > 0 else -1 for one, other in apart]
        self.assertGreater(len(apart), len(pairs) * 0.9)
        self.assertEqual(sum(signs) / len(signs), 1.0)
