# SPDX-License-Identifier: GPL-2.0-or-later
"""An administrator changes a reservation of ours by hand, or makes one of its name: ours is put back,
the other is left alone and shown, and outsiders do not get onto the nodes of an SRCFG in force.
"""

from __future__ import annotations

from collections.abc import Callable


from reservation_model import (
    FAST,
    PARTITIONS,
    PREEMPTION,
    SLURM_CONF,
    ReservationTest,
    install,
    show_reservations,
    wait_for_instances,
)

CFG = (
    "SRCFG[wn] HOSTLIST=n1 PERIOD=INFINITY USERLIST=games\n"
    "SRCFG[part] HOSTLIST=n2 RESOURCES=PROCS=2 TASKCOUNT=1 PERIOD=INFINITY USERLIST=games\n"
    # Admits everybody for a while: so they have our pass.
    "SRCFG[lure] HOSTLIST=n3 PERIOD=INFINITY TIMELIMIT=0:20:00\n"
)
INSTANCES = {"wn.inf": "n1", "part.inf": "n2", "lure.inf": "n3"}
# What scontrol update takes on every release, of a reservation of whole nodes and of one of cores.
ACCESS = (
    "users=+bin",
    "users=bin",
    "users=bin flags=MAGNETIC",
    "users=bin flags=FLEX",
    "flags=MAINT",
    "flags=DAILY",
    "flags=PURGE_COMP",
    "flags-=PURGE_COMP",
    "flags-=IGNORE_JOBS",
    "MaxStartDelay=60",
    "MaxStartDelay=60 users=+bin",
)
TIMES = ("duration=30", "duration+=10", "endtime=now+30minutes")
NODES = ("nodes=n4", "nodes=ALL", "nodecnt=2", "nodes=n1,n4 users=+bin", "partition=few")
# Changes that do not matter to anybody: Slurm has another start once a reservation is made anew.
MOVES = frozenset(("StartTime", "Duration"))


class ByHand(ReservationTest):
    CLUSTER = dict(nodes=4, maui_cfg=FAST, slurm_conf=SLURM_CONF + PREEMPTION + PARTITIONS)

    def setUp(self) -> None:
        super().setUp()
        install(self.cluster, FAST + CFG)
        wait_for_instances(self.cluster, INSTANCES)
        self.before = self.look()

    def look(self) -> dict[str, dict[str, str]]:
        found = show_reservations(self.cluster)
        return {
            name: {key: value for key, value in one.items() if key not in MOVES}
            for name, one in found.items()
        }

    def is_as_before(self) -> bool:
        """A slurmctld that has read them from its file shows more of them."""
        now = self.look()
        return now.keys() == self.before.keys() and all(
            one.items() <= now[name].items() for name, one in self.before.items()
        )

    def change(self, name: str, what: str) -> None:
        self.cluster.run(f"scontrol update reservation={name} {what}")

    def put_back(self) -> None:
        try:
            self.cluster.wait_for(self.is_as_before, "ours to be as they were")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.look()}\nbefore: {self.before}") from None

    def outsiders(self) -> list[int]:
        """bin, of whom the changes speak, with the pass and without it; and who asks by name."""
        jobs = [
            self.submit(*limit, *how, user="bin")
            for limit in (("-t60",), ("-t5",))
            for how in (
                ("-n1", "-w", "n1"),
                ("-n1", "-w", "n1", "--signal=R:USR1@10"),
                ("-n1", "-w", "n1", "--reservation=wn.inf"),
                ("-n3", "-N1", "-w", "n2"),
                ("-n1", "--exclusive", "-w", "n2", "--signal=R:USR1@0"),
            )
        ]
        self.waits(*jobs)
        self.cluster.wait_until_saved(jobs[-1])  # so that a kill loses none
        return jobs

    def insider_gets_in(self) -> None:
        for node in ("n1", "n2"):
            insider = self.submit("-n3", "-N1", "-t5", "-w", node, user="games")
            self.cluster.run(f"scontrol update job={insider} nice=-1000")
            self.cluster.wait_for_state(insider, "RUNNING")
            self.cluster.scancel(insider)
            self.cluster.wait_for_state(insider, "CANCELLED")

    def stay_outside(self, jobs: list[int]) -> None:
        self.waits(*jobs)
        self.insider_gets_in()

    def after_each(
        self, changes: tuple[tuple[str, str], ...], then: Callable[[], None], *, saved: bool = False
    ) -> None:
        """saved: slurmctld has saved the end of the last insider, so that a kill does not bring him back."""
        jobs = self.outsiders()
        for name, what in changes:
            with self.subTest(reservation=name, change=what):
                if saved:
                    self.cluster.wait_until_saved(jobs[-1])
                self.change(name, what)
                then()
                self.put_back()
                self.stay_outside(jobs)

    def test_who_may_use_it(self) -> None:
        self.after_each(
            tuple((name, what) for name in ("wn.inf", "part.inf") for what in ACCESS), lambda: None
        )

    def test_when_and_where_it_is(self) -> None:
        self.after_each(
            (*(("wn.inf", what) for what in TIMES + NODES), *(("part.inf", one) for one in TIMES)),
            lambda: None,
        )

    def test_and_slurmctld_reads_its_files_again(self) -> None:
        changes = (("wn.inf", "users=bin"), ("part.inf", "users=+bin flags=MAINT"))
        for then in (self.cluster.reconfigure, self.cluster.restart):
            self.after_each(changes, then)

    def test_and_slurmctld_is_killed(self) -> None:
        def kill() -> None:
            self.cluster.restart(kill=True)

        changes = (("wn.inf", "users=+bin"), ("wn.inf", "nodes=n4 users=bin"))
        self.after_each(changes, kill, saved=True)

    def test_one_that_has_not_begun(self) -> None:
        tomorrow = "SRCFG[later] HOSTLIST=n4 PERIOD=DAY STARTTIME=23:00:00 USERLIST=games DEPTH=1\n"
        install(self.cluster, FAST + CFG + tomorrow)
        self.cluster.wait_for(lambda: len(show_reservations(self.cluster)) == 4, "all of them")
        (name,) = set(show_reservations(self.cluster)) - set(INSTANCES)
        before = show_reservations(self.cluster)[name]
        for what in ("starttime=now", "starttime=now+5hours", "starttime=now users=+bin"):
            with self.subTest(change=what):
                self.change(name, what)
                self.cluster.wait_for(
                    lambda: before.items() <= show_reservations(self.cluster)[name].items(),
                    "it to be as it was",
                )

    def test_its_line_goes_and_comes_back(self) -> None:
        jobs = self.outsiders()
        for what in ("users=+bin", "users=bin flags=MAINT", "flags=PURGE_COMP"):
            with self.subTest(change=what):
                self.change("wn.inf", what)
                install(self.cluster, FAST + CFG.partition("\n")[2])
                wait_for_instances(self.cluster, {"part.inf": "n2", "lure.inf": "n3"})
                self.cluster.wait_for_state(jobs[0], "RUNNING")
                self.cluster.run(f"scontrol requeuehold {jobs[0]}")
                install(self.cluster, FAST + CFG)
                self.put_back()
                self.cluster.wait_for_state(jobs[0], "PENDING", "REQUEUE_HOLD")
                self.cluster.begin_again(jobs[0])
                self.cluster.scancel(*jobs)
                jobs = self.outsiders()
                self.insider_gets_in()


class MadeByHand(ReservationTest):
    """A reservation by one of our names that an administrator has made."""

    MADE = (
        "users=bin nodes=n1",
        "users=bin nodes=n4 flags=ignore_jobs,overlap",
        "users=bin nodes=n1 flags=ignore_jobs,maint",
        "users=root nodes=n4 flags=ignore_jobs,overlap maxstartdelay=1000-00:00:00",
    )

    CLUSTER = dict(nodes=4, maui_cfg=FAST, slurm_conf=SLURM_CONF + PREEMPTION + PARTITIONS)

    def tearDown(self) -> None:
        pass  # a name that is taken is an error, and meant to be

    def make(self, how: str) -> None:
        self.cluster.run(
            f"scontrol create reservation reservationname=wn.inf starttime=now duration=600 {how}"
        )
        self.addCleanup(self.cluster.run, "scontrol delete reservation=wn.inf", check=False)

    def outsiders(self) -> list[int]:
        return [
            self.submit("-n1", "-w", "n1", *limit, *how, user="bin")
            for limit in (("-t60",), ("-t5",))
            for how in ((), ("--signal=R:USR1@10",), ("--signal=R:10@60",), ("--reservation=wn.inf",))
        ]

    def wait_for_conflict(self, after: int) -> None:
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("scontrol delete reservation=wn.inf makes way", after),
            "the conflict in the log",
        )

    def is_shown(self) -> None:
        self.assertIn("scontrol delete reservation=wn.inf", self.cluster.run("maui diagnose -r").stdout)
        self.assertIn(
            "scontrol delete reservation=wn.inf",
            self.cluster.run("maui doctor", check=False).stdout,
        )

    def make_way(self) -> None:
        self.cluster.run("scontrol delete reservation=wn.inf")
        wait_for_instances(self.cluster, INSTANCES)
        self.assertEqual(show_reservations(self.cluster)["wn.inf"]["Users"], "root")
        insider = self.submit("-n1", "-t5", "-w", "n1", user="games")
        self.cluster.wait_for_state(insider, "RUNNING")

    def check(self, jobs: list[int], theirs: dict[str, str]) -> None:
        self.waits(*jobs, but=("-w", "n3", "-t5"))
        self.assertEqual(show_reservations(self.cluster)["wn.inf"], theirs)

    def test_before_ours_is_wanted(self) -> None:
        for how in self.MADE:
            with self.subTest(made=how):
                self.setUp()
                self.make(how)
                theirs = show_reservations(self.cluster)["wn.inf"]
                after = self.cluster.log_position()
                install(self.cluster, FAST + CFG)
                self.wait_for_conflict(after)
                jobs = self.outsiders()
                self.check(jobs, theirs)
                self.is_shown()
                position = self.cluster.log_position()
                self.cluster.wait_for_iterations(5)
                self.assertFalse(self.cluster.log_contains("wn.inf", position))
                self.cluster.reconfigure()
                self.check(jobs, theirs)
                self.cluster.wait_until_saved(jobs[-1])
                self.cluster.restart(kill=True)
                self.check(jobs, theirs)
                self.make_way()
                self.waits(*jobs)

    def test_when_ours_is_gone(self) -> None:
        install(self.cluster, FAST + CFG)
        wait_for_instances(self.cluster, INSTANCES)
        after = self.cluster.log_position()
        self.cluster.wait_for(
            lambda: self.cluster.run(
                "scontrol delete reservation=wn.inf; scontrol create reservation "
                "reservationname=wn.inf starttime=now duration=600 users=bin nodes=n4 "
                "flags=ignore_jobs",
                check=False,
            ).returncode
            == 0,
            "an administrator faster than the roll",
        )
        self.addCleanup(self.cluster.run, "scontrol delete reservation=wn.inf", check=False)
        self.wait_for_conflict(after)
        theirs = show_reservations(self.cluster)["wn.inf"]
        jobs = self.outsiders()
        self.check(jobs, theirs)
        install(self.cluster, FAST + CFG.partition("\n")[2])
        self.cluster.wait_for_state(jobs[0], "RUNNING")
        self.assertEqual(show_reservations(self.cluster)["wn.inf"], theirs, "it is not ours to remove")
        self.cluster.scancel(*jobs)
        install(self.cluster, FAST + CFG)
        jobs = self.outsiders()
        self.check(jobs, theirs)
        self.make_way()
        self.waits(*jobs)
