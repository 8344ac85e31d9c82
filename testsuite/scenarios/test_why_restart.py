# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui why` from slurmctld's first answer after a restart until all nodes have registered: it names nodes that have not
registered yet, and takes none of them for down, or for kept by a limit of NODECFG."""

from __future__ import annotations

import json
import unittest
from typing import Any

from harness import Cluster

POLICY = "RMPOLLINTERVAL 1\nNODECFG[DEFAULT] MAXJOB=2\n"
LATE = ("n3", "n4")  # their slurmds start when the test says so
NOT_YET = "not registered since slurmctld's start"


class WhyRestartTest(unittest.TestCase):
    def setUp(self) -> None:
        self.cluster = self.enterContext(Cluster(nodes=4, cpus=2, maui_cfg=POLICY))
        self.running = [self.cluster.sbatch("-N1", "--exclusive", "-t600", f"-wn{n}") for n in (1, 2, 3, 4)]
        for job in self.running:
            self.cluster.wait_for_state(job, "RUNNING")
        self.waiting = self.cluster.sbatch("-N2", "--exclusive", "-t60")
        self.cluster.wait_for(lambda: self.told()[1]["busy"] == 4, "the job to wait for busy nodes")

    def told(self) -> tuple[dict[str, Any], dict[str, int]]:
        """What `maui why` says, and the nodes by what rules them out."""
        told = json.loads(self.cluster.run(["maui", "why", "--json", str(self.waiting)]).stdout)
        nodes = next(row["facts"] for row in told["findings"] if (row["part"], row["kind"]) == ("nodes", "nodes"))
        return told, nodes["out"]

    def right(self) -> dict[str, int]:
        """The counts of one answer, in which no node is called what it is not."""
        told, out = self.told()
        texts = "\n".join(row["text"] for row in told["findings"])
        self.assertEqual((out["down"], out["limits"]), (0, 0), texts)
        self.assertNotIn("down or drained", texts)
        self.assertNotIn("NODECFG", texts)
        self.assertEqual(NOT_YET in texts, out["unregistered"] > 0, texts)
        return out

    def test_nodes_that_are_late_are_not_called_down_or_limited(self) -> None:
        for name in LATE:
            self.cluster.stop(f"slurmd.{name}")
        self.cluster.stop()
        self.cluster.start()
        # From the first answer on; in the end all but the late ones have registered.
        first = self.right()
        self.assertGreaterEqual(first["unregistered"], len(LATE), first)
        self.cluster.wait_for(lambda: self.right()["unregistered"] == len(LATE), "the others to have registered")
        self.cluster.start(f"slurmd.{LATE[0]}")
        self.cluster.wait_for(lambda: self.right()["unregistered"] == 1, f"{LATE[0]} to have registered")
        self.cluster.start(f"slurmd.{LATE[1]}")
        self.cluster.wait_for(lambda: self.right()["busy"] == 4, "all nodes to have registered")
        self.assertEqual(self.cluster.job(self.waiting)["JobState"], "PENDING")

    def test_a_restart_beside_living_nodes(self) -> None:
        """Any number of answers may come before they have registered: each of them is right."""
        self.cluster.restart()
        self.cluster.wait_for(lambda: self.right()["busy"] == 4, "all nodes to have registered")
