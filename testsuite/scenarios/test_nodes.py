# SPDX-License-Identifier: GPL-2.0-or-later
"""Node allocation: the nodes that real jobs get under each policy of NODEALLOCATIONPOLICY."""

from __future__ import annotations

import os
import shutil
import unittest
from pathlib import Path

from harness import USERS, Cluster, ClusterTest, replace_file

FIRST, SECOND = USERS

BUILD = Path(os.environ.get("MAUI_BUILD") or Path(__file__).resolve().parents[2] / "build")
LOCAL = BUILD / "contribs" / "nodealloc_local.so"

# Nodes that differ, so that each policy chooses others.
SLURM_CONF = """\
NodeName=n1 CPUs=2 RealMemory=1000
NodeName=n2 CPUs=4 RealMemory=2000 Feature=fast
NodeName=n3 CPUs=4 RealMemory=4000 Feature=tape
NodeName=n4 CPUs=8 RealMemory=8000 Feature=fast
NodeName=n5 CPUs=8 RealMemory=16000
NodeName=n6 CPUs=4 RealMemory=2000 Feature=tape
NodeName=n7 CPUs=2 RealMemory=3000
NodeName=n8 CPUs=8 RealMemory=8000
DefMemPerCPU=100
"""
SPEEDS = """\
RMPOLLINTERVAL 1
NODECFG[n[4,8]] SPEED=3
NODECFG[n[2,6]] SPEED=2
"""

# Whole nodes: which, if all are free.
CHOICES = (
    # policy, nodes wanted, nodes
    ("FIRSTAVAILABLE", 2, "n[1-2]"),
    ("LASTAVAILABLE", 2, "n[7-8]"),
    ("CPULOAD", 3, "n[4-5,8]"),  # of the three with 8 processors
    ("MINRESOURCE", 2, "n[1,6]"),  # up to 1024 MB; then, of two of up to 2048, the later one
    ("MAXBALANCE", 2, "n[4,8]"),  # the fastest of those with two of one speed
    ("MAXBALANCE", 3, "n[1,3,5]"),  # of one speed there are three slow ones only
    ("FASTEST", 3, "n[2,4,8]"),
    ("CONTIGUOUS", 3, "n[1-3]"),
)


class NodesTest(ClusterTest):
    CLUSTER = dict(nodes=8, maui_cfg=SPEEDS, slurm_conf=SLURM_CONF)

    def tearDown(self) -> None:
        self.cluster.cancel_all()

    def policy(self, text: str) -> None:
        self.cluster.install(SPEEDS + text)

    def nodes_of(self, *options: str) -> str:
        """Where a job runs; it goes on."""
        job = self.cluster.sbatch("-t10", *options)
        self.cluster.wait_for_state(job, "RUNNING")
        return self.cluster.job(job)["NodeList"]

    def test_each_policy_chooses_its_nodes(self) -> None:
        for policy, count, nodes in CHOICES:
            with self.subTest(policy, count=count):
                self.policy(f"NODEALLOCATIONPOLICY {policy}")
                self.assertEqual(self.nodes_of(f"-N{count}", "--exclusive"), nodes)
                self.cluster.cancel_all()

    def test_the_first_available_are_taken_though_others_fit_better(self) -> None:
        self.policy("NODEALLOCATIONPOLICY FIRSTAVAILABLE")
        self.assertEqual(self.nodes_of("-N1", "--exclusive", "--nodelist=n2"), "n2")
        self.assertEqual(self.nodes_of("-N3", "--exclusive"), "n[1,3-4]")  # Slurm: n[3-5]

    def test_contiguous_nodes_are_neighbours(self) -> None:
        self.policy("NODEALLOCATIONPOLICY CONTIGUOUS")
        self.assertEqual(self.nodes_of("-N1", "--nodelist=n2"), "n2")
        self.assertEqual(self.nodes_of("-N3", "--exclusive"), "n[3-5]")

    def test_lastavailable_fits_before_the_next_reservation(self) -> None:
        self.policy("NODEALLOCATIONPOLICY LASTAVAILABLE")
        for name, node, begin in (("far", "n6", 300), ("near", "n2", 120)):
            self.cluster.run(
                f"scontrol create reservation reservationname={name} nodes={node} users=root"
                f" starttime=now+{begin}minutes duration=10"
            )
        try:
            self.assertEqual(self.nodes_of("-N1", "--exclusive"), "n2")
            self.assertEqual(self.nodes_of("-N1", "--exclusive"), "n6")
            self.assertEqual(self.nodes_of("-N1", "--exclusive"), "n8")
        finally:
            self.cluster.cancel_all()
            for name in ("far", "near"):
                self.cluster.run(f"scontrol delete reservationname={name}")

    # --- PRIORITYF

    def test_the_manuals_first_example(self) -> None:
        """The fastest nodes with the most available memory and the fewest jobs."""
        self.policy(
            "NODEALLOCATIONPOLICY PRIORITY\n"
            "NODECFG[DEFAULT] PRIORITYF='SPEED+ .01 * AMEM - 10 * JOBCOUNT'"
        )
        self.assertEqual(self.nodes_of("-n1", "--mem=9000"), "n5")
        # n5: 1 + 70 - 10; n4 and n8: 3 + 80
        self.assertEqual(self.nodes_of("-n1", "--mem=100"), "n4")
        self.assertEqual(self.nodes_of("-n1", "--mem=100"), "n8")
        # n4 and n8: 3 + 79 - 10
        self.assertEqual(self.nodes_of("-n1", "--mem=100"), "n4")

    def test_the_manuals_second_example(self) -> None:
        """Two nodes for batch jobs before all others."""
        self.policy(
            "NODEALLOCATIONPOLICY PRIORITY\n"
            "NODECFG[DEFAULT] PRIORITYF='-LOAD - 5*USAGE'\n"
            "NODECFG[n7] PRIORITY=1000 PRIORITYF='PRIORITY + APROCS'\n"
            "NODECFG[n3] PRIORITY=1000 PRIORITYF='PRIORITY + APROCS'\n"
        )
        self.assertEqual(self.nodes_of("-n3", "-N1"), "n3")  # 1004; one processor is left
        self.assertEqual(self.nodes_of("-n1"), "n7")  # 1002
        self.assertIn(self.nodes_of("-n1"), ("n3", "n7"))
        self.assertIn(self.nodes_of("-n4", "-N1"), ("n2", "n4", "n5", "n6", "n8"))

    def test_the_manuals_third_example(self) -> None:
        """Tasks are packed onto nodes that run jobs."""
        self.policy("NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF=JOBCOUNT\n")
        self.assertEqual(self.nodes_of("-n1", "--nodelist=n6"), "n6")
        for _ in range(3):
            self.assertEqual(self.nodes_of("-n1"), "n6")
        self.assertNotEqual(self.nodes_of("-n1"), "n6")

    def test_preferred_nodes_come_first_and_others_fill_up(self) -> None:
        self.policy(
            "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF='100 * PREF + CPROCS'\n"
        )
        # Which of the equal ones fills up is Slurm's to say.
        equals = ("n[3-4,6]", "n[3,5-6]", "n[3,6,8]")
        comment = "--comment=x=PREF(FEATURE:TAPE)"
        self.assertIn(self.nodes_of("-N3", "--exclusive", comment), equals)
        self.assertIn(self.nodes_of("-N1", "--exclusive"), ("n4", "n5", "n8"))
        self.cluster.cancel_all()
        # Slurm tries --prefer as a constraint first: while that fails, it is a preference.
        self.assertEqual(self.nodes_of("-N1", "--exclusive", "--nodelist=n3"), "n3")
        self.assertIn(
            self.nodes_of("-N2", "--exclusive", "--prefer=tape"), ("n[4,6]", "n[5-6]", "n[6,8]")
        )

    # --- who names the policy

    def test_a_job_names_its_own_policy(self) -> None:
        self.policy("NODEALLOCATIONPOLICY MINRESOURCE")
        comment = "--comment=x=NALLOCPOLICY:FASTEST"
        self.assertEqual(self.nodes_of("-N1", "--exclusive", comment), "n4")
        self.assertEqual(self.nodes_of("-N1", "--exclusive"), "n1")
        unknown = "--comment=x=NALLOCPOLICY:NONSENSE"
        self.assertEqual(self.nodes_of("-N1", "--exclusive", unknown), "n6")

    def test_a_partition_has_its_own_policy(self) -> None:
        self.policy("NODEALLOCATIONPOLICY LASTAVAILABLE\nNODEALLOCATIONPOLICY[batch] MINRESOURCE")
        self.assertEqual(self.nodes_of("-N1", "--exclusive"), "n1")

    def test_a_site_function_serves_local(self) -> None:
        local = self.cluster.home / "local.so"
        shutil.copy(LOCAL, local)
        self.policy(f"NODEALLOCATIONPOLICY LOCAL\nNODEALLOCATIONLOCAL {local}")
        self.assertEqual(self.nodes_of("-n1"), "n1")  # the smallest
        self.assertIn(self.nodes_of("-n3", "-N1"), ("n4", "n5", "n8"))  # the most idle processors
        self.cluster.cancel_all()
        position = self.cluster.log_position()
        self.policy("NODEALLOCATIONPOLICY LOCAL\nNODEALLOCATIONLOCAL /nowhere.so")
        for node in ("n8", "n7"):  # LASTAVAILABLE
            self.assertEqual(self.nodes_of("-N1", "--exclusive"), node)
        log = self.cluster.log_text(position)
        self.assertEqual(log.count("NODEALLOCATIONLOCAL /nowhere.so"), 1, log)
        self.assertEqual(log.count("the site has no function"), 1, log)

    # --- limits of nodes

    def waits(self, *options: str) -> int:
        """A job that does not start, though a whole scheduling pass has looked at it."""
        job = self.cluster.sbatch("-t10", *options)
        after = self.cluster.sbatch("-t10", "-n1", "--mem=1", "--nodelist=n8", wrap="true")
        self.cluster.wait_for_state(after, "COMPLETED")
        self.assertEqual(self.cluster.job(job)["JobState"], "PENDING", options)
        return job

    def test_nodes_take_no_more_than_their_limits(self) -> None:
        self.policy(
            "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
            "NODECFG[n1] MAXJOB=1\n"
            "NODECFG[n2] MAXPROC=3\n"
            "NODECFG[n3] MAXJOBPERUSER=1\n"
            "NODECFG[n4] MAXPROC[CLASS:batch]=2\n"
            "NODECFG[n5] MAXPROCPERUSER=2\n"
            "NODECFG[n6] MAXPEPERJOB=2\n"
            "NODECFG[n7] MAXLOAD=0.001\n"
        )
        one = ("-n1", "--mem=1")
        self.assertEqual(self.nodes_of(*one, "--nodelist=n1"), "n1")
        first = self.waits(*one, "--nodelist=n1")
        self.assertEqual(self.nodes_of("-n3", "-N1", "--mem=1", "--nodelist=n2"), "n2")
        self.waits(*one, "--nodelist=n2")
        self.assertEqual(self.nodes_of(*one, "--nodelist=n4"), "n4")
        self.waits("-n1", "-c2", "--mem=1", "--nodelist=n4")
        self.waits("-n1", "-c3", "--mem=1", "--nodelist=n6")
        for node, user in (("n3", FIRST), ("n3", SECOND)):
            job = self.cluster.sbatch("-t10", *one, f"--nodelist={node}", user=user)
            self.cluster.wait_for_state(job, "RUNNING")
        for node, options in (("n3", one), ("n5", ("-n1", "-c3", "--mem=1"))):
            job = self.cluster.sbatch("-t10", *options, f"--nodelist={node}", user=FIRST)
            self.waits("-n1", "-c3", "--mem=1", "--nodelist=n6")
            self.assertEqual(self.cluster.job(job)["JobState"], "PENDING", node)
        if float(self.cluster.node("n7")["CPULoad"]) >= 0.01:
            self.waits(*one, "--nodelist=n7")
        # Never "can never run": it starts when there is room again.
        self.cluster.scancel(*(int(row["id"]) for row in self.cluster.squeue("--states=RUNNING")))
        self.cluster.wait_for_state(first, "RUNNING")

    def test_a_suspended_job_counts_once_however_often_slurm_reconfigures(self) -> None:
        self.policy(
            "NODEALLOCATIONPOLICY PRIORITY\n"
            "NODECFG[DEFAULT] PRIORITYF='100 - JOBCOUNT'\n"
            "NODECFG[n5] MAXJOB=2\n"
        )
        one = ("-n1", "--mem=1", "--nodelist=n5")
        suspended = self.cluster.sbatch("-t10", *one)
        self.cluster.wait_for_state(suspended, "RUNNING")
        self.cluster.run(f"scontrol suspend {suspended}")
        held = self.cluster.sbatch("--hold", "-t10", *one)
        for _ in range(3):
            self.cluster.install()
            self.wait_for_all_nodes(held)
        values = {node["name"]: node["value"] for node in self.explain(held)["nodes"]}
        self.assertEqual((values["n5"], values["n6"]), (99, 100))
        self.assertEqual(self.nodes_of(*one), "n5")
        third = self.waits(*one)
        self.assertEqual(self.explain(third)["left_out"]["limits"], 1)
        self.cluster.scancel(suspended)
        self.cluster.wait_for_state(third, "RUNNING")

    # --- who may share nodes

    def test_nodes_are_shared_as_the_access_policy_says(self) -> None:
        def alone(*options: str, user: str | None = None) -> str:
            job = self.cluster.sbatch("-t10", "-n1", "--mem=1", *options, user=user)
            self.cluster.wait_for_state(job, "RUNNING")
            return self.cluster.job(job)["NodeList"]

        first = "NODEALLOCATIONPOLICY FIRSTAVAILABLE\nNODEACCESSPOLICY "
        self.policy(first + "SINGLEJOB")
        self.assertEqual(alone("--nodelist=n8"), "n8")
        self.assertEqual(self.cluster.node("n8")["CPUAlloc"], "8")
        if self.cluster.shows_exclusive_topo():
            job = self.cluster.sbatch("-t10", "-n1", "--mem=1", "--nodelist=n7", "--exclusive=topo")
            self.cluster.wait_for_state(job, "RUNNING")
            self.assertEqual(self.cluster.node("n7")["CPUAlloc"], self.cluster.node("n7")["CPUTot"])
            self.assertEqual(self.cluster.job(job)["Exclusive"], "TOPO")
        shared = ("--nodelist=n5", "--comment=x=NACCESSPOLICY:SHARED")
        self.assertEqual([alone(*shared), alone(*shared)], ["n5", "n5"])
        self.cluster.cancel_all()
        self.policy(first + "SINGLEUSER")
        self.assertEqual([alone("--nodelist=n8", user=FIRST) for _ in range(2)], ["n8", "n8"])
        self.assertNotEqual(alone(user=SECOND), "n8")
        other = self.cluster.sbatch("-t10", "-n1", "--mem=1", "--nodelist=n8", user=SECOND)
        self.assertNotEqual(alone("--exclude=n8", user=SECOND), "n8")
        self.assertEqual(self.cluster.job(other)["JobState"], "PENDING")
        self.cluster.cancel_all()
        self.policy(first + "SINGLETASK")
        job = self.cluster.sbatch("-t10", "-n3", "--mem=1")
        self.cluster.wait_for_state(job, "RUNNING")
        self.assertEqual(self.cluster.job(job)["NumNodes"], "3")

    # --- Slurm's own order

    def test_between_equals_slurms_weights_decide(self) -> None:
        self.policy("NODEALLOCATIONPOLICY PRIORITY\nNODECFG[DEFAULT] PRIORITYF=PRIORITY\n")
        self.assertEqual(self.nodes_of("-N1", "--exclusive"), "n1")
        self.cluster.cancel_all()
        self.cluster.run("scontrol update nodename=n[1-5] weight=50")
        try:
            self.assertEqual(self.nodes_of("-N2", "--exclusive"), "n[6-7]")
        finally:
            self.cluster.run("scontrol update nodename=n[1-5] weight=1")

    # --- what the engine says of it

    def explain(self, job: int, *options: str) -> dict:
        return self.cluster.maui("explain-nodes", "--json", *options, str(job))

    def wait_for_all_nodes(self, job: int) -> dict:
        """How a job is explained once no node is down. A node that was just resumed counts as down,
        and one that has not registered since slurmctld's start: from 23.11 on, a reconfigure."""
        return self.cluster.wait_for(
            lambda: not (told := self.explain(job))["left_out"]["down"] and told,
            "all nodes to be there",
        )

    def test_the_order_of_nodes_is_explained(self) -> None:
        self.policy(
            "NODEALLOCATIONPOLICY PRIORITY\n"
            "NODECFG[DEFAULT] PRIORITYF='SPEED + .01 * AMEM - 10 * JOBCOUNT + 5'\n"
            "NODECFG[n7] MAXJOB=1\n"
        )
        self.assertEqual(self.nodes_of("-n1", "--nodelist=n7"), "n7")
        self.cluster.run("scontrol update nodename=n8 state=drain reason=test")
        self.addCleanup(self.cluster.run, "scontrol update nodename=n8 state=resume")
        job = self.cluster.sbatch("--hold", "-N2", "--exclude=n5", "-t10")
        told = self.explain(job)
        self.assertEqual(
            (told["state"], told["policy_asked"], told["policy"], told["policy_by_job"]),
            ("pending", "PRIORITY", "PRIORITY", False),
        )
        self.assertEqual(
            told["left_out"],
            {"down": 1, "excluded": 1, "features": 0, "limits": 1, "limited": "n7"},
        )
        # 3 + 80 + 5, 1 + 40 + 5, 2 + 20 + 5 twice, 1 + 10 + 5
        self.assertEqual(
            [(node["name"], node["rank"], node["value"]) for node in told["nodes"]],
            [("n4", 1, 88), ("n3", 2, 46), ("n2", 3, 27), ("n6", 3, 27), ("n1", 4, 16)],
        )
        best = told["nodes"][0]
        self.assertEqual(best["constant"], 5)
        self.assertIn(
            {"component": "AMEM", "coefficient": 0.01, "factor": 8000.0, "product": 80.0},
            best["terms"],
        )
        for node in told["nodes"]:
            total = sum(term["product"] for term in node["terms"]) + node["constant"]
            self.assertAlmostEqual(total, node["value"])
        # And so it comes.
        self.cluster.run(["scontrol", "release", str(job)])
        self.cluster.wait_for_state(job, "RUNNING")
        told = self.explain(job, "--limit=4")
        self.assertEqual(
            [node["name"] for node in told["nodes"] if node["allocated"]], ["n4", "n3"]
        )
        self.assertEqual((told["state"], told["omitted"]), ("running", 1))

    def test_a_jobs_own_policy_and_features_are_explained(self) -> None:
        self.policy("NODEALLOCATIONPOLICY PRIORITY")
        comment = "--comment=x=NALLOCPOLICY:FASTEST;PREF(FEATURE:TAPE)"
        job = self.cluster.sbatch("--hold", "-n1", "-Cfast", comment, "-t10")
        told = self.wait_for_all_nodes(job)
        self.assertEqual((told["policy"], told["policy_by_job"]), ("FASTEST", True))
        self.assertEqual([node["name"] for node in told["nodes"]], ["n4", "n2"])
        self.assertEqual(told["left_out"]["features"], 6)
        either = self.cluster.sbatch("--hold", "-n1", "-Cfast|tape", comment, "-t10")
        told = self.explain(either)
        self.assertFalse(told["constraint_counts"])
        preferred = [node["name"] for node in told["nodes"] if node["preferred"]]
        self.assertEqual(sorted(preferred), ["n3", "n6"])
        array = self.cluster.sbatch("--hold", "-a1-3", "-n1", "-t10")
        self.assertEqual(self.cluster.maui("explain-nodes", "--json", f"{array}_2")["job"], array)
        refused = self.cluster.run(["maui", "explain-nodes", "999999"], check=False)
        self.assertEqual(refused.returncode, 5)
        self.assertIn("no such job", refused.stderr)

    def test_all_nodes_and_one_node_are_shown(self) -> None:
        self.policy(
            "NODEALLOCATIONPOLICY PRIORITY\n"
            "NODECFG[DEFAULT] PRIORITYF='APROCS - 10 * JOBCOUNT'\n"
            "NODECFG[n4] PRIORITY=9 MAXPROC[CLASS:batch]=6 FEATURES=quick\n"
        )
        job = self.cluster.sbatch("-n3", "-N1", "--nodelist=n4", "--mem=900", "-t10")
        self.cluster.wait_for_state(job, "RUNNING")
        self.cluster.run("scontrol update nodename=n8 state=drain reason='disk is full'")
        self.addCleanup(self.cluster.run, "scontrol update nodename=n8 state=resume")
        told = self.cluster.maui("diagnose", "-n", "--json")["nodes"]
        self.assertEqual([node["name"] for node in told], [f"n{i}" for i in range(1, 9)])
        states = {node["name"]: (node["state"], node["slurm_state"]) for node in told}
        self.assertEqual(states["n1"], ("Idle", "IDLE"))
        self.assertEqual(states["n4"], ("Running", "MIXED"))
        self.assertEqual(states["n8"], ("Drained", "IDLE+DRAIN"))
        self.assertEqual(told[7]["reason"], "disk is full")
        self.assertEqual((told[3]["available"]["procs"], told[3]["configured"]["procs"]), (5, 8))
        self.assertEqual(told[3]["available"]["memory"], 7100)
        self.assertEqual((told[3]["priority"], told[3]["features"]), (9, ["fast", "quick"]))

        one = self.cluster.maui("checknode", "--json", "n4")
        self.assertEqual((one["formula"], one["value"]), ("APROCS - 10*JOBCOUNT", -5))
        self.assertEqual([limit["name"] for limit in one["limits"]], ["MAXPROC[CLASS:batch]"])
        self.assertEqual(
            [(held["job"], held["procs"], held["memory"]) for held in one["job_list"]],
            [(job, 3, 900)],
        )
        text = self.cluster.run(["maui", "checknode", "n4"]).stdout
        self.assertIn("Dedicated  Resources: PROCS: 3  MEM: 900M\n", text)
        self.assertIn("+ 1*APROCS(5)=5 - 10*JOBCOUNT(1)=-10\n", text)
        text = self.cluster.run(["maui", "diagnose", "-n", "-t", "batch"], user="daemon").stdout
        self.assertIn("Total Nodes: 8  (Active: 1  Idle: 6  Down: 1)\n", text)
        refused = self.cluster.run(["maui", "checknode", "n99"], check=False)
        self.assertEqual(refused.returncode, 5)
        self.assertIn("no such node", refused.stderr)

    def test_private_data_holds_for_nodes_too(self) -> None:
        """Jobs of others are not told of, and where nodes are private, nothing is."""
        conf = self.cluster.dir / "etc" / "slurm.conf"
        before = conf.read_text(encoding="utf-8")
        job = self.cluster.sbatch("-n1", "--nodelist=n4", "-t10", user=USERS[0])
        self.cluster.wait_for_state(job, "RUNNING")
        commands = (["explain-nodes", str(job)], ["checknode", "n4"], ["diagnose", "-n"])

        def status(user: str, *words: str) -> int:
            return self.cluster.run(["maui", *words], user=user, check=False).returncode

        def private(what: str) -> None:
            replace_file(conf, f"{before}PrivateData={what}\n")
            self.cluster.reconfigure()

        try:
            private("jobs")
            for user, told in ((USERS[0], [job]), (USERS[1], [])):
                node = self.cluster.maui("checknode", "--json", "n4", user=user)
                self.assertEqual([held["job"] for held in node["job_list"]], told)
                self.assertEqual(node["hidden_jobs"], 1 - len(told))
            self.assertEqual([status(USERS[0], *words) for words in commands], [0, 0, 0])
            self.assertEqual([status(USERS[1], *words) for words in commands], [5, 0, 0])
            private("nodes")
            self.assertEqual([status(USERS[0], *words) for words in commands], [5, 5, 5])
            self.assertEqual([status("root", *words) for words in commands], [0, 0, 0])
        finally:
            replace_file(conf, before)
            self.cluster.reconfigure()


class OtherSettingsOfSlurmTest(unittest.TestCase):
    """The order holds with every kind of consumable resource, for the parts of a heterogeneous job,
    in a tree of switches, and when a node goes.
    """

    POLICY = "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY LASTAVAILABLE\n"
    KINDS = ("CR_CPU", "CR_CPU_Memory", "CR_Core", "CR_Socket_Memory", "CR_Core_Memory")
    TREE = """\
SwitchName=s1 Nodes=n[1-2]
SwitchName=s2 Nodes=n[3-4]
SwitchName=top Switches=s[1-2]
"""

    def nodes_of(self, cluster: Cluster, *options: str) -> str:
        job = cluster.sbatch("-t10", *options)
        cluster.wait_for_state(job, "RUNNING")
        return cluster.job(job)["NodeList"]

    def change(self, cluster: Cluster, lines: str) -> None:
        """Later lines win."""
        conf = cluster.dir / "etc" / "slurm.conf"
        kept = [
            line
            for line in conf.read_text().splitlines()
            if line.partition("=")[0] not in {new.partition("=")[0] for new in lines.splitlines()}
        ]
        replace_file(conf, "\n".join(kept) + "\n" + lines)
        cluster.restart()
        cluster.wait_for(lambda: cluster.node("n4")["State"] == "IDLE", "the nodes")

    def test_the_last_nodes_come_first(self) -> None:
        with Cluster(nodes=4, cpus=4, maui_cfg=self.POLICY) as cluster:
            for kind in self.KINDS:
                with self.subTest(kind):
                    self.change(cluster, f"SelectTypeParameters={kind}\n")
                    self.assertEqual(self.nodes_of(cluster, "-N1", "--exclusive"), "n4")
                    self.assertEqual(self.nodes_of(cluster, "-n1", "--mem=10"), "n3")
                    cluster.cancel_all()
            with self.subTest("heterogeneous"):
                done = cluster.run(
                    ["sbatch", "--parsable", "-N1", "--exclusive", "-t5", ":", "-N2", "--exclusive"]
                    + ["--wrap", "sleep 1000"]
                )
                leader = int(done.stdout.split(";")[0])
                cluster.wait_for_state(leader, "RUNNING")
                rows = {row["id"]: row for row in cluster.squeue()}
                self.assertEqual(len(rows), 2)
                self.assertEqual(cluster.node("n1")["State"], "IDLE")
                cluster.cancel_all()
            with self.subTest("topology/tree"):
                (cluster.dir / "etc" / "topology.conf").write_text(self.TREE)
                self.change(cluster, "TopologyPlugin=topology/tree\n")
                self.assertEqual(self.nodes_of(cluster, "-N1", "--exclusive"), "n4")
                # The switch is Slurm's choice: the one that holds both.
                self.assertEqual(self.nodes_of(cluster, "-N2", "--exclusive"), "n[1-2]")
                self.assertEqual(self.nodes_of(cluster, "-N1", "--exclusive"), "n3")
                cluster.cancel_all()
            with self.subTest("a node that is drained"):
                cluster.run("scontrol update nodename=n4 state=drain reason=test")
                self.assertEqual(self.nodes_of(cluster, "-N1", "--exclusive"), "n3")


class WithoutTheSelectPluginTest(unittest.TestCase):
    def test_what_cannot_act_is_said(self) -> None:
        policy = "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY LASTAVAILABLE\n"
        with Cluster(nodes=2, stock_select=True, maui_cfg=policy) as cluster:
            job = cluster.sbatch("-n1")
            cluster.wait_for_state(job, "RUNNING")
            self.assertEqual(cluster.job(job)["NodeList"], "n1")
            said = "NODEALLOCATIONPOLICY and NODECFG have no effect"
            cluster.wait_for(lambda: cluster.log_contains(said), "the error")
            self.assertIs(cluster.maui("status", "--json")["select"], False)
            text = cluster.run(["maui", "status"]).stdout
            self.assertIn("nodes       Slurm's own choice", text)
            self.assertEqual(cluster.log_text().count(said), 1)
