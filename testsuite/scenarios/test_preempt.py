# SPDX-License-Identifier: GPL-2.0-or-later
"""preempt/maui: owners take back what they share of their reservations (FLAGS=OWNERPREEMPT)."""

from __future__ import annotations

import re
import unittest

from harness import Cluster
from reservation_model import (
    EXAMPLE_5,
    FAST,
    SLURM_CONF,
    ReservationTest,
    install,
    wait_for_instances,
)

PREEMPT = SLURM_CONF + "PreemptType=preempt/maui\nPreemptMode={mode}\n"
JUPITER = EXAMPLE_5.format(nodes=3)  # the fourth one is nobody's
CREDWEIGHTS = "CREDWEIGHT 1\nACCOUNTWEIGHT 1\nQUEUETIMEWEIGHT 0\n"
WHOLE = ("-N1", "--exclusive")
NO_EFFECT = "FLAGS=OWNERPREEMPT has no effect"


class PreemptTest(ReservationTest):
    """Jobs of jupiter are daemon's, saturn's are bin's, and of those without an account games'."""

    def of(self, account: str, *options: str, **more: str) -> int:
        user = {"jupiter": "daemon", "saturn": "bin"}[account]
        return self.submit("-A", account, *options, user=user, **more)

    def runs(self, *jobs: int, timeout: float = 120) -> None:
        for job in jobs:
            self.cluster.wait_for_state(job, "RUNNING", timeout=timeout)

    def run_on(self, account: str, node: str, *options: str) -> int:
        job = self.of(account, "--exclusive", "-w", node, *options)
        self.runs(job)
        return job

    def preempted(self, victim: int, by: int, how: str = "requeued") -> None:
        # Of a heterogeneous job Slurm names the first component: JobId=7+0(7).
        line = re.compile(rf"preempted JobId={victim}(\+0\({victim}\))? has been {how} to reclaim "
                          rf"resources for JobId={by}\n")
        self.cluster.wait_for(lambda: line.search(self.cluster.log_text()), line.pattern)

    def untouched(self, *jobs: int) -> None:
        """To be asked when the schedulers have looked. A grace time is the beginning of it."""
        for job in jobs:
            shown = self.cluster.job(job)
            self.assertEqual((shown["JobState"], shown["Restarts"]), ("RUNNING", "0"), job)
            self.assertNotRegex(
                self.cluster.log_text(), rf"(preempted|grace time for) JobId={job}\b"
            )


class Requeue(PreemptTest):
    """PreemptMode=REQUEUE, and nobody else preempts. Four nodes of four CPUs; n4 is not reserved."""

    CLUSTER = dict(
        nodes=4,
        maui_cfg=FAST,
        slurm_conf=PREEMPT.format(mode="REQUEUE")
        + "KillWait=120\nPartitionName=other Nodes=ALL\n",
    )

    def share(self, more: str = "") -> None:
        self.configure(CREDWEIGHTS + JUPITER + more, jupiter="n[1-3]")

    def test_example_5_limited_shared_access(self) -> None:
        """Saturn uses the nodes until jupiter needs them; a third account stays out."""
        self.share()
        third = self.submit("-A", "mars", "--exclusive", "-w", "n1", user="games")
        self.waits(third)
        victims = {self.run_on("saturn", node): node for node in ("n1", "n2", "n3")}
        owner = self.of("jupiter", "-N2", "--exclusive", "-x", "n4")
        self.runs(owner)
        requeued = [job for job in victims if self.cluster.job(job)["Restarts"] == "1"]
        self.assertEqual(len(requeued), 2)
        for job in requeued:
            self.preempted(job, owner)
        self.untouched(*set(victims) - set(requeued))
        self.assertEqual(self.cluster.job(third)["JobState"], "PENDING")
        # When jupiter needs them no more they are saturn's again.
        self.cluster.scancel(owner)
        self.cluster.begin_again(*requeued)
        self.runs(*requeued)

    def test_two_owners_of_a_node(self) -> None:
        """Neither takes it from the other, and each of their jobs ends."""
        self.configure(
            "SRCFG[a] HOSTLIST=n1 PERIOD=INFINITY ACCOUNTLIST=jupiter,saturn ACCESS=SHARED\n"
            "SRCFG[a] OWNER=ACCOUNT:jupiter FLAGS=OWNERPREEMPT\n"
            "SRCFG[b] HOSTLIST=n1 PERIOD=INFINITY ACCOUNTLIST=jupiter,saturn ACCESS=SHARED\n"
            "SRCFG[b] OWNER=ACCOUNT:saturn FLAGS=OWNERPREEMPT\n",
            a="n1",
            b="n1",
        )
        told = self.cluster.run(["maui", "check", str(self.cluster.maui_cfg)], check=False)
        self.assertIn("SRCFG[a] and SRCFG[b] can meet on n1", told.stdout + told.stderr)
        saturn = self.run_on("saturn", "n1")
        jupiter = self.of("jupiter", *WHOLE, "-w", "n1")
        self.waits(jupiter)
        self.untouched(saturn)
        self.cluster.scancel(saturn)
        self.runs(jupiter)
        again = self.of("saturn", *WHOLE, "-w", "n1")
        self.waits(again)
        self.untouched(jupiter)

    def test_free_nodes_come_first(self) -> None:
        """Nobody is preempted as long as there is room, in the reservation or outside of it."""
        self.share()
        victims = [self.run_on("saturn", node) for node in ("n1", "n2", "n3")]
        self.assertEqual(self.lands("-A", "jupiter", *WHOLE), {"n4"})
        self.untouched(*victims)

    def test_who_also_runs_elsewhere_is_left_alone(self) -> None:
        self.share()
        wide = self.of("saturn", "-N2", "--exclusive", "-w", "n3,n4")
        self.runs(wide)
        inside = self.run_on("saturn", "n1")
        owner = self.of("jupiter", "-N3", "--exclusive", "-w", "n1,n2,n3")
        waits = self.of("jupiter", *WHOLE, "-w", "n3")
        self.waits(owner, waits, but=("-A", "saturn", "-w", "n2"), user="bin")
        self.untouched(wide, inside)
        self.cluster.scancel(owner, waits)
        small = self.of("jupiter", *WHOLE, "-w", "n1")
        self.runs(small)
        self.preempted(inside, small)
        self.untouched(wide)

    def test_only_the_owner_preempts(self) -> None:
        """Not an insider of higher priority; and the owner's own jobs are no victims."""
        self.share("ACCTCFG[saturn] PRIORITY=20000\n")
        own = self.run_on("jupiter", "n1")
        other = self.run_on("saturn", "n2")
        insider = self.of("saturn", *WHOLE, "-w", "n1")
        second = self.of("saturn", *WHOLE, "-w", "n2")
        third = self.of("jupiter", *WHOLE, "-w", "n1", "--nice=100")
        self.waits(insider, second, third)
        self.untouched(own, other)

    def test_freed_nodes_go_to_the_owner(self) -> None:
        """Though others who may have them stand before it, in its partition and in another."""
        self.share("ACCTCFG[saturn] PRIORITY=20000\n")
        victim = self.of("saturn", *WHOLE, "-w", "n1",
                         wrap="trap 'sleep 8; exit' TERM; while :; do sleep 0.2; done")
        self.runs(victim)
        owner = self.of("jupiter", *WHOLE, "-w", "n1")
        self.preempted(victim, owner)
        rivals = [self.of("saturn", *WHOLE, "-w", "n1", "-p", partition)
                  for partition in ("batch", "other", "other,batch")]
        self.runs(owner)
        self.assertEqual(self.cluster.job(owner)["NodeList"], "n1")
        for job in rivals:
            shown = self.cluster.job(job)
            self.assertEqual((shown["JobState"], shown["Restarts"]), ("PENDING", "0"))
        self.assertGreater(int(self.cluster.job(rivals[0])["Priority"]),
                           int(self.cluster.job(owner)["Priority"]))
        self.cluster.scancel(owner)
        self.cluster.wait_for(
            lambda: any(self.cluster.job(job)["JobState"] == "RUNNING" for job in rivals),
            "one of the others to run",
        )

    def test_what_is_free_already_waits_for_the_rest(self) -> None:
        """One of two victims takes its time: meanwhile the other's node is for the owner alone."""
        self.share("ACCTCFG[saturn] PRIORITY=20000\n")
        quick = self.run_on("saturn", "n1")
        go = self.cluster.home / "go"
        slow = self.of("saturn", *WHOLE, "-w", "n2",
                       wrap=f"trap : TERM; "
                            f"while [ ! -e {go} ]; do sleep 0.2; done")
        self.runs(slow)
        # What a job names with -w Slurm keeps for it by itself.
        owner = self.of("jupiter", "-N2", "--exclusive", "-x", "n3,n4")
        for victim in (quick, slow):
            self.preempted(victim, owner)
        self.cluster.wait_for(
            lambda: not {"ALLOCATED", "COMPLETING"}.intersection(
                self.cluster.node("n1")["State"].split("+")
            ),
            "n1 to be free",
        )
        # At its submission Slurm looks at a job alone, whatever else waits.
        at_once = self.cluster.run(
            ["srun", "-I1", "-Asaturn", "-t60", *WHOLE, "-x", "n2,n3,n4", "-p", "other", "true"],
            user="bin",
            check=False,
        )
        self.assertNotEqual(at_once.returncode, 0)
        rival = self.of("saturn", *WHOLE, "-x", "n2,n3,n4", "-p", "other")
        self.waits(rival, user="man")
        self.assertEqual(self.cluster.job(owner)["JobState"], "PENDING")
        go.touch()
        self.runs(owner)
        shown = self.cluster.job(rival)
        self.assertEqual((shown["JobState"], shown["Restarts"]), ("PENDING", "0"))

    def test_a_claim_ends_with_who_has_made_it(self) -> None:
        """The owner's job is cancelled before it starts: the node is for others at once."""
        self.share()
        victim = self.of("saturn", *WHOLE, "-w", "n1",
                         wrap="trap 'sleep 5; exit' TERM; while :; do sleep 0.2; done")
        self.runs(victim)
        owner = self.of("jupiter", *WHOLE, "-w", "n1")
        self.preempted(victim, owner)
        self.cluster.scancel(owner)
        next_one = self.of("saturn", *WHOLE, "-w", "n1")
        self.runs(next_one, timeout=60)

    def test_a_reconfigure_and_a_restart_in_the_middle(self) -> None:
        """A claim outlives both: nobody else gets the node in between."""
        self.share("ACCTCFG[saturn] PRIORITY=20000\n")
        for number, event in enumerate((self.cluster.reconfigure, self.cluster.restart)):
            with self.subTest(event=event.__name__):
                victim = self.of("saturn", *WHOLE, "-w", f"n{number + 1}",
                                 wrap="trap 'sleep 6; exit' TERM; while :; do sleep 0.2; done")
                self.runs(victim)
                owner = self.of("jupiter", *WHOLE, "-w", f"n{number + 1}")
                self.preempted(victim, owner)
                rival = self.of("saturn", *WHOLE, "-w", f"n{number + 1}")
                self.cluster.wait_for_iterations(1)  # which sees that Slurm has preempted
                event()
                self.runs(owner, timeout=300)
                shown = self.cluster.job(rival)
                self.assertEqual((shown["JobState"], shown["Restarts"]), ("PENDING", "0"))

    def test_arrays(self) -> None:
        """Two tasks take back a node each; the task of an array is a victim as any job is."""
        self.share()
        victims = self.of("saturn", *WHOLE, "-x", "n4", "--array=1-3")
        tasks = [f"{victims}_{task}" for task in (1, 2, 3)]

        def running(job: int) -> int:
            return sum(row["state"] == "RUNNING" for row in self.cluster.squeue(f"--jobs={job}"))

        self.cluster.wait_for(lambda: running(victims) == len(tasks), "all tasks to run")
        owner = self.of("jupiter", *WHOLE, "-x", "n4", "--array=1-2")
        self.cluster.wait_for(lambda: running(owner) == 2, "the owner's tasks to run", 120)
        self.assertEqual(running(victims), 1)

    def test_heterogeneous_jobs(self) -> None:
        """All components of a victim must be inside."""
        self.share()
        half = self.of("saturn", *WHOLE, "-w", "n1", ":", *WHOLE, "-w", "n4")
        self.runs(half)
        whole = self.of("saturn", *WHOLE, "-w", "n2", ":", *WHOLE, "-w", "n3")
        self.runs(whole)
        stuck = self.of("jupiter", *WHOLE, "-w", "n1")
        owner = self.of("jupiter", *WHOLE, "-w", "n2")
        self.runs(owner)
        self.preempted(whole, owner)
        self.untouched(half)
        self.assertEqual(self.cluster.job(stuck)["JobState"], "PENDING")

    def test_who_was_there_before_the_reservation(self) -> None:
        """And one that is suspended: it holds the node's memory."""
        early = self.submit(*WHOLE, "-w", "n1", "--mem=4000", user="games")
        late = self.submit(*WHOLE, "-w", "n2", "--mem=4000", user="games")
        self.runs(early, late)
        self.cluster.run(["scontrol", "suspend", str(late)])
        self.share()
        owner = self.of("jupiter", "-N2", "--exclusive", "--mem=4000", "-w", "n1,n2")
        self.runs(owner)
        self.preempted(early, owner)
        self.preempted(late, owner)

    def test_every_type_of_owner(self) -> None:
        for owner, user, options in (
            ("USER:sys", "sys", ()),
            ("GROUP:sys", "sys", ()),
            ("ACCT:venus", "man", ("-A", "venus")),
            ("CLASS:other", "man", ("-p", "other")),
        ):
            with self.subTest(owner=owner):
                self.configure(
                    "SRCFG[it] HOSTLIST=n1 PERIOD=INFINITY USERLIST=bin,sys,man\n"
                    f"SRCFG[it] OWNER={owner} FLAGS=OWNERPREEMPT\n",
                    it="n1",
                )
                victim = self.submit(*WHOLE, "-w", "n1", user="bin")
                self.runs(victim)
                job = self.submit(*WHOLE, *options, "-w", "n1", user=user)
                self.runs(job)
                self.preempted(victim, job)
                self.cluster.cancel_all()

    def test_reserved_cores(self) -> None:
        """Of a node reserved in part: who holds reserved cores goes, who holds the others stays."""
        self.configure(
            "SRCFG[part] HOSTLIST=n1 PERIOD=INFINITY RESOURCES=PROCS:2 TASKCOUNT=1\n"
            "SRCFG[part] ACCOUNTLIST=jupiter,saturn- OWNER=ACCOUNT:jupiter FLAGS=OWNERPREEMPT\n",
            part="n1",
        )
        outsider = self.submit("-n2", "--mem=100", "-w", "n1", user="games")
        self.runs(outsider)
        insider = self.of("saturn", "-n2", "--mem=100", "-w", "n1")
        self.runs(insider)
        owner = self.of("jupiter", "-n2", "--mem=100", "-w", "n1")
        self.runs(owner)
        self.preempted(insider, owner)
        self.untouched(outsider)

    def test_not_admitted_not_preempted(self) -> None:
        """An owner whom the access list does not admit, or another reservation keeps out; that one
        protects the whole of a job that is there with a part of it."""
        self.configure(
            "SRCFG[one] HOSTLIST=n1 PERIOD=INFINITY ACCOUNTLIST=saturn OWNER=ACCOUNT:jupiter "
            "FLAGS=OWNERPREEMPT\n"
            "SRCFG[two] HOSTLIST=n2,n3 PERIOD=INFINITY ACCOUNTLIST=saturn,jupiter "
            "OWNER=ACCOUNT:jupiter FLAGS=OWNERPREEMPT\n"
            "SRCFG[over] HOSTLIST=n3 PERIOD=INFINITY ACCOUNTLIST=saturn ACCESS=SHARED\n",
            one="n1", two="n[2-3]", over="n3",
        )
        victims = [
            self.of("saturn", *WHOLE, "-w", "n1"),
            self.of("saturn", "-N2", "--exclusive", "-w", "n2,n3"),
        ]
        self.runs(*victims)
        jobs = [self.of("jupiter", *WHOLE, "-w", node) for node in ("n1", "n2", "n3")]
        self.waits(*jobs)
        self.untouched(*victims)

    def test_nobody_else_preempts_who_came_in_with_our_pass(self) -> None:
        """Slurm lets jobs in reservations with MaxStartDelay preempt who has taken a pass."""
        self.share()
        insider = self.run_on("saturn", "n1")
        self.assertNotIn("R:", self.cluster.job(insider).get("Signal", ""))
        self.cluster.run(
            "scontrol create reservation reservationname=admins users=games nodes=n1 "
            "starttime=now duration=60 flags=ignore_jobs,overlap maxstartdelay=60"
        )
        try:
            attached = self.submit(*WHOLE, "--reservation=admins", user="games")
            self.waits(attached)
            self.untouched(insider)
        finally:
            self.cluster.cancel_all()
            self.cluster.run(["scontrol", "delete", "reservationname=admins"])

    def test_no_more_than_the_rule_without_another_plugin(self) -> None:
        self.configure("USERCFG[daemon] PRIORITY=1000\nUSERWEIGHT 1\n")
        other = self.submit("-N4", "--exclusive", user="bin")
        self.runs(other)
        high = self.submit(*WHOLE)
        self.cluster.wait_for(lambda: self.cluster.job(high)["Reason"] == "Resources", "its reason")
        self.untouched(other)


class Cancel(PreemptTest):
    CLUSTER = dict(nodes=4, maui_cfg=FAST, slurm_conf=PREEMPT.format(mode="CANCEL"))

    def test_victims_are_cancelled(self) -> None:
        self.configure(JUPITER, jupiter="n[1-3]")
        victim = self.run_on("saturn", "n1")
        owner = self.of("jupiter", *WHOLE, "-w", "n1")
        self.runs(owner)
        self.preempted(victim, owner, "killed")
        self.cluster.wait_for_state(victim, "PREEMPTED", "CANCELLED")


class BehindIt(PreemptTest):
    """preempt/partition_prio decides on everything else: urgent before batch."""

    CLUSTER = dict(
        nodes=4,
        maui_cfg=FAST,
        slurm_conf=PREEMPT.format(mode="REQUEUE")
        + "PriorityParameters=maui_preempt=preempt/partition_prio\n"
        "PartitionName=urgent Nodes=ALL PriorityTier=10\n"
        "PartitionName=safe Nodes=ALL PreemptMode=OFF\n",
    )

    def test_both_rules_hold(self) -> None:
        self.configure(JUPITER, jupiter="n[1-3]")
        self.assertTrue(self.cluster.log_contains("preempt/partition_prio decides"))
        shared = self.run_on("saturn", "n1")
        low = self.submit(*WHOLE, "-w", "n4", user="games")
        self.runs(low)
        equal = self.submit(*WHOLE, "-w", "n4", user="man")
        self.waits(equal, but=("-A", "saturn", "-w", "n2"), user="bin")
        self.untouched(shared, low)
        urgent = self.submit(*WHOLE, "-w", "n4", "-p", "urgent", user="sys")
        owner = self.of("jupiter", *WHOLE, "-w", "n1")
        self.runs(urgent, owner)
        self.preempted(low, urgent)
        self.preempted(shared, owner)

    def test_whom_it_has_preempted_does_not_preempt_it(self) -> None:
        """The owner takes the node from a job that the plugin behind would give it back to."""
        self.configure(JUPITER, jupiter="n[1-3]")
        victim = self.run_on("saturn", "n1", "-p", "urgent")
        filler = [self.run_on("jupiter", node, "-p", "urgent") for node in ("n2", "n3")]
        owner = self.of("jupiter", *WHOLE, "-w", "n1")
        self.runs(owner)
        self.preempted(victim, owner)
        self.cluster.begin_again(victim)
        self.waits(victim)
        self.untouched(owner, *filler)

    def test_whom_the_site_protects(self) -> None:
        """PreemptMode=OFF of a partition holds against owners, too."""
        self.configure(JUPITER, jupiter="n[1-3]")
        safe = self.run_on("saturn", "n1", "-p", "safe")
        owner = self.of("jupiter", *WHOLE, "-w", "n1")
        self.waits(owner)
        self.untouched(safe)


class Told(unittest.TestCase):
    """Where OWNERPREEMPT can do nothing that is said."""

    def test_without_the_plugin(self) -> None:
        with Cluster(nodes=3, maui_cfg=FAST + JUPITER, slurm_conf=SLURM_CONF) as cluster:
            wait_for_instances(cluster, {"jupiter.inf": "n[1-3]"})
            reason = f"{NO_EFFECT}: PreemptType is not preempt/maui"
            cluster.wait_for(lambda: cluster.log_contains(f"SRCFG[jupiter]: {reason}"), "the log")
            diagnosed = cluster.run(["maui", "diagnose", "-r"], check=False)
            self.assertIn(reason, diagnosed.stdout + diagnosed.stderr)
            checked = cluster.run(["maui", "check", str(cluster.maui_cfg)], check=False)
            self.assertEqual(checked.returncode, 1)
            line = next(row for row in checked.stdout.splitlines() if reason in row)
            self.assertIn("maui.cfg:9:16: warning: SRCFG[jupiter]: ", line)

    def test_without_a_mode(self) -> None:
        conf = PREEMPT.format(mode="OFF")
        with Cluster(nodes=3, maui_cfg=FAST + JUPITER, slurm_conf=conf) as cluster:
            wait_for_instances(cluster, {"jupiter.inf": "n[1-3]"})
            reason = f"{NO_EFFECT}: PreemptMode is neither REQUEUE nor CANCEL"
            cluster.wait_for(lambda: cluster.log_contains(reason), "the log")
            checked = cluster.run(["maui", "check", str(cluster.maui_cfg)], check=False)
            self.assertIn(reason, checked.stdout)

    def test_with_all_of_it_and_with_a_plugin_behind_that_is_not_there(self) -> None:
        conf = PREEMPT.format(mode="REQUEUE") + "PriorityParameters=maui_preempt=preempt/qso\n"
        with Cluster(nodes=3, maui_cfg=FAST, slurm_conf=conf) as cluster:
            self.assertTrue(cluster.log_contains("nobody is preempted except by OWNERPREEMPT"))
            install(cluster, FAST + JUPITER)
            wait_for_instances(cluster, {"jupiter.inf": "n[1-3]"})
            checked = cluster.run(["maui", "check", str(cluster.maui_cfg)], check=False)
            since = cluster.log_text().rpartition("its policy")[2]
            self.assertNotIn("OWNERPREEMPT", checked.stdout + since)
