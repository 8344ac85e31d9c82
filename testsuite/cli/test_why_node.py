# SPDX-License-Identifier: GPL-2.0-or-later
"""maui why --node: each state of a node, and each kind of reason why a waiting job does not start there."""

import json

import cli_harness as harness
import why_data as wd

_munge = harness.munge


def _engine(*reservations, **data):
    return wd.engine(check_node={"name": "n1", "reservation_list": list(reservations), "job_list": [], "hidden_jobs": 0}, **data)


def _ask(maui, queue, answers, *arguments):
    return wd.ask(_munge, maui, queue, answers, *arguments)


def _json(maui, queue, node="n1", answers=None, *more):
    done, _ = _ask(maui, queue, answers or _engine(), "--json", f"--node={node}", *more)
    harness.check_code(done, 0)
    found = json.loads(done.stdout)
    harness.equal((found["schema"], found["node"]), ("maui.why-node/1", node), "schema and node")
    return found


def _golden(maui, golden, queue, node, answers):
    """The text, and that JSON has the same sentences."""
    done, _ = _ask(maui, queue, answers, "--node", node)
    harness.check_code(done, 0)
    harness.check_golden(done, f"why-node.{golden}.out")
    found = _json(maui, queue, node, answers)
    text = done.stdout.decode()
    harness.equal(found["summary"], text.splitlines()[0], "the first line")
    for finding in found["findings"]:
        if f"\n  {finding['text']}\n" not in text:
            raise harness.Failure(f"the text lacks {finding['text']!r}:\n{text}")


def _of(found, part):
    return [row for row in found["findings"] if row["part"] == part]


def _waiting(found):
    """kind and text of each job that is told."""
    return [(row["kind"], row["text"].partition(": ")[2]) for row in _of(found, "waiting") if "may_start" in row["facts"]]


def _on(node, *jobs, **members):
    """A queue with this as n1, alone."""
    return wd.queue(jobs=list(jobs), nodes=[node], **members)


def test_every_state_has_words_and_slurms_reason(maui):
    for members, state, usable in (
            ({}, "idle", True),
            ({"flags": ["DRAIN"], "reason": "disk [root@x]"}, "drained (Slurm's reason: disk [root@x])", False),
            ({"flags": ["DRAIN"], "used": 2}, "draining: it ends what it runs, and starts nothing", False),
            ({"state": "DOWN", "reason": "fire"}, "down (Slurm's reason: fire)", False),
            ({"state": "DOWN", "flags": ["NOT_RESPONDING"]}, "down: its slurmd does not respond", False),
            ({"flags": ["POWERED_DOWN"]}, "powered down, and booted for a job that gets it", True),
            ({"flags": ["POWERING_UP"]}, "booting", True),
            ({"flags": ["POWERING_DOWN"]}, "powering down: it takes jobs when it is off, and boots for them", False),
            ({"flags": ["REBOOT_ISSUED"]}, "rebooting", False),
            ({"flags": ["MAINT"]}, "in maintenance: only jobs of that reservation start there", True),
            ({"state": "UNKNOWN"}, "unknown to slurmctld until its slurmd registers", False),
            ({"state": "FUTURE"}, "a FUTURE node of slurm.conf, not there yet", False),
            ({"used": 4}, "all in use", False),
            ({"used": 3}, "partly in use, 1 of 4 processors free", True),
            ({"used": 1, "allocated_memory": 2000}, "partly in use, 3 of 4 processors free, but no memory is left", False),
            ({"flags": ["COMPLETING"]}, "idle, and slurmd still ends a job (COMPLETING)", False)):
        found = _json(maui, _on(wd.node("n1", **members)))
        harness.equal((_of(found, "state")[0]["text"], found["usable"]), (state, usable), f"{members}")
        harness.equal(found["summary"].startswith(f"node n1 is {state}"), True, found["summary"])


def test_nobody_asks_for_it(maui):
    _golden(maui, "nobody", wd.queue(wd.job(17, partition="closed")), "n1", _engine())
    found = _json(maui, _on(wd.node("n1", partitions=[]), wd.job(17)))
    harness.equal(found["summary"], "node n1 is idle: it is in no partition", "without a partition")


def test_who_has_it_is_listed_by_end(maui):
    jobs = [wd.running(13, "bob", "n1", 1), wd.running(12, "alice", "n1", 2, end=None, time_limit=None),
            wd.running(11, "eve", "n1", 1, state="SUSPENDED"), wd.job(17)]
    _golden(maui, "full", _on(wd.node("n1", 4), *jobs), "n1", _engine())
    found = _json(maui, _on(wd.node("n1", 4), *jobs), "n1", None, "--limit=1")
    harness.equal([row["facts"].get("id") for row in _of(found, "jobs")], ["11", None], "the first alone")
    found = _json(maui, _on(wd.node("n1", 4), wd.running(13, "bob", "n1", 1)))
    harness.equal([row["text"] for row in _of(found, "unseen")], ["who holds 3 processors: jobs that are not yours to see"],
                  "hidden jobs")


def test_reservations_say_whose_they_are(maui):
    ours = {"name": "night.inf", "ours": True, "open": True, "acl": ["USER==ann+", "CLASS==batch+"], "acl_omitted": 3}
    rows = [wd.reservation("later", "n[1-2]", start=wd.NOW + 600, users=None, accounts="physics"),
            wd.reservation("night.inf", "n1", end=None, max_start_delay=1), wd.reservation("gone", "n1", end=wd.NOW),
            wd.reservation("other", "n2"), wd.reservation("part", "n1", cores=[{"node": "n1", "cores": "0-1"}], users="ann,bob")]
    queue = wd.queue(wd.job(17), reservations=rows)
    _golden(maui, "reserved", queue, "n1", _engine(ours))
    for detail, words in (({"open": False}, "nobody, as it is closed"), ({"acl": [], "acl_omitted": 0}, "nobody: its list is empty")):
        found = _json(maui, queue, "n1", _engine(ours | detail))
        harness.equal(_of(found, "reserved")[0]["facts"]["for"], words, words)
    done, _ = _ask(maui, queue, None, "--json", "--node=n1")
    found = json.loads(done.stdout)
    harness.equal(_of(found, "reserved")[0]["facts"]["for"], "those of an access list that only the engine has", "without the engine")
    found = _json(maui, _on(wd.node("n1", flags=["RESERVED"])))
    harness.equal([row["text"] for row in _of(found, "unseen")],
                  ["the reservation that it is in: it is not yours to see"], "a hidden reservation")


def test_backfills_plan_keeps_it(maui):
    plan = {"start": wd.NOW + 1800, "scheduled_nodes": "n[1-2]", "nodes": 2}
    later = plan | {"start": wd.NOW + 7200}
    queue = wd.queue(wd.job(19, priority=300, **later), wd.job(17, priority=200, **plan), wd.job(18, "alice"),
                     wd.job(20, "eve", time_limit=600, priority=900))
    _golden(maui, "plan", queue, "n1", _engine())
    found = _json(maui, _on(wd.node("n1", flags=["PLANNED"])))
    harness.equal([row["kind"] for row in _of(found, "unseen")], ["plan"], "a hidden plan")


def test_each_job_has_its_reason(maui):
    """One at a time, on a node that is free but for a processor."""
    n1 = wd.node("n1", 1, disk=10)
    for members, kind, text in (
            ({"priority": 0, "reason": "JobHeldUser"}, "user-hold", None),
            ({"reason": "Dependency", "dependency": "afterok:12(unfulfilled)"}, "dependency", None),
            ({"reason": "BeginTime", "eligible": wd.NOW + 600}, "begin-time", None),
            ({"reason": "QOSMaxJobsPerUserLimit"}, "slurm", None),
            ({"partition": "closed,batch", "time_limit": 7200}, "scheduler", None),
            ({"excluded_nodes": "n1"}, "excluded", "it excludes the node (--exclude=n1)"),
            ({"required_nodes": "n2"}, "nodelist", "it asks for other nodes (--nodelist=n2)"),
            ({"features": "fast"}, "features", "it asks for the features fast, which the node does not have"),
            ({"tasks_per_node": 5, "tasks": 5}, "small",
             "it needs 5 processors of a node; the node has 4, 2000 MB of memory, 10 MB of disk"),
            ({"memory": 3000, "memory_per": "node", "disk": 3}, "small",
             "it needs 1 processor of a node, 3000 MB of memory, 3 MB of disk; the node has 4, 2000 MB of memory, 10 MB of disk"),
            ({"procs_per_task": 4, "procs": 4}, "busy",
             "it needs 4 processors of a node; 3 processors and 2000 MB of memory are free there"),
            ({"exclusive": True}, "busy", "it needs all of a node; 3 processors and 2000 MB of memory are free there"),
            ({"nodes": 2, "tasks": 2}, "nodes",
             "it could use the node, but not alone: partition batch has 2 nodes: 1 busy; 1 is left, it needs 2 (3 free processors)"),
            ({"reason": "Priority"}, "priority", "jobs of higher priority wait, as Slurm says; you see none of them"),
            ({"start": wd.NOW + 60, "scheduled_nodes": "n2"}, "plan", "backfill has planned it for 2023-11-14T23:14:20 on n2"),
            ({}, "scheduler",
             "nothing that can be seen stands against it: the next pass of the scheduler decides")):
        queue = wd.queue(jobs=[wd.running(11, "bob", "n1", 1), wd.running(12, "bob", "n2", 4), wd.job(17, **members)],
                         nodes=[n1, wd.node("n2", 4)])
        found = _json(maui, queue)
        told = _waiting(found)
        harness.equal(told[0][0], kind, f"{members}: {found['summary']}")
        if text:
            harness.equal(told[0][1], text, f"{members}")
        harness.equal(_of(found, "waiting")[1]["facts"]["may_start"], kind == "scheduler", "may_start")


def test_what_the_engine_says_counts(maui):
    found = _json(maui, wd.queue(wd.job(17)), "n1", wd.blocks("limit", "MAXJOB limit of 2 for user bob (2 in use)", limit=wd.limit())
                  | {"check-node": _engine()["check-node"]})
    harness.equal(_waiting(found), [("limit", "MAXJOB limit of 2 for user bob (2 in use)")], "a limit")
    found = _json(maui, wd.queue(wd.job(17)), "n1", _engine(explain_nodes=wd.order("n2", left_out={"limits": 1, "limited": "n1"})))
    harness.equal(_waiting(found)[0], ("limits", "a limit of NODECFG keeps it off the node"), "a limit of NODECFG")
    rows = [wd.reservation("night.inf", "n1", max_start_delay=1)]
    found = _json(maui, wd.queue(wd.job(17), reservations=rows), "n1",
                  _engine(explain_reservations=wd.admission(wd.entry("night.inf", "n1"))))
    harness.equal(_waiting(found), [("reserved", "reservation night.inf keeps it off: no list names the job")], "a list")


def test_a_job_of_several_partitions_starts_in_one(maui):
    parts = [wd.partition("batch"), wd.partition("long", max_time=600)]
    found = _json(maui, wd.queue(wd.job(17, partition="long,batch"), partitions=parts))
    harness.equal(_waiting(found)[0][0], "scheduler", "the second partition")
    found = _json(maui, _on(wd.node("n1", partitions=["long"]), wd.job(17, partition="long,batch"), partitions=parts))
    harness.equal(_waiting(found), [("partition", "partition long runs a job for at most 10 minutes, this one asks for 60 "
                                     "(PartitionTimeLimit)")], "the one that the node is in")


def test_the_first_are_told_and_the_rest_counted(maui):
    jobs = [wd.job(100 + i, priority=i + 1, features="fast") for i in range(12)]
    for more, told in (((), 10), (("--limit=2",), 2), (("--limit=100",), 12)):
        found = _json(maui, wd.queue(*jobs), "n1", None, *more)
        harness.equal((len(_waiting(found)), found["waiting"]), (told, 12), f"jobs told with {more}")
        left = [row["text"] for row in _of(found, "waiting") if row["kind"] == "omitted"]
        harness.equal(left, [f"and {12 - told} more: --limit=12 shows all"] if told < 12 else [], "the rest")
        harness.equal(_of(found, "waiting")[1]["facts"]["id"], "111", "the first")


def test_the_engine_is_asked_once_if_it_is_silent(maui):
    done, _ = _ask(maui, wd.queue(wd.job(17), wd.job(18)), None, "--node=n1")
    harness.check_code(done, 0)
    harness.equal(done.stderr.decode().count("from Slurm alone"), 1, "NOTEs")
    found = _json(maui, wd.queue(wd.job(17), wd.job(18)), "n1", {name: "no" for name in _engine()})
    harness.equal(len(_of(found, "unseen")), 1 + len(wd.engine()) - 1, "each refusal once")


def test_wrong_usage_is_explained(maui):
    for words, pattern in ((["--node=n1", "17"], "--node=n1 and job 17: one at a time"), (["--limit=3", "17"], "--limit is for --node"),
                           (["--node=n1", "--limit=0"], "jobs are a number from 1 to"), (["--node"], "requires an argument")):
        harness.check_refused(maui.run("why", *words), pattern)
    done, _ = _ask(maui, wd.queue(), _engine(), "--node=n77")
    harness.equal((done.returncode, done.stdout), (5, b""), "an unknown node")
    harness.check_errors(done, "ERROR:    Slurm has no node n77, or it is not yours to see\n")


def test_names_cannot_command_the_terminal(maui):
    queue = wd.queue(wd.job(17, "\x1b]0;evil\x07", reason="Priority"), nodes=[wd.node("n1", reason="\x1b]0;evil\x07")])
    done, _ = _ask(maui, queue, {name: harness.evil(data) for name, data in _engine().items()}, "--node=n1")
    harness.check_code(done, 0)
    if b"\x1b" in done.stdout or b"\x07" in done.stdout:
        raise harness.Failure("control characters in the output")


def test_odd_data_is_no_crash(maui):
    """Queues and answers with a member that is something else: fifty, sampled."""
    whole = wd.queue(jobs=[wd.running(11, "bob", "n1", 1), wd.job(17, features="fast", scheduled_nodes="n1", start=wd.NOW + 60)],
                     nodes=[wd.node("n1", 1)],
                     reservations=[wd.reservation("night.inf", "n1", cores=[{"node": "n1", "cores": "0-1"}])])
    answers = _engine({"name": "night.inf", "ours": True, "open": True, "acl": ["USER==ann+"], "acl_omitted": 0})
    changes = list(harness.odd(whole))
    for changed in changes[::max(1, len(changes) // 30)]:
        done, _ = _ask(maui, changed, answers, "--node=n1")
        if done.returncode not in (0, 2, 5):
            raise harness.Failure(f"exit code {done.returncode} for {changed}: {harness.text_of(done)}")
    changes = list(harness.odd(answers["check-node"]))
    for changed in changes[::max(1, len(changes) // 20)]:
        done, _ = _ask(maui, whole, answers | {"check-node": changed}, "--node=n1")
        harness.check_code(done, 0)
