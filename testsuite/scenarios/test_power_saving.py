# SPDX-License-Identifier: GPL-2.0-or-later
"""Node allocation where some nodes are powered down: those that are up go first, each in Maui's order."""

from __future__ import annotations

import time
import unittest

from harness import Cluster

SLURM_CONF = """\
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=36000
SuspendTimeout=1
ResumeTimeout=600
"""
# n1 is the best. Ten nodes are enough for the plugin to try the best few of them alone.
NODES = 10
MAUI_CFG = "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY PRIORITY\n" + "".join(
    f"NODECFG[n{number}] PRIORITY={100 - number}\n" for number in range(1, NODES + 1)
)
WHOLE = ("-N1", "--exclusive", "-t60")


class PowerSavingTest(unittest.TestCase):
    """SuspendProgram and ResumeProgram do nothing: the test ends and starts a node's slurmd."""

    cluster: Cluster

    def setUp(self) -> None:
        self.cluster = self.enterContext(
            Cluster(nodes=NODES, maui_cfg=MAUI_CFG, slurm_conf=SLURM_CONF)
        )

    def has_state(self, node: str, word: str) -> bool:
        return word in self.cluster.node(node)["State"].split("+")

    def power_down(self, *nodes: str) -> None:
        for node in nodes:
            self.cluster.run(f"scontrol update nodename={node} state=power_down")
        for node in nodes:
            self.cluster.wait_for(
                lambda node=node: self.has_state(node, "POWERED_DOWN"), f"{node} to be down"
            )
            self.cluster.stop(f"slurmd.{node}")

    def boot(self, node: str) -> None:
        """In a later second than that in which it is woken: slurmctld works out when a node has booted
        from its uptime in whole seconds, and waits for another boot if that seems to be before."""
        self.cluster.wait_for(lambda: self.has_state(node, "POWERING_UP"), f"{node} to be woken")
        woken = int(time.time())
        self.cluster.wait_for(lambda: time.time() >= woken + 2, f"{node} to boot after it was woken")
        self.cluster.start(f"slurmd.{node}", booted=True)

    def node_of(self, job: int) -> str:
        self.cluster.wait_for_state(job, "CONFIGURING", "RUNNING")
        return self.cluster.job(job)["NodeList"]

    def test_nodes_that_are_up_go_first(self) -> None:
        self.power_down("n1", "n2", "n3", "n4", "n5", "n6")
        found = [self.node_of(self.cluster.sbatch(*WHOLE)) for _ in range(4)]
        self.assertEqual(found, ["n7", "n8", "n9", "n10"])
        last = self.cluster.sbatch(*WHOLE)
        self.assertEqual(self.node_of(last), "n1")
        self.boot("n1")
        self.cluster.wait_for_state(last, "RUNNING")
        self.assertFalse(self.has_state("n2", "POWERING_UP"))

    def test_a_large_job_takes_those_that_are_up_and_the_best_of_the_others(self) -> None:
        self.power_down("n1", "n2")
        job = self.cluster.sbatch(f"-N{NODES - 1}", "--exclusive", "-t60")
        self.assertEqual(self.node_of(job), f"n[1,3-{NODES}]")
        self.boot("n1")
        self.cluster.wait_for_state(job, "RUNNING")
        self.assertTrue(self.has_state("n2", "POWERED_DOWN"))

    def test_a_node_that_has_come_back_is_the_best_again(self) -> None:
        self.power_down("n1")
        self.cluster.run("scontrol update nodename=n1 state=power_up")
        self.boot("n1")
        self.cluster.wait_for(
            lambda: self.cluster.node("n1")["State"] == "IDLE", "n1 to have booted"
        )
        self.assertEqual(self.node_of(self.cluster.sbatch(*WHOLE)), "n1")
