# SPDX-License-Identifier: GPL-2.0-or-later
"""Data of diagnose-priority, as the engine gives it, from few words."""

COMPONENTS = {
    "CRED": ("Cred", {"USER": "User", "GROUP": "Group", "ACCOUNT": "Accnt", "QOS": "QOS", "CLASS": "Class"}),
    "FS": ("FS", {"FSUSER": "User", "FSGROUP": "Group", "FSACCOUNT": "Accnt", "FSQOS": "QOS", "FSCLASS": "Class",
                  "FSTREE": "Tree"}),
    "SERV": ("Serv", {"QUEUETIME": "QTime", "XFACTOR": "XFctr", "SPVIOLATION": "SPVio", "BYPASS": "Bypas"}),
    "TARG": ("Targ", {"TARGETQUEUETIME": "QTime", "TARGETXFACTOR": "XFctr"}),
    "RES": ("Res", {"NODE": "Node", "PROC": "Proc", "MEM": "Mem", "SWAP": "Swap", "DISK": "Disk", "PS": "PS",
                    "PE": "PE", "WALLTIME": "WTime"}),
    "USAGE": ("Usage", {"CONSUMED": "Cons", "REMAINING": "Rem", "EXECUTIONTIME": "ETime", "PERCENT": "Perc"}),
}


def components(weights, qos_weights=()):
    """weights: {"CRED": 1, "USER": 1, ...}; all others are 0."""
    return [
        {"name": name, "label": label, "weight": weights.get(name, 0), "cap": 0,
         "subcomponents": [
             {"name": sub, "label": sub_label, "weight": weights.get(sub, 0), "cap": 0,
              "qos_weight": sub in qos_weights}
             for sub, sub_label in subs.items()]}
        for name, (label, subs) in COMPONENTS.items()]


def terms(weights, factors):
    """A job's components: factors are capped already, no component has a cap."""
    return {
        name: {"weight": weights.get(name, 0),
               "value": sum(weights.get(sub, 0) * factors.get(sub, 0) for sub in subs),
               "subcomponents": {sub: {"weight": weights.get(sub, 0), "factor": factors.get(sub, 0)}
                                 for sub in subs}}
        for name, (_, subs) in COMPONENTS.items()}


def job(number, weights, factors, **members):
    parts = terms(weights, factors)
    total = sum(part["weight"] * part["value"] for part in parts.values())
    row = {"job": number, "array": None, "user": "bob", "group": "staff", "account": None, "qos": None,
           "partition": "batch", "priority": max(1, int(total)), "maui_priority": max(1, int(total)),
           "sum": total, "base": 0, "nice": 0, "site": 0, "state": "idle", "queued_since": 1700000000,
           "system_priority": False, "rejected": False, "components": parts}
    row.update(members)
    return row


def data(weights, jobs, partition="ALL", qos_weights=(), omitted=0):
    return {"partition": partition, "components": components(weights, qos_weights), "jobs": jobs,
            "omitted": omitted}


# The queue of the original's samples: four jobs of three users, seen at two moments. What a table printed, told
# back into factors: FSUSER is 500 / (10 * 3) for bob, XFACTOR 1 + waiting / limit, QUEUETIME minutes.
SAMPLE_WEIGHTS = {"CRED": 1, "USER": 1, "QOS": 1, "FS": 10, "FSUSER": 3, "SERV": 1, "QUEUETIME": 1,
                  "XFACTOR": 10, "RES": 1, "PROC": 2}


def _sample(number, user, qos, fairshare, minutes, limit, procs, **members):
    factors = {"USER": user, "QOS": qos, "FSUSER": fairshare / 30, "QUEUETIME": minutes,
               "XFACTOR": 1 + minutes * 60 / limit, "PROC": procs}
    return job(number, SAMPLE_WEIGHTS, factors, **members)


def first_sample():
    return data(SAMPLE_WEIGHTS, [
        _sample(7, -50, 0, 500, 1, 3600, 8),
        _sample(11, 0, 0, 0, 3, 7200, 16),
        _sample(8, 100, -10, -2000, 3, 600, 16),
        _sample(20, 100, 0, -2000, 2, 600, 2),
    ])


def second_sample():
    """A minute later, with system priorities: absolute for 8, relative for 11."""
    return data(SAMPLE_WEIGHTS, [
        _sample(8, 100, -10, -2000, 4, 600, 16, system_priority=True, priority=1000000007),
        _sample(7, -50, 0, 500, 2, 3600, 8),
        _sample(11, 0, 0, 0, 4, 7200, 16, system_priority=True),
        _sample(20, 100, 0, -2000, 3, 600, 2),
    ])
