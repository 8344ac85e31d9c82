# SPDX-License-Identifier: GPL-2.0-or-later
"""Queues of captures of the original, as Slurm would tell them: the same jobs in three runs, each with its own clock."""

import calendar
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent

# `diagnose -j`
JOBS = """\
Name                  State Par Proc QOS     WCLimit R  Min     User    Group  Account  QueuedTime  Network  Opsys   Arch    Mem   Disk  Procs       Class Features

job000              Running DEF    4 low    00:10:00 1    4      bob    staff        B    00:03:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job001                 Idle ALL    8  hi    00:10:00 0    8      bob    staff        B    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job002                 Idle ALL   16  hi    00:10:00 0   16    carol    staff        A    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job003                 Idle ALL    8 low    00:10:00 0    8     dave    staff        B    00:00:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job004                 Idle ALL    2  hi     1:00:00 0    2      bob     phys        B    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job005              Running DEF    4 DEF    00:10:00 1    4    alice    staff        B    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job006                 Idle ALL    4  hi  1:00:00:00 0    4      bob     phys        B    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job007                 Idle ALL    8 DEF     1:00:00 1    8      bob     phys        B    00:01:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job008                 Idle ALL   16 low    00:10:00 0   16    alice     phys        B    00:03:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job009                 Idle ALL    8 DEF    00:10:00 0    8     dave    staff        B    00:00:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job010                 Idle ALL   16 DEF     1:00:00 0   16      bob    staff        A    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job011                 Idle ALL   16 DEF     2:00:00 0   16     dave     phys        A    00:03:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job012                 Idle ALL   16 low     1:00:00 0   16     dave    staff        B    00:00:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job013                 Idle ALL    8 DEF     2:00:00 0    8      bob     phys        B    00:00:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job014                 Idle ALL    2  hi     1:00:00 0    2     dave    staff        B    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job016                 Idle ALL   16  hi     1:00:00 0   16    carol    staff        A    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job017                 Idle ALL    4 low     2:00:00 0    4    carol    staff        B    00:00:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job018              Running DEF    4  hi  1:00:00:00 1    4    alice    staff        B    00:03:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job019              Running DEF   16  hi     1:00:00 1   16    alice     phys        A    00:03:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job020                 Idle ALL    2 DEF    00:10:00 0    2    alice     phys        B    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job021                 Idle ALL    2 low    00:10:00 0    2      bob     phys        B    00:00:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job022              Running DEF    2  hi     1:00:00 1    2    alice     phys        B    00:03:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job023                 Idle ALL    8  hi     2:00:00 0    8    carol    staff        A    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job024                 Idle ALL   16  hi    00:10:00 0   16     dave    staff        A    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job025                 Idle ALL    8 low    00:10:00 0    8     dave    staff        A    00:00:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job026                 Idle ALL    4 low    00:10:00 0    4    carol     phys        A    00:00:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job027                 Idle ALL    2 DEF     2:00:00 0    2    carol     phys        B    00:00:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job028                 Idle ALL    1  hi    00:10:00 0    1     dave    staff        A    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]
job029                 Idle ALL   16  hi     2:00:00 0   16    carol     phys        B    00:02:00   [NONE] [NONE] [NONE]    >=0    >=0    NC0   [batch:1] [NONE]


Total Jobs: 29  Active Jobs: 5

"""

# Since when each run of the original had been going when it was asked: three minutes, as its jobs had.
SIM1, SIM2, SIM3 = (calendar.timegm((2026, 11, 20, 13, *at)) for at in ((2, 55), (3, 0), (16, 16)))
PRIORITIES = {"job007": 477, "job011": 45, "job008": 1, "job020": 1, "job001": 578, "job028": 114}
HOSTS = {"job000": {"node07": 4}, "job005": {"node08": 3, "node06": 1}, "job018": {"node05": 4},
         "job019": {f"node0{i}": 4 for i in (1, 2, 3, 4)}, "job022": {"node06": 2}}


def seconds(text):
    days, hours, minutes, rest = ([0] * 4 + [int(field) for field in text.split(":")])[-4:]
    return ((days * 24 + hours) * 60 + minutes) * 60 + rest


def _job(line, now):
    name, state, _, procs, qos, limit, _, _, user, group, account, queued, *_ = line.split()
    start = now - 120
    job = {
        "id": name, "job": int(name[3:]), "name": name, "user": user, "uid": 1000 + len(user), "group": group,
        "gid": 100, "account": account, "partition": "batch", "state": "PENDING", "flags": [], "reason": "Priority",
        "priority": PRIORITIES.get(name, 50), "nice": 0, "submit": now - 180, "eligible": now - 180,
        "accrue": now - seconds(queued), "run_time": 0, "time_limit": seconds(limit), "procs": int(procs),
        "tasks": int(procs), "nodes": 0, "procs_per_task": 1, "memory": 128, "memory_per": "cpu", "disk": 0,
        "allocated": [], "exclusive": False, "contiguous": False, "requeue": False, "restarts": 0, "batch": True,
        "command": "cmd"}
    if qos != "DEF":
        job["qos"] = qos
    if state == "Running":
        hosts = HOSTS[name]
        job |= {"state": "RUNNING", "reason": "None", "start": start, "end": start + seconds(limit), "run_time": 120,
                "nodes": len(hosts), "batch_host": next(iter(hosts)),
                "allocated": [{"node": node, "procs": count} for node, count in hosts.items()]}
    if name == "job007":
        job |= {"start": now + 480, "scheduled_nodes": "node[06-08]", "reason": "Resources"}
    return job


def node(name, allocated=0, **members):
    return {"name": name, "state": "IDLE" if not allocated else "MIXED" if allocated < 4 else "ALLOCATED", "flags": [],
            "procs": 4, "allocated_procs": allocated, "memory": 2048, "allocated_memory": 128 * allocated,
            "free_memory": 2000, "disk": 10000, "load": 0.5, "features": ["fast", "big"], "weight": 1, "boot": 1,
            "slurmd_start": 1, "opsys": "Linux", "arch": "x86_64", "partitions": ["batch"]} | members


def queue(now, jobs=None, nodes=None):
    """A run of the original at a moment."""
    if jobs is None:
        jobs = [_job(line, now) for line in JOBS.splitlines() if line.startswith("job")]
    if nodes is None:
        nodes = [node(f"node0{i}", {6: 3, 8: 3}.get(i, 4)) for i in range(1, 9)]
    batch = {"name": "batch", "state": "UP", "default": True, "nodes": "node[01-08]", "node_count": 8, "procs": 32}
    return {"schema": "maui.queue/1", "time": now, "cluster": "c1", "jobs": jobs, "nodes": nodes,
            "partitions": [batch], "reservations": []}


def fixture():
    return json.loads((HERE / "fixtures" / "queue.json").read_text(encoding="utf-8"))


# ---- the engine's answers

# `showq -b`
BLOCKED = """\
           JobName      User               Reason

            job001       bob violates active HARD MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
            job002     carol violates active HARD MAXPROC limit of 24 for group staff  (R: 16, U: 12)
            job004       bob violates active HARD MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
            job006       bob violates active HARD MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
            job010       bob violates active HARD MAXPROC limit of 24 for group staff  (R: 16, U: 12)
            job012      dave violates active HARD MAXPROC limit of 24 for group staff  (R: 16, U: 12)
            job014      dave violates active HARD MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
            job016     carol violates active HARD MAXPROC limit of 24 for group staff  (R: 16, U: 12)
            job023     carol violates active HARD MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
            job024      dave violates active HARD MAXPROC limit of 24 for group staff  (R: 16, U: 12)
            job028      dave violates active HARD MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
            job029     carol violates active HARD MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
"""
IDLE_LIMITS = (3, 9, 13, 17, 21, 25, 26, 27)  # blocked in plain showq, and not in -b


def blocked_rows(others=False):
    rows = [{"job": int(found[1]), "array": None, "kind": "limit", "level": "hard", "message": found[2]}
            for found in re.finditer(r"job(\d+) +\S+ (.*)\n", BLOCKED)]
    if others:
        rows += [{"job": number, "array": None, "kind": "limit", "level": "hard",
                  "message": "violates idle HARD MAXIJOB limit of 4 for user x  (R: 1, U: 4)"} for number in IDLE_LIMITS]
    return rows


def answers(blocked, now, priorities=(), admitted=()):
    """For a fake engine: all of its answers about jobs. admitted: the names of reservations that admit them."""
    rows = [{"job": int(line[3:6]), "array": None, "priority": PRIORITIES.get(line[:6], 50), "bypass": 0,
             "maui_priority": PRIORITIES.get(line[:6], 50), "queued_since": now - seconds(line.split()[11]),
             "system_priority": False} for line in JOBS.splitlines() if re.match("job.* Idle", line)]
    data = {"diagnose-blocked": {"level": "soft", "partition": "ALL", "jobs": blocked, "omitted": 0},
            "diagnose-priority": {"partition": "ALL", "components": [], "jobs": list(priorities) or rows, "omitted": 0},
            "explain-reservations": {"reservations": [{"name": name, "open": True, "meets": True, "admitted": True}
                                                      for name in admitted]}}

    def answer(service, request):
        return service.envelope(request, data=data[request["command"]])
    return answer


def kinds():
    """The engine on the fixture: it knows more of some jobs than Slurm tells."""
    now = fixture()["time"]
    rows = [{"job": 32, "array": None, "kind": "limit", "message": "violates active SOFT MAXJOB limit of 2 for user carol  (R: 1, U: 2)"},
            {"job": 23, "array": None, "kind": "fairshare-cap", "message": "violates FS cap of 1000 for user bob"},
            {"job": 26, "array": None, "kind": "system-hold", "message": "cannot be selected  (Hold: System)"}]
    priorities = [{"job": 22, "array": None, "bypass": 3, "queued_since": now - 900, "maui_priority": 3000},
                  {"job": 21, "array": None, "bypass": 0, "queued_since": now - 300, "maui_priority": 5000},
                  {"job": 24, "array": None, "bypass": 0, "queued_since": now, "maui_priority": 77, "system_priority": True}]
    return answers(rows, now, priorities, ["night"])
