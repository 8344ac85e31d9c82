# SPDX-License-Identifier: GPL-2.0-or-later
"""Standing reservations of a maui.cfg that is wrong, or too large, and nodes that disappear."""

from __future__ import annotations

import re

from harness import replace_file
from reservation_model import (
    FAST,
    SLURM_CONF,
    ReservationTest,
    show_reservations,
    wait_for_instances,
)

ONE = "SRCFG[x] PERIOD=INFINITY USERLIST=daemon "
# Names that no partition of this cluster speaks of, so that a node can go.
PARTITION = "PartitionName=all Nodes=ALL\n"


class BadInput(ReservationTest):
    """Four nodes of four CPUs."""

    CLUSTER = dict(nodes=4, maui_cfg=FAST, slurm_conf=SLURM_CONF + PARTITION)

    def check(self) -> str:
        return self.cluster.run(["maui", "check"], check=False).stdout

    def test_a_depth_that_there_is_not_keeps_the_policy_in_force(self) -> None:
        self.configure(ONE + "HOSTLIST=n1\n", x="n1")
        for depth in ("0", "10000", "-1", "many"):
            with self.subTest(depth=depth):
                told = self.cluster.install(FAST + f"SRCFG[x] HOSTLIST=n2 DEPTH={depth}\n", refused=True)
                self.assertRegex(told, r"maui\.cfg:3:\d+: error: DEPTH: ")
                self.assertRegex(self.check(), r"maui\.cfg:3:\d+: error: DEPTH: ")
                self.assertEqual(set(show_reservations(self.cluster)), {"x.inf"})

    def test_more_tasks_than_the_machine_has(self) -> None:
        self.configure(ONE + "TASKCOUNT=1000\n", x="n[1-4]")
        told = self.cluster.run(["maui", "diagnose", "-r"]).stdout
        self.assertIn("4 of 1000 tasks", told)
        self.assertEqual(self.lands("-N4", "--exclusive"), {"n1", "n2", "n3", "n4"})

    def test_expressions_that_are_wrong_or_explode(self) -> None:
        """The rest of the list serves; if there is none the reservation is not made."""
        for item in ("((((n1", "n[1", "*n1", "(((n*)*)*)*$" * 40, "((n?){255}){255}"):
            with self.subTest(item=item[:20]):
                after = self.cluster.log_position()
                self.configure(ONE + f"HOSTLIST=n2,{item}\n", x="n2")
                self.assertIn("HOSTLIST: '", self.cluster.log_text(after))
                self.assertIn("is ignored", self.check())
        after = self.cluster.log_position()
        self.configure(ONE + "HOSTLIST=((((n1\n")
        wait_for_instances(self.cluster, {})
        self.assertIn("nothing is left of it", self.cluster.log_text(after))

    def test_an_end_before_the_start(self) -> None:
        after = self.cluster.log_position()
        self.configure("SRCFG[never] HOSTLIST=n1 STARTTIME=20:00:00 ENDTIME=06:00:00\n"
                       + ONE + "HOSTLIST=n2\n", x="n2")
        self.assertEqual(set(show_reservations(self.cluster)), {"x.inf"})
        self.assertIn("ends before it starts", self.cluster.log_text(after))

    def test_five_thousand_lines(self) -> None:
        """Users notice nothing of them but what they say."""
        self.configure("".join(
            f"SRCFG[s{number}] HOSTLIST=n{number % 3 + 1} PERIOD=INFINITY USERLIST=daemon\n"
            for number in range(5000)
        ))
        self.cluster.wait_for(
            lambda: len(show_reservations(self.cluster)) == 5000, "5000 reservations", 300
        )
        outsider = self.submit("-w", "n1", user="bin")
        self.assertEqual(self.lands("-w", "n1"), {"n1"})
        self.assertEqual(self.lands("-w", "n4", user="sys"), {"n4"})
        self.waits(outsider, user="games")


class NodesThatGo(ReservationTest):
    """Slurm wants a restart for that."""

    CLUSTER = dict(nodes=4, maui_cfg=FAST, slurm_conf=SLURM_CONF + PARTITION)

    def without(self, node: str) -> None:
        conf = self.cluster.dir / "etc" / "slurm.conf"
        replace_file(conf, re.sub(rf"(?m)^NodeName={node} .*\n", "", conf.read_text()))
        self.cluster.restart()

    def test_nodes_disappear_while_they_are_reserved(self) -> None:
        """A fixed reservation keeps what is left of it, and a floating one moves."""
        self.configure(ONE + "HOSTLIST=n3,n4\n"
                       "SRCFG[float] TASKCOUNT=1 PERIOD=INFINITY USERLIST=daemon\n",
                       x="n[3-4]", float="n1")
        inside = self.submit("-w", "n3", "-n1")
        self.cluster.wait_for_state(inside, "RUNNING")
        self.cluster.wait_until_saved(inside)
        self.without("n4")
        wait_for_instances(self.cluster, {"x.inf": "n3", "float.inf": "n1"}, timeout=90)
        outsider = self.submit("-w", "n3", "-n1", user="bin")
        self.assertEqual(self.lands("-w", "n3", "-n1"), {"n3"})
        self.waits(outsider, but=("-w", "n2"))
        self.cluster.wait_until_saved(outsider)
        self.without("n1")
        wait_for_instances(self.cluster, {"x.inf": "n3", "float.inf": "n2"}, timeout=90)
        self.assertEqual(self.cluster.job(inside)["JobState"], "RUNNING")
        self.assertEqual(self.cluster.job(outsider)["JobState"], "PENDING")
