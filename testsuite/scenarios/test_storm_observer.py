# SPDX-License-Identifier: GPL-2.0-or-later
"""The storm's observer and sums find what must not be, and nothing else; no cluster."""

from __future__ import annotations

import queue
import random
import re
import threading
import unittest
from collections.abc import Callable
from dataclasses import replace

import test_storm
from storm_actors import Board, Shell, User
from storm_clock import Clock
from storm_model import INFINITE, History, Job, Limit, Policy, Reservation
from storm_observer import (
    LOWERED_FOR,
    Finding,
    Observer,
    epoch_of,
    is_whole,
    log_of,
    parse,
    seconds,
)
from storm_sampler import Sampler
from storm_usage import ENDED, KILLED, PAUSE, RETURNED, STEPPED, UNSAVED, UNSEEN, Usage, accounting_rows

VAULT = Reservation("vault", "n1", users=("games",))
DENY = Reservation("deny", "n5", users=("games",), classes=("batch",))
PART = Reservation("pc", "n4", procs=2, users=("games",))
BOOKS = Reservation("books", "n2", accounts=("physics",))


def job(number: int = 1, node: str = "n1", cpus: str = "0-1", **changes: object) -> Job:
    first, _, last = cpus.partition("-")
    ids = frozenset(range(int(first), int(last or first) + 1))
    one = Job(
        id=number, key=number, user="bin", account="", partition="other", state="RUNNING", start=100,
        limit=60, cpus=len(ids), on=((node, ids),),
    )
    return replace(one, **changes)  # type: ignore[arg-type]


class FakeShell(Shell):
    def __init__(self, status: str, said: str) -> None:
        self.answer = (status, said)

    def run(self, command: str) -> tuple[str, str]:
        return self.answer


def waiting(**changes: object) -> Job:
    return replace(job(state="PENDING", on=(), priority=0, reason="JobHeldAdmin"), **changes)


class ObserverTest(unittest.TestCase):
    def observer(self, *changes: tuple[float, float, Policy]) -> Observer:
        history = History()
        for asked, in_force, policy in changes:
            history.ask(asked, policy).in_force = in_force
        return Observer(history)

    def found(self, policy: Policy, *jobs: Job) -> list[Finding]:
        return self.observer((0, 0, policy)).look(200, jobs)

    def test_an_outsiders_job_on_a_reserved_node_is_a_finding(self) -> None:
        guard = Policy((VAULT, DENY, BOOKS))
        for what, one, count in (
            ("an outsider", job(), 1),
            ("one that is suspended", job(state="SUSPENDED"), 1),
            ("one on two nodes", job(on=(("n7", frozenset((0,))), ("n1", frozenset((0,))))), 1),
            ("an insider", job(user="games"), 0),
            ("an outsider beside it", job(node="n7"), 0),
            ("one that ends", job(state="COMPLETING"), 0),
            ("one that waits", job(state="PENDING", on=()), 0),
            ("another class", job(node="n5"), 1),
            ("the class", job(node="n5", partition="batch"), 0),
            ("another account", job(node="n2", account="biology"), 1),
            ("no account", job(node="n2"), 1),
            ("the account", job(node="n2", account="physics"), 0),
        ):
            found = self.found(guard, one)
            self.assertEqual([one.kind for one in found], ["outsider"] * count, what)

    def test_who_began_before_the_reservation_is_none(self) -> None:
        changes = ((0, 0, Policy()), (100, 102, Policy((VAULT,))))
        for start, count in ((50, 0), (99, 0), (101, 0), (103, 0), (104, 1), (150, 1)):
            found = self.observer(*changes).look(200, [job(start=start)])
            self.assertEqual(len(found), count, start)

    def test_who_began_when_it_had_gone_is_none(self) -> None:
        changes = ((0, 0, Policy((VAULT,))), (100, 102, Policy()))
        for start, count in ((50, 1), (97, 1), (98, 0), (101, 0), (150, 0)):
            found = self.observer(*changes).look(200, [job(start=start)])
            self.assertEqual(len(found), count, start)

    def test_a_change_that_is_under_way_counts_in_neither_way(self) -> None:
        for before, after in ((Policy(), Policy((VAULT,))), (Policy((VAULT,)), Policy())):
            found = self.observer((0, 0, before), (100, INFINITE, after)).look(200, [job(start=150)])
            self.assertEqual(found, [])

    def test_who_is_in_a_reservation_of_the_administrators_own_is_none(self) -> None:
        history = History()
        history.ask(0, Policy((VAULT,))).in_force = 0
        history.made("half.inf", 100)
        history.deleted("half.inf", 150)
        for what, start, reservation, count in (
            ("in it", 120, "half.inf", 0),
            ("in none", 120, "", 1),
            ("in ours", 120, "vault.inf", 1),
            ("before it was his", 90, "half.inf", 1),
            ("when it was gone", 160, "half.inf", 1),
        ):
            found = Observer(history).look(200, [job(start=start, reservation=reservation)])
            self.assertEqual(len(found), count, what)
        history.killed(155)
        self.assertEqual(len(Observer(history).look(200, [job(start=160, reservation="half.inf")])), 1)
        history.killed(145)
        self.assertEqual(len(Observer(history).look(200, [job(start=160, reservation="half.inf")])), 0)

    def test_outsiders_may_have_what_a_partial_reservation_leaves(self) -> None:
        guard = Policy((PART,))
        small = [job(number, "n4", str(number)) for number in range(4)]
        paused = job(1, "n4", "0-1", state="SUSPENDED")
        for what, jobs, count in (
            ("what is left", small[:2], 0),
            ("one CPU more", small[:3], 1),
            ("two more", small, 2),
            ("in one job", [job(1, "n4", "0-2")], 1),
            ("an insider's", [*small[:2], job(9, "n4", "2-3", user="games")], 0),
            ("the same CPUs after a suspension", [paused, job(2, "n4", "0-1")], 0),
        ):
            found = self.found(guard, *jobs)
            self.assertEqual(len(found), count, what)

    def test_a_limit_that_is_exceeded_is_a_finding(self) -> None:
        two = [job(1, "n6"), job(2, "n7")]  # two CPUs and a minute each
        paused = [two[0], replace(two[1], state="SUSPENDED")]
        ending = [two[0], replace(two[1], state="COMPLETING")]
        users = [two[0], replace(two[1], user="sys")]
        physics = [replace(one, account="physics") for one in two]
        late = [replace(one, ran=20) for one in two]
        endless = [job(limit=INFINITE, node="n7")]
        own = [Limit("USER", "DEFAULT", "JOB", 1), Limit("USER", "bin", "JOB", 2)]
        for what, limits, jobs, count in (
            ("jobs", [Limit("USER", "bin", "JOB", 1)], two, 1),
            ("jobs, up to it", [Limit("USER", "bin", "JOB", 2)], two, 0),
            ("procs", [Limit("USER", "DEFAULT", "PROC", 3)], two, 1),
            ("procs, up to it", [Limit("USER", "DEFAULT", "PROC", 4)], two, 0),
            ("time", [Limit("USER", "bin", "WC", 117)], two, 1),
            ("time, up to it", [Limit("USER", "bin", "WC", 120)], two, 0),
            ("procs times time", [Limit("USER", "bin", "PS", 235)], two, 1),
            ("procs times time, up to it", [Limit("USER", "bin", "PS", 240)], two, 0),
            ("time, and the clock was set", [Limit("USER", "bin", "WC", 117)],
             [replace(one, clock_was_set=True) for one in two], 0),
            ("jobs, and the clock was set", [Limit("USER", "bin", "JOB", 1)],
             [replace(one, clock_was_set=True) for one in two], 1),
            ("for ever", [Limit("USER", "bin", "WC", 10**9)], endless, 1),
            ("what has run is none", [Limit("USER", "bin", "WC", 90)], late, 0),
            ("one that is suspended", [Limit("USER", "bin", "JOB", 1)], paused, 1),
            ("one that ends", [Limit("USER", "bin", "JOB", 1)], ending, 0),
            ("two users", [Limit("USER", "DEFAULT", "JOB", 1)], users, 0),
            ("the system", [Limit("SYS", "", "JOB", 1)], users, 1),
            ("a class", [Limit("CLASS", "other", "JOB", 1)], two, 1),
            ("another class", [Limit("CLASS", "batch", "JOB", 1)], two, 0),
            ("an account", [Limit("ACCOUNT", "DEFAULT", "JOB", 1)], physics, 1),
            ("no account", [Limit("ACCOUNT", "DEFAULT", "JOB", 1)], two, 0),
            ("its own before DEFAULT", own, two, 0),
            ("parts of one job", [Limit("USER", "bin", "JOB", 1)], [two[0], replace(two[1], part=True)], 0),
        ):
            found = self.found(Policy(limits=tuple(limits)), *jobs)
            self.assertEqual([one.kind for one in found], ["limit"] * count, what)

    def test_a_limit_that_was_lowered_stops_nobody_who_runs(self) -> None:
        high, low = (Policy(limits=(Limit("USER", "bin", "JOB", hard),)) for hard in (2, 1))
        for last, count in ((99, 0), (103, 0), (104, 1)):
            observer = self.observer((0, 0, high), (100, 102, low))
            found = observer.look(200, [job(1, "n6", start=50), job(2, "n7", start=last)])
            self.assertEqual(len(found), count, last)

    def test_a_hold_that_nobody_gave_is_a_finding(self) -> None:
        for what, one, count in (
            ("an administrator's", waiting(), 1),
            ("a user's", waiting(reason="JobHeldUser"), 1),
            ("our text, not for long", waiting(reason="MAXJOB_limit_of_2_for_user_bin"), 0),
            ("Slurm's own", waiting(reason="launch_failed_requeued_held"), 0),
            ("a priority", waiting(priority=1), 0),
            ("given", waiting(id=7, key=7), 0),
            ("given to its array", waiting(id=8, key=7), 0),
        ):
            observer = self.observer((0, 0, Policy()))
            observer.may_be_held = lambda one: 7 in (one.id, one.key)
            found = observer.look(200, [one])
            self.assertEqual([one.kind for one in found], ["held"] * count, what)

    def test_what_slurm_held_before_a_kill_is_none(self) -> None:
        watcher = self.observer((0, 0, Policy()))
        for when, reason in ((10, "launch_failed_requeued_held"), (20, "NodeDown"), (30, "JobHeldAdmin")):
            self.assertEqual(watcher.look(when, [waiting(reason=reason)]), [], reason)
        self.assertEqual(watcher.look(40, [waiting(priority=5)]), [])
        with self.subTest("slurmctld remembers the hold of before"):
            self.assertEqual(watcher.look(45, [waiting(reason="JobHeldAdmin")]), [])
        self.assertEqual(watcher.look(46, [waiting(priority=5)]), [])
        self.assertEqual(len(watcher.look(70, [waiting()])), 1)

    def test_a_job_that_is_held_from_its_submission_on_may_be(self) -> None:
        board = Board(holding={"bin"})
        for what, one, may in (
            ("the user's own hold", waiting(reason="JobHeldUser"), True),
            ("an administrator's", waiting(), False),
            ("another user's", waiting(reason="JobHeldUser", user="man"), False),
        ):
            self.assertEqual(board.may_be_held(one), may, what)

    def test_a_submission_whose_answer_is_lost_may_have_been_made(self) -> None:
        lost = "sbatch: error: Batch job submission failed: "
        for status, said, may in (
            ("0", "55", False),  # its number is known
            ("1", lost + "Zero Bytes were transmitted or received", True),
            ("1", lost + "Unable to contact slurm controller (connect failure)", True),
            ("124", "", True),
            ("1", lost + "Invalid account or account/partition combination specified", False),
        ):
            board = Board()
            user = User("bin", FakeShell(status, said), random.Random(1), threading.Event(), board)
            user.submit_batch("sbatch --hold")
            self.assertEqual(board.may_be_held(waiting(reason="JobHeldUser", id=77)), may, said)

    def test_a_priority_of_0_that_lasts_is_a_finding(self) -> None:
        observer = self.observer((0, 0, Policy()))
        one = waiting(reason="MAXJOB_limit_of_2_for_user_bin")
        self.assertEqual(observer.look(200, [one]), [])
        self.assertEqual(observer.look(200 + LOWERED_FOR, [one]), [])
        self.assertEqual(len(observer.look(200 + LOWERED_FOR + 0.1, [one])), 1)
        # Not so where it was gone in between, or nobody could see it.
        for forget in (lambda seen: seen.look(201, []), Observer.blind):
            observer = self.observer((0, 0, Policy()))
            observer.look(200, [one])
            forget(observer)
            self.assertEqual(observer.look(202, [one]), [])
            self.assertEqual(observer.look(200 + LOWERED_FOR + 1, [one]), [])

    def test_a_finding_is_told_once(self) -> None:
        observer = self.observer((0, 0, Policy((VAULT,))))
        self.assertEqual([len(observer.look(200 + i, [job()])) for i in range(3)], [1, 0, 0])
        self.assertEqual(len(observer.look(210, [job(start=105)])), 1)  # another run of it


class ParseTest(unittest.TestCase):
    # As scontrol 22.05 prints them, shortened.
    RUNNING = (
        "JobId=12 ArrayJobId=10 ArrayTaskId=2 JobName=one UserId=bin(2) GroupId=bin(2) Priority=7 "
        "Account=(null) QOS=(null) JobState=RUNNING Reason=None Dependency=(null) RunTime=00:00:05 "
        "TimeLimit=1-00:01:00 StartTime=2026-01-02T03:04:05 Partition=other NodeList=n[1-2] NumNodes=2 "
        "NumCPUs=3 JOB_GRES=(null) Nodes=n1 CPU_IDs=0-1 Mem=20 GRES= Nodes=n2 CPU_IDs=3 Mem=10 GRES= "
        "Reservation=half.inf Comment=JobState=PENDING"
    )
    WAITING = (
        "JobId=9 HetJobId=8 HetJobOffset=1 JobName=two UserId=man(6) Priority=0 Account=physics "
        "JobState=PENDING Reason=JobHeldUser RunTime=00:00:00 TimeLimit=UNLIMITED StartTime=Unknown "
        "Partition=other,batch NumCPUs=1-4"
    )

    def test_a_sample_is_read(self) -> None:
        over = self.WAITING.replace("PENDING", "COMPLETED")
        running, held = parse("\n".join((self.RUNNING, over, self.WAITING, "No jobs in the system")))
        self.assertEqual((running.id, running.key, running.user, running.state), (12, 10, "bin", "RUNNING"))
        self.assertEqual((running.reservation, held.reservation), ("half.inf", ""))
        self.assertEqual((running.account, running.partition, running.cpus), ("", "other", 3))
        self.assertEqual((running.limit, running.ran, running.remaining), (86460, 5, 86455))
        self.assertEqual(dict(running.on), {"n1": {0, 1}, "n2": {3}})
        self.assertEqual((held.id, held.key, held.part, held.priority), (9, 8, True, 0))
        self.assertEqual((running.het, held.het), (False, True))
        (first,) = parse(self.WAITING.replace("HetJobOffset=1", "HetJobOffset=0"))
        self.assertEqual((first.het, first.part), (True, False))
        (future,) = parse(self.RUNNING.replace("RunTime=00:00:05", "RunTime=INVALID"))
        self.assertEqual((future.ran, future.remaining), (0, 86460))
        self.assertEqual((held.reason, held.start, held.limit), ("JobHeldUser", 0, INFINITE))

    def test_a_sample_that_breaks_off_is_none(self) -> None:
        line = "JobId=1 JobState=PENDING NumCPUs=1 WorkDir=/ "
        self.assertTrue(is_whole(f"{line}\n\n{line}\n"))
        self.assertFalse(is_whole(f"{line}\n\nJobId=2 JobState=PENDING"))
        self.assertFalse(is_whole(f"{line}\n\n{line}"))
        self.assertTrue(is_whole(""))

    def test_times(self) -> None:
        for text, wanted in (
            ("00:01:00", 60), ("365-00:00:00", 365 * 86400), ("UNLIMITED", INFINITE), ("Partition_Limit", INFINITE),
        ):
            self.assertEqual(seconds(text), wanted)


class LogTest(unittest.TestCase):
    def test_slurmctld_logs_each_charge(self) -> None:
        flags = re.findall("(?m)^DebugFlags=(.*)$", test_storm.SLURM_CONF)
        self.assertEqual([set(one.split(",")) for one in flags], [{"Priority", "HetJob"}])

    def test_a_finding_has_the_lines_of_its_job_and_no_other_jobs_charges(self) -> None:
        charge = "maui: fairshare: job {}, start 100, until 200: 10 seconds more"
        mine = [
            "slurmctld version 22.05.8 started",
            "sched: Allocate JobId=7 NodeList=n1",
            "sched: Allocate JobId=5_2(9) NodeList=n1",
            "maui: maui.cfg: its policy is in force",
            f"PRIO: {charge.format(7)}",
        ]
        others = ["sched: Allocate JobId=77 NodeList=n1", f"PRIO: {charge.format(77)}"]
        self.assertEqual(log_of(job(7, key=5), "\n".join(mine + others)), mine)


class SamplerTest(unittest.TestCase):
    SECONDS = 20  # for two samples; a sampler that misses its mark waits for ever

    def samples(self, command: str) -> list[str | None]:
        """The first two of this command's."""
        told: queue.Queue[str | None] = queue.Queue()
        sampler = Sampler((), lambda when, text: told.put(text), command)
        sampler.start()
        try:
            return [told.get(timeout=self.SECONDS / 2) for _ in range(2)]
        finally:
            sampler.stop()

    def test_an_answer_that_breaks_off_within_a_line_is_not_whole(self) -> None:
        line = "JobId=1 JobState=RUNNING WorkDir=/"
        half = f"{line}\nJobId=2 WorkDir=/half"
        for what, script, wanted, whole in (
            ("whole", f"printf \"{line}\\n\"", f"{line}\n", True),
            ("nothing", "true", "", True),
            ("half a line", f"printf \"{half}\"", half, False),
            ("half a line, killed", f"printf \"{half}\"; kill -9 $$", None, False),
            ("a line, killed", f"printf \"{line}\\n\"; kill -9 $$", None, False),
        ):
            with self.subTest(what):
                for text in self.samples(f"sh -c '{script}'"):
                    self.assertEqual(text, wanted)
                    self.assertEqual(text is not None and is_whole(text), whole)


def set_clock(
    clock: Clock,
    asked: float,
    done: float,
    ahead: float,
    during: Callable[[], object] = lambda: None,
) -> None:
    times = iter((asked, done, done))
    clock.set(lambda: next(times), lambda: done + ahead, during)


class ClockTest(unittest.TestCase):
    def clock(self) -> Clock:
        clock = Clock(1000)
        set_clock(clock, 60, 61, 1120)
        set_clock(clock, 90, 92, 1000)
        return clock

    def test_a_time_that_it_showed_is_real(self) -> None:
        for what, shown, seen, real in (
            ("before", 1030, 31, 30),
            ("ahead", 1190, 71, 70),
            ("right again", 1100, 101, 100),
            ("twice, seen the first time", 1190, 80, 70),
            ("twice, seen the second time", 1190, 191, 190),
            ("in the future", 1100, 50, None),
            ("while it was set", 1120, 62, None),
        ):
            self.assertEqual(self.clock().real(shown, seen), real, what)

    def test_a_start_stays_what_it_was_when_it_was_seen_first(self) -> None:
        clock = self.clock()
        self.assertEqual([clock.start(1, 1190, seen) for seen in (71, 191)], [70, 70])
        self.assertEqual(clock.start(2, 1190, 191), 190)

    def test_jobs_have_their_real_starts(self) -> None:
        clock = self.clock()
        early, late, unknown = job(1, start=1030), job(2, start=1100), job(3, start=5000)
        placed = clock.place([early, late, unknown, waiting()], 101)
        self.assertEqual([one.start for one in placed], [30, 100, waiting().start])
        self.assertEqual([one.clock_was_set for one in placed], [True, False, False])

    def test_between_two_times_it_may_have_been_set(self) -> None:
        clock = self.clock()
        for since, until, times in (
            (30, 59, 0), (30, 60.5, 1), (60.5, 60.6, 1), (60.5, 80, 1), (62, 89, 0), (30, 91, 2),
            (60.5, 91, 2), (93, 99, 0),
        ):
            self.assertEqual(clock.was_set(since, until), times, (since, until))

    def test_while_it_is_set_a_time_may_be_by_either_clock(self) -> None:
        """It is set 150 seconds ahead at 190, and shows a time that it showed before, at 70."""
        clock = self.clock()
        known, fresh = job(1, start=1180), job(2, start=1341)

        def during() -> None:
            placed = clock.place([known, fresh], 191.5)
            self.assertEqual([(one.id, one.clock_was_set) for one in placed], [(1, True)])
            self.assertEqual((clock.was_set(180, 189), clock.was_set(180, 191.5)), (0, 1))
            self.assertEqual(clock.shown(191.5), 1191.5)
            self.assertIsNone(clock.start(3, 1190, 191.5))

        self.assertEqual(clock.start(1, 1180, 181), 180)
        set_clock(clock, 190, 192, 1150, during)
        self.assertEqual(clock.start(2, 1341, 193), 191)
        self.assertEqual(clock.start(3, 1190, 193), 190)


class UsageTest(unittest.TestCase):
    NOON = epoch_of("2026-06-06T12:00:00")

    def setUp(self) -> None:
        self.clock = Clock(self.NOON)  # real times count from noon
        self.usage = Usage(self.clock)

    def at(self, second: int) -> str:
        return f"2026-06-06T{12 + second // 3600}:{second // 60 % 60:02}:{second % 60:02}"

    def look(self, when: float, state: str, start: int = 10, **fields: str) -> None:
        one = {"StartTime": self.at(start), "EndTime": "Unknown", "SuspendTime": "None"}
        one |= {"SecsPreSuspend": "0", "NumCPUs": "2"} | fields
        text = " ".join(f"{key}={value}" for key, value in one.items())
        self.usage.look(when, f"JobId=1 UserId=bin(2) JobState={state} {text}\n")

    def check(self, least: int, most: int, *why: str) -> None:
        used = self.usage.by_user()["bin"]
        self.assertEqual((used.least, used.most), (2 * least, 2 * most))
        self.assertEqual(set(used.why), {", ".join(sorted(why))} if why else set())

    def test_a_run_has_the_seconds_of_its_record(self) -> None:
        self.look(10.5, "RUNNING", EndTime=self.at(70))
        self.look(20.2, "COMPLETING", EndTime=self.at(19))
        self.look(21.5, "COMPLETED", EndTime=self.at(19))
        self.check(9, 9)

    def test_a_run_that_no_sample_has_counts(self) -> None:
        self.look(20.2, "COMPLETED", EndTime=self.at(19))
        self.check(9, 9)

    def test_a_pause_does_not_count(self) -> None:
        self.look(10.5, "RUNNING")
        self.look(15.5, "SUSPENDED", SuspendTime=self.at(15), SecsPreSuspend="5")
        self.look(20.5, "RUNNING", SuspendTime=self.at(20), SecsPreSuspend="5")
        self.look(23.2, "CANCELLED", SuspendTime=self.at(20), SecsPreSuspend="5", EndTime=self.at(23))
        self.check(8, 8)

    def test_each_run_of_a_requeued_job_counts(self) -> None:
        self.look(10.5, "RUNNING")
        self.look(12.3, "COMPLETING", EndTime=self.at(12))
        self.look(12.4, "PENDING", start=99)
        self.look(20.2, "RUNNING", start=20)
        self.look(25.2, "COMPLETED", start=20, EndTime=self.at(24))
        self.check(2 + 4, 2 + 4)

    def test_a_requeued_job_that_is_completing_has_a_planned_start(self) -> None:
        """Its end was by a clock that was ahead then, and seems to be after that."""
        set_clock(self.clock, 5.0, 5.1, self.NOON + 7200)
        self.look(10.5, "RUNNING", start=7210)
        self.look(12.3, "COMPLETING", start=7210, EndTime=self.at(7212))
        set_clock(self.clock, 13.0, 13.1, self.NOON)
        for second in (14, 15):
            self.look(second + 0.3, "COMPLETING", start=second, EndTime=self.at(7212))
        self.check(2, 2)

    def test_a_job_that_ends_without_a_run_may_have_a_planned_start(self) -> None:
        """Slurm 26.05: the start was planned before the clock was set ahead, and is yet to come."""
        self.look(10.5, "PENDING", start=500)
        set_clock(self.clock, 12.0, 12.1, self.NOON + 7200)
        self.look(15.5, "CANCELLED", start=500, EndTime=self.at(7215))
        self.assertEqual(self.usage.by_user(), {})

    def test_an_end_between_two_samples_has_bounds(self) -> None:
        for looks, least, most in (((12.3, 12.4, 12.5), 2, 2), ((12.3, 12.9, 13.1), 2, 3)):
            self.setUp()
            for when in looks[:2]:
                self.look(when, "RUNNING")
            self.look(looks[2], "PENDING", start=99)
            self.check(least, most, *((ENDED,) if most > least else ()))

    def test_an_end_that_is_yet_to_come_has_not_been(self) -> None:
        self.look(10.5, "RUNNING")
        self.look(12.5, "RUNNING")
        self.look(13.2, "COMPLETING", EndTime=self.at(1810))
        self.check(0, 4, ENDED)  # the sample before came at 10.5

    def test_a_run_that_was_lost_in_a_kill_has_bounds(self) -> None:
        for when in (30.1, 30.2):
            self.look(when, "RUNNING")
        self.usage.blind(31.0)
        self.usage.look(36.0, "")
        self.check(20 - UNSAVED, 26, KILLED)

    def test_an_end_that_was_forgotten_in_a_kill_has_bounds(self) -> None:
        self.look(10.5, "RUNNING")
        self.look(14.5, "COMPLETED", EndTime=self.at(14))
        self.usage.blind(16.7)
        self.usage.blind(18.7)
        self.look(20.5, "RUNNING")
        self.look(25.5, "COMPLETED", EndTime=self.at(25))
        self.look(26.5, "COMPLETED", EndTime=self.at(25))
        self.check(15 - 3, 15, RETURNED)

    def test_a_run_over_a_step_has_the_real_seconds_with_bounds(self) -> None:
        for when in (10.5, 20.0):
            self.look(when, "RUNNING")
        set_clock(self.clock, 20.1, 20.2, self.NOON + 1200)
        self.look(30.0, "RUNNING")
        self.look(30.5, "COMPLETED", EndTime=self.at(1230))
        self.check(20 - 4, 21 + 4, STEPPED)

    def test_a_run_that_ends_while_the_clock_is_set_has_bounds(self) -> None:
        """It ran 2 seconds: by Slurm's record, which has its start by the old clock, and its end by
        the new one, 3,602."""
        end = {"start": 18, "EndTime": self.at(3620)}

        def set_ahead(during: Callable[[], object] = lambda: None) -> None:
            set_clock(self.clock, 19.5, 21.0, self.NOON + 3600, during)

        with self.subTest("a sample while the clock is set"):
            for when in (18.5, 19.4):
                self.look(when, "RUNNING", start=18)
            set_ahead(lambda: self.look(20.2, "COMPLETED", **end))
            self.check(0, 3 + 4, STEPPED)
            self.look(21.5, "COMPLETED", **end)
            self.check(0, 3 + 4, STEPPED)
        with self.subTest("only a sample after it"):
            self.setUp()
            set_ahead()
            self.look(21.5, "COMPLETED", **end)
            self.check(0, 3 + 4, STEPPED)
        with self.subTest("the second in which it ended began before"):
            self.setUp()
            set_ahead()
            self.look(21.5, "COMPLETED", **end | {"EndTime": self.at(3619)})
            self.check(0, 2 + 4, STEPPED)
        with self.subTest("only accounting has it"):
            self.setUp()
            self.look(10.5, "COMPLETED", EndTime=self.at(10))
            set_ahead()
            start, over = int(self.NOON) + 18, int(self.NOON) + 3619
            rows = dict(accounting_rows(f"2|bin|COMPLETED|{start}|{over}|3601|2\n"))
            self.usage.add(rows, 40.0)
            self.check(0, 2 + 4, f"{UNSEEN} and {STEPPED}")

    def test_a_run_that_is_seen_first_while_the_clock_is_set_waits_for_a_sample(self) -> None:
        """It began at 20 by the new clock; by the old one that time is yet to come."""
        set_clock(
            self.clock, 19.5, 21.0, self.NOON + 3600,
            lambda: self.look(20.2, "RUNNING", start=3620),
        )
        self.assertEqual(self.usage.by_user(), {})
        self.look(30.0, "RUNNING", start=3620)
        self.look(30.5, "COMPLETED", start=3620, EndTime=self.at(3630))
        self.check(10 - 4, 11 + 4, STEPPED)

    def test_a_run_that_only_accounting_has_may_have_been_charged(self) -> None:
        self.look(10.5, "RUNNING")
        self.look(15.5, "COMPLETED", EndTime=self.at(15))
        start, end = (int(self.NOON) + second for second in (30, 32))
        seen = f"1|bin|COMPLETED|{end - 22}|{end - 17}|5|2"
        rows = f"{seen}\n2|bin|COMPLETED|{start}|{end}|2|2\n3|bin|RUNNING|{start}|Unknown|9|2\n"
        self.usage.add(dict(accounting_rows(rows)), 40.0)
        self.check(5, 7, UNSEEN)

    def test_a_step_after_the_end_changes_nothing(self) -> None:
        self.look(10.5, "RUNNING")
        self.look(15.5, "COMPLETED", EndTime=self.at(15))
        set_clock(self.clock, 20.1, 20.2, self.NOON + 1200)
        self.look(30.0, "COMPLETED", EndTime=self.at(15))
        self.check(5, 5)

    def test_a_pause_that_was_forgotten_in_a_kill_has_bounds(self) -> None:
        self.look(10.5, "RUNNING")
        self.look(15.0, "SUSPENDED", SuspendTime=self.at(15), SecsPreSuspend="5")
        self.look(19.0, "SUSPENDED", SuspendTime=self.at(15), SecsPreSuspend="5")
        self.usage.blind(20.0)
        self.look(25.0, "RUNNING")
        self.look(30.0, "COMPLETED", EndTime=self.at(30))
        self.check(0, 16 + 4, PAUSE)

    def test_a_return_that_was_forgotten_in_a_kill_has_bounds(self) -> None:
        """It is suspended again after the kill, and resumed: to Slurm it never ran between 20 and 28."""
        again = {"SuspendTime": self.at(30), "SecsPreSuspend": "5"}
        for last, end in (("RUNNING", {}), ("CANCELLED", {"EndTime": self.at(33)})):
            self.setUp()
            self.look(14.9, "RUNNING")
            self.look(15.5, "SUSPENDED", SuspendTime=self.at(15), SecsPreSuspend="5")
            for when in (20.1, 27.4, 27.9):
                self.look(when, "RUNNING", SuspendTime=self.at(20), SecsPreSuspend="5")
            self.usage.blind(28.0)
            self.look(33.0, last, **again, **end)
            self.look(33.5, "CANCELLED", **again, EndTime=self.at(33))
            used = self.usage.by_user()["bin"]
            self.assertLessEqual(used.least, 2 * (5 + 3), last)
            self.assertGreaterEqual(used.most, 2 * (5 + 8 + 3), last)


class PolicyTest(unittest.TestCase):
    def test_every_text_of_a_policy_has_all_of_it(self) -> None:
        policy = Policy((VAULT, PART, DENY), (Limit("USER", "bin", "JOB", 2), Limit("SYS", "", "PROC", 9)))
        texts = {policy.text(random.Random(seed)) for seed in range(20)}
        self.assertGreater(len(texts), 10)
        for text in texts:
            words = text.split()
            for wanted in (
                "HOSTLIST=n1", "HOSTLIST=n4", "RESOURCES=PROCS=2", "TASKCOUNT=1", "CLASSLIST=batch", "SYSCFG",
                "MAXPROC=9", "USERCFG[bin]", "MAXJOB=2",
            ):
                self.assertEqual(words.count(wanted), 1, text)
            self.assertEqual(words.count("USERLIST=games"), 3)
            self.assertEqual(words.count("PERIOD=INFINITY"), 3)
