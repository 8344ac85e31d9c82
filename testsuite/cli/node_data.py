# SPDX-License-Identifier: GPL-2.0-or-later
"""Data of diagnose-nodes, check-node and explain-nodes: the nodes of a capture of the original, and an order of them."""


def _resources(procs, memory, disk=10000, swap=4096):
    return {"procs": procs, "memory": memory, "disk": disk, "swap": swap}


def node(name, used=4, memory=512, **members):
    """A node with 4 processors, of which some are used."""
    state = "Busy" if used == 4 else "Running" if used else "Idle"
    return {
        "name": name, "state": state, "slurm_state": {"Busy": "ALLOCATED", "Running": "MIXED"}.get(state, "IDLE"),
        "reason": None, "configured": _resources(4, 2048), "available": _resources(4 - used, 2048 - memory),
        "dedicated": {"procs": used, "memory": memory}, "gres": [], "speed": 1.0, "procspeed": 0.0, "load": float(used),
        "jobs": 1, "usage": 75.0, "opsys": "linux", "arch": "x86", "classes": ["DEFAULT"],
        "features": ["fast", "big"], "reservations": 0, "priority": 0.0, "limits": [],
    } | members


def nodes(*members, **more):
    return {"partition": None, "policy": "PRIORITY", "slots": 5120, "nodes": list(members), "omitted": 0} | more


def sample():
    """`diagnose -n` of the capture."""
    running = {"used": 3, "memory": 384, "jobs": 2, "reservations": 1}
    return nodes(node("node01", reservations=1), node("node02", reservations=1), *map(node, ("node03", "node04", "node05")),
                 node("node06", **running), node("node07", reservations=1), node("node08", **running))


GPUS = [{"name": "gpu", "configured": 4, "dedicated": 3}, {"name": "gpu:a100", "configured": 4, "dedicated": 3},
        {"name": "tape", "configured": 1, "dedicated": 2}]

TERMS = [("AMEM", 0.01, 1536.0), ("JOBCOUNT", -10.0, 1.0), ("SPEED", 1.0, 1.0)]


def priority(terms=TERMS, constant=0.0):
    """The value of a formula with its terms."""
    listed = [{"component": name, "coefficient": weight, "factor": factor, "product": weight * factor}
              for name, weight, factor in terms]
    return {"value": sum(term["product"] for term in listed) + constant, "constant": constant, "terms": listed}


def one(**members):
    """`checknode node01` of the capture."""
    job = {"job": 19, "array": None, "user": "bob", "partition": "batch", "state": "running", "procs": 4,
           "memory": 512, "start": 1700003480, "end": 1700007080}
    reservation = {"name": "inf.0", "users": "alice,bob", "accounts": None, "start": 1700003480, "end": None}
    limits = [{"name": "MAXJOB", "soft": 2.0, "hard": 4.0}, {"name": "MAXPROC[CLASS:batch]", "soft": 3.0, "hard": 3.0},
              {"name": "MAXGRES[gpu:a100]", "soft": 1.0, "hard": 2.0}, {"name": "MAXLOAD", "soft": 2.5, "hard": 2.5}]
    return node("node01") | priority() | {
        "classes": ["batch", "interactive"], "limits": limits, "procspeed": 2400.0, "up": 240, "active": 180,
        "boot": 1700000000, "slurmd_start": 1700000100, "free_memory": 1536, "policy": "PRIORITY",
        "formula": "0.01*AMEM - 10*JOBCOUNT + SPEED", "reservation_list": [reservation], "job_list": [job],
        "hidden_jobs": 0} | members


def ours(**members):
    """A standing reservation, which for Slurm is root's."""
    return {"name": "own.inf", "users": "root", "accounts": None, "start": 1700003480, "end": None, "ours": True,
            "standing": "own", "acl": ["USER==alice+", "USER==bob-", "CLASS==batch+"], "acl_omitted": 0, "open": True} | members


def ranked(name, rank, **members):
    kept = ("name", "configured", "available", "dedicated", "speed", "procspeed", "load", "jobs", "usage")
    whole = node(name, used=1, memory=512)
    return {key: whole[key] for key in kept} | priority() | {
        "rank": rank, "tasks": 3, "preferred": False, "required": False, "allocated": False,
        "reserved_from": None} | members


def order(**members):
    return {
        "job": 17, "array": None, "user": "bob", "account": None, "partition": "batch", "state": "pending",
        "policy_asked": "PRIORITY", "policy": "PRIORITY", "policy_by_job": False, "wanted_nodes": 2, "wanted_tasks": 4,
        "constraint": None, "constraint_counts": True, "omitted": 0,
        "left_out": {"down": 0, "excluded": 0, "features": 0, "limits": 0, "limited": None},
        "nodes": [ranked("node03", 1, preferred=True, **priority(TERMS + [("PREF", 100.0, 1.0)])), ranked("node01", 2),
                  ranked("node02", 2, reserved_from=1700010000, speed=2.0, procspeed=2400.0)]} | members
