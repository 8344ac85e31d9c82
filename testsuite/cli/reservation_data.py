# SPDX-License-Identifier: GPL-2.0-or-later
"""Data of show-, diagnose- and explain-reservations: that of a capture of the original, and ours."""

NOW = 1795179775  # Fri Nov 20 13:02:55 2026: of the capture
HOUR = 3600


def row(name, standing, start, end, nodes, node_count, procs, **members):
    return {
        "name": name, "ours": standing is not None, "standing": standing, "there": True, "start": start, "end": end,
        "nodes": nodes, "node_count": node_count, "procs": procs, "users": "root", "accounts": None, "partition": None,
        "maint": False, "slurm_flags": "OVERLAP,IGNORE_JOBS,SPEC_NODES", "tasks": node_count, "missing": 0, "text": "", "problem": None,
        "open": True, "triggered": [],
    } | members


def show(*rows, **members):
    return {"known": True, "select": True, "reservations": list(rows), "omitted": 0} | members


def sample():
    """Those of the capture that are no job's."""
    return show(row("test.0.0", "test", NOW, NOW + 14225, "node08", 1, 2),
                row("inf.0.0", "inf", NOW - 120, None, "node[01-02]", 2, 8))


def by_node():
    return sample() | {"omitted_nodes": 0, "nodes": [
        {"node": "node01", "reservation": 1, "tasks": 1}, {"node": "node02", "reservation": 1, "tasks": 1},
        {"node": "node08", "reservation": 0, "tasks": 1}]}


def all_kinds():
    """In force, closed, too small, refused by Slurm, not there, Slurm's own, and one that maui.cfg has no more."""
    return show(
        row("test.20261120", "test", NOW - 4 * HOUR, NOW + 4 * HOUR, "n[1-2]", 2, 8, open=False),
        row("big.20261120", "big", NOW + HOUR, NOW + 2 * HOUR, "n[3-8]", 6, 24, tasks=26, missing=6, triggered=["create"],
            text="26 of 32 tasks; 2 nodes are down"),
        row("bad.inf", "bad", NOW, None, "n1", 1, 4, problem="Requested nodes are busy"),
        row("gone.inf", None, NOW - 60, None, "n9", 1, 4, ours=True, tasks=0,
            text="it is no longer in maui.cfg: it goes when its jobs have ended"),
        row("big.20261121", "big", NOW + 25 * HOUR, NOW + 26 * HOUR, None, 0, 0, there=False, tasks=0, missing=32,
            text="0 of 32 tasks; 8 nodes held by other reservations"),
        row("maint", None, NOW + 100 * HOUR, NOW + 101 * HOUR, "n[1-9]", 9, 36, maint=True, slurm_flags="MAINT,SPEC_NODES",
            users="root,ann", accounts="physics", partition="batch"), omitted=3)


def standing(name, **members):
    return {
        "name": name, "usable": True, "instances": 1, "period": "DAY",
        "days": ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"], "depth": 2, "starttime": 0, "endtime": 0, "until": 0, "taskcount": 0, "tpn": 0,
        "resources": {"procs": -1, "memory": 0, "disk": 0, "swap": 0, "gres": []}, "partition": None, "features": [],
        "hostlist": None, "excludehostlist": None, "access": "DEDICATED", "priority": 0, "flags": [], "owner": None, "chargeaccount": None, "trigger": None,
        "acl": [], "acl_omitted": 0, "lacks": [],
    } | members


def diagnosis():
    return all_kinds() | {"active_procs": 12, "standing": [
        standing("test", taskcount=2, resources={"procs": 1, "memory": 512, "disk": 0, "swap": 0, "gres": [{"name": "gpu:a100", "count": 2}]}, starttime=9 * HOUR,
                 endtime=17 * HOUR, days=["Mon", "Tue", "Wed", "Thu", "Fri"], acl=["CLASS==interactive+"],
                 trigger="start+5:00:00;exec@/usr/local/domail.pl all"),
        standing("big", taskcount=32, period="WEEK", acl=["USER==alice+", "USER==bob-", "DURATION<=1:00:00+*"],
                 acl_omitted=4, partition="batch", features=["fast", "big"], owner="USER==alice", priority=7, tpn=4,
                 chargeaccount="physics", flags=["BYNAME", "STANDINGRES"], trigger="create;cancel",
                 lacks=["something is not there yet: nothing is done"]),
        standing("bad", period="INFINITY", depth=1, hostlist="node0[12]", access="SHARED"),
        standing("never", usable=False, instances=0), standing("monday", days=["Mon"], instances=0)]}


def administrative():
    """As setres made them: in force, for nobody, and one whose making is lost."""
    once = {"period": "ONCE", "depth": 1, "administrative": True, "made": NOW - 60, "made_by": 0, "task_limit": 0,
            "any_feature": False, "recovered": False}
    return show(
        row("foo.0", "foo.0", NOW + 600, NOW + 4200, "node03", 1, 4, administrative=True),
        row("SYSTEM.0", "SYSTEM.0", NOW, None, "node[01-08]", 8, 32, administrative=True, missing=1,
            text="8 of 9 tasks; 1 node down"),
        row("lost.3", "lost.3", NOW - 60, NOW + 60, "node07", 1, 4, administrative=True)) | {
            "active_procs": 32, "standing": [
                # of maui.cfg, and of the same name
                standing("foo.0", hostlist="node01"),
                standing("foo.0", hostlist="node03", flags=["BYNAME"], owner="USER==alice", chargeaccount="physics",
                         acl=["USER==alice+"], **once),
                standing("SYSTEM.0", taskcount=9, **once | {"task_limit": 12, "any_feature": True},
                         features=["fast", "big"]),
                standing("lost.3", hostlist="node07", **once | {"recovered": True, "made_by": 4294967294})]}


def made(**members):
    return {"name": "maint.0", "start": NOW + HOUR, "end": NOW + 3 * HOUR, "tasks": 8, "nodes": "node[01-02]",
            "node_count": 2, "procs": 8, "by_node": [{"node": "node01", "tasks": 1}, {"node": "node02", "tasks": 1}],
            "omitted_nodes": 0, "notes": [], "select": True} | members


def released():
    return {"reservations": [
        {"name": "maint.0", "released": True, "outcome": "released", "text": None},
        {"name": "nosuch", "released": False, "outcome": "not-there", "text": "cannot locate reservation 'nosuch'"},
        {"name": "day.20261120", "released": True, "outcome": "cancelled", "text": None}]}


def entry(name, start, end, text, **members):
    return {"name": name, "start": start, "end": end, "nodes": "n1", "open": True, "meets": True, "admitted": False,
            "affinity": None, "text": text} | members


def explanation(*entries, **members):
    return {"job": 17, "array": None, "user": "bob", "account": None, "partition": "batch", "state": "pending",
            "walltime": 5400, "start": NOW, "pass": "engine", "asks": None, "select": True,
            "reservations": list(entries)} | members


def explained():
    return explanation(
        entry("inf.inf", NOW - 60, None, "USER==bob- gives access", admitted=True, affinity="negative"),
        entry("day.20261120", NOW - 60, NOW + HOUR, "DURATION<=1:00:00+* is required (3600 seconds in common)"),
        entry("day.20261121", NOW + 11 * HOUR, NOW + 35 * HOUR, "CLASS==batch+ gives access", meets=False,
              admitted=True, affinity="positive", open=False), array="16_1")
