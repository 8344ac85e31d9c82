# SPDX-License-Identifier: GPL-2.0-or-later
"""Throttling policies: real jobs of several users are held to the limits of maui.cfg, and say why."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

from harness import Cluster, ClusterTest

SLURM_CONF = """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=3,bf_min_prio_reserve=1
DebugFlags=Priority,HetJob
"""
# An event has to do: no test waits for an iteration that comes by itself.
SLOW = "RMPOLLINTERVAL 3600\n"
MARK = re.compile(r"limit of|FSTARGET cap|QLIST")


def settle(cluster: Cluster, jobs: list[int], timeout: float = 60) -> dict[int, str]:
    """Wait until each job runs or says which limit blocks it: "" or the text.

    A soft limit blocks none: a job over it waits for Slurm to have looked at all others.
    """

    def look() -> dict[int, str] | None:
        rows = {int(row["id"]): row for row in cluster.squeue() if row["id"].isdigit()}
        found = {}
        for job in jobs:
            if rows[job]["state"] == "RUNNING":
                found[job] = ""
            elif MARK.search(rows[job]["reason"]) and not rows[job]["reason"].startswith("soft "):
                found[job] = rows[job]["reason"]
        return found if len(found) == len(jobs) else None

    return cluster.wait_for(look, f"jobs {jobs} to run or to be blocked", timeout)


class LimitsTest(ClusterTest):
    def tearDown(self) -> None:
        """What is kept as jobs start and end is what a recount gives, in each iteration."""
        if hasattr(self, "cluster"):
            self.assertNotIn("error: maui: limits:", self.cluster.log_text())

    def configure(self, maui_cfg: str) -> None:
        self.cluster.cancel_all()
        self.cluster.install(SLOW + maui_cfg)

    def submit(self, count: int, *options: str, user: str = "daemon") -> list[int]:
        return [self.cluster.sbatch(*options, user=user) for _ in range(count)]

    def running(self, verdicts: dict[int, str]) -> list[int]:
        return [job for job, text in verdicts.items() if not text]


@dataclass
class Kind:
    """A metric: what of it lets one job of -n2 --mem=100 -t10 run, and not another."""

    limit: str
    text: str


KINDS = {
    "JOB": Kind("1", r"MAXJOB limit of 1 for {} \(1 in use\)"),
    "PROC": Kind("3", r"MAXPROC limit of 3 for {} \(2 in use, 2 asked for\)"),
    "NODE": Kind("1", r"MAXNODE limit of 1 for {} \(1 in use, 1 asked for\)"),
    "PS": Kind("1300", r"MAXPS limit of 1300 for {} \(1[12]\d\d in use, 1200 asked for\)"),
    "PE": Kind("3", r"MAXPE limit of 3 for {} \(2 in use, 2 asked for\)"),
    "WC": Kind("15:00", r"MAXWC limit of 900 for {} \((5\d\d|600) in use, 600 asked for\)"),
    "MEM": Kind("150", r"MAXMEM limit of 150 for {} \(100 in use, 100 asked for\)"),
}
# One of each for every kind of limit.
USERS = dict(zip(KINDS, ("daemon", "bin", "sys", "games", "man", "lp", "mail"), strict=True))
GROUPS = dict(zip(KINDS, ("news", "uucp", "proxy", "www-data", "backup", "list", "irc"), strict=True))
NOBODY = "sync"  # to whom no limit belongs; Slurm gives "nobody" no account


def lower(prefix: str) -> dict[str, str]:
    return {kind: prefix + kind.lower() for kind in KINDS}


ACCOUNTS, QOS, CLASSES = lower("a"), lower("q"), lower("c")
HOLDERS = {"user": USERS, "group": GROUPS, "account": ACCOUNTS, "qos": QOS, "class": CLASSES}


class EveryKindAndCredential(LimitsTest):
    """All at once: a pair of a kind and a credential has two jobs, of which one runs."""

    def maui_cfg(self) -> str:
        return "RMPOLLINTERVAL 3600\n" + "\n".join(
            f"{holder.upper()}CFG[{names[kind]}] MAX{kind}={what.limit}"
            for holder, names in HOLDERS.items()
            for kind, what in KINDS.items()
        )

    def slurm_conf(self) -> str:
        classes = "\n".join(f"PartitionName={name} Nodes=ALL" for name in CLASSES.values())
        return f"{SLURM_CONF}AccountingStorageEnforce=associations,qos\n{classes}\n"

    def prepare(self, cluster: Cluster) -> None:
        accounts = ",".join(["other", *ACCOUNTS.values()])
        users = ",".join([NOBODY, *USERS.values(), *GROUPS.values()])
        cluster.run(
            f"sacctmgr -i add qos {','.join(QOS.values())}\n"
            f"sacctmgr -i add account {accounts}\n"
            f"sacctmgr -i add user {users} account={accounts} "
            f"qos=normal,{','.join(QOS.values())} defaultqos=normal defaultaccount=other"
        )

    def options(self, holder: str, name: str) -> tuple[list[str], str]:
        """Of a job that has this credential, and no other limited one."""
        if holder == "user":
            return [], name
        if holder == "group":
            return [], name  # the group of the user of that name
        option = {"account": "-A", "qos": "-q", "class": "-p"}[holder]
        return [f"{option}{name}"], NOBODY

    def test_of_two_jobs_one_runs(self) -> None:
        with Cluster(
            nodes=4,
            cpus=64,
            memory=64000,
            maui_cfg=self.maui_cfg(),
            slurm_conf=self.slurm_conf(),
            slurmdbd=True,
        ) as cluster:
            keys = (key["name"] for key in cluster.maui("keys", "--json")["keys"])
            of_gres = {"GRES", "GS"}  # test_gres.py
            self.assertEqual({key[4:] for key in keys if key.startswith("MAXI")}, set(KINDS) | of_gres)
            self.prepare(cluster)
            jobs: dict[tuple[str, str], list[int]] = {}
            for holder, names in HOLDERS.items():
                for kind, name in names.items():
                    options, user = self.options(holder, name)
                    jobs[holder, kind] = [
                        cluster.sbatch("-n2", "-N1", "--mem=100", "-t10", *options, user=user)
                        for _ in range(2)
                    ]
            verdicts = settle(cluster, [job for pair in jobs.values() for job in pair])
            for (holder, kind), (first, second) in jobs.items():
                with self.subTest(holder=holder, kind=kind):
                    self.assertEqual(verdicts[first], "")
                    name = f"{holder} {HOLDERS[holder][kind]}"
                    self.assertRegex(verdicts[second], f"^{KINDS[kind].text.format(name)}$")
            # sprio shows the priorities of the blocked.
            shown = {int(row["id"]) for row in cluster.sprio()}
            self.assertEqual(shown, {second for _, second in jobs.values()})
            # The end of the one lets the other in: no iteration comes by itself in an hour.
            cluster.scancel(*(first for first, _ in jobs.values()))
            for first, second in jobs.values():
                cluster.wait_for_state(second, "RUNNING")
            self.assertNotIn("error: maui: limits:", cluster.log_text())


class Limits(LimitsTest):
    CLUSTER = dict(nodes=4, cpus=16, memory=16000, maui_cfg=SLOW, slurm_conf=SLURM_CONF)

    def test_default_limits_everybody_but_those_with_limits_of_their_own(self) -> None:
        """The manual: john may run up to 8 jobs while all other users may only run up to 4."""
        self.configure("USERCFG[DEFAULT] MAXJOB=2\nUSERCFG[bin] MAXJOB=3\nUSERCFG[sys] MAXJOB=-1\n")
        jobs = {user: self.submit(4, user=user) for user in ("daemon", "bin", "sys")}
        verdicts = settle(self.cluster, sum(jobs.values(), []))
        for user, allowed in (("daemon", 2), ("bin", 3), ("sys", 4)):
            self.assertEqual([bool(verdicts[job]) for job in jobs[user]], [False] * allowed +
                             [True] * (4 - allowed))

    def test_the_whole_system(self) -> None:
        self.configure("SYSCFG MAXPROC=5\n")
        verdicts = settle(self.cluster, self.submit(1, "-n4") + self.submit(1, "-n2", user="bin"))
        self.assertEqual(
            list(verdicts.values()),
            ["", "MAXPROC limit of 5 for the system (4 in use, 2 asked for)"],
        )

    def test_a_job_that_can_never_run_says_so_and_stays(self) -> None:
        self.configure("SYSTEMMAXPROCPERJOB 4\nSYSTEMMAXJOBWALLTIME 1:00:00\n"
                       "SYSTEMMAXPROCSECONDPERJOB 3660\nUSERCFG[bin] MAXNODEPERJOB=1\n")
        jobs = [
            *self.submit(1, "-n5"),
            *self.submit(1, "-t61"),
            *self.submit(1, "-n2", "-t31"),
            *self.submit(1, "-N2", "-t1", user="bin"),
            *self.submit(1, "-n1", "-t60"),
        ]
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(
            [verdicts[job] for job in jobs],
            [
                "SYSTEMMAXPROCPERJOB limit of 4 for the system (5 asked for)",
                "SYSTEMMAXJOBWALLTIME limit of 3600 for the system (3660 asked for)",
                "SYSTEMMAXPROCSECONDPERJOB limit of 3660 for the system (3720 asked for)",
                "MAXNODEPERJOB limit of 1 for user bin (2 asked for)",
                "",
            ],
        )

    def test_what_a_job_gets_counts_not_what_it_asks_for(self) -> None:
        """Whole nodes have 16 processors."""
        self.configure("USERCFG[daemon] MAXPROC=20\n")
        jobs = self.submit(2, "-n1", "--exclusive")
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(
            list(verdicts.values()),
            ["", "MAXPROC limit of 20 for user daemon (16 in use, 16 asked for)"],
        )
        # Also where a request alone does not tell.
        self.cluster.cancel_all()
        (job,) = self.submit(1, "-N2", "-n2", "--exclusive")
        self.assertEqual(
            settle(self.cluster, [job])[job],
            "MAXPROC limit of 20 for user daemon (0 in use, 32 asked for)",
        )

    def test_a_job_that_would_be_scattered_waits_for_better_nodes(self) -> None:
        """What it would have got on nodes in use is not what it gets on others."""
        self.configure("NODEALLOCATIONPOLICY FIRSTAVAILABLE\nUSERCFG[daemon] MAXNODE=1\n")
        full = [self.cluster.sbatch("-N1", "-n12", f"-wn{i}", user="bin") for i in range(1, 5)]
        settle(self.cluster, full)
        (job,) = self.submit(1, "-n8")
        self.assertEqual(
            settle(self.cluster, [job])[job],
            "MAXNODE limit of 1 for user daemon (0 in use, 2 asked for)",
        )
        self.cluster.scancel(full[0])
        self.cluster.wait_for_state(job, "RUNNING")

    def test_multi_dimensional(self) -> None:
        """The manual: by group in a class, by each user in a class, and by some users in it."""
        self.configure(
            "CLASSCFG[batch] MAXJOB=7 MAXPROC[USER]=8 MAXPROC[USER:bin]=3 MAXJOB[GROUP]=4\n"
            "USERCFG[DEFAULT] MAXJOB=6\n"
        )
        jobs = self.submit(3, "-n4") + self.submit(3, "-n2", user="bin")
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(
            [verdicts[job] for job in jobs],
            [
                "",
                "",
                "MAXPROC[USER] limit of 8 for user daemon in class batch (8 in use, 4 asked for)",
                "",
                "MAXPROC[USER] limit of 3 for user bin in class batch (2 in use, 2 asked for)",
                "MAXPROC[USER] limit of 3 for user bin in class batch (2 in use, 2 asked for)",
            ],
        )
        more = self.submit(5, "-n1", user="sys")
        verdicts = settle(self.cluster, more)
        self.assertEqual(len(self.running(verdicts)), 4)
        self.assertEqual(verdicts[more[4]], "MAXJOB limit of 7 for class batch (7 in use)")

    def test_old_names(self) -> None:
        """Maui 3.0."""
        self.configure("MAXJOBPERUSERPOLICY ON\nMAXJOBPERUSERCOUNT 2\n"
                       "CLASSCFG[batch] MAXPROCPERUSER=3\n")
        jobs = self.submit(3, user="bin") + self.submit(2, "-n2")
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(
            [verdicts[job] for job in jobs],
            [
                "",
                "",
                "MAXJOB limit of 2 for user bin (2 in use)",
                "",
                "MAXPROC[USER] limit of 3 for user daemon in class batch (2 in use, 2 asked for)",
            ],
        )

    def test_jobs_behind_start_in_the_same_pass(self) -> None:
        """Also in the same partition, and also those of the same array's user."""
        self.configure("USERCFG[daemon] MAXJOB=1\n")
        self.cluster.run("scontrol update PartitionName=batch State=down")
        after = self.cluster.log_position()
        jobs = [*self.submit(4), *self.submit(1, user="bin")]
        self.cluster.run("scontrol update PartitionName=batch State=up")
        self.cluster.wait_for_state(jobs[4], "RUNNING")
        # Of either scheduler, whichever comes first.
        passes = re.split("Running job scheduler|backfill: beginning", self.cluster.log_text(after))
        first, last = (rf"(Allocate|Started) JobId={job} " for job in (jobs[0], jobs[4]))
        of_first = [text for text in passes if re.search(first, text)]
        self.assertEqual(len(of_first), 1, passes)
        self.assertRegex(of_first[0], last)
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(self.running(verdicts), [jobs[0], jobs[4]])

    def test_the_real_priority_stays_visible(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=1 PRIORITY=5000\nCREDWEIGHT 1\nUSERWEIGHT 1\n")
        jobs = self.submit(3)
        settle(self.cluster, jobs)
        for row in self.cluster.squeue():
            if row["state"] == "PENDING":
                self.assertEqual(int(row["priority"]), 5000)
        self.assertEqual({row["priority"] for row in self.cluster.sprio()}, {5000})

    def test_holds_of_others_are_left_alone(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=1\n")
        jobs = self.submit(4)
        settle(self.cluster, jobs)
        self.cluster.run(f"scontrol hold {jobs[1]}", user="daemon")
        self.cluster.run(f"scontrol hold {jobs[2]}")
        self.cluster.scancel(jobs[0])
        self.cluster.wait_for_state(jobs[3], "RUNNING")
        self.assertEqual(self.cluster.job(jobs[1])["Reason"], "JobHeldUser")
        self.assertEqual(self.cluster.job(jobs[2])["Reason"], "JobHeldAdmin")
        self.cluster.run(f"scontrol release {jobs[2]}")
        self.assertIn("MAXJOB limit", settle(self.cluster, [jobs[2]])[jobs[2]])
        self.cluster.scancel(jobs[3])
        self.cluster.wait_for_state(jobs[2], "RUNNING")
        self.assertEqual(self.cluster.job(jobs[1])["Reason"], "JobHeldUser")
        self.cluster.run(f"scontrol release {jobs[1]}", user="daemon")
        self.cluster.scancel(jobs[2])
        self.cluster.wait_for_state(jobs[1], "RUNNING")

    def test_arrays(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=3\n")
        self.submit(1, "--array=1-10")

        def tasks() -> list[dict[str, str]]:
            return [row for row in self.cluster.squeue() if row["state"] == "RUNNING"]

        self.cluster.wait_for(lambda: len(tasks()) == 3, "three tasks to run")
        pending = self.cluster.wait_for(
            lambda: [row for row in self.cluster.squeue("-tPD") if MARK.search(row["reason"])],
            "the rest to be blocked",
        )
        self.assertEqual(len(pending), 7)
        self.cluster.run(f"scancel {tasks()[0]['id']}")
        self.cluster.wait_for(
            lambda: len(self.cluster.squeue("-tPD")) == 6, "another task to start"
        )
        self.assertEqual(len(tasks()), 3)

    def test_what_backfill_gives_a_job_without_a_time_limit_counts(self) -> None:
        """Not its partition's default, as from the main scheduler, but all that it allows."""
        top = self.leave_it_to_backfill("USERCFG[man] MAXWC=10:00\n")
        job, task = self.submit(1, "-H", user="man") + self.submit(1, "-H", "--array=1", user="man")
        for one in (job, task):
            self.assertEqual(self.cluster.job(one)["TimeLimit"], "UNLIMITED")
            self.cluster.change(one, "partition=other", user="man")
            self.cluster.run(f"scontrol release {one}", user="man")
        self.backfill_looks()
        self.assertEqual({row["state"] for row in self.cluster.squeue("-uman")}, {"PENDING"})
        self.cluster.scancel(top)
        for one in (job, task) if self.cluster.main_scheduler_starts_jobs() else ():
            self.cluster.wait_for_state(one, "RUNNING")
            self.assertEqual(self.cluster.job(one)["TimeLimit"], "00:01:00")

    def test_what_backfill_gives_a_job_with_nothing_but_a_least_time_counts(self) -> None:
        """--time-min without a limit of its own: from 25.05 on it has all that its partition allows."""
        top = self.leave_it_to_backfill("USERCFG[man] MAXWC=10:00\n")
        prolongs = self.cluster.backfill_prolongs()
        options = ("-H", "-n1", "--time-min=1")
        for job in self.submit(1, *options, user="man") + self.submit(1, *options, "--array=1", user="man"):
            self.cluster.change(job, "partition=other", user="man")
            self.cluster.run(f"scontrol release {job}", user="man")
        if prolongs:
            self.backfill_looks()
            self.assertEqual({row["state"] for row in self.cluster.squeue("-uman")}, {"PENDING"})
            self.cluster.scancel(top)
        if not prolongs or self.cluster.main_scheduler_starts_jobs():
            self.cluster.wait_for(lambda: len(self.cluster.squeue("-uman", "-tR")) == 2, "both to run")
            limits = self.cluster.run("squeue --noheader -uman -o %l").stdout.split()
            self.assertEqual(limits, ["1:00", "1:00"])

    def leave_it_to_backfill(self, maui_cfg: str) -> int:
        """The main scheduler comes to nobody behind this job in partition `other`."""
        self.configure(maui_cfg)
        self.cluster.run("scontrol create PartitionName=other Nodes=n[1-2] DefaultTime=1")
        self.addCleanup(self.cluster.run, "scontrol delete PartitionName=other")
        self.addCleanup(self.cluster.cancel_all)
        busy = self.cluster.sbatch("-N1", "--exclusive", "-wn1", "-tUNLIMITED")
        self.cluster.wait_for_state(busy, "RUNNING")
        return self.cluster.sbatch("-N2", "--exclusive", "-pother", "-t10", "--nice=-1000")

    def backfill_looks(self) -> None:
        after = self.cluster.log_position()
        self.cluster.wait_for(
            lambda: self.cluster.log_text(after).count("backfill: beginning") > 2,
            "backfill to have looked at them",
        )

    def test_what_backfill_gives_a_job_with_a_least_time_counts(self) -> None:
        """--time-min: from 25.05 on it has up to its limit once it runs; before, its least."""
        self.leave_it_to_backfill("USERCFG[man] MAXWC=40:00\n")
        options = ("-pother", "-n1", "-t30", "--time-min=5")
        self.submit(1, *options, user="man")
        self.submit(1, *options, "--array=1-2", user="man")
        prolongs = self.cluster.backfill_prolongs()
        for _ in range(3 if prolongs else 1):
            self.cluster.wait_for(lambda: self.cluster.squeue("-uman", "-tR"), "one of them to run")
            self.backfill_looks()
            limits = self.cluster.run("squeue --noheader -uman -tR -o %l").stdout.split()
            self.assertEqual(limits, ["30:00"] if prolongs else ["5:00"] * 3)
            self.cluster.run("scancel -uman -tRUNNING")

    def test_suspended_jobs_count(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=1\n")
        jobs = self.submit(2)
        settle(self.cluster, jobs)
        self.cluster.run(f"scontrol suspend {jobs[0]}")
        self.cluster.wait_for_state(jobs[0], "SUSPENDED")
        self.assertEqual(
            settle(self.cluster, jobs[1:])[jobs[1]], "MAXJOB limit of 1 for user daemon (1 in use)"
        )
        self.cluster.run(f"scontrol resume {jobs[0]}")
        self.cluster.scancel(jobs[0])
        self.cluster.wait_for_state(jobs[1], "RUNNING")

    def test_a_limit_that_is_lowered_stops_nobody_who_runs(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=3\n")
        jobs = self.submit(4)
        settle(self.cluster, jobs)
        self.cluster.write_maui_cfg(SLOW + "USERCFG[daemon] MAXJOB=1\n")
        self.cluster.reconfigure()
        self.cluster.wait_for(
            lambda: "MAXJOB limit of 1 for user daemon (3 in use)"
            == settle(self.cluster, jobs)[jobs[3]],
            "the lower limit",
        )
        self.assertEqual(self.running(settle(self.cluster, jobs)), jobs[:3])
        # And one that is raised lets jobs in.
        self.cluster.write_maui_cfg(SLOW + "USERCFG[daemon] MAXJOB=9\n")
        self.cluster.reconfigure()
        self.cluster.wait_for_state(jobs[3], "RUNNING")

    def test_restart_and_kill_keep_what_is_counted(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=2\nGROUPCFG[bin] MAXPROC=4\n")
        jobs = self.submit(4) + self.submit(2, "-n3", user="bin")
        before = settle(self.cluster, jobs)
        for kill in (False, True):
            self.cluster.wait_until_saved(jobs[0])
            self.cluster.restart(kill=kill)
            self.assertEqual(settle(self.cluster, jobs), before)
            self.cluster.maui("status", "--json")
            self.assertEqual(settle(self.cluster, jobs), before)
        self.cluster.scancel(jobs[0])
        self.cluster.wait_for_state(jobs[2], "RUNNING")
        self.assertEqual(len(self.running(settle(self.cluster, jobs[1:]))), 3)

    def test_a_requeued_job_gives_back_what_it_held(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=1\n")
        jobs = self.submit(2)
        settle(self.cluster, jobs)
        self.cluster.run(f"scontrol requeuehold {jobs[0]}")
        self.cluster.wait_for_state(jobs[1], "RUNNING")

    def test_heterogeneous_jobs_start_as_a_whole(self) -> None:
        self.configure("USERCFG[daemon] MAXPROC=5\n")
        wait = self.cluster.run(
            "sbatch --parsable -n3 : -n3 --wrap='sleep 1000'", user="daemon"
        ).stdout
        fits = self.cluster.run(
            "sbatch --parsable -n2 : -n3 --wrap='sleep 1000'", user="daemon"
        ).stdout
        self.cluster.wait_for_state(int(fits), "RUNNING")
        self.assertEqual(self.cluster.job(int(wait))["JobState"], "PENDING")
        self.cluster.scancel(int(fits))
        (job,) = self.submit(1, "-n5")
        self.cluster.wait_for_state(job, "RUNNING")
        self.assertEqual(self.cluster.job(int(wait))["JobState"], "PENDING")

    def test_a_heterogeneous_job_is_one_job(self) -> None:
        """Also for limits that leave room for one: no part of it is in the way of the others."""
        for limit in ("MAXJOB=1", "MAXJOB=1 MAXIJOB=1", "MAXIPROC=7"):
            self.configure(f"USERCFG[daemon] {limit}\n")
            submitted = self.cluster.run(
                "sbatch --parsable -n2 : -n3 : -n2 --wrap='sleep 1000'", user="daemon"
            ).stdout
            self.cluster.wait_for_state(int(submitted), "RUNNING")
            parts = self.cluster.squeue()
            self.assertEqual([row["state"] for row in parts], ["RUNNING"] * 3, parts)
        self.configure("USERCFG[daemon] MAXJOB=1\n")
        (job,) = self.submit(1)
        settle(self.cluster, [job])
        self.cluster.run("sbatch -n2 : -n3 --wrap='sleep 1000'", user="daemon")
        text = "MAXJOB limit of 1 for user daemon (1 in use)"
        self.cluster.wait_for(
            lambda: [row["reason"] for row in self.cluster.squeue("-tPD")] == [text] * 2,
            "both parts to say why they wait",
        )

    def test_tasks_in_several_partitions_are_not_held(self) -> None:
        """Slurm's main scheduler starts a task, and then looks at the rest in each partition."""
        self.configure("USERCFG[daemon] MAXJOB=2\n")
        for name in ("second", "third"):
            self.cluster.run(f"scontrol create PartitionName={name} Nodes=ALL")
        self.cluster.run("scontrol update PartitionName=batch State=down")
        self.cluster.run("scontrol update PartitionName=second State=down")
        self.cluster.run("scontrol update PartitionName=third State=down")
        self.cluster.run(
            "sbatch --array=1-9 -pbatch,second,third --wrap='sleep 1'", user="daemon"
        )
        for name in ("batch", "second", "third"):
            self.cluster.run(f"scontrol update PartitionName={name} State=up")
        self.cluster.wait_for(lambda: not self.cluster.squeue(), "all tasks to end", timeout=120)

    def test_soft_limits_where_nobody_else_waits(self) -> None:
        """An empty machine: jobs over the soft limit start with what is left."""
        self.configure("USERCFG[DEFAULT] MAXJOB=2,4\n")
        jobs = self.submit(6)
        self.cluster.wait_for_state(jobs[3], "RUNNING")
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(self.running(verdicts), jobs[:4])
        self.assertEqual(verdicts[jobs[4]], "MAXJOB limit of 4 for user daemon (4 in use)")

    def test_soft_limits_where_others_wait(self) -> None:
        """A full machine: whoever is within his soft limit goes first, whatever his priority."""
        self.configure(
            "USERCFG[DEFAULT] MAXJOB=2,4\nUSERCFG[daemon] PRIORITY=9000\nUSERCFG[bin] PRIORITY=100\n"
            "CREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[sys] MAXJOB=4\n"
        )
        full = [self.cluster.sbatch("-N1", "--exclusive", user="sys") for _ in range(4)]
        for job in full:
            self.cluster.wait_for_state(job, "RUNNING")
        mine = [self.cluster.sbatch("-N1", "--exclusive", user="daemon") for _ in range(3)]
        theirs = [self.cluster.sbatch("-N1", "--exclusive", user="bin") for _ in range(2)]
        for done, job in zip(full[:2], mine[:2], strict=True):
            self.cluster.scancel(done)
            self.cluster.wait_for_state(job, "RUNNING")
        # The third is over the soft limit: bin's jobs come first, though their priority is lower.
        self.cluster.wait_for(
            lambda: int(self.cluster.job(mine[2])["Priority"]) < 100, "it to go behind the others"
        )
        shown = {int(row["id"]): row["priority"] for row in self.cluster.sprio()}
        self.assertEqual(shown[mine[2]], 9000)
        for done, job in zip(full[2:], theirs, strict=True):
            self.cluster.scancel(done)
            self.cluster.wait_for_state(job, "RUNNING")
        self.assertEqual(self.cluster.job(mine[2])["JobState"], "PENDING")
        self.cluster.scancel(theirs[0])
        self.cluster.wait_for_state(mine[2], "RUNNING")

    def test_idle_limits_make_room_for_others(self) -> None:
        """500 queued jobs of one user do not delay another's, and do not accrue."""
        self.configure(
            "RMPOLLINTERVAL 1\nUSERCFG[DEFAULT] MAXIJOB=4\nQUEUETIMEWEIGHT 60000\nJOBPRIOACCRUALPOLICY QUEUEPOLICY\n"
        )
        full = [self.cluster.sbatch("-N1", "--exclusive", user="sys") for _ in range(4)]
        for job in full:
            self.cluster.wait_for_state(job, "RUNNING")
        self.cluster.run(
            "for i in $(seq 500); do sbatch -Q -N1 --exclusive --wrap 'sleep 1000'; done",
            user="daemon",
        )
        eligible = self.cluster.wait_for(
            lambda: [row for row in self.cluster.squeue("-udaemon") if not MARK.search(row["reason"])],
            "jobs to be eligible",
        )
        self.cluster.wait_for(
            lambda: len(
                [
                    row
                    for row in self.cluster.squeue("-udaemon")
                    if row["reason"] == "MAXIJOB limit of 4 for user daemon (4 eligible)"
                ]
            )
            == 496,
            "all but four to be not eligible",
        )
        self.assertTrue(eligible)
        other = self.cluster.sbatch("-N1", "--exclusive", user="bin")
        self.cluster.wait_for(
            lambda: int(self.cluster.job(other)["Priority"]) > 4000, "it to have waited for seconds"
        )
        # Four are before it, and behind it all whose waiting begins when they become eligible.
        self.cluster.scancel(*full)
        self.cluster.wait_for(
            lambda: len(self.cluster.squeue("-tR")) == 4, "four of them to run"
        )
        for row in self.cluster.squeue("-tR"):
            self.assertEqual(row["user"], "daemon")
        self.cluster.run(f"scancel {self.cluster.squeue('-tR')[0]['id']}")
        self.cluster.wait_for_state(other, "RUNNING")

    def test_a_qos_for_those_without(self) -> None:
        """Without slurmdbd no job has a QOS in Slurm: QDEF gives it one for limits."""
        self.configure("USERCFG[daemon] QDEF=small\nQOSCFG[small] MAXJOB=1\n")
        jobs = [*self.submit(2), *self.submit(2, user="bin")]
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(
            [verdicts[job] for job in jobs],
            ["", "MAXJOB limit of 1 for qos small (1 in use)", "", ""],
        )

    def test_a_user_over_a_fairshare_cap_waits_until_it_decays(self) -> None:
        self.configure(
            "FSPOLICY DEDICATEDPS\nFSINTERVAL 30\nFSDEPTH 3\nFSDECAY 1\nRMPOLLINTERVAL 1\n"
            "USERCFG[games] FSTARGET=80^\n"
        )
        # By itself more than the cap: for ever. Nobody else's test uses this user.
        (big,) = self.submit(1, "-n2", "-t1", user="games")
        self.assertRegex(
            settle(self.cluster, [big])[big],
            r"^FSTARGET cap of 80 processor-seconds for user games "
            r"\(0 used, 120 asked for, below: never\)$",
        )
        # The three windows reach back by at least 60 seconds: if the next job is judged within 39, more
        # than 20 of these 45 are in them, and less than 60 are left for it.
        user = self.cluster.sbatch("-n1", "-t1", wrap="sleep 45", user="games")
        self.cluster.wait_for_state(user, "COMPLETED", timeout=90)
        (job,) = self.submit(1, "-n1", "-t1", user="games")
        text = settle(self.cluster, [job])[job]
        self.assertRegex(
            text,
            r"^FSTARGET cap of 80 processor-seconds for user games "
            r"\((2[1-9]|[34]\d) used, 60 asked for, below: \d{4}-\d\d-\d\dT[\d:]+\)$",
        )
        self.assertEqual(
            self.cluster.job(job)["Priority"],
            str(int(next(r["priority"] for r in self.cluster.sprio() if int(r["id"]) == job))),
        )
        self.cluster.wait_for_state(job, "RUNNING", timeout=90)

    def test_dependencies_of_blocked_jobs_are_looked_after(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=1\n")
        jobs = self.submit(1, "-n1")
        jobs += self.submit(1, f"--dependency=afternotok:{jobs[0]}")
        jobs += self.submit(1, f"--dependency=afterany:{jobs[0]}")
        self.cluster.wait_for_state(jobs[0], "RUNNING")
        self.assertEqual(self.cluster.job(jobs[2])["Reason"], "Dependency")
        self.cluster.scancel(jobs[0])
        self.cluster.wait_for(
            lambda: len(self.running(settle(self.cluster, jobs[1:]))) == 1, "one to run"
        )

    def test_without_limits_nothing_is_left_marked(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=1\n")
        jobs = self.submit(3)
        settle(self.cluster, jobs)
        self.cluster.write_maui_cfg(SLOW)
        self.cluster.reconfigure()
        for job in jobs:
            self.cluster.wait_for_state(job, "RUNNING")


ACCOUNTING = """\
sacctmgr -i add qos hiprio,lowprio
sacctmgr -i add account physics,chemistry
sacctmgr -i add user daemon,bin,sys,games,man account=physics,chemistry \
    qos=normal,hiprio,lowprio defaultqos=normal defaultaccount=physics
"""
PARTITIONS = "PartitionName=interactive Nodes=ALL\n"


class WithAccounting(LimitsTest):
    """The manual's examples, with steve = daemon, staff = daemon's group, and QOS of Slurm's own."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(
                nodes=8,
                cpus=4,
                maui_cfg=SLOW,
                slurm_conf=f"{SLURM_CONF}AccountingStorageEnforce=associations,qos\n{PARTITIONS}",
                slurmdbd=True,
            )
        )
        cls.cluster.run(ACCOUNTING)

    def test_steve_and_the_classes(self) -> None:
        """6.2.1, with an eighth of the nodes: 2 jobs of steve's on 4 nodes, 2 of a class but batch's."""
        self.configure(
            "USERCFG[daemon] MAXJOB=2 MAXNODE=4\nCLASSCFG[DEFAULT] MAXNODE=2\n"
            "CLASSCFG[batch] MAXNODE=-1\n"
        )
        other = self.submit(1, "-N1", "-pinteractive", user="bin")
        settle(self.cluster, other)
        for options, text in (
            (("-N2", "-pinteractive"), "MAXNODE limit of 2 for class interactive (1 in use, 2 asked for)"),
            (("-N3",), ""),
            (("-N2",), "MAXNODE limit of 4 for user daemon (3 in use, 2 asked for)"),
        ):
            (job,) = self.submit(1, *options)
            self.assertEqual(settle(self.cluster, [job])[job], text)
        (one,) = self.submit(1, "-N1", "-pinteractive")
        self.assertEqual(settle(self.cluster, [one])[one], "")
        (third,) = self.submit(1, "-N1")
        self.assertEqual(
            settle(self.cluster, [third])[third], "MAXJOB limit of 2 for user daemon (2 in use)"
        )

    HIPRIO = (
        "USERCFG[daemon] MAXJOB=2 MAXNODE=2\nGROUPCFG[daemon] MAXJOB=5\n"
        "CLASSCFG[DEFAULT] MAXNODE=2\nCLASSCFG[batch] MAXNODE=3\n"
        "QOSCFG[hiprio] MAXJOB=3 OMAXNODE=6\n"
    )

    def test_override(self) -> None:
        """6.2.2, D-LIM-8: what of steve's job with QOS hiprio the five bullets say."""
        self.configure(self.HIPRIO)
        (first,) = self.submit(1, "-N4", "-qhiprio")
        self.assertEqual(settle(self.cluster, [first])[first], "")
        wider = self.submit(1, "-N3", "-qhiprio")
        self.assertEqual(
            settle(self.cluster, wider)[wider[0]],
            "OMAXNODE limit of 6 for user daemon (4 in use, 3 asked for)",
        )
        (second,) = self.submit(1, "-N1", "-qhiprio")
        self.assertEqual(settle(self.cluster, [second])[second], "")
        (third,) = self.submit(1, "-N1", "-qhiprio")
        self.assertEqual(
            settle(self.cluster, [third])[third], "MAXJOB limit of 2 for user daemon (2 in use)"
        )
        # The class batch has 5 nodes in use, more than its own limit of 3: others are held to that.
        (other,) = self.submit(1, "-N1", user="bin")
        self.assertEqual(
            settle(self.cluster, [other])[other],
            "MAXNODE limit of 3 for class batch (5 in use, 1 asked for)",
        )
        (high,) = self.submit(1, "-N1", "-qhiprio", user="bin")
        self.assertEqual(settle(self.cluster, [high])[high], "")
        (fourth,) = self.submit(1, "-n1", "-qhiprio", "-pinteractive", "-Achemistry", user="sys")
        self.assertEqual(
            settle(self.cluster, [fourth])[fourth], "MAXJOB limit of 3 for qos hiprio (3 in use)"
        )

    def test_the_group_of_the_example(self) -> None:
        """No more than 5 active jobs of group staff, whoever's they are."""
        self.configure("GROUPCFG[daemon] MAXJOB=3\nUSERCFG[DEFAULT] MAXJOB=2\n")
        jobs = self.submit(3)
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(verdicts[jobs[2]], "MAXJOB limit of 2 for user daemon (2 in use)")
        roots = [self.cluster.sbatch("--uid=bin", "--gid=daemon") for _ in range(2)]
        verdicts = settle(self.cluster, roots)
        self.assertEqual(
            list(verdicts.values()), ["", "MAXJOB limit of 3 for group daemon (3 in use)"]
        )

    def test_accounts_and_system_override(self) -> None:
        self.configure(
            "ACCOUNTCFG[physics] MAXPROC=6\nSYSTEMMAXPROCPERJOB 4\nQOSCFG[hiprio] OMAXJPROC=8\n"
            "QOSCFG[lowprio] MAXIJOB=1\n"
        )
        jobs = [
            *self.submit(1, "-n4"),
            *self.submit(1, "-n4", user="bin"),
            *self.submit(1, "-n4", "-Achemistry"),
            *self.submit(1, "-n6", "-Achemistry"),
            *self.submit(1, "-n6", "-Achemistry", "-qhiprio"),
        ]
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(
            [verdicts[job] for job in jobs],
            [
                "",
                "MAXPROC limit of 6 for account physics (4 in use, 4 asked for)",
                "",
                "SYSTEMMAXPROCPERJOB limit of 4 for the system (6 asked for)",
                "",
            ],
        )

    def test_lists_of_qos(self) -> None:
        """Slurm has let them in; QLIST narrows that."""
        self.configure("USERCFG[daemon] QLIST=normal,lowprio\nQOSCFG[lowprio] MAXJOB=1\n")
        jobs = [
            *self.submit(1, "-qhiprio"),
            *self.submit(2, "-qlowprio"),
            *self.submit(1),
            *self.submit(1, "-qhiprio", user="bin"),
        ]
        verdicts = settle(self.cluster, jobs)
        self.assertEqual(
            [verdicts[job] for job in jobs],
            [
                "QOS hiprio is not in QLIST of user daemon",
                "",
                "MAXJOB limit of 1 for qos lowprio (1 in use)",
                "",
                "",
            ],
        )
        self.cluster.run(f"scontrol update job={jobs[0]} qos=normal")
        self.cluster.wait_for_state(jobs[0], "RUNNING")

    def need_several_qos(self) -> None:
        version = self.cluster.config()["SLURM_VERSION"]
        if [int(number) for number in version.split(".")[:2]] < [24, 11]:
            self.skipTest(f"in Slurm {version} a job names one QOS")

    def test_a_job_that_names_several_qos(self) -> None:
        """D-PRI-19: it is blocked when all of them are full."""
        self.need_several_qos()
        self.configure("QOSCFG[hiprio] MAXJOB=1\nQOSCFG[lowprio] MAXJOB=1\n")
        (first,) = self.submit(1, "-qhiprio")
        settle(self.cluster, [first])
        (second,) = self.submit(1, "-qhiprio,lowprio", user="bin")
        settle(self.cluster, [second])
        (third,) = self.submit(1, "-qhiprio,lowprio", user="bin")
        verdicts = settle(self.cluster, [first, second, third])
        self.assertEqual([verdicts[first], verdicts[second]], ["", ""])
        self.assertRegex(verdicts[third], r"^MAXJOB limit of 1 for qos (hi|low)prio \(1 in use\)$")
        self.assertEqual(self.cluster.job(second)["QOS"], "lowprio")
        self.cluster.scancel(first)
        self.cluster.wait_for_state(third, "RUNNING")
        self.assertEqual(self.cluster.job(third)["QOS"], "hiprio")

    def test_the_qos_of_a_running_job_outlives_slurmctld(self) -> None:
        """D-PRI-20: Slurm gives it the first QOS of its list when slurmctld starts (S-PRI-8)."""
        self.need_several_qos()
        self.configure("QOSCFG[hiprio] MAXJOB=1\nQOSCFG[lowprio] MAXJOB=2\n")
        first = self.submit(1, "-qhiprio")
        several = self.submit(2, "-qhiprio,lowprio", user="bin")
        self.assertEqual(set(settle(self.cluster, first + several).values()), {""})
        file = self.cluster.dir / "state" / "maui" / "jobs"
        for start in ("after a kill", "after another kill", "after an orderly end"):
            with self.subTest(start):
                self.cluster.wait_for(
                    lambda: all(f"qos {job} " in file.read_text(encoding="ascii") for job in several),
                    "the state file to name both",
                )
                for job in first + several:
                    self.cluster.wait_until_saved(job)
                self.cluster.restart(kill="kill" in start)
                more = [*self.submit(1, "-qhiprio", user="sys"), *self.submit(2, "-qlowprio", user="man")]
                verdicts = settle(self.cluster, more)
                self.assertEqual(
                    [verdicts[job] for job in more],
                    [
                        "MAXJOB limit of 1 for qos hiprio (1 in use)",
                        "MAXJOB limit of 2 for qos lowprio (2 in use)",
                        "MAXJOB limit of 2 for qos lowprio (2 in use)",
                    ],
                )
                self.cluster.scancel(*more)

    def test_a_full_qos_lifts_nobody_in_another(self) -> None:
        """D-PRI-19: in several partitions each of its QOS has its own priority, unless one was set by hand."""
        self.need_several_qos()
        self.configure(
            "CREDWEIGHT 1\nQOSWEIGHT 1\nQOSCFG[hiprio] PRIORITY=2000 MAXJOB=1\n"
            "QOSCFG[normal] PRIORITY=200\nQOSCFG[lowprio] PRIORITY=20\n"
        )
        keeps = self.submit(1, "-N1", "--exclusive", "-qhiprio", user="man")
        for by_hand in (False, True):
            full = self.submit(1, "-N7", "--exclusive")
            self.assertEqual(set(settle(self.cluster, keeps + full).values()), {""})
            options = ("-N7", "--exclusive")
            (several,) = self.submit(1, *options, "-qhiprio,lowprio", "-pbatch,interactive", user="sys")
            (normal,) = self.submit(1, *options, user="games")
            if by_hand:
                self.cluster.run(f"scontrol update job={several} priority=300")
            self.cluster.run(f"scontrol update job={several} qos=hiprio,lowprio,normal")
            self.cluster.run(f"scontrol update job={several} qos=hiprio,lowprio")
            self.cluster.scancel(*full)
            order = (several, normal) if by_hand else (normal, several)
            self.cluster.wait_for_state(order[0], "RUNNING")
            self.assertEqual(self.cluster.job(order[1])["JobState"], "PENDING")
            self.cluster.scancel(order[0])
            self.cluster.wait_for_state(order[1], "RUNNING")
            self.cluster.scancel(order[1])


class Completing(LimitsTest):
    """A job whose Epilog runs keeps its nodes, and counts for no limit: as for Slurm's own."""

    def setUp(self) -> None:
        # slurmd runs the Epilog as root, and other users' jobs have nothing to do with it.
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.epilog_waits = self.directory / "wait"
        epilog = self.directory / "epilog"
        epilog.write_text(
            f"#!/bin/sh\nwhile [ -e {self.epilog_waits} ]; do sleep 0.1; done\n", encoding="utf-8"
        )
        epilog.chmod(0o755)
        self.cluster = self.enterContext(
            Cluster(nodes=2, cpus=2, maui_cfg=SLOW, slurm_conf=f"{SLURM_CONF}Epilog={epilog}\n")
        )
        self.addCleanup(self.epilog_waits.unlink, missing_ok=True)

    def test_it_keeps_its_nodes_and_counts_for_no_limit(self) -> None:
        self.cluster.install(SLOW + "USERCFG[DEFAULT] MAXJOB=1\n")
        [first] = self.submit(1, "-wn1", "-n2", "-t10")
        self.cluster.wait_for_state(first, "RUNNING")
        [second] = self.submit(1, "-wn2", "-n2", "-t10")
        self.assertIn("(1 in use)", settle(self.cluster, [first, second])[second])
        self.epilog_waits.touch()
        self.cluster.scancel(first)
        self.cluster.wait_for(lambda: self.in_squeue(first) == "COMPLETING", "the Epilog")
        # Nothing of the first is in use but its node.
        self.cluster.wait_for_state(second, "RUNNING")
        [third] = self.submit(1, "-wn1", "-n2", "-t10", user="bin")
        [fourth] = self.submit(1, "-n2", "-t10")
        self.assertIn("(1 in use)", settle(self.cluster, [second, fourth])[fourth])
        self.assertEqual(self.in_squeue(first), "COMPLETING")
        self.assertEqual(self.in_squeue(third), "PENDING")
        shown = self.cluster.maui("showq", "--json")
        states = {job["job"]: job["state"] for job in shown["jobs"] if job["section"] == "active"}
        self.assertEqual(states, {first: "Completing", second: "Running"})
        self.assertEqual(shown["procs"], {"active": 2, "up": 4})
        why = self.cluster.maui("why", str(fourth), "--json")
        self.assertNotIn(f'"{first}"', json.dumps(why))
        self.epilog_waits.unlink()
        self.cluster.wait_for_state(third, "RUNNING")

    def in_squeue(self, job: int) -> str:
        return {row["id"]: row["state"] for row in self.cluster.squeue()}.get(str(job), "")


class NobodyHeld(LimitsTest):
    """A job that is refused is never shown with the priority of one that is held, however often the
    main scheduler lets it pass; and slurmctld's death at any time leaves none so.
    """

    LOOKS = 150

    @classmethod
    def setUpClass(cls) -> None:
        conf = SLURM_CONF.replace("bf_min_prio_reserve=1", "bf_min_prio_reserve=2")
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=1, cpus=16, maui_cfg=SLOW, slurm_conf=conf, main_scheduler=True)
        )

    def look(self) -> list[list[str]]:
        """What squeue shows of all jobs while the schedulers are at work: id, state, priority, reason."""
        done = self.cluster.run(
            f"for i in $(seq {self.LOOKS}); do\n"
            "scontrol update PartitionName=batch State=up\n"
            "squeue --noheader --format='%i %T %Q %r'\n"
            "done"
        )
        return [line.split(maxsplit=3) for line in done.stdout.splitlines()]

    def check(self) -> list[list[str]]:
        seen = self.look()
        self.assertEqual([row for row in seen if row[2] == "0"], [])
        return seen

    def test_while_schedulers_look_and_after_kills(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=1\n")
        # With a deadline they are never parked: each pass refuses them anew.
        jobs = self.submit(3, "--deadline=now+1day", "-t10")
        jobs += self.submit(2, "--deadline=now+1day", "-t10", "--array=1-20")
        jobs += self.submit(1, "--deadline=now+1day", "-t10", user="bin")
        self.cluster.wait_for_state(jobs[-1], "RUNNING")
        settle(self.cluster, jobs[:3])
        # From 23.11 on Slurm writes over the reason each time, and it is put back (S-LIM-1).
        alone = [str(job) for job in jobs[:3]]
        reasons = [row[3] for row in self.check() if row[0] in alone and row[1] == "PENDING"]
        told = reasons.count("MAXJOB limit of 1 for user daemon (1 in use)")
        self.assertGreater(told, 0.9 * len(reasons))
        for _ in range(2):
            self.cluster.wait_until_saved(jobs[-1])
            self.cluster.restart(kill=True)
            self.check()


class NobodyStaysHeld(LimitsTest):
    """With bf_min_prio_reserve=1 a refused job has the priority 0 for a moment, and no longer, whatever
    Slurm writes over its reason meanwhile.
    """

    CLUSTER = dict(nodes=3, cpus=4, maui_cfg=SLOW, slurm_conf=SLURM_CONF)

    def setUp(self) -> None:
        self.configure("USERCFG[daemon] MAXJOB=1\n")
        (self.first,) = self.submit(1, "-n1", "-t5")
        self.cluster.wait_for_state(self.first, "RUNNING")

    def passes(self) -> None:
        """The main scheduler looks at the queue some times."""
        for _ in range(5):
            after = self.cluster.log_position()
            self.cluster.run("scontrol update PartitionName=batch State=up")
            self.cluster.wait_for(
                lambda: self.cluster.log_contains("sched: Running job scheduler", after), "a pass"
            )

    def test_an_interactive_job_starts_when_it_may(self) -> None:
        self.cluster.run("salloc -n1 -t5 true >/dev/null 2>&1 &", user="daemon")
        self.cluster.wait_for(lambda: len(self.cluster.squeue()) == 2, "salloc's job to be there")
        self.passes()
        self.cluster.scancel(self.first)
        self.cluster.wait_for(lambda: not self.cluster.squeue(), "salloc's job to run and end")

    def test_a_job_for_which_nodes_are_down_starts_when_it_may(self) -> None:
        self.cluster.run("scontrol update nodename=n1 state=down reason=test")
        (large,) = self.submit(1, "-n9", "-t5")
        self.passes()
        self.cluster.scancel(self.first)
        self.passes()
        self.cluster.run("scontrol update nodename=n1 state=resume")
        self.cluster.wait_for_state(large, "RUNNING")


class AfterTheEnd(unittest.TestCase):
    def test_no_job_is_left_marked(self) -> None:
        """Whoever takes the plugins away finds no job that nobody would ever start."""
        maui_cfg = SLOW + "USERCFG[daemon] MAXJOB=1\n"
        with Cluster(maui_cfg=maui_cfg, slurm_conf=SLURM_CONF) as cluster:
            jobs = [cluster.sbatch(user="daemon") for _ in range(3)]
            before = settle(cluster, jobs)
            cluster.wait_until_saved(jobs[2])
            self.assertIn(b"MAXJOB limit", cluster.saved("job_state"))
            cluster.stop()
            self.assertNotIn(b"MAXJOB limit", cluster.saved("job_state"))
            cluster.start()
            self.assertEqual(settle(cluster, jobs), before)
