# SPDX-License-Identifier: GPL-2.0-or-later
"""Data of diagnose-blocked and diagnose-credentials: those of captures of the original, and what is ours."""


def blocked(job, message, **members):
    return {
        "job": job, "array": None, "user": "bob", "group": "staff", "account": None, "qos": "hi",
        "partitions": ["batch"], "kind": "limit", "level": "soft", "message": message, "limit": None, "begin": None,
        "text": "soft MAXJOB limit of 3 for qos hi (3 in use)",
    } | members


def _qos(job):
    return blocked(job, "violates active SOFT MAXJOB limit of 3 for qos hi  (R: 1, U: 3)")


def _group(job):
    return blocked(job, "violates active SOFT MAXPROC limit of 20 for group staff  (R: 16, U: 12)", user="carol",
                   text="soft MAXPROC limit of 20 for group staff (12 in use, 16 asked for)")


def jobs(*rows, **members):
    return {"level": "soft", "partition": "ALL", "jobs": list(rows), "omitted": 0} | members


def sample():
    """`diagnose -q` of the capture, whose jobs have numbers here."""
    return jobs(*[(_qos if number in (1, 4, 6, 14, 23, 28, 29) else _group)(number)
                  for number in (1, 2, 4, 6, 10, 12, 14, 16, 23, 24, 28, 29)])


def all_kinds():
    """One of each kind of reason."""
    limit = {"name": "MAXJOB", "mode": "active", "metric": "jobs", "type": "user", "holder": "bob", "second_type": None, "second": None,
             "limit": 2, "usage": 2, "request": 1}
    hold = {"level": None, "text": "held by its user", "kind": "user-hold"}
    return jobs(
        blocked(17, "violates active HARD MAXJOB limit of 2 for user bob  (R: 1, U: 2)", level="hard", limit=limit,
                text="MAXJOB limit of 2 for user bob (2 in use)", partitions=["batch", "fast"]),
        blocked(19, "cannot be selected  (Hold: User)", array="18_3", **hold),
        blocked(18, "cannot be selected  (Hold: User)", array="18_[4-9]", **hold),
        blocked(20, "cannot be selected  (ReleaseTime: 2023-11-15T00:00:00)", level=None, kind="begin-time",
                text="begins at 2023-11-15T00:00:00 or later", begin=1700006400, partitions=[]), omitted=7)


def amounts(count=0):
    return {"jobs": count, "procs": 4 * count, "nodes": count, "procseconds": 14400 * count, "pe": 4 * count,
            "seconds": 3600 * count, "memory": 1000 * count}


def limit(name, hard, usage, soft=None, **members):
    soft = hard if soft is None else soft
    known = usage is not None
    return {
        "name": name, "mode": "active", "metric": "jobs", "second_type": None, "second": None, "override": False,
        "overridden": False, "soft": soft, "hard": hard, "usage": usage,
        "soft_left": max(0, soft - usage) if known else None, "left": max(0, hard - usage) if known else None,
    } | members


def configured(**limits):
    return [{"name": name, "soft": sides[0], "hard": sides[-1]} for name, sides in limits.items()]


def row(name, active=0, eligible=0, pending=0, **members):
    somebody = name != "DEFAULT"
    return {
        "name": name, "default": not somebody, "priority": 0, "flags": [], "qdef": None, "qlist": [], "partitions": [],
        "target": 0.0, "mark": "", "configured": [], "pending": pending, "limits": [],
        "active": amounts(active) if somebody else None, "eligible": amounts(eligible) if somebody else None,
    } | members


def credentials(kind, *rows, **members):
    system = {"qdef": None, "qlist": [], "configured": [], "limits": [], "active": amounts(), "eligible": amounts()}
    return {"type": kind, "limited": True, "enforced": True, "counted": True, "system": system,
            "credentials": list(rows), "omitted": 0, "omitted_pairs": 0} | members


def users():
    """`diagnose -u` of the capture, without jobs, so that nothing of ours is there."""
    return credentials(
        "user", row("carol"), row("alice", priority=100, target=20.0), row("bob", priority=-50, target=30.0, mark="+"),
        row("root"), row("DEFAULT", configured=configured(MAXIJOB=(4,)), qlist=["hi", "low"]), row("dave"))


def busy_users():
    """The same with what is ours."""
    ours = [limit("MAXJOB", 4, 1, soft=2), limit("MAXPROC", 8, 9), limit("MAXIJOB", 4, 2, mode="idle", soft=None),
            limit("MAXPROCPERJOB", 16, None, mode="system", metric="procs"),
            limit("MAXGRES[gpu]", 8, 5, soft=4, metric="gres", gres="gpu"),
            limit("MAXGS[gpu:a100]", 691200, 172800, metric="gresseconds", gres="gpu:a100"),
            limit("MAXGRES[gpu,CLASS:fast]", 2, 2, second_type="class", second="fast", metric="gres", gres="gpu"),
            limit("MAXPROC[CLASS:fast]", 50, 4, second_type="class", second="fast", metric="procs")]
    ours[2] |= {"soft": None, "soft_left": None}
    ours[0] |= {"until": 1700020800, "next": "night", "next_begins": True}
    ours[1] |= {"name": "MAXPROC[PERIOD:day]", "period": "day", "until": 1700020800, "next": "day", "next_begins": False}
    lifted = [limit(name, -1, 1, left=None, soft_left=None, period=period, until=until, next=following, next_begins=begins)
              for name, period, until, following, begins in (
                  ("MAXNODE[PERIOD:day]", "day", 1700020800, "day", False), ("MAXPE", None, 1700020800, "night", True),
                  ("MAXMEM[PERIOD:ever]", "ever", None, None, None))]
    data = users()
    data["credentials"][2] |= row("bob", 1, 2, 3, lifted=lifted, configured=configured(**{"MAXJOB": (2, 4), "MAXPROC": (8,), "MAXGRES[gpu]": (4, 8)}), limits=ours)
    data["system"]["limits"] = [limit("MAXJOB", 100, 1)]
    return data


def groups():
    return credentials("group", row("staff", configured=configured(MAXPROC=(20, 24))), row("phys"), row("DEFAULT"))


def accounts():
    return credentials("account", row("B"), row("A"), row("DEFAULT"))


def classes():
    return credentials("class", row("batch"), row("interactive"))


def _qos_row(name, **members):
    listed = {"user": [], "group": [], "account": [], "class": []}
    return row(name, **({"qtweight": 0.0, "qttarget": 0, "xfweight": 0.0, "xftarget": 0.0, "qflags": [],
                         "listed_by": listed | members.pop("listed_by", {})} | members))


def qos():
    """`diagnose -Q` of the capture, without its row [ALL]."""
    return credentials(
        "qos", _qos_row("DEFAULT"),
        _qos_row("hi", priority=100, configured=configured(MAXJOB=(3,), OMAXNODE=(20,)),
                 listed_by={"user": ["DEFAULT"]}),
        _qos_row("low", priority=-10, listed_by={"user": ["DEFAULT"]}))


def busy_qos():
    data = qos()
    data["credentials"][1] |= {
        "active": amounts(2), "pending": 4, "qflags": ["IGNSYSTEM"], "qtweight": 0.5,
        "limits": [limit("MAXNODE", 8, 2, overridden=True, left=None, soft_left=None),
                   limit("OMAXNODE", 20, 2, override=True),
                   limit("OMAXJOB", -1, 2, override=True, left=None, soft_left=None)]}
    data["credentials"][1]["listed_by"] |= {"group": ["staff", "phys"], "class": ["fast"]}
    data["system"] |= {"qlist": ["low"], "qdef": "low"}
    return data
