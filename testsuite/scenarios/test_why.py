# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui why` and `maui priority` on a mixed load: each job's reason is the one that why_model.py finds by itself."""

from __future__ import annotations

import json
import re
import unittest
from typing import Any

from harness import Cluster, replace_file
from why_model import Model, names

POLICY = """\
RMPOLLINTERVAL 1
NODEALLOCATIONPOLICY PRIORITY
NODECFG[DEFAULT] PRIORITYF='CPROCS - 2*JOBCOUNT'
FSPOLICY DEDICATEDPS
CREDWEIGHT 1
USERWEIGHT 1
CLASSWEIGHT 1
QUEUETIMEWEIGHT 0
SYSTEMMAXPROCPERJOB 30
USERCFG[daemon] PRIORITY=1000 QLIST=normal
USERCFG[bin] PRIORITY=500 MAXJOB=2
USERCFG[man] PRIORITY=200 MAXJOB=1,3
USERCFG[lp] PRIORITY=2000
GROUPCFG[games] MAXPROC=8
GROUPCFG[root] FSTARGET=1^
CLASSCFG[narrow] MAXJOB=1
CLASSCFG[batch] PRIORITY=7
SRCFG[own] HOSTLIST=n5 PERIOD=INFINITY USERLIST=games
SRCFG[named] HOSTLIST=n6 PERIOD=INFINITY USERLIST=daemon FLAGS=BYNAME
SRCFG[brief] HOSTLIST=n7 PERIOD=INFINITY CLASSLIST=brief TIMELIMIT=0:10:00*
"""
SLURM_CONF = """\
AccountingStorageEnforce=associations,limits,qos
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=5,bf_min_prio_reserve=1
Licenses=matlab:1
NodeName=n8 Features=tape
PartitionName=batch Nodes=n[1-4],n8 Default=YES
PartitionName=own Nodes=n5
PartitionName=named Nodes=n6
PartitionName=brief Nodes=n7
PartitionName=foreign Nodes=n9
PartitionName=free Nodes=n10
PartitionName=narrow Nodes=n10
PartitionName=short Nodes=n10 MaxTime=10
PartitionName=closed Nodes=n10 State=DOWN
"""
USERS = ("daemon", "bin", "games", "man", "lp", "sys", "root")
ACCOUNTS = "\n".join(
    ["sacctmgr -i add qos hi", "sacctmgr -i add account physics", "sacctmgr -i add account tight",
     "sacctmgr -i modify account tight set GrpJobs=1"]
    + [f"sacctmgr -i add user {user} account={'tight' if user == 'sys' else 'physics'} qos=normal,hi defaultqos=normal"
       for user in USERS]
)

# What of the mixed load each name below stands for.
KINDS = {
    "user hold": "user-hold", "admin hold": "system-hold", "dependency": "dependency", "never": "dependency",
    "begin": "begin-time", "user limit": "limit", "group limit": "limit", "class limit": "limit",
    "soft limit": "limit", "system limit": "limit", "cap": "fairshare-cap", "qlist": "qos", "down": "partition",
    "time limit": "partition", "association": "slurm", "too many nodes": "nodes", "features": "nodes",
    "nodelist": "nodes", "exclude": "priority", "outsider": "nodes", "by name": "nodes", "too long": "nodes",
    "foreign": "nodes", "later": "reservation", "license": "license", "throttled": "slurm", "array": "nodes",
    "resources": "priority", "priority": "priority", "two": "priority",
}

Row = dict[str, Any]


class WhyTest(unittest.TestCase):
    cluster: Cluster
    running: dict[str, int]
    waiting: dict[str, int]

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=10, cpus=8, maui_cfg=POLICY, slurm_conf=SLURM_CONF, slurmdbd=True)
        )
        cls.cluster.run(ACCOUNTS)
        cls.cluster.wait_for(
            lambda: "UserName=root" in cls.cluster.run("scontrol show assoc_mgr users=root").stdout,
            "slurmctld to know the associations",
        )
        cls.cluster.run(
            "scontrol update node=n8 state=drain reason=disk &&"
            " scontrol create reservation=foreign users=root start=now duration=UNLIMITED nodes=n9 &&"
            " scontrol create reservation=later users=daemon start=now+60minutes duration=60 nodes=n9 flags=overlap"
        )
        cls.cluster.wait_for(
            lambda: {f"{name}.inf" for name in ("own", "named", "brief")}
            <= set(re.findall(r"ReservationName=(\S+)", cls.cluster.run("scontrol show res").stdout)),
            "the reservations of maui.cfg",
        )
        cls.fill()
        cls.submit()
        cls.settle()

    @classmethod
    def fill(cls) -> None:
        """Jobs that run: partition batch has one free processor, on n4."""
        submit = cls.cluster.sbatch
        long = ("-t600",)
        cls.running = {
            "n1": submit("-N1", "--exclusive", "-wn1", *long, user="daemon"),
            "n2": submit("-N1", "--exclusive", "-wn2", *long, user="daemon"),
            "n3": submit("-N1", "--exclusive", "-wn3", *long, user="bin"),
            "n4": submit("-n7", "-N1", "-wn4", *long, user="games"),
            "own": submit("-n1", "-pown", *long, user="games"),
            "bin": submit("-n1", "-pfree", *long, user="bin"),
            "man": submit("-n1", "-pnarrow", *long, user="man"),
            "sys": submit("-n1", "-pfree", *long, user="sys"),
            "license": submit("-n1", "-pfree", "-Lmatlab:1", *long, user="daemon"),
        }
        cls.failed = submit("-n1", "-pfree", wrap="false", user="daemon")
        for job in cls.running.values():
            cls.cluster.wait_for_state(job, "RUNNING")
        cls.cluster.wait_for_state(cls.failed, "FAILED")

    @classmethod
    def submit(cls) -> None:
        submit, hour = cls.cluster.sbatch, "-t60"
        cls.waiting = {
            "user hold": submit("-n1", "--hold", hour, user="daemon"),
            "admin hold": submit("-n1", "--hold", hour, user="daemon"),
            "dependency": submit("-n1", f"--dependency=afterok:{cls.running['n1']}", hour, user="daemon"),
            "never": submit("-n1", f"--dependency=afterok:{cls.failed}", hour, user="daemon"),
            "begin": submit("-n1", "--begin=now+2hours", hour, user="daemon"),
            "user limit": submit("-n1", "-pfree", hour, user="bin"),
            "group limit": submit("-n2", "-pfree", hour, user="games"),
            "class limit": submit("-n1", "-pnarrow", hour, user="lp"),
            "soft limit": submit("-N1", "--exclusive", hour, user="man"),
            "system limit": submit("-n34", hour, user="daemon"),
            "cap": submit("-n1", hour),
            "qlist": submit("-n1", "-qhi", hour, user="daemon"),
            "down": submit("-n1", "-pclosed", hour, user="daemon"),
            "time limit": submit("-n1", "-pshort", hour, user="daemon"),
            "association": submit("-n1", "-pfree", hour, user="sys"),
            "too many nodes": submit("-N5", hour, user="daemon"),
            "features": submit("-N1", "-Ctape", hour, user="daemon"),
            "nodelist": submit("-n1", "-N1", "-wn1", hour, user="daemon"),
            "exclude": submit("-N1", "--exclusive", "-xn[1-2]", hour, user="daemon"),
            "outsider": submit("-n1", "-pown", hour, user="daemon"),
            "by name": submit("-n1", "-pnamed", hour, user="daemon"),
            "too long": submit("-n1", "-pbrief", hour, user="lp"),
            "foreign": submit("-n1", "-pforeign", hour, user="daemon"),
            "later": submit("-n1", "-pforeign", "--reservation=later", hour, user="daemon"),
            "license": submit("-n1", "-pfree", "-Lmatlab:1", hour, user="lp"),
            "throttled": submit("-n1", "-pfree", "--array=1-3%1", hour, user="lp"),
            "array": submit("-N2", "--exclusive", "--array=1-3", hour, user="lp"),
            "resources": submit("-N2", "--exclusive", hour, user="lp"),
            "priority": submit("-N3", "--exclusive", hour, user="daemon"),
            "two": submit("-N1", "--exclusive", "-pclosed,batch", hour, user="daemon"),
        }
        held = str(cls.waiting["admin hold"])
        cls.cluster.run(f"scontrol release {held} && scontrol hold {held}")

    @classmethod
    def settle(cls) -> None:
        """Until both schedulers have looked at all of them, and nothing changes any more."""
        last: list[Any] = []

        def settled() -> bool:
            rows = [(row["id"], row["state"], row["reason"], row["priority"]) for row in cls.cluster.squeue()]
            last.append(rows)
            waits = [row for row in rows if row[1] == "PENDING"]
            return (len(last) > 8 and all(old == rows for old in last[-8:])
                    and not any(row[2] == "None" for row in waits))

        cls.cluster.wait_for(settled, "the queue to settle", 60)

    # --- what maui says

    @classmethod
    def ask(cls, command: str, jobs: list[str], user: str | None = None) -> dict[str, str]:
        """What a command prints of each job, in one go."""
        loop = f"for job in {' '.join(jobs)}; do echo \"== $job\"; maui {command} $job || exit; done"
        parts = cls.cluster.run(loop, user=user).stdout.split("== ")[1:]
        return {job: text for job, _, text in (part.partition("\n") for part in parts)}

    @classmethod
    def why(cls, jobs: list[str], user: str | None = None) -> dict[str, Row]:
        return {job: json.loads(text) for job, text in cls.ask("why --json", jobs, user).items()}

    def owners(self, model: Model) -> dict[str, list[str]]:
        """The jobs that wait, of each user."""
        found: dict[str, list[str]] = {}
        for name in model.verdicts:
            found.setdefault(model.owner(model.jobs[name], "USER"), []).append(name)
        return found

    # --- agreement

    def check(self, model: Model, name: str, told: Row) -> None:
        kind, facts = model.verdicts[name]
        cause = next(row for row in told["findings"] if row["part"] == "cause")
        text = f"job {name}: {told['summary']}: {cause}, not {kind} {facts}"
        self.assertEqual(cause["kind"], kind, text)
        self.assertEqual(told["summary"], f"job {told['id']} waits: {cause['text']}")
        said = cause["facts"]
        for member in set(facts) - {"jobs", "counts", "on", "states"}:
            self.assertEqual(said[member], facts[member], f"{member} of {text}")
        if "jobs" in facts:
            users = next(row for row in told["findings"] if row["kind"] == "limit-users")["facts"]
            self.assertEqual({row["id"]: row["amount"] for row in users["jobs"]}, facts["jobs"], text)
        if "on" in facts:
            self.assertEqual([(row["type"], row["job"]) for row in said["jobs"]], facts["on"], text)
            self.assertEqual([row["state"] for row in said["jobs"]], facts["states"], text)
        self.check_nodes(model, name, told)
        self.check_ahead(model, name, told)

    def check_nodes(self, model: Model, name: str, told: Row) -> None:
        """The nodes of each of its partitions, counted by what stands against them."""
        job = model.jobs[name]
        rows = {
            row["facts"]["name"]: row["facts"]
            for row in told["findings"]
            if (row["part"], row["kind"]) == ("nodes", "nodes")
        }
        self.assertEqual(set(rows), set(job["Partition"].split(",")))
        for partition, facts in rows.items():
            counted = {cause: count for cause, count in facts["out"].items() if count}
            counted["left"] = facts["left"]
            if model.asks_for_reservation(job):
                continue
            self.assertEqual(counted, model.counts(job, partition), f"job {name} in {partition}: {told['summary']}")
            self.assertEqual(
                {row["reservation"] for row in facts["reserved_by"]},
                {rsv for node in names(model.partitions[partition]["Nodes"])
                 if model.obstacle(job, node) == "reserved" for rsv in model.reserving(job, node)},
            )

    def check_ahead(self, model: Model, name: str, told: Row) -> None:
        if model.verdicts[name][0] != "priority":
            return
        ahead = next(row for row in told["findings"] if row["part"] == "ahead")["facts"]
        self.assertEqual(ahead["count"], model.ahead(model.jobs[name]), told)
        self.assertEqual(ahead["count"], len(ahead["jobs"]))

    def agree(self, model: Model) -> None:
        owners = self.owners(model)
        self.assertGreaterEqual(len(model.verdicts), 25)
        self.assertGreaterEqual(len(owners), 3)
        for told in (self.why(list(model.verdicts)), *(self.why(jobs, user) for user, jobs in owners.items())):
            for name, row in told.items():
                with self.subTest(job=name):
                    self.check(model, name, row)

    def test_the_reason_of_every_job_is_the_one_found_without_the_engine(self) -> None:
        model = Model(self.cluster, POLICY)
        self.agree(model)
        kinds = {name: model.verdicts[str(job)][0] for name, job in self.waiting.items()}
        self.assertEqual(kinds, KINDS)

    def test_priority_adds_up_to_the_number_of_squeue(self) -> None:
        model = Model(self.cluster, POLICY)
        shown = {str(job["job"]): job["priority"] for job in self.cluster.maui("queue")["jobs"]}
        squeue = dict(line.split() for line in self.cluster.run("squeue -ah -tPD -o '%A %Q'").stdout.splitlines())
        self.assertEqual({job: shown[job] for job in squeue}, {job: int(number) for job, number in squeue.items()})
        for user, jobs in [(None, list(model.verdicts)), *self.owners(model).items()]:
            for job, text in self.ask("priority", jobs, user).items():
                with self.subTest(job=job, user=user):
                    self.check_sum(text, int(squeue[job]))

    def check_sum(self, text: str, squeue: int) -> None:
        """The products make the sum, and the sum squeue's number, unless it is held or over a soft limit.

        Of several partitions squeue shows the greatest.
        """
        blocks = re.split(r"(?m)^priority of job", text)[1:]
        self.assertEqual(max(int(block.split()[-1]) for block in blocks), squeue, text)
        for lines in (block.strip().splitlines() for block in blocks):
            total = float(next(line.split()[-1] for line in lines if line.startswith("Sum")))
            products = [line.split()[-1] for line in lines if re.match(r"[A-Z]+ ", line)]
            self.assertAlmostEqual(sum(map(float, products)), total, 2, text)
            if "held" not in lines[-1] and "soft limit" not in lines[-1]:
                self.assertEqual(max(int(total), 1), int(lines[-1].split()[-1]), text)

    def test_a_job_that_runs_says_why_on_these_nodes(self) -> None:
        model = Model(self.cluster, POLICY)
        for name, user in (("own", None), ("own", "games"), ("n4", "games")):
            job = str(self.running[name])
            told = self.why([job], user)[job]
            record = model.jobs[job]
            self.assertTrue(told["summary"].startswith(f"job {job} runs on {record['NodeList']} since "))
            place = [(row["kind"], row["facts"]) for row in told["findings"] if row["part"] == "place"]
            self.assertEqual(place[0], ("policy", {"policy": "PRIORITY", "policy_asked": "PRIORITY", "policy_by_job": False}))
            nodes = {facts["name"]: facts for kind, facts in place if kind == "node"}
            self.assertEqual(set(nodes), names(record["NodeList"]))
            for facts in nodes.values():
                value = sum(term["product"] for term in facts["terms"]) + facts["constant"]
                self.assertEqual((facts["value"], facts["rank"] >= 1), (value, True))
                self.assertEqual([term["component"] for term in facts["terms"]], ["CPROCS", "JOBCOUNT"])
            passes = [facts for kind, facts in place if kind == "reservation"]
            self.assertEqual(
                [(facts["reservation"], facts["entry"]) for facts in passes],
                [("own.inf", "USER==games+ gives access")] if name == "own" else [],
            )

    # --- nodes

    def node(self, name: str, user: str | None = None) -> Row:
        told: Row = json.loads(self.cluster.run(["maui", "why", "--json", f"--node={name}", "--limit=100"], user=user).stdout)
        return told

    def waiting_for(self, told: Row) -> dict[str, str]:
        """kind of each waiting job, by its number"""
        return {str(row["facts"]["job"]): row["kind"] for row in told["findings"] if row["part"] == "waiting" and "job" in row["facts"]}

    def test_a_node_says_why_it_is_idle(self) -> None:
        model = Model(self.cluster, POLICY)
        summaries = {
            "n8": r"node n8 is drained \(Slurm's reason: disk.*\)$",
            "n6": r"node n6 is idle: reservation named\.inf keeps it for USER==daemon\S*, and never ends$",
            "n9": r"node n9 is idle: reservation foreign keeps it for users root(,| until)",
            "n1": rf"node n1 is all in use: 1 job has it; first to end: job {self.running['n1']} of daemon has 8 processors, until ",
        }
        for name, pattern in summaries.items():
            self.assertRegex(self.node(name)["summary"], pattern)
        self.assertEqual(self.waiting_for(self.node("n6")), {str(self.waiting["by name"]): "reserved"})
        self.assertEqual(self.waiting_for(self.node("n9")),
                         {str(self.waiting["foreign"]): "reserved", str(self.waiting["later"]): "reservation"})
        for name in ("n4", "n10"):
            told = self.node(name)
            self.assertIn("partly in use", told["summary"])
            for job, kind in self.waiting_for(told).items():
                verdict = model.verdicts[job][0]
                if verdict not in ("nodes", "priority"):
                    self.assertEqual(kind, verdict, f"job {job} on {name}: {told}")
        kinds = self.waiting_for(self.node("n4"))
        self.assertEqual({name: kinds[str(self.waiting[name])] for name in ("features", "nodelist", "two")},
                         {"features": "features", "nodelist": "nodelist", "two": "busy"})

    def test_with_private_data_a_node_names_nobody_else(self) -> None:
        self.set_private("jobs")
        self.addCleanup(self.set_private, "none")
        told = self.node("n1", "lp")
        self.assertEqual([row for row in told["findings"] if row["part"] == "jobs"], [])
        self.assertIn("who holds 8 processors: jobs that are not yours to see",
                      [row["text"] for row in told["findings"] if row["part"] == "unseen"])
        self.assertEqual({row["facts"]["user"] for row in self.node("n4", "lp")["findings"] if "user" in row["facts"]}, {"lp"})

    def test_what_has_ended_or_never_was_is_said(self) -> None:
        self.assertIn("waits for nothing: it has been FAILED since", self.why([str(self.failed)])[str(self.failed)]["summary"])
        done = self.cluster.run(["maui", "why", "99999"], check=False)
        self.assertEqual((done.returncode, done.stdout), (5, ""))
        self.assertIn("ERROR:    Slurm has no job 99999", done.stderr)

    def test_with_private_data_nobody_else_is_named(self) -> None:
        """The reason is the same; what is not to be seen is said."""
        self.set_private("jobs")
        self.addCleanup(self.set_private, "none")
        model = Model(self.cluster, POLICY)
        for user, jobs in self.owners(model).items():
            others = [f'"{name}"' for name in USERS if name not in (user, "root")]
            for name, told in self.why(jobs if user != "root" else [], user).items():
                with self.subTest(job=name):
                    self.assertEqual(told["findings"][0]["kind"], model.verdicts[name][0], told)
                    people = json.dumps([row["facts"].get("jobs") for row in told["findings"]])
                    self.assertFalse([other for other in others if f'"user": {other}' in people], told)
        unseen = {
            "class limit": "1 of the 1 in use: jobs that are not yours to see",
            "array": "who holds 31 processors of the busy nodes: jobs that are not yours to see",
        }
        for name, text in unseen.items():
            job = str(self.waiting[name])
            told = self.why([job], "lp")[job]
            self.assertIn(text, [row["text"] for row in told["findings"] if row["part"] == "unseen"])
        foreign = self.cluster.run(["maui", "why", str(self.waiting["user limit"])], user="lp", check=False)
        self.assertEqual((foreign.returncode, foreign.stdout), (5, ""))

    def set_private(self, what: str) -> None:
        conf = self.cluster.dir / "etc" / "slurm.conf"
        lines = [line for line in conf.read_text(encoding="utf-8").splitlines() if not line.startswith("PrivateData=")]
        replace_file(conf, "\n".join([*lines, f"PrivateData={what}"]) + "\n")
        self.cluster.reconfigure()
        self.cluster.wait_for(lambda: self.cluster.config()["PrivateData"] == what, f"PrivateData={what}")
        self.settle()

    def test_without_the_engine_slurm_is_asked_alone(self) -> None:
        """Nobody listens there."""
        for name, kind in (("user limit", "limit"), ("cap", "fairshare-cap"), ("dependency", "dependency"),
                           ("admin hold", "system-hold"), ("license", "license")):
            job = str(self.waiting[name])
            done = self.cluster.run(["maui", "--port=1", "why", "--json", job], user="daemon")
            told = json.loads(done.stdout)
            self.assertEqual(told["findings"][0]["kind"], kind)
            self.assertFalse(told["engine"])
            self.assertIn("NOTE:     what follows is from Slurm alone", done.stderr)
            self.assertIn("unseen", {row["part"] for row in told["findings"]})
