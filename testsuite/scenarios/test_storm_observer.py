# SPDX-License-Identifier: GPL-2.0-or-later
"""The storm's observer finds what must not be, and nothing else; no cluster."""

from __future__ import annotations

import random
import threading
import unittest
from dataclasses import replace

from storm_actors import Board, Shell, User
from storm_model import INFINITE, History, Job, Limit, Policy, Reservation
from storm_observer import LOWERED_FOR, Finding, Observer, is_whole, parse, seconds

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
        "Comment=JobState=PENDING"
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
        self.assertEqual((running.account, running.partition, running.cpus), ("", "other", 3))
        self.assertEqual((running.limit, running.ran, running.remaining), (86460, 5, 86455))
        self.assertEqual(dict(running.on), {"n1": {0, 1}, "n2": {3}})
        self.assertEqual((held.id, held.key, held.part, held.priority), (9, 8, True, 0))
        self.assertEqual((running.het, held.het), (False, True))
        (first,) = parse(self.WAITING.replace("HetJobOffset=1", "HetJobOffset=0"))
        self.assertEqual((first.het, first.part), (True, False))
        self.assertEqual((held.reason, held.start, held.limit), ("JobHeldUser", 0, INFINITE))

    def test_a_sample_that_breaks_off_is_none(self) -> None:
        line = "JobId=1 JobState=PENDING NumCPUs=1 WorkDir=/ "
        self.assertTrue(is_whole(f"{line}\n\n{line}\n"))
        self.assertFalse(is_whole(f"{line}\n\nJobId=2 JobState=PENDING"))
        self.assertTrue(is_whole(""))

    def test_times(self) -> None:
        for text, wanted in (
            ("00:01:00", 60), ("365-00:00:00", 365 * 86400), ("UNLIMITED", INFINITE), ("Partition_Limit", INFINITE),
        ):
            self.assertEqual(seconds(text), wanted)


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


if __name__ == "__main__":
    unittest.main()
