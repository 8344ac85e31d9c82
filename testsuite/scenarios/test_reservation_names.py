# SPDX-License-Identifier: GPL-2.0-or-later
"""Standing reservations that are asked for by name, and those that hold parts of nodes."""

from __future__ import annotations

import re
import unittest

from harness import USERS, Cluster, CommandFailed

FIRST, SECOND = USERS
BY_NAME = f"""\
RMPOLLINTERVAL 1
SRCFG[debug] HOSTLIST=n1 PERIOD=INFINITY USERLIST={FIRST} FLAGS=BYNAME
SRCFG[open]  HOSTLIST=n2 PERIOD=INFINITY USERLIST={FIRST},{SECOND}
"""
PARTS = f"""\
RMPOLLINTERVAL 1
SRCFG[three] TASKCOUNT=3 RESOURCES=PROCS:1 HOSTLIST=n1 PERIOD=INFINITY USERLIST={FIRST}
SRCFG[pair]  TASKCOUNT=1 RESOURCES=PROCS:2 HOSTLIST=n2 PERIOD=INFINITY USERLIST={SECOND}
"""
TASKS_OF_TWO = f"""\
RMPOLLINTERVAL 1
SRCFG[tasks] TASKCOUNT=2 RESOURCES=PROCS:2 HOSTLIST=n1,n2 PERIOD=INFINITY USERLIST={FIRST}
"""
JOB = ("-N1", "-n1", "-t1", "-D/", "-o/dev/null")
REFUSED = "the_reservation_that_it_asks_for_does_not_admit_it"


def wait_for_reservations(cluster: Cluster, *names: str) -> dict[str, dict[str, str]]:
    """What scontrol says of each, once they are all there."""

    def look() -> dict[str, dict[str, str]] | None:
        lines = cluster.run("scontrol --oneliner show reservations").stdout.splitlines()
        rows = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]
        found = {row["ReservationName"]: row for row in rows if "ReservationName" in row}
        return found if found.keys() >= set(names) else None

    return cluster.wait_for(look, f"reservations {names}")


def numbers(text: str) -> list[int]:
    """0-1,3 as numbers."""
    spans = [list(map(int, part.split("-"))) for part in text.split(",")]
    return [number for span in spans for number in range(span[0], span[-1] + 1)]


class ByNameTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(Cluster(nodes=3, cpus=2, maui_cfg=BY_NAME))
        wait_for_reservations(cls.cluster, "debug.inf", "open.inf")

    def tearDown(self) -> None:
        self.cluster.cancel_all()

    def submit(self, user: str, *options: str) -> int:
        return self.cluster.sbatch(*JOB, *options, user=user)

    def assert_runs_on(self, job: int, node: str) -> None:
        self.cluster.wait_for_state(job, "RUNNING")
        self.assertEqual(self.cluster.job(job)["NodeList"], node)

    def test_it_takes_its_name(self) -> None:
        for name in ("debug", "debug.inf"):
            self.assert_runs_on(self.submit(FIRST, f"--reservation={name}"), "n1")
        # Whoever does not ask goes elsewhere: where he is drawn, and then where it is free.
        jobs = [self.submit(FIRST, "--exclusive") for _ in range(3)]
        for job in jobs[:2]:
            self.cluster.wait_for_state(job, "RUNNING")
        nodes = {self.cluster.job(job)["NodeList"] for job in jobs[:2]}
        self.assertEqual(nodes, {"n2", "n3"})
        self.assertEqual(self.cluster.job(jobs[2])["JobState"], "PENDING")

    def test_who_asks_gets_nothing_else(self) -> None:
        self.assert_runs_on(self.submit(FIRST, "--reservation=debug", "--exclusive"), "n1")
        second = self.submit(FIRST, "--reservation=debug")
        behind = self.submit(SECOND)
        self.cluster.wait_for_state(behind, "RUNNING")
        self.assertEqual(self.cluster.job(second)["JobState"], "PENDING")

    def test_the_name_gives_no_right(self) -> None:
        asking = self.submit(SECOND, "--reservation=debug", "--priority=4000000", "--comment=mine")
        self.cluster.wait_for(
            lambda: self.cluster.job(asking)["Reason"] == REFUSED, "the refusal to be told"
        )
        self.assertEqual(self.cluster.job(asking)["Comment"], "x=ADVRES:debug")  # " mine"
        # It is in nobody's way, though it is the first of the queue.
        for _ in range(3):
            self.cluster.wait_for_state(self.submit(SECOND), "RUNNING")
        # When it does not ask any more it runs.
        self.cluster.run(["scontrol", "update", f"job={asking}", "comment=mine"])
        self.cluster.wait_for_state(asking, "RUNNING")
        self.assertNotEqual(self.cluster.job(asking)["NodeList"], "n1")

    def test_a_job_asks_later(self) -> None:
        job = self.submit(FIRST, "--hold")
        self.cluster.run(["scontrol", "update", f"job={job}", "reservationname=debug"], user=FIRST)
        self.cluster.run(["scontrol", "release", str(job)])
        self.assert_runs_on(job, "n1")

    def test_several_names_are_refused(self) -> None:
        for names in ("debug,open", "open,nobody"):
            with self.assertRaises(CommandFailed) as caught:
                self.submit(FIRST, f"--reservation={names}")
            self.assertIn("can only be asked for alone", str(caught.exception))
        with self.assertRaises(CommandFailed) as caught:
            self.submit(FIRST, "--reservation=nobody")
        self.assertNotIn("Maui", str(caught.exception))


class PartsTest(unittest.TestCase):
    """Of two nodes with four cores each three and two are reserved."""

    def cores(self, cluster: Cluster) -> dict[str, str]:
        rows = wait_for_reservations(cluster, "three.inf", "pair.inf")
        return {name: f"{row['Nodes']} {row['CoreCnt']}" for name, row in rows.items()}

    def running(self, cluster: Cluster, user: str) -> list[str]:
        rows = cluster.squeue("--states=RUNNING")
        return sorted(row["nodes"] for row in rows if row["user"] == user)

    def test_each_node_has_the_cores_of_its_tasks(self) -> None:
        """Two of the three that are idle on each; Slurm itself would take three of the first node, and one."""
        with Cluster(nodes=2, cpus=4, maui_cfg="RMPOLLINTERVAL 1\n") as cluster:
            job = cluster.sbatch("-N2", "-n2", *JOB[2:], user=SECOND, wrap="sleep 3600")
            cluster.wait_for_state(job, "RUNNING")
            cluster.install(TASKS_OF_TWO)
            wait_for_reservations(cluster, "tasks.inf")
            # Up to 22.05 scontrol has them once slurmctld has saved them.
            cores = cluster.wait_for(
                lambda: re.findall(
                    r"NodeName=(n\d) CoreIDs=(\S+)", cluster.run("scontrol show reservation tasks.inf").stdout
                ),
                "the reservation's cores",
            )
            self.assertEqual([(node, len(numbers(text))) for node, text in cores], [("n1", 2), ("n2", 2)])
            shown = cluster.run(f"scontrol -d show job {job}").stdout
            [used] = re.findall(r"Nodes=n\[1-2\] CPU_IDs=(\d) ", shown)
            for _, text in cores:
                self.assertNotIn(int(used), numbers(text))

    def test_outsiders_get_the_other_cores(self) -> None:
        wanted = {"three.inf": "n1 3", "pair.inf": "n2 2"}
        with Cluster(nodes=2, cpus=4, maui_cfg=PARTS) as cluster:
            self.assertEqual(self.cores(cluster), wanted)
            self.assertFalse(self.running(cluster, "root"))
            data = cluster.maui("showres", "-n", "--json")
            told = {row["node"]: (data["reservations"][row["reservation"]]["name"], row["tasks"])
                    for row in data["nodes"]}
            self.assertEqual(told, {"n1": ("three.inf", 3), "n2": ("pair.inf", 1)})
            # Whoever is to be backfilled has to end before the first of the queue can begin.
            for user, minutes, nodes in (
                ("sys", 60, ["n1", "n2", "n2"]),
                (SECOND, 30, ["n2", "n2"]),
                (FIRST, 20, ["n1", "n1", "n1"]),
            ):
                for _ in range(5):
                    cluster.sbatch(*JOB, f"-t{minutes}", user=user, wrap="sleep 3600")
                cluster.wait_for(
                    lambda user=user, nodes=nodes: self.running(cluster, user) == nodes,
                    f"the jobs of {user} on {nodes}",
                )
            # Nobody has more than that, also after backfill has looked at all of them.
            looked = cluster.log_position()
            cluster.wait_for(
                lambda: cluster.log_text(looked).count("_attempt_backfill: beginning") > 1,
                "backfill to look",
            )
            self.assertEqual(len(cluster.squeue("--states=RUNNING")), 8)
            # All of a node is not to be had by those who may not have a part of it.
            whole = cluster.sbatch(*JOB, "--exclusive", "-wn1", user=SECOND)
            cluster.wait_until_saved(whole)
            cluster.restart(kill=True)
            self.assertEqual(self.cores(cluster), wanted)
            cluster.run(["scancel", f"--user={FIRST}"])
            cluster.run(["scancel", "--user=sys"])
            cluster.wait_for(lambda: not self.running(cluster, "sys"), "these jobs to end")
            follower = cluster.sbatch(*JOB, "-n3", "-wn1", user=FIRST)
            cluster.wait_for_state(follower, "RUNNING")
            self.assertEqual(cluster.job(whole)["JobState"], "PENDING")
