# SPDX-License-Identifier: GPL-2.0-or-later
"""A small cluster as Slurm and the engine would tell of it: what `maui page` is made of."""

import limits_data as ld
import priority_data as pr
import reservation_data as rd
import why_data as wd

NOW = wd.NOW
DAY = 86400
EVIL = "<script>alert('1')</script>\"&\x1b\xff"  # \xff: not in JSON, here the letter
HOUR = wd.HOUR
DECAY = 0.8
DEPTH = 7


def share(name, windows, target=None, mode=None, mark="", off=False):
    windows = windows + [0] * (DEPTH - len(windows))
    usage = sum(value * DECAY**age for age, value in enumerate(windows))
    return {"name": name, "usage": usage, "target": target, "mode": mode, "mark": mark, "off_target": off, "windows": windows}


def shares():
    users = [
        share("alice", [900 * HOUR, 700 * HOUR, 950 * HOUR, 200 * HOUR], 30.0, "target", off=True),
        share("bob", [600 * HOUR, 850 * HOUR, 100 * HOUR, 400 * HOUR, 300 * HOUR], 20.0, "ceiling", "-", True),
        share("carol", [150 * HOUR, 0, 420 * HOUR, 390 * HOUR], 25.0, "floor", "+", True),
        share("dave", [0, 130 * HOUR, 90 * HOUR], 15.0, "cap-percent", "%"),
        share("erin", [48 * HOUR, 12 * HOUR], 400.0 * HOUR, "cap-ps", "^"),
        share(EVIL, [0, 0, 0, 0, 17 * HOUR]),
        share("DEFAULT", [], 5.0, "target"),
    ]
    windows = [sum(row["windows"][age] for row in users) for age in range(DEPTH)]
    total = sum(value * DECAY**age for age, value in enumerate(windows))
    groups = [share("phys", [1100 * HOUR, 900 * HOUR], 60.0, "target"), share("chem", [500 * HOUR, 700 * HOUR], 40.0, "target")]
    for row in users + groups:
        row["percent"] = row["usage"] / total * 100
    return {
        "policy": "DEDICATEDPS", "ratio": False, "interval": DAY, "depth": DEPTH, "decay": DECAY, "usage": total,
        "windows": [{"start": NOW - NOW % DAY - age * DAY, "weight": DECAY**age, "usage": value} for age, value in enumerate(windows)],
        "credentials": {"user": users, "group": groups, "account": [], "class": [], "qos": []},
        "counted": NOW - 60, "directory": "/var/spool/slurmctld/maui/stats", "enforced": True, "blocked": [],
    }


def _rows(*rows):
    return [ld.row(name, limits=list(limits)) for name, limits in rows]


def limits(kind):
    rows = {
        "user": _rows(("alice", [ld.limit("MAXPROC", 8, 4, soft=3, metric="procs")]),
                      ("bob", [ld.limit("MAXJOB", 4, 2, soft=2), ld.limit("MAXPS", 40 * HOUR, 31 * HOUR, metric="procseconds"),
                               ld.limit("MAXIJOB", 5, 2, mode="idle") | {"soft": None, "soft_left": None},
                               ld.limit("MAXPROCPERJOB", 16, None, mode="system", metric="procs")]),
                      (EVIL, [ld.limit("MAXJOB", 3, 0)]), ("DEFAULT", [])),
        "group": _rows(("staff", [ld.limit("MAXPROC", 20, 11, metric="procs"),
                                  ld.limit("MAXPROC[CLASS:batch]", 11, 11, second_type="class", second="batch", metric="procs")])),
        "account": _rows(("physics", [ld.limit("MAXMEM", 64000, 12000, metric="memory")])),
        "class": _rows(("batch", [ld.limit("MAXNODE", 8, 3, metric="nodes"), ld.limit("MAXJOB", -1, 3)])),
        "qos": _rows(("normal", [ld.limit("MAXNODE", 8, 3, metric="nodes", overridden=True)])),
    }[kind]
    data = ld.credentials(kind, *rows)
    data["system"]["limits"] = [ld.limit("MAXJOB", 100, 3)]
    return data


def status(**members):
    return {"version": "0.1.0", "slurm_version": "22.05.8", "mode": "primary", "select": True, "iteration": 12,
            "policy": {"path": "/etc/slurm/maui.cfg", "source": "file", "refused": None, "left_out": None}} | members


WEIGHTS = {"CRED": 1, "USER": 1, "QOS": 1, "FS": 10, "FSUSER": 3, "SERV": 1, "QUEUETIME": 1, "XFACTOR": 10, "RES": 1, "PROC": 2}


def priorities():
    def terms(number, fairshare, minutes, procs, **members):
        factors = {"USER": 50, "QOS": 100, "FSUSER": fairshare, "QUEUETIME": minutes, "XFACTOR": 1 + minutes / 60, "PROC": procs}
        return pr.job(number, WEIGHTS, factors, **members)
    return pr.data(WEIGHTS, [terms(18, 16.3, 40, 8, user="alice"), terms(17, -15.67, 500, 4), terms(19, -15.67, 90, 32)])


def _instance(name, start, hours, nodes, count, **members):
    return rd.row(name, name.split(".")[0], start, start + hours * HOUR if hours else None, nodes, count, 4 * count,
                  used_procs=3 if start <= NOW else None) | members


def reservations():
    midnight = NOW - NOW % DAY
    nights = [_instance(f"night.{20231114 + day}", midnight + day * DAY + 20 * HOUR, 10, "n[1-3]", 3) for day in range(4)]
    return rd.show(
        *nights, _instance("fast.inf", NOW - DAY, 0, "n[3-4]", 2),
        _instance("course.0", NOW + 9 * HOUR, 4, "n[5-7]", 3, standing="course.0", administrative=True),
        _instance("gone.20231115", NOW + DAY, 2, None, 0, there=False, text="0 of 4 tasks; 8 nodes held by other reservations"),
        rd.row("maint", None, NOW + 12 * HOUR, NOW + 18 * HOUR, "n[1-8]", 8, 32, users="root,carol")) | {
            "active_procs": 20, "standing": [
                rd.standing("night", acl=["USER==bob+", "GROUP==staff+"]),
                rd.standing("fast", period="INFINITY", acl=["CLASS==fast+", f"USER=={EVIL}+", "DURATION<=1:00:00+*"]),
                rd.standing("gone", acl=["USER==bob+"], flags=["BYNAME"]),
                rd.standing("course.0", administrative=True, acl=[f"USER==u{number}+" for number in range(9)])]}


def queue(**members):
    """Jobs with the priorities that their terms add up to."""
    number = {row["job"]: row["priority"] for row in priorities()["jobs"]}
    return wd.queue(
        wd.job(17, name=EVIL, priority=number[17], reason="BlockMaxError", description="MAXPROC limit of 7 for user bob (7 in use, 1 asked for)"),
        wd.job(18, "alice", priority=number[18], partition="batch,long", start=NOW + 1800),
        wd.job(19, name="relax", priority=number[19], procs=32, tasks=32, nodes=8, reason="Priority", start=NOW + 5 * HOUR),
        wd.job(20, name="later", priority=0, reason="JobHeldUser"), **({"reservations": [
            wd.reservation(row["name"], row["nodes"], start=row["start"], end=row["end"])
            for row in reservations()["reservations"] if row["there"]]} | members))


def why():
    """What `maui why` asks: job 17 is over a limit."""
    return wd.blocks("limit", "MAXPROC limit of 7 for user bob (7 in use, 1 asked for)", level="hard", limit=wd.limit())


def engine(**members):
    """By request, for answer()."""
    return why() | {"status": status(), "diagnose-fairshare": shares(), "diagnose-credentials": limits,
            "diagnose-priority": priorities(), "diagnose-reservations": reservations()} | {
        name.replace("_", "-"): value for name, value in members.items()}


def answer(data):
    """A text is a refusal, a function is asked for the type of credential."""
    def tell(service, request):
        told = data[request["command"]]
        if callable(told):
            told = told(request["arguments"].get("type"))
        if isinstance(told, str):
            return service.envelope(request, status="error", error=told)
        return service.envelope(request, data=told, time=NOW)
    return tell
