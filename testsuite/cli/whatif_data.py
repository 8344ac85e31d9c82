# SPDX-License-Identifier: GPL-2.0-or-later
"""Answers to whatif."""

COMPONENTS = ("CRED", "FS", "SERV", "TARG", "RES", "USAGE")


def job(number, ranks, priorities, user="bob", array=None, **members):
    return {"job": number, "array": array, "user": user, "account": None, "qos": "hi", "partition": "batch",
            "rank": dict(zip(("today", "then"), ranks)), "priority": dict(zip(("today", "then"), priorities))} | members


def mover(number, ranks, priorities, most, by, **members):
    components = {name: {"today": 100.0, "then": 100.0 + (by if name == most else 0)} for name in COMPONENTS}
    return job(number, ranks, priorities, components=components, most=most, **members)


def blocked(number, text, message, **members):
    return job(number, (3, 3), (100, 100), kind="limit", level="hard", text=text, message=message, **members)


def sample():
    return {
        "time": 1700000000, "jobs": 4312, "ranks_changed": 24, "priorities_changed": 4000, "newly_blocked": 1, "freed": 1,
        "blocked_otherwise": 1, "blocked": {"today": 5, "then": 6}, "limit": 20,
        "movers": [
            mover(17, (4200, 1), (477, 1073742301), "CRED", 1234.5),
            mover(30, (1, 900), (99999, 12), "FS", -99987.25, user="alice", array="30_[1-9]"),
            mover(31, (7, 8), (5, 5), None, 0)],
        "newly_blocked_jobs": [blocked(40, "MAXJOB limit of 2 for user bob (2 in use)",
                                       "violates active HARD MAXJOB limit of 2 for user bob  (R: 1, U: 2)")],
        "freed_jobs": [blocked(41, "t", "violates active SOFT MAXPROC limit of 20 for group staff  (R: 16, U: 12)",
                               user="carol")],
        "blocked_otherwise_jobs": [blocked(42, "t", "cannot be selected  (FairShare: FSTARGET cap)", array="42_7")],
        "notes": [{"name": "SRCFG", "text": "reservations are not planned anew"}],
    }


def nothing():
    return sample() | {
        "ranks_changed": 0, "priorities_changed": 0, "newly_blocked": 0, "freed": 0, "blocked_otherwise": 0,
        "blocked": {"today": 5, "then": 5}, "movers": [], "newly_blocked_jobs": [], "freed_jobs": [],
        "blocked_otherwise_jobs": [], "notes": []}
