# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes that come and go while slurmctld runs: slurmd -Z, scontrol create and delete nodename=, MaxNodeCount."""

from __future__ import annotations

import json
import os
import signal
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import built_for  # noqa: E402
from harness import Cluster  # noqa: E402
from private_cluster import network, processes  # noqa: E402
from reservation_model import show_reservations  # noqa: E402

MAX_NODES = 6
SLURM_CONF = f"""\
MaxNodeCount={MAX_NODES}
TreeWidth=65533
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,bf_continue,bf_min_prio_reserve=2
"""
# d1 is the best of all, d2 the worst: a place in Slurm's table that d2 takes over must not make it d1.
NODES = """\
RMPOLLINTERVAL 1
NODEALLOCATIONPOLICY PRIORITY
NODECFG[n1] PRIORITY=10
NODECFG[n2] PRIORITY=20
NODECFG[d1] PRIORITY=100
NODECFG[d2] PRIORITY=1
"""
WHOLE = ("-N1", "--exclusive", "-t10")
SIZE = "CPUs=4 Boards=1 SocketsPerBoard=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000"


class DynamicNodesTest(unittest.TestCase):
    cluster: Cluster

    def bring_up(self, maui_cfg: str) -> None:
        self.cluster = self.enterContext(Cluster(nodes=2, maui_cfg=maui_cfg, slurm_conf=SLURM_CONF))
        self.claims = self.enterContext(network.port_claims())
        self.pid = self.cluster.pid()

    def tearDown(self) -> None:
        self.assertTrue(self.cluster.daemon_runs(), self.cluster.explain())
        self.assertEqual(self.cluster.pid(), self.pid)
        unwanted = [
            line
            for line in self.cluster.log_text().splitlines()
            if "error: maui" in line or "assertion" in line.lower()
        ]
        self.assertEqual(unwanted, [])

    # --- nodes

    def start_node(self, name: str, more: str = "") -> None:
        """A slurmd that slurmctld has never heard of."""
        slurm = built_for.of_build(built_for.own_build())
        if slurm.series < (23, 11):
            self.skipTest(f"slurmd -Z has a port of its own from Slurm 23.11 on, this is {slurm.version}")
        place = self.cluster.dir
        (place / "spool" / name).mkdir(exist_ok=True)
        conf = f"Port={self.claims.claim()} {SIZE} {more}"
        self.cluster.run(
            [
                *("env", f"{processes.MARKER}={os.path.realpath(place)}"),
                *(str(place / "bin" / "slurmd"), "-Z", "-N", name, "--conf", conf),
                *("-f", str(place / "etc" / "slurm.conf"), "-d", str(place / "bin" / "slurmstepd")),
            ]
        )
        # A job that waits may have it at once.
        there = ("IDLE", "MIXED", "ALLOCATED")
        self.cluster.wait_for(lambda: self.state(name).startswith(there), f"{name} to be there")

    def end_node(self, name: str) -> None:
        """Its slurmd ends, and the administrator takes it off the list."""
        pid_file = self.cluster.dir / "run" / f"slurmd.{name}.pid"
        process = processes.Process.of(int(pid_file.read_text()))
        process.signal(signal.SIGTERM)
        self.cluster.wait_for(lambda: not process.alive(), f"the slurmd of {name} to end")
        self.cluster.wait_for(lambda: not self.delete(name), f"{name} to be deleted")

    def delete(self, name: str) -> str:
        """Slurm's complaint, if it refuses."""
        done = self.cluster.run(["scontrol", "delete", f"nodename={name}"], check=False)
        return done.stderr if done.returncode else ""

    def state(self, name: str) -> str:
        done = self.cluster.run(["scontrol", "--oneliner", "show", "node", name], check=False)
        return done.stdout.partition(" State=")[2].partition(" ")[0]

    def names(self) -> set[str]:
        """As the engine has them."""
        return {node["name"] for node in self.cluster.maui("diagnose", "-n", "--json")["nodes"]}

    def node_of(self, user: str | None = None) -> str:
        job = self.cluster.sbatch(*WHOLE, user=user)
        self.cluster.wait_for_state(job, "RUNNING")
        return self.cluster.job(job)["NodeList"]

    # --- tests

    def test_policies_see_a_node_when_it_comes_and_not_when_it_has_gone(self) -> None:
        self.bring_up(NODES)
        self.assertEqual(self.names(), {"n1", "n2"})
        self.start_node("d1")
        self.assertEqual(self.names(), {"n1", "n2", "d1"})
        self.assertEqual([self.node_of() for _ in range(3)], ["d1", "n2", "n1"])
        waiting = self.cluster.sbatch(*WHOLE)
        self.cluster.wait_for_iterations(2)
        self.assertIn("Resources", str(self.cluster.job(waiting)))
        self.start_node("d2")
        self.cluster.wait_for_state(waiting, "RUNNING")
        self.assertEqual(self.cluster.job(waiting)["NodeList"], "d2")
        self.assertIn("busy", self.delete("d1"))
        self.cluster.cancel_all()
        for name in ("d1", "d2"):
            self.end_node(name)
        self.assertEqual(self.names(), {"n1", "n2"})
        # Its place in Slurm's table was that of d1.
        self.start_node("d2")
        self.assertEqual([self.node_of() for _ in range(3)], ["n2", "n1", "d2"])

    def test_what_a_limit_counts_on_a_node_that_has_come(self) -> None:
        self.bring_up(NODES + "NODECFG[d1] MAXJOB=1\nUSERCFG[daemon] MAXPROC=6\n")
        self.start_node("d1")
        first = self.cluster.sbatch("-n1", "-wd1", user="daemon")
        second = self.cluster.sbatch("-n1", "-wd1", user="daemon")
        self.cluster.wait_for_state(first, "RUNNING")
        third = self.cluster.sbatch("-n6", user="daemon")
        self.cluster.wait_for(lambda: "MAXPROC" in str(self.cluster.squeue(f"-j{third}")), "MAXPROC")
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.cluster.job(second)["JobState"], "PENDING")
        told = self.cluster.maui("why", str(second), "--json")["summary"]
        self.assertIn("3 nodes: 2 not in its --nodelist, 1 kept by a limit of NODECFG", told)
        self.cluster.scancel(third, first)
        self.cluster.wait_for_state(second, "RUNNING")

    def test_a_reservation_of_hosts_that_are_not_there_yet(self) -> None:
        self.bring_up(NODES + "SRCFG[own] HOSTLIST=d[1-2] PERIOD=INFINITY USERLIST=daemon\n")
        self.cluster.wait_for_iterations(2)
        self.assertEqual(show_reservations(self.cluster), {})
        self.start_node("d1")
        self.cluster.wait_for(lambda: self.nodes_of("own.inf") == "d1", "the reservation of d1")
        self.start_node("d2")
        self.cluster.wait_for(lambda: self.nodes_of("own.inf") == "d[1-2]", "the reservation of d[1-2]")
        self.assertEqual(self.node_of(user="bin"), "n2")
        self.assertEqual(self.node_of(user="daemon"), "d1")
        self.cluster.cancel_all()
        # Slurm deletes no node of a reservation that has begun, ours or another.
        self.assertNotEqual(self.delete("d2"), "")
        self.cluster.install(NODES)
        self.cluster.wait_for(lambda: not show_reservations(self.cluster), "no reservation")
        if self.cluster.reconfigures_by_restart():
            self.pid = self.cluster.pid()
        self.end_node("d2")
        self.assertEqual(self.names(), {"n1", "n2", "d1"})

    def test_a_node_goes_whose_reservation_has_not_begun(self) -> None:
        times = "PERIOD=DAY DEPTH=1 STARTTIME=23:00:00 ENDTIME=23:30:00"
        self.bring_up(NODES + f"SRCFG[later] HOSTLIST=n1,d1 {times} USERLIST=daemon\n")
        self.start_node("d1")
        self.cluster.wait_for(lambda: "n1" in self.all_nodes() and "d1" in self.all_nodes(), "the reservation")
        self.end_node("d1")
        self.cluster.wait_for_iterations(3)
        self.start_node("d2")  # at the place of d1
        self.cluster.wait_for(lambda: self.all_nodes() == {"n1"}, "a reservation of n1 alone")
        self.start_node("d1")
        self.cluster.wait_for(lambda: self.all_nodes() == {"d1", "n1"}, "a reservation of both")

    def test_tasks_of_a_reservation_go_to_nodes_that_come(self) -> None:
        self.bring_up(NODES + "SRCFG[tasks] TASKCOUNT=10 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=daemon\n")
        self.start_node("d1")
        self.cluster.wait_for(lambda: self.cores() == 10, "ten cores")
        self.start_node("d2")
        self.cluster.run("scontrol update nodename=d1 state=down reason=goes")
        self.cluster.wait_for(lambda: self.all_nodes() == {"n1", "n2", "d2"} and self.cores() == 10, "d2 for d1")
        self.end_node("d1")
        self.assertEqual(self.cores(), 10)
        job = self.cluster.sbatch("-n2", user="daemon")
        self.cluster.wait_for_state(job, "RUNNING")

    def test_a_node_goes_that_has_tasks_of_a_reservation(self) -> None:
        """At once, where Slurm has not yet marked it as reserved. The numbers of cores behind it change."""
        self.bring_up(NODES + "SRCFG[tasks] TASKCOUNT=10 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=daemon\n")
        self.start_node("d1")
        self.start_node("d2")
        for _ in range(5):
            self.cluster.wait_for(lambda: self.cores() == 10, "ten cores")
            self.delete("d1")
            self.cluster.wait_for_iterations(1)
            job = self.cluster.sbatch("-n2", user="daemon")
            self.cluster.wait_for_state(job, "RUNNING")
            self.cluster.scancel(job)

    def test_nodes_come_and_go_while_jobs_run_and_commands_ask(self) -> None:
        self.bring_up(NODES + "SRCFG[tasks] TASKCOUNT=2 RESOURCES=PROCS:1 PERIOD=DAY USERLIST=daemon\n")
        asked = (["maui", "showq"], ["maui", "diagnose", "-n"], ["maui", "diagnose", "-r"], ["maui", "doctor"],
                 ["maui", "checknode", "n1"], ["maui", "showbf"], ["maui", "queue"], ["maui", "page"])
        names = [f"c{number}" for number in range(MAX_NODES - 2)]
        for turn in range(24):
            some = names[turn % 3 :: 2]
            for name in some:
                self.cluster.run(f"scontrol create nodename={name} state=CLOUD NodeAddr=127.0.0.1 {SIZE}")
            # No job may start where no slurmd is: Slurm would keep the node completing.
            self.cluster.sbatch("-n1", "-wn1", wrap="true")
            self.cluster.run("sbatch --test-only -N3 -t1 --wrap true", check=False)
            command = asked[turn % len(asked)]
            done = self.cluster.run(command, check=False)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            if turn % 5 == 4:
                self.cluster.wait_for_iterations(1)
            for name in some:
                self.cluster.wait_for(lambda name=name: not self.delete(name), f"{name} to be deleted")
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.names(), {"n1", "n2"})

    def test_a_queue_with_such_a_node_is_replayed(self) -> None:
        self.bring_up(NODES)
        self.start_node("d1")
        running = self.cluster.sbatch("-N1", "--exclusive", "-t10", "-wd1", user="daemon")
        self.cluster.wait_for_state(running, "RUNNING")
        self.cluster.sbatch("-N3", "--exclusive", "-t10", user="bin")
        self.cluster.wait_for_iterations(2)
        queue = self.cluster.run(["maui", "queue"]).stdout
        self.assertIn('"d1"', queue)
        (self.cluster.home / "queue").write_text(queue)
        replay = ["maui", "replay", "--config", str(self.cluster.maui_cfg), "--trace-format=queue"]
        found = json.loads(self.cluster.run([*replay, "--json", str(self.cluster.home / "queue")]).stdout)
        self.assertEqual((found["jobs"], found["running"], found["nodes"], found["processors"]), (2, 1, 3, 12))
        self.assertGreater(found["schedules"][0]["wait"]["max"], 500)  # the other waits for d1

    # --- what is reserved

    def nodes_of(self, name: str) -> str:
        return show_reservations(self.cluster).get(name, {}).get("Nodes", "")

    def all_nodes(self) -> set[str]:
        found = {row["Nodes"] for row in show_reservations(self.cluster).values()}
        expand = ["scontrol", "show", "hostnames"]
        return {
            name for nodes in found for name in self.cluster.run([*expand, nodes]).stdout.split()
        }

    def cores(self) -> int:
        return sum(int(row["CoreCnt"]) for row in show_reservations(self.cluster).values())
