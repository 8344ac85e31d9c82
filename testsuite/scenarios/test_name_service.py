# SPDX-License-Identifier: GPL-2.0-or-later
"""Each way in which maui.cfg names somebody, under each answer of a name service: no limit is
exceeded, nobody is let in who must not be, and nobody who was known is shut out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Thread

from names_case import AGAIN, HANGS, NOT_SAID, UNAVAILABLE, NamesCase
from storm_usage import records

ACCOUNTING = """\
sacctmgr -i add qos hiprio
sacctmgr -i add account physics
sacctmgr -i add user daemon,bin,sys,games,man,lp,mail,news,uucp,backup account=physics qos=normal,hiprio \
    defaultqos=normal defaultaccount=physics
"""
SLURM_CONF = """\
AccountingStorageEnforce=associations,qos
PartitionName=other Nodes=ALL
PreemptType=preempt/maui
PreemptMode=REQUEUE
"""
# n1 is not reserved.
MAUI_CFG = """\
NODEALLOCATIONPOLICY FIRSTAVAILABLE
ADMIN1 root mail
USERCFG[daemon] MAXJOB=1
GROUPCFG[sys] MAXPROC=2
USERCFG[news] QLIST=normal
USERCFG[no_such_user] MAXJOB=1
CLASSCFG[batch] MAXJOB[USER:uucp]=1
SRCFG[users] HOSTLIST=n2 PERIOD=INFINITY USERLIST=games,!bin CLASSLIST=other
SRCFG[groups] HOSTLIST=n3 PERIOD=INFINITY GROUPLIST=games,!bin CLASSLIST=other
SRCFG[owned] HOSTLIST=n4 PERIOD=INFINITY USERLIST=man,lp OWNER=USER:lp FLAGS=OWNERPREEMPT
"""
NAMED = 11  # users and groups in it
WHOLE = ("-N1", "--exclusive")
HUNG = 4  # seconds, of a lookup
FAIRSHARE = """\
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSDEPTH 2
RMPOLLINTERVAL 1
"""


class NameServiceTest(NamesCase):
    def setUp(self) -> None:
        super().setUp()
        self.start(MAUI_CFG, SLURM_CONF, nodes=4, cpus=8, slurmdbd=True)
        self.cluster.run(ACCOUNTING)

    def lands(self, user: str, node: str, *options: str) -> int:
        (job,) = self.submit(user, 1, "-w", node, *options)
        self.cluster.wait_for_state(job, "RUNNING")
        return job

    def waits(self, *jobs: int) -> None:
        """The schedulers have looked at them: a later job of lower priority has started."""
        (probe,) = self.submit("games", 1, "-w", "n1", "--nice=1000")
        self.cluster.wait_for_state(probe, "RUNNING")
        for job in jobs:
            self.cluster.wait_for(
                lambda job=job: self.cluster.job(job)["Reason"] not in ("None", ""),
                f"job {job} to say why it waits",
            )
            self.assertEqual(self.cluster.job(job)["JobState"], "PENDING")

    def cancel_all_but(self, unknown: Sequence[int]) -> None:
        running = {int(row["id"]) for row in self.cluster.squeue()} - set(unknown)
        self.cluster.scancel(*running)
        self.cluster.wait_for(
            lambda: {int(row["id"]) for row in self.cluster.squeue()} == set(unknown), "jobs to be gone"
        )

    def may_look(self, user: str) -> bool:
        return not self.cluster.run(["maui", "showconfig"], user=user, check=False).returncode

    def make_known(self) -> None:
        """Those whom maui.cfg does not name are known by their jobs."""
        jobs = [job for user in ("bin", "man", "sys") for job in self.submit(user, 1, "-w", "n1")]
        self.settle_as(jobs, len(jobs), "")
        self.cluster.cancel_all()

    def check_limits(self) -> None:
        self.settle_as(self.submit("daemon", 3, "-w", "n1"), 1, "MAXJOB limit of 1 for user daemon")
        self.settle_as(self.submit("sys", 3, "-w", "n1"), 2, "MAXPROC limit of 2 for group sys")
        self.settle_as(self.submit("uucp", 2, "-w", "n1"), 1, "MAXJOB[USER] limit of 1 for user uucp in class batch")
        self.settle_as(self.submit("news", 1, "-w", "n1", "-qhiprio"), 0, "QOS hiprio is not in QLIST of user news")
        self.settle_as(self.submit("news", 1, "-w", "n1"), 1, "")

    def check_lists(self) -> None:
        shut_out = [
            *self.submit("bin", 1, "-w", "n2", "-pother"),
            *self.submit("bin", 1, "-w", "n3", "-pother"),
            *self.submit("games", 1, "-w", "n4"),
        ]
        self.waits(*shut_out)
        for node in ("n2", "n3"):
            self.lands("games", node)
            self.lands("man", node, "-pother")
        victim = self.lands("man", "n4", *WHOLE)
        self.lands("lp", "n4", *WHOLE)
        self.assertEqual(self.cluster.job(victim)["Restarts"], "1")
        self.waits(*shut_out)

    def check_all(self, unknown: Sequence[int] = ()) -> None:
        """unknown: jobs that wait for the name service, and stay."""
        self.check_limits()
        self.check_lists()
        self.assertEqual([self.may_look(user) for user in ("mail", "games")], [True, False])
        if unknown:
            self.settle_as(list(unknown), 0, NOT_SAID)
        self.cancel_all_but(unknown)

    def ask_again(self) -> None:
        """The same maui.cfg: the engine asks for all names."""
        self.cluster.install()

    def test_answers(self) -> None:
        self.make_known()
        # One of each: engine_name_service has every error. Who is gone keeps his number.
        for says, unanswered in ((AGAIN, NAMED), ("notfound\n", 0)):
            with self.subTest(says=says):
                self.say(says)
                self.ask_again()
                self.cluster.wait_for(lambda: self.unanswered() == unanswered, "the answers", 60)  # noqa: B023
                self.check_all()
        self.say(UNAVAILABLE)
        self.cluster.restart()
        self.cluster.wait_for(lambda: self.unanswered() == NAMED, "the outage to be noticed", 60)
        self.check_all()
        self.say("")
        self.cluster.wait_for(lambda: self.unanswered() == 0, "the outage to be over", 120)
        self.check_all()

    def test_jobs_start_while_it_hangs(self) -> None:
        self.make_known()
        self.say(HANGS)
        unknown = self.submit("backup", 1, "-w", "n1")
        self.wait_until_it_hangs()
        self.check_all(unknown)
        self.assertTrue(self.hangs(), "it has been checked too late")
        self.say("")
        self.cluster.wait_for(lambda: not self.hangs(), "the lookup to end")
        self.settle_as(unknown, 1, "")
        self.check_all()

    def test_no_seconds_are_lost_while_slurmctld_hangs(self) -> None:
        """An iteration that waits for a lock has begun seconds ago: the wall clock was not set."""
        self.cluster.install(FAIRSHARE)
        (job,) = self.submit("sys")
        self.cluster.wait_for_state(job, "RUNNING")
        self.say_to_all(HANGS)
        update = Thread(target=self.cluster.run, args=("scontrol update partition=other AllowGroups=lp",))
        update.start()
        self.cluster.wait_for(lambda: list(self.names.glob("hanging.*")), "a lookup with slurmctld's locks")
        begun = time.monotonic()
        self.cluster.wait_for(lambda: time.monotonic() > begun + HUNG, "the lookup to take long")
        self.say("")
        update.join()
        self.cluster.scancel(job)
        self.cluster.wait_for(lambda: not self.cluster.squeue(), "the job to end")
        (run,) = records(self.cluster.run("scontrol --oneliner show job").stdout)
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.used(), run.cpus * run.seconds(run.end))
        self.assertFalse(self.cluster.log_contains("the clock was set"))

    def used(self) -> float:
        report = self.cluster.maui("diagnose", "-f", "--json")
        return sum(window["usage"] for window in report["windows"])
