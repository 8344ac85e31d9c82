# SPDX-License-Identifier: GPL-2.0-or-later
"""maui replay: one workload in each format that sites have, and its figures by a scheduler of the test's own."""

import csv
import dataclasses
import json
import math
import pathlib
import random
import statistics
import tempfile
import time

import cli_harness as harness

PROCS = 64
BEGIN = 1_700_000_000
NODE_PROCS = 8


@dataclasses.dataclass
class _Job:
    number: int
    submitted: int
    run: int
    limit: int  # whole minutes, as sacct has them
    procs: int
    user: str
    account: str
    queue: str
    waited: int = 0  # as recorded

    @property
    def nodes(self):
        return -(-self.procs // NODE_PROCS)

    @property
    def started(self):
        return self.submitted + self.waited


def _workload(seed, count=400):
    """Nearly as much as the machine can do, by users whose limits are good and bad."""
    dice, now, jobs = random.Random(seed), BEGIN, []
    for number in range(1, count + 1):
        now += int(dice.expovariate(1 / 260)) + (number > 1)  # never two at once
        run = max(1, int(dice.lognormvariate(7, 1.5)))
        limit = 60 * math.ceil(run * dice.choice((1, 1.2, 2, 10)) / 60)
        procs = dice.choice((1, 1, 2, 4, 8, 16, 24, 64))
        jobs.append(_Job(number, now, run, limit, procs, dice.choice(("ann", "bob")), dice.choice(("chem", "phys")), dice.choice(("day", "night")),
                        dice.randrange(3600)))
    return jobs


# ---- the formats

def _local(when, form):
    return time.strftime(form, time.gmtime(when))  # harness: TZ=UTC


def _span(seconds):
    return f"{seconds // 86400}-{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _sacct(jobs):
    lines = ["JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|User|Account|QOS|Partition|AllocCPUS|NNodes|ReqTRES"]
    for job in jobs:
        times = (job.submitted, job.submitted, job.started, job.started + job.run)
        lines += ["|".join(map(str, (job.number, *times, job.run, job.limit // 60, job.user, job.account, "normal", job.queue, job.procs, job.nodes,
                                     f"cpu={job.procs},node={job.nodes}"))),
                  f"{job.number}.batch{'|' * 11}{job.procs}||"]
    return "\n".join(lines) + "\n"


def _sacct_in_words(jobs):
    """Without the raw columns, times in local time; CRLF."""
    lines = ["JobID|Submit|Start|End|Elapsed|Timelimit|User|Account|Partition|NCPUS"]
    for job in jobs:
        times = (_local(when, "%Y-%m-%dT%H:%M:%S") for when in (job.submitted, job.started, job.started + job.run))
        lines.append("|".join((str(job.number), *times, _span(job.run), _span(job.limit), job.user, job.account, job.queue, str(job.procs))))
    return "\r\n".join(lines) + "\r\n"


def _pbs(jobs):
    lines = []
    for job in jobs:
        end = job.started + job.run
        hosts = "+".join(f"n{place // NODE_PROCS}/{place % NODE_PROCS}" for place in range(job.procs))
        stamp = _local(end, "%m/%d/%Y %H:%M:%S")
        lines += [f"{stamp};Q;{job.number}.srv;queue={job.queue}",
                  f"{stamp};E;{job.number}.srv;user={job.user} group=users account={job.account} jobname=a=b queue={job.queue} ctime={job.submitted} "
                  f"qtime={job.submitted} etime={job.submitted} start={job.started} end={end} exec_host={hosts} "
                  f"Resource_List.nodes={job.nodes}:ppn={min(job.procs, NODE_PROCS)} Resource_List.walltime={job.limit // 3600:02}:{job.limit // 60 % 60:02}:00 "
                  f"resources_used.walltime=00:00:00"]
    return "\n".join(lines) + "\n"


def _maui_workload(jobs):
    lines = ["VERSION 230"]
    for job in jobs:
        hosts = ":".join(f"n{place // NODE_PROCS}" for place in range(job.procs))
        lines.append(f"{job.number} 0 {job.procs} {job.user} users {job.limit} Completed [{job.queue}:1] {job.submitted} {job.started} {job.started} "
                     f"{job.started + job.run} [NONE] [NONE] [NONE] >= 0 >= 0 [NONE] {job.submitted} {job.procs} 0 hi:hi [NONE] {job.account} cmd [NONE] 0 "
                     f"0.0 base 1 0 0 0 0 0 {hosts} base [NONE]")
    return "\n".join(lines) + "\n"


def _swf(jobs):
    lines = [f"; MaxProcs: {PROCS}", f"; UnixStartTime: {BEGIN}"]
    lines += [f"{job.number} {job.submitted - BEGIN} {job.waited} {job.run} {job.procs} -1 -1 {job.procs} {job.limit} -1 1 1 1 1 1 1 -1 -1" for job in jobs]
    return "\n".join(lines) + "\n"


FORMATS = {"sacct": _sacct, "sacct in words": _sacct_in_words, "pbs": _pbs, "workload": _maui_workload, "swf": _swf}


# ---- the truth

def _schedule(jobs, backfill):
    """When each begins: first come, first served, or EASY: who comes later may begin earlier if the first who waits is not held up by it."""
    arrivals, running, queue, starts = list(jobs), [], [], {}
    now, free = jobs[0].submitted, PROCS

    def begin(job):
        nonlocal free
        free -= job.procs
        starts[job.number] = now
        running.append(job)

    while arrivals or queue:
        for job in [job for job in running if starts[job.number] + job.run <= now]:
            running.remove(job)
            free += job.procs
        while arrivals and arrivals[0].submitted <= now:
            queue.append(arrivals.pop(0))
        while queue and queue[0].procs <= free:
            begin(queue.pop(0))
        if backfill and queue:
            # When the first can begin at the latest, and what it leaves free then.
            then, left = now, free
            for job in sorted(running, key=lambda job: starts[job.number] + job.limit):
                if left >= queue[0].procs and starts[job.number] + job.limit > then:
                    break
                left += job.procs
                then = starts[job.number] + job.limit
            spare = left - queue[0].procs
            for job in queue[1:]:
                in_time = now + job.limit <= then
                if job.procs > free or not (in_time or job.procs <= spare):
                    continue
                spare -= 0 if in_time else job.procs
                queue.remove(job)
                begin(job)
        coming = [starts[job.number] + job.run for job in running] + [job.submitted for job in arrivals[:1]]
        now = min(coming, default=now)
    return starts


def _figures(jobs, starts):
    waits = [starts[job.number] - job.submitted for job in jobs]
    slowdowns = [max(1, (wait + job.run) / max(job.run, 10)) for job, wait in zip(jobs, waits)]
    return {"wait": statistics.fmean(waits), "longest": max(waits), "slowdown": statistics.fmean(slowdowns),
            "makespan": max(starts[job.number] + job.run for job in jobs) - jobs[0].submitted}


# ---- cases

def _replay(maui, text, scheduler, top):
    trace, table = top / "trace", top / "jobs.csv"
    trace.write_bytes(text.encode())
    done = maui.run("replay", "--json", f"--processors={PROCS}", f"--scheduler={scheduler}", f"--jobs={table}", trace)
    harness.check_code(done, 0)
    report = json.loads(done.stdout)
    harness.equal((report["jobs"], report["lacking"]["bad_lines"]), (400, 0), "jobs and bad lines")
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    return report, {int(row["job_id"]): int(float(row["starting_time"])) for row in rows}


def test_each_format_has_the_starts_of_another_scheduler(maui):
    for seed in (1, 2, 3):
        jobs = _workload(seed)
        for scheduler in ("fcfs", "easy"):
            truth = _schedule(jobs, scheduler == "easy")
            wanted = _figures(jobs, truth)
            if not wanted["wait"] > 60:
                raise harness.Failure("nobody waits: that shows nothing")
            for name, write in FORMATS.items():
                with tempfile.TemporaryDirectory() as top:
                    report, starts = _replay(maui, write(jobs), scheduler, pathlib.Path(top))
                first = 0 if min(starts.values()) >= BEGIN else BEGIN
                harness.equal({number: start + first for number, start in starts.items()}, truth, f"{name}, {scheduler}, seed {seed}: starts")
                found = report["schedules"][0]
                for figure, value in (("wait", found["wait"]["mean"]), ("longest", found["wait"]["max"]), ("makespan", found["makespan"]),
                                      ("slowdown", found["bounded_slowdown"]["mean"])):
                    if not math.isclose(value, wanted[figure], rel_tol=1e-9):
                        raise harness.Failure(f"{name}, {scheduler}, seed {seed}: {figure} is {value}, not {wanted[figure]}")
                recorded = statistics.fmean(job.waited for job in jobs)
                harness.equal(round(report["recorded"]["wait"]["mean"], 6), round(recorded, 6), f"{name}: what was recorded")


def test_a_byte_order_mark_is_passed_over(maui):
    jobs = _workload(5)
    for name, write in FORMATS.items():
        with tempfile.TemporaryDirectory() as top:
            without = _replay(maui, write(jobs), "easy", pathlib.Path(top))[1]
            marked = _replay(maui, "\ufeff" + write(jobs), "easy", pathlib.Path(top))[1]
        harness.equal(marked, without, f"{name}: starts")


def test_who_they_are_of_is_the_same_in_each(maui):
    """SWF has numbers alone."""
    jobs = _workload(4)
    users = {user: sum(job.user == user for job in jobs) for user in ("ann", "bob")}
    accounts = {account: sum(job.account == account for job in jobs) for account in ("chem", "phys")}
    classes = {queue: sum(job.queue == queue for job in jobs) for queue in ("day", "night")}
    for name, write in FORMATS.items():
        if name == "swf":
            continue
        with tempfile.TemporaryDirectory() as top:
            groups = _replay(maui, write(jobs), "easy", pathlib.Path(top))[0]["schedules"][0]["groups"]
        for kind, wanted in (("user", users), ("account", accounts), ("class", classes)):
            harness.equal({one["name"]: one["jobs"] for one in groups[kind]}, wanted, f"{name}: by {kind}")
