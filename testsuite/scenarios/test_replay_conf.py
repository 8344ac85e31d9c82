# SPDX-License-Identifier: GPL-2.0-or-later
"""Odd lines of slurm.conf: a replay reads them as slurmctld does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from harness import Cluster

# What follows a node's name. Some of it slurmctld corrects, and says so in its log; it runs with all of it.
NODES = (
    "CPUs=0x10", "CPUs=010", "CPUs=+3", "CPUs=0", "Boards=0 Sockets=0 CoresPerSocket=0 ThreadsPerCore=0",
    "Sockets=2 Boards=2 SocketsPerBoard=3", "Sockets=2 CoresPerSocket=3 ThreadsPerCore=2", "Boards=2",
    "CPUs=8 Sockets=2 CoresPerSocket=2", "CPUs=7 CoresPerSocket=4", "CPUs=8 CoresPerSocket=4",
    "CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2",
    "CPUs=1 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2", "CPUs=12 Boards=2 SocketsPerBoard=3 CoresPerSocket=2",
    "RealMemory=2K", "RealMemory=0x20", "RealMemory=100 MemSpecLimit=100", "RealMemory=100 MemSpecLimit=99",
    "RealMemory=100 MemSpecLimit=200", "CPUs=UNLIMITED", "CPUs=4 RealMemory=\"512\"",
)  # fmt: skip
# The same of a partition.
PARTITIONS = (
    "Default=TRUE", "Default=1", "Default=down", "MaxTime=1:30", "MaxTime=1-1:1:1", "MaxTime=-1", "MaxTime=90",
    "MaxTime=60 DefaultTime=61", "MaxTime=60 DefaultTime=INFINITE", "MaxTime=60 DefaultTime=0:30", "MaxTime=INFINITE",
    "MaxNodes=2k", "MaxNodes=INFINITE", "MaxNodes=0x10", "MaxNodes=0", "State=Upwards", "State=draining", "State=INACTIVE",
    "State=down", 'Nodes="odd0 odd1"', "Nodes=odd[0-3],odd5", "MaxTime=2:00:30",
)  # fmt: skip
SINGLE = "MaxArraySize=2K\nResumeTimeout=0x100\nSuspendTimeout=017\n"
# None of these is in slurmctld's range.
PARAMETERS = {
    "bf_window": "43201", "bf_interval": "10801", "bf_resolution": "3601", "bf_max_job_test": "1000001",
    "default_queue_depth": "-1", "bf_window_linear": "x", "bf_min_prio_reserve": "99999999999",
}
# All but the last, which backfill reads after the others.
AT_THE_EDGE = {
    "bf_window": "43200", "bf_interval": "-1", "bf_resolution": "3600", "bf_max_job_test": "1000000",
    "default_queue_depth": "0", "bf_window_linear": "2147483647", "bf_min_prio_reserve": "0",
}
COMPLAINT = re.compile(r"(?:Invalid SchedulerParameters |ignoring SchedulerParameters: )(\w+)")


def lines(parameters: dict[str, str] = PARAMETERS) -> str:
    nodes = [f"NodeName=odd{i} NodeAddr=127.0.0.1 Port={6000 + i} {words}" for i, words in enumerate(NODES)]
    partitions = [f"PartitionName=part{i} {words}" + ("" if "Nodes=odd" in words or "Nodes=\"" in words else " Nodes=odd0") for i, words in enumerate(PARTITIONS)]
    scheduler = "SchedulerParameters=" + ",".join(f"{name}={value}" for name, value in parameters.items())
    return "\n".join([SINGLE + scheduler, *nodes, *partitions, ""])


def seconds(text: str) -> int:
    """Of scontrol's D-HH:MM:SS; 0: there is none."""
    if text in ("UNLIMITED", "NONE"):
        return 0
    days, _, clock = text.rpartition("-")
    hours, minutes, rest = map(int, clock.split(":"))
    return int(days or 0) * 86400 + hours * 3600 + minutes * 60 + rest


def replaced(said: str) -> set[str]:
    return set(re.findall(r"(\w+)=\S+ is not (?:-1 or )?from", said))


class ReplayConf(unittest.TestCase):
    cluster: Cluster
    conf: Path
    said: str
    machine: dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="maui-conf-")))
        directory.chmod(0o755)
        cls.conf = directory / "odd.conf"
        cls.conf.write_text(lines())
        cls.said, cls.machine = cls.read()
        cls.cluster = cls.enterClassContext(Cluster(nodes=1, maui_cfg="RMPOLLINTERVAL 1\n", slurm_conf=f"Include {cls.conf}\n"))

    @classmethod
    def read(cls) -> tuple[str, dict[str, Any]]:
        reader = Path(os.environ["MAUI_BUILD"]) / "testsuite" / "scenarios" / "slurm_conf_machine"
        done = subprocess.run([reader, cls.conf], capture_output=True, text=True, check=True)
        return done.stderr, json.loads(done.stdout)

    def test_nodes(self) -> None:
        for number, words in enumerate(NODES):
            slurm = self.cluster.node(f"odd{number}")
            memory = int(slurm["RealMemory"]) - int(slurm.get("MemSpecLimit", 0)) if "RealMemory" in words else 0
            ours = self.machine["nodes"][f"odd{number}"]
            self.assertEqual(ours, {"cpus": int(slurm["CPUTot"]), "memory": memory}, words)

    def test_partitions(self) -> None:
        for number, words in enumerate(PARTITIONS):
            slurm = self.cluster.partition(f"part{number}")
            most = 0 if slurm["MaxNodes"] == "UNLIMITED" else int(slurm["MaxNodes"])
            ours = self.machine["partitions"][f"part{number}"]
            self.assertEqual(
                ours,
                {
                    "default": slurm["Default"] == "YES",
                    "max_time": seconds(slurm["MaxTime"]),
                    "default_time": seconds(slurm["DefaultTime"]),
                    "max_nodes": most,
                    "closed": slurm["State"] != "UP" or slurm["MaxNodes"] == "0",
                    "nodes": int(slurm["TotalNodes"]),
                },
                words,
            )

    def test_single_values(self) -> None:
        config = self.cluster.config()
        for key in ("MaxArraySize", "ResumeTimeout", "SuspendTimeout"):
            self.assertEqual(self.machine[key], int(config[key].split()[0]), key)

    def test_what_slurmctld_says_of_parameters_the_reader_says(self) -> None:
        ours = replaced(self.said)
        self.assertEqual(ours, set(PARAMETERS))
        self.cluster.wait_for(lambda: ours <= set(COMPLAINT.findall(self.cluster.log_text())), "slurmctld to read all parameters")

    def test_what_slurmctld_takes_at_the_edge_the_reader_takes(self) -> None:
        before = len(self.cluster.log_text())
        self.conf.write_text(lines(AT_THE_EDGE))
        self.cluster.reconfigure()
        depth = f"default_queue_depth={AT_THE_EDGE['default_queue_depth']},"

        def look() -> set[str] | None:
            log = self.cluster.log_text()[before:]
            complaints = set(COMPLAINT.findall(log))
            return complaints if "bf_min_prio_reserve" in complaints and depth in log else None

        self.assertEqual(self.cluster.wait_for(look, "both schedulers to read all parameters"), {"bf_min_prio_reserve"})
        self.assertEqual(replaced(self.read()[0]), {"bf_min_prio_reserve"})
