# SPDX-License-Identifier: GPL-2.0-or-later
"""What a healthy engine answers to the questions of `maui metrics`."""

import json

import limits_data as ld

NOW = 1700003600  # fake_service's time

STATUS = {
    "version": "1.0.0", "slurm_version": "22.05.8", "mode": "primary", "started": 1700000000, "iteration": 120,
    "last_iteration": 1700003570, "iteration_seconds": 0.0125, "iteration_interval": 30, "jobs": 4310,
    "policy": {"path": "/etc/slurm/maui.cfg", "loaded": 1700000000, "source": "file"}, "select": True,
}
COUNTS = {
    "eligible": 4000, "limit": 200, "fairshare-cap": 1, "qos": 0, "reservation": 0, "unknown": 0, "user-hold": 30,
    "system-hold": 2, "negative-priority": 0, "dependency": 50, "begin-time": 7, "class": 3, "soft-limit": 17,
}


def _credential(name, *limits):
    return {"name": name, "limits": list(limits)}


def credentials(kind, *rows, system=()):
    return {"type": kind, "limited": True, "enforced": True, "counted": True, "system": {"limits": list(system)},
            "credentials": list(rows), "omitted": 0, "omitted_pairs": 0}


def _share(name, usage, percent, target=None, mode=None):
    return {"name": name, "usage": usage, "percent": percent, "target": target, "mode": mode}


def _reservation(name, procs, used, **members):
    return {"name": name, "ours": True, "standing": name.split(".")[0], "administrative": False, "there": True,
            "start": 1700000000, "end": 1700007200, "procs": procs, "used_procs": used, "missing": 0} | members


NASTY = 'new\nline "quoted" back\\slash \x07 naïve'


def answers():
    """By command; of credentials by type."""
    system = [ld.limit("MAXJOB", 50, 20)]
    return {
        "status": STATUS,
        "diagnose-blocked": {"level": "soft", "partition": "ALL", "jobs": [], "omitted": 0, "counts": COUNTS},
        "user": credentials(
            "user",
            _credential("alice", ld.limit("MAXJOB", 4, 1, soft=2), ld.limit("MAXIJOB", 10, 9, mode="idle", soft_left=None)),
            _credential(NASTY, ld.limit("MAXJOB", 4, 4, soft=2)),
            _credential("DEFAULT", ld.limit("MAXJOB", 4, None)), system=system),
        "group": credentials("group", system=system),
        "account": credentials("account", system=system),
        "class": credentials(
            "class",
            _credential("batch", ld.limit("MAXJOB[USER]", 5, 3, second_type="user", second="alice"),
                        ld.limit("MAXPROC", 0, 3, metric="procs")), system=system),
        "qos": credentials("qos", _credential("hi", ld.limit("OMAXPROC", -1, 3) | {"left": None, "soft_left": None}),
                           system=system),
        "diagnose-fairshare": {
            "policy": "DEDICATEDPS", "credentials": {
                "user": [_share("alice", 750.5, 75.05, 50, "target"), _share("bob", 249.5, 24.95, 1000, "cap-ps"),
                         _share("carol", 0, 0, 10, "floor")],
                "group": [_share("staff", 1000, 100)], "account": [], "class": [], "qos": []}},
        "diagnose-reservations": {
            "active_procs": 28, "omitted": 0, "reservations": [
                _reservation("night.20231114", 16, 12), _reservation("night.20231115", 4, 0, missing=3),
                _reservation("day.20231116", 64, None, start=1700090000, end=1700099999),
                _reservation("gone.20231114", 0, None, there=False, missing=8),
                _reservation("maint.0", 8, 8, administrative=True, standing="maint.0", end=None),
                _reservation("root_3", 2, 1, ours=False, standing=None)]},
    }


def engine(data=None, broken=()):
    """The fake service's answer to each question; those in broken are refused."""
    data = data or answers()

    def answer(service, request):
        command = request["command"]
        key = request["arguments"].get("type") if command == "diagnose-credentials" else command
        if key in broken:
            return service.envelope(request, status="error", error="not today")
        return service.envelope(request, data=json.loads(json.dumps(data[key])))
    return answer
