# SPDX-License-Identifier: GPL-2.0-or-later
"""Standing reservations and what happens to slurmctld: restarts, kills, damaged files, and
administrators with reservations of their own. Ours are there once, and as they were; those of
others are left alone.
"""

from __future__ import annotations

from typing import ClassVar


from reservation_model import (
    FAST,
    OPEN,
    PARTITIONS,
    PREEMPTION,
    SLURM_CONF,
    ReservationTest,
    install,
    show_reservations,
    today,
    wait_for_instances,
)


class OfOthers(ReservationTest):
    """Reservations that somebody else made are never changed, and their rules are Slurm's."""

    FOREIGN = {
        # name: how it is made
        "admins": "users=man nodes=n1 flags=ignore_jobs",
        "delayed": "users=man nodes=n2 maxstartdelay=3600 flags=ignore_jobs",
        "kept.inf": "users=root nodes=n3 flags=ignore_jobs",
        "maint": "users=root nodes=n4 flags=maint,ignore_jobs",
    }

    CLUSTER = dict(nodes=6, maui_cfg=FAST, slurm_conf=SLURM_CONF + PREEMPTION + PARTITIONS)

    def setUp(self) -> None:
        super().setUp()
        self.log_start = self.cluster.log_position()
        for name, how in self.FOREIGN.items():
            self.cluster.run(
                f"scontrol create reservation reservationname={name} starttime=now "
                f"duration=120 {how}"
            )
            self.addCleanup(self.cluster.run, f"scontrol delete reservation={name}", check=False)
        self.addCleanup(self.cluster.cancel_all)
        self.before = show_reservations(self.cluster)

    def tearDown(self) -> None:
        pass  # the name that is somebody else's is an error, and meant to be

    def theirs(self) -> dict[str, dict[str, str]]:
        return {n: one for n, one in show_reservations(self.cluster).items() if n in self.FOREIGN}

    def test_they_stay_as_they_are(self) -> None:
        """Also one that bears a name which would be ours."""
        install(
            self.cluster,
            FAST + "SRCFG[kept] HOSTLIST=n5 PERIOD=INFINITY USERLIST=daemon\n"
            "SRCFG[ours] HOSTLIST=n[1-5] PERIOD=INFINITY USERLIST=daemon\n",
        )
        self.cluster.wait_for(
            lambda: "ours.inf" in show_reservations(self.cluster), "ours to be there"
        )
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("reservation kept.inf", self.log_start),
            "a word about the name",
        )
        self.assertEqual(self.theirs(), self.before)
        # Our pass opens none of them: not the one with MaxStartDelay either.
        jobs = [self.submit("-n1", "-w", f"n{i}") for i in range(1, 5)]
        self.waits(*jobs, but=("-w", "n6"))
        self.assertEqual(self.lands("-n1", "-w", "n5"), {"n5"})
        for disturb in (self.cluster.reconfigure, self.cluster.restart,
                        lambda: self.cluster.restart(kill=True)):
            disturb()
            self.cluster.wait_for(
                lambda: "ours.inf" in show_reservations(self.cluster), "ours to be there"
            )
            self.assertEqual(self.theirs(), self.before)
        self.waits(*jobs, but=("-w", "n6"))
        self.cluster.cancel_all()
        install(self.cluster, FAST)
        self.cluster.wait_for(lambda: show_reservations(self.cluster) == self.before, "ours to go")

    def test_a_job_in_one_of_them_by_name(self) -> None:
        """--reservation is Slurm's matter; and the pass of our own does not hinder it."""
        self.configure("SRCFG[ours] HOSTLIST=n5 PERIOD=INFINITY USERLIST=man\n")
        self.cluster.wait_for(
            lambda: "ours.inf" in show_reservations(self.cluster), "ours to be there"
        )
        self.assertEqual(self.lands("--reservation=admins", "-n1", user="man"), {"n1"})
        self.assertEqual(self.lands("--signal=R:USR1@10", "-w", "n2", "-n1", user="bin"), {"n2"})
        self.assertEqual(self.lands("-w", "n5", "-n1", user="man"), {"n5"})


class Disturbed(ReservationTest):
    """Restarts and kills: the same reservations, none twice, and the same answers to jobs."""

    CFG = (
        "SRCFG[debug] HOSTLIST=n1,n2 PERIOD=INFINITY USERLIST=daemon\n"
        "SRCFG[days] HOSTLIST=n3 PERIOD=DAY DEPTH=3 USERLIST=daemon\n"
        "SRCFG[week] HOSTLIST=n3 PERIOD=WEEK DEPTH=2 USERLIST=daemon\n"
    )

    CLUSTER = dict(nodes=4, maui_cfg=FAST, slurm_conf=SLURM_CONF + PARTITIONS)

    def settled(self) -> dict[str, tuple[str, str, str]]:
        """Names, ends and nodes, once all six are there and open."""

        def look() -> dict[str, tuple[str, str, str]] | None:
            found = show_reservations(self.cluster)
            if len(found) != 6 or {one["MaxStartDelay"] for one in found.values()} != {OPEN}:
                return None
            return {n: (one["EndTime"], one["Nodes"], one["Users"]) for n, one in found.items()}

        return self.cluster.wait_for(look, "six open reservations")

    def check(self, before: dict[str, tuple[str, str, str]], blocked: int) -> None:
        self.assertEqual(self.settled(), before)
        self.assertEqual(self.cluster.job(blocked)["JobState"], "PENDING")
        job = self.submit("-w", "n1", "-n1", "-t1")
        self.cluster.wait_for_state(job, "RUNNING")
        self.cluster.scancel(job)
        self.waits(blocked)

    def test_restarts(self) -> None:
        install(self.cluster, FAST + self.CFG)
        before = self.settled()
        self.assertIn(f"days.{today()}", before)
        blocked = self.submit("-n1", "-w", "n1", user="bin")
        insider = self.submit("-n1", "-w", "n2")
        self.cluster.wait_for_state(insider, "RUNNING")
        life = self.cluster.life()
        for _ in range(3):
            self.cluster.reconfigure()
        self.check(before, blocked)
        self.assertEqual(self.cluster.life(), life)
        self.cluster.restart()
        self.check(before, blocked)
        self.cluster.wait_until_saved(blocked)
        self.cluster.restart(kill=True)
        self.check(before, blocked)
        self.assertEqual(self.cluster.job(insider)["JobState"], "RUNNING")

    def test_a_kill_right_after_they_were_made(self) -> None:
        """Slurm saves its reservations seconds later: those that it lost are made again."""
        install(self.cluster, FAST + self.CFG)
        before = self.settled()
        self.cluster.restart(kill=True)
        self.assertEqual(self.settled(), before)

    def test_a_kill_right_after_they_went(self) -> None:
        """Slurm saves late, and brings back what it had not saved as gone: they are ours still."""
        install(self.cluster, FAST + self.CFG)
        self.settled()
        self.cluster.wait_for(
            lambda: b"debug.inf" in self.cluster.saved("resv_state"), "Slurm's state"
        )
        saved = self.cluster.saved("resv_state")
        install(self.cluster, FAST)
        wait_for_instances(self.cluster, {})
        self.waits(self.submit("-n1", "-w", "n1", "-H"))
        self.cluster.reconfigure()
        self.waits(self.submit("-n1", "-w", "n1", "-H"))
        self.cluster.stop(kill=True)
        (self.cluster.dir / "state" / "resv_state").write_bytes(saved)
        self.cluster.start()
        wait_for_instances(self.cluster, {}, timeout=20)

    def test_the_state_file_is_damaged_or_gone(self) -> None:
        """Then ours are known by their look: none twice, none of others is taken."""
        install(self.cluster, FAST + self.CFG)
        before = self.settled()
        blocked = self.submit("-n1", "-w", "n1", user="bin")
        state = self.cluster.dir / "state" / "maui" / "reservations"
        self.cluster.wait_for(state.exists, "the state file")
        for content in (b"slurm-maui reservations 1\nreservation 0 de", b"\0\xff", None):
            with self.subTest(content=content):
                self.cluster.stop()
                position = self.cluster.log_position()
                if content is None:
                    state.unlink()
                else:
                    state.write_bytes(content)
                self.cluster.start()
                self.check(before, blocked)
                self.cluster.wait_for(
                    lambda: state.exists() and b"debug.inf" in state.read_bytes(), "a new file"
                )
                self.assertEqual(
                    self.cluster.log_contains("reservations cannot be used", position),
                    content is not None,
                )
        install(self.cluster, FAST)
        wait_for_instances(self.cluster, {})

    def test_none_is_made_whose_name_cannot_be_written(self) -> None:
        """Nobody would know after a restart that it is ours. Not in a later iteration either."""
        ours = self.cluster.dir / "state" / "maui" / "reservations"
        new = ours.with_name("reservations.new")  # what is to replace it
        new.mkdir()
        position = self.cluster.log_position()
        try:
            # Names that no other test has: those are remembered for a while.
            install(self.cluster, FAST + self.CFG.replace("[", "[new-"))
            self.cluster.wait_for(
                lambda: self.cluster.log_contains("reservations stay as they are", position),
                "the error",
            )
            # Iterations: each looks at jobs that wait.
            for _ in range(3):
                self.cluster.reconfigure()
                self.waits(self.submit("-n1", "-w", "n1", "-H"))
            self.assertEqual(show_reservations(self.cluster), {})
        finally:
            new.rmdir()
        self.settled()
        self.assertIn(b"new-debug.inf", ours.read_bytes())

    def test_an_administrator_deletes_or_changes_one_of_ours(self) -> None:
        """It is made again, as it was."""
        install(self.cluster, FAST + self.CFG)
        before = self.settled()
        self.cluster.run("scontrol delete reservation=debug.inf")
        self.assertEqual(self.settled(), before)
        self.cluster.run("scontrol update reservation=debug.inf nodes=n4")
        self.cluster.wait_for(lambda: self.settled() == before, "its nodes to be as they were")


# No iteration comes by itself.
SLOW = "RMPOLLINTERVAL 3600\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\n"


class NotThere(ReservationTest):
    """What maui.cfg reserves is reserved while Slurm does not have it, too: who waits for just such a
    moment, and is looked at by both schedulers in it, does not start.
    """

    CFG = (
        SLOW + "SRCFG[vault] HOSTLIST=n1 PERIOD=INFINITY USERLIST=games\n"
        "SRCFG[part] HOSTLIST=n2 RESOURCES=PROCS=2 TASKCOUNT=1 PERIOD=INFINITY USERLIST=games\n"
        # Admits everybody for a while: so they have our pass.
        "SRCFG[lure] HOSTLIST=n3 PERIOD=INFINITY TIMELIMIT=0:20:00\n"
    )
    INSTANCES: ClassVar = {"vault.inf": "n1", "part.inf": "n2", "lure.inf": "n3"}

    CLUSTER = dict(nodes=4, maui_cfg=SLOW, slurm_conf=SLURM_CONF + PREEMPTION + PARTITIONS)

    def configure(self, maui_cfg: str, **instances: str) -> None:
        install(self.cluster, SLOW + maui_cfg)

    def outsiders(self) -> list[int]:
        """With and without the pass, of whole nodes and of more cores than are free."""
        jobs = [
            self.submit(*how, *limit, user=user)
            for user, limit in (("bin", ("-t60",)), ("daemon", ("-t5",)))
            for how in (
                ("-n1", "-w", "n1"),
                ("-n1", "-w", "n1", "--signal=R:USR1@10"),
                ("-n3", "-N1", "-w", "n2"),
                ("-n1", "--exclusive", "-w", "n2"),
            )
        ]
        jobs.append(self.submit("-n4", "-N1", "-w", "n1", ":", "-n1", "-w", "n4", user="bin"))
        self.waits(*jobs[:-1])
        return jobs

    def there_again(self) -> None:
        wait_for_instances(self.cluster, self.INSTANCES)

    def check(self, jobs: list[int]) -> None:
        """Nobody is inside, and an insider gets in."""
        self.waits(*jobs[:-1])
        self.assertEqual({self.cluster.job(job)["JobState"] for job in jobs}, {"PENDING"})
        insider = self.submit("-n1", "-t5", "-w", "n1", user="games")
        self.cluster.run(f"scontrol update job={insider} nice=-1000")
        self.cluster.wait_for_state(insider, "RUNNING")
        self.cluster.scancel(insider)
        self.cluster.wait_for_state(insider, "CANCELLED")

    def test_deleted_by_hand(self) -> None:
        install(self.cluster, self.CFG)
        self.there_again()
        jobs = self.outsiders()
        for _ in range(3):
            self.cluster.run("scontrol delete reservation=vault.inf")
            self.cluster.run("scontrol delete reservation=part.inf")
            self.there_again()
        self.check(jobs)

    def test_deleted_by_hand_where_nobody_waits(self) -> None:
        install(self.cluster, self.CFG)
        self.there_again()
        self.cluster.run("scontrol delete reservation=vault.inf")
        self.there_again()

    def test_deleted_by_hand_while_those_whom_it_has_let_in_run(self) -> None:
        """It cannot be made as long as they hold its cores, and nobody comes after them but insiders."""
        install(self.cluster, self.CFG)
        self.there_again()
        insider = self.submit("-n4", "-N1", "-t5", "-w", "n2", user="games")
        self.cluster.wait_for_state(insider, "RUNNING")
        jobs = self.outsiders()
        after = self.cluster.log_position()
        self.cluster.run("scontrol delete reservation=part.inf")
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("reservation part.inf is not there", after), "the roll"
        )
        self.cluster.scancel(insider)
        self.there_again()
        self.check(jobs)

    def test_deleted_by_hand_and_slurmctld_is_killed_while_those_whom_it_has_let_in_run(self) -> None:
        """Which cores it had nobody knows any more: its node is for insiders until it is there."""
        install(self.cluster, self.CFG)
        self.there_again()
        insider = self.submit("-n4", "-N1", "-t5", "-w", "n2", user="games")
        self.cluster.wait_for_state(insider, "RUNNING")
        jobs = self.outsiders()
        self.cluster.run("scontrol delete reservation=part.inf")
        self.cluster.wait_until_saved(jobs[0])
        (self.cluster.dir / "state" / "resv_state").unlink(missing_ok=True)
        self.cluster.stop(kill=True)
        self.cluster.start()
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("others are kept off n2"), "the first roll"
        )
        self.cluster.scancel(insider)
        self.there_again()
        self.check(jobs)

    def test_a_new_one_waits_for_those_who_run_on_the_nodes_of_its_list(self) -> None:
        """And nobody is faster than it when they leave."""
        first = self.submit("-n4", "-N1", "-t5", "-w", "n2", user="bin")
        self.cluster.wait_for_state(first, "RUNNING")
        waiting = [self.submit("-n4", "-N1", "-w", "n2", user="bin") for _ in range(2)]
        after = self.cluster.log_position()
        install(self.cluster, self.CFG)
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("others are kept off n2", after), "the roll"
        )
        self.cluster.scancel(first)
        self.there_again()
        self.waits(*waiting)

    def test_moved_by_hand(self) -> None:
        install(self.cluster, self.CFG)
        self.there_again()
        jobs = self.outsiders()
        for _ in range(3):
            self.cluster.run("scontrol update reservation=vault.inf nodes=n4")
            self.there_again()
        self.check(jobs)

    def test_deleted_by_hand_while_its_node_is_down(self) -> None:
        """It cannot be made as long as the node is down, and nobody is on the node before it."""
        install(self.cluster, self.CFG)
        self.there_again()
        jobs = self.outsiders()
        for state in ("down", "drain"):
            self.cluster.run(f"scontrol update nodename=n1 state={state} reason=test")
            self.cluster.run("scontrol delete reservation=vault.inf")
            self.waits(*jobs[:-1])
            self.cluster.run("scontrol update nodename=n1 state=resume")
            self.there_again()
        self.check(jobs)

    def test_a_node_comes_up_that_a_reservation_lacks(self) -> None:
        self.cluster.run("scontrol update nodename=n1 state=down reason=test")
        self.addCleanup(self.cluster.run, "scontrol update nodename=n1 state=resume", check=False)
        install(
            self.cluster,
            SLOW + "SRCFG[all] TASKCOUNT=4 RESOURCES=PROCS=-1 PERIOD=INFINITY USERLIST=games\n",
        )
        wait_for_instances(self.cluster, {"all.inf": "n[2-4]"})
        jobs = [self.submit("-n1", "-w", "n1", *how, user="bin") for how in ((), ("-t5",))]
        self.waits(*jobs)
        self.cluster.run("scontrol update nodename=n1 state=resume")
        wait_for_instances(self.cluster, {"all.inf": "n[1-4]"})
        self.check([*jobs, jobs[0]])

    def test_a_kill_before_slurm_has_saved_it(self) -> None:
        """Nobody starts before the first look at what there is to be."""
        install(self.cluster, self.CFG)
        self.there_again()
        jobs = self.outsiders()
        for _ in range(3):
            self.cluster.wait_until_saved(jobs[0])
            self.cluster.stop(kill=True)
            for name in ("resv_state", "resv_state.old"):
                (self.cluster.dir / "state" / name).unlink(missing_ok=True)
            self.cluster.start()
            self.there_again()
        self.check(jobs)

    def test_slurmctld_builds_its_nodes_anew_while_they_are_made(self) -> None:
        install(self.cluster, self.CFG)
        self.there_again()
        for _ in range(40):
            self.cluster.run("scontrol delete reservation=vault.inf >/dev/null 2>&1 &")
            self.cluster.reconfigure()
        self.there_again()

    def test_maui_cfg_does_not_want_it_any_more(self) -> None:
        """Then it is open, whoever has deleted it."""
        install(self.cluster, self.CFG)
        self.there_again()
        jobs = self.outsiders()
        self.cluster.run("scontrol delete reservation=vault.inf")
        install(self.cluster, SLOW)
        wait_for_instances(self.cluster, {})
        self.cluster.wait_for_state(jobs[0], "RUNNING")
