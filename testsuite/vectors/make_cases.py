#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the cases of testsuite/vectors/cases: our own, in the format of the vectors.

    make_cases.py DIRECTORY           write them
    make_cases.py --check DIRECTORY   exit 1 if what is there differs

The numbers come from the manual's formulas (chapters 5.1.2 and 6.3) as written here, in another language
than the code under test and by other hands than vector-check's formulas. Most cases have the
documented reading; those named "original-..." have the original program's where the two differ,
so that every rule of vector-check is exercised.
"""
import json
import math
import os
import random
import sys

import fairshare_cases
import node_cases
import reservation_cases
import throttling_cases

NOW = 1600000000
CREDENTIALS = ["user", "group", "account", "qos", "class"]
NAMES = {"user": "alice", "group": "physics", "account": "proj7", "qos": "gold", "class": "long"}
SUBCOMPONENTS = {
    "SERVICE": ["QUEUETIME", "XFACTOR", "SPVIOLATION", "BYPASS"],
    "TARGET": ["TARGETQUEUETIME", "TARGETXFACTOR"],
    "CRED": ["USER", "GROUP", "ACCOUNT", "QOS", "CLASS"],
    "FS": ["FSUSER", "FSGROUP", "FSACCOUNT", "FSQOS", "FSCLASS"],
    "RES": ["NODE", "PROC", "MEM", "SWAP", "DISK", "PS", "PE", "WALLTIME"],
    "USAGE": ["CONSUMED", "REMAINING", "EXECUTIONTIME", "PERCENT"],
}
COMPONENT_WEIGHTS = {"SERVICE": "SERVICEWEIGHT", "TARGET": "TARGETWEIGHT", "CRED": "CREDWEIGHT",
                     "FS": "FSWEIGHT", "RES": "RESWEIGHT", "USAGE": "USAGEWEIGHT"}
COMPONENT_CAPS = {"SERVICE": "SERVICEWCAP", "TARGET": "TARGETCAP", "CRED": "CREDCAP", "FS": "FSCAP",
                  "RES": "RESCAP", "USAGE": "USAGECAP"}
ON_BY_DEFAULT = ["SERVICE", "CRED"]


def parameter_of(sub, what):
    """USAGEEXECUTIONTIMEWEIGHT, but CONSUMEDWEIGHT: the original's names."""
    return ("USAGE" if sub == "EXECUTIONTIME" else "") + sub + what


def seconds(text, original):
    if ":" not in text:
        return int(text, 0)
    fields = [int(field) for field in text.split(":") if field]
    if original and len(fields) < 4:
        fields = [0] + fields + [0] * (3 - len(fields))
    total = 0
    for unit, field in zip([1, 60, 3600, 86400], reversed(fields)):
        total += unit * field
    return total


class Settings:
    """The lines of a case: parameters, and attributes by section and name."""

    def __init__(self):
        self.parameters = {}
        self.attributes = {}

    def lines(self):
        lines = [f"{name} {value}" for name, value in self.parameters.items()]
        for (section, name), attributes in self.attributes.items():
            pairs = " ".join(f"{key}={value}" for key, value in attributes.items())
            lines.append(f"{section.upper()}CFG[{name}] {pairs}")
        return lines

    def number(self, name, default, original):
        value = float(self.parameters.get(name, default))
        return float(default) if original and value == -1 else value

    def own(self, section, name, attribute, default=0):
        return self.attributes.get((section, name), {}).get(attribute, default)


def credential_priority(settings, job, kind, original):
    if kind == "qos":
        return settings.own(kind, job.get("qos", "DEFAULT"), "PRIORITY")
    priority = settings.own(kind, job.get(kind), "PRIORITY")
    if priority or (original and kind == "class"):
        return priority
    return settings.own(kind, "DEFAULT", "PRIORITY")


def fs_factor(settings, case, kind, original):
    policy, job, fs = settings.parameters.get("FSPOLICY"), case["job"], case["fs"]
    total = sum(fs.get("total", [0]))
    if not policy or total <= 0:
        return 0.0
    name = job.get(kind) or ("DEFAULT" if kind == "qos" else None)
    if not name:
        return 0.0
    for owner in [name, "DEFAULT"]:
        if original and kind == "class" and owner == "DEFAULT":
            continue
        text = settings.own(kind, owner, "FSTARGET", "0")
        target = float(text.rstrip("+-%^"))
        if target > 0:
            break
    else:
        return 0.0
    if target <= 0:
        return 0.0
    usage = sum(fs[kind]) / total * 100 if job.get(kind) else 0.0
    delta = 1 - usage / target if policy.endswith("%") else target - usage
    return {"+": max(0.0, delta), "-": min(0.0, delta), "%": 0.0, "^": 0.0}.get(text[-1], delta)


def approach(left, original):
    left = max(1e-4, left)
    return left ** -2 if original else (1 / left) ** 2


def service(settings, case, original):
    job = case["job"]
    qos = job.get("qos", "DEFAULT")
    start = job.get("sysq", job["submit"])
    if job.get("effqd", 0) > 0:
        start = case["now"] - job["effqd"]
    waited, wall = case["now"] - start, job["wc"]
    least = seconds(settings.parameters.get("XFMINWCLIMIT", "120" if original else "0"), original)
    if original:
        xfactor = (waited % 2**64 + wall) % 2**64 / max(least, wall)
    else:
        waited = max(waited, 0)
        xfactor = 1 + waited / max(least, wall, 1)
    factors = {"QUEUETIME": max(0, waited / 60), "XFACTOR": xfactor, "BYPASS": job.get("bypass", 0),
               "SPVIOLATION": job.get("spv", 0)}
    text = settings.own("qos", qos, "QTTARGET", "0")
    target = int(text.split(":")[0], 0) if original else seconds(text, False)
    if target > 0:
        left = target - waited
        past = max(0, -left)
        factors["TARGETQUEUETIME"] = 0.0001**-2 if original else approach(left, False) + past
    target = float(settings.own("qos", qos, "XFTARGET", 0))
    if target > 0:
        left = target - xfactor
        past = 0 if original else 1e4 * max(0, -left)
        factors["TARGETXFACTOR"] = approach(left, original) + past
    return factors


def resources(case):
    job, totals = case["job"], case["totals"]
    procs = job["tasks"] * job["ppt"]
    asked = {name: job["tasks"] * job[name] for name in ["mem", "swap", "disk"]}
    factors = {name.upper(): amount for name, amount in asked.items()}
    factors.update(NODE=job["nodes"], PROC=procs, PS=procs * job["wc"], WALLTIME=job["wc"], PE=0)
    if totals["procs"]:
        shares = [asked[name] / totals[name] for name in asked if asked[name] and totals[name]]
        factors["PE"] = max([procs / totals["procs"]] + shares) * totals["procs"]
    return factors


def start_priority(settings, case, original):
    job = case["job"]
    factors = {}
    for kind in CREDENTIALS:
        factors[kind.upper()] = credential_priority(settings, job, kind, original)
        factors["FS" + kind.upper()] = fs_factor(settings, case, kind, original)
    factors.update(service(settings, case, original))
    factors.update(resources(case))
    weights = {sub: settings.number(parameter_of(sub, "WEIGHT"), 1 if sub == "QUEUETIME" else 0,
                                    original)
               for subs in SUBCOMPONENTS.values() for sub in subs}
    qos = job.get("qos", "DEFAULT")
    weights["QUEUETIME"] += settings.own("qos", qos, "QTWEIGHT")
    weights["XFACTOR"] += settings.own("qos", qos, "XFWEIGHT")
    weights["CLASS"] = settings.own("group", job.get("group"), "CLASSWEIGHT") or weights["CLASS"]
    terms, components, total = {}, {"ATTR": {"f": 0, "w": 1}}, 0.0
    for name, subs in SUBCOMPONENTS.items():
        amount = 0.0
        for sub in subs:
            factor = factors.get(sub, 0)
            cap = settings.number(parameter_of(sub, "CAP"), 0, original)
            if cap > 0:
                factor = min(factor, cap)
            amount += weights[sub] * factor
            if factor or weights[sub]:
                terms[sub] = {"f": factor, "w": weights[sub]}
        cap = settings.number(COMPONENT_CAPS[name], 0, original)
        if cap > 0:
            amount = min(amount, cap)
        default = 1 if original or name in ON_BY_DEFAULT else 0
        weight = settings.number(COMPONENT_WEIGHTS[name], default, original)
        components[name] = {"f": amount, "w": weight}
        total += weight * amount
    for name, key in [("UPROC", "proc"), ("UJOB", "job")]:
        amount, weight = case.get("user_active_usage", {}).get(key,
                                                               0), settings.number(name + "WEIGHT",
                                                                                   0, original)
        if amount or weight:
            terms[name] = {"f": amount, "w": weight}
    negatives = ["ENABLENEGJOBPRIORITY"] + (["REJECTNEGPRIOJOBS"] if original else [])
    if not any(settings.parameters.get(name) == "TRUE" for name in negatives):
        total = max(total, 1)
    total = min(total, 1e9)
    stored = job.get("sysprio", 0)
    if stored > 1000000000:
        total += stored - 2000000000
    elif stored:
        total = 1000000000 + stored
    return {"job": job["name"], "priority": total, "startpriority": math.trunc(total),
            "comp": components,
            "sub": terms}


def run_priority(settings, case, original):
    job = case["job"]
    elapsed, procs = case["now"] - job["start"], job["tasks"] * job["ppt"]
    left = job["wc"] - elapsed
    factors = {"CONSUMED": procs * elapsed, "REMAINING": procs * left, "EXECUTIONTIME": elapsed,
               "PERCENT": 100 * elapsed / job["wc"]}
    if original:
        factors.update(EXECUTIONTIME=0, PERCENT=elapsed * 100 // max(1, left))
    total = 0.0
    for sub, factor in factors.items():
        cap = settings.number(parameter_of(sub, "CAP"), 0, original)
        if cap > 0 and not original:
            factor = min(factor, cap)
        total += settings.number(parameter_of(sub, "WEIGHT"), 0, original) * factor
    return settings.number("USAGEWEIGHT", 1 if original else 0, original) * total


def random_settings(rng):
    settings = Settings()
    put = settings.parameters
    for name, subs in SUBCOMPONENTS.items():
        if rng.random() < 0.6:
            put[COMPONENT_WEIGHTS[name]] = rng.choice([0, 1, 1, 3, 40, -2, -1])
        if name != "USAGE" and rng.random() < 0.2:
            put[COMPONENT_CAPS[name]] = rng.choice([0, 25, 5000])
        for sub in subs:
            if rng.random() < 0.45:
                put[parameter_of(sub, "WEIGHT")] = rng.choice([0, 1, 2, 7, 120, 3333, -4, -1])
            if name != "USAGE" and rng.random() < 0.12:
                put[parameter_of(sub, "CAP")] = rng.choice([0, 3, 450])
    for name, choices, chance in [
            ("FSPOLICY", ["DEDICATEDPS", "DEDICATEDPES", "DEDICATEDPS%"], 0.7),
            ("XFMINWCLIMIT", ["0", "300", "00:05:00", "2:00:00"], 0.5),
            ("ENABLENEGJOBPRIORITY", ["TRUE"], 0.4), ("REJECTNEGPRIOJOBS", ["TRUE"], 0.25),
            ("UPROCWEIGHT", [3], 0.3), ("UJOBWEIGHT", [8], 0.3)]:
        if rng.random() < chance:
            put[name] = rng.choice(choices)
    for kind in CREDENTIALS:
        for name in [NAMES[kind], "DEFAULT"]:
            attributes = {}
            if rng.random() < 0.6:
                attributes["PRIORITY"] = rng.choice([0, 6, 75, 1800, -90])
            if rng.random() < 0.5:
                attributes["FSTARGET"] = f"{rng.uniform(3, 80):.2f}" + rng.choice(["", "+", "-",
                                                                                   "%", "^"])
            if kind == "qos" and name != "DEFAULT":
                for key, choices in [("QTWEIGHT", [4, -3, 900]), ("XFWEIGHT", [6, -2]),
                                     ("QTTARGET", ["1800", "00:45:00", "100000"]),
                                     ("XFTARGET", [1.25, 4, 60])]:
                    if rng.random() < 0.5:
                        attributes[key] = rng.choice(choices)
            if kind == "group" and name != "DEFAULT" and rng.random() < 0.3:
                attributes["CLASSWEIGHT"] = 11
            if attributes:
                settings.attributes[(kind, name)] = attributes
    return settings


def random_case(rng, settings, name):
    job = {"name": "job" + name, "user": "alice", "group": "physics",
           "tasks": rng.choice([1, 3, 12, 40]),
           "ppt": rng.choice([1, 2, 6]), "mem": rng.choice([0, 700]), "swap": rng.choice([0, 90]),
           "disk": rng.choice([0, 2500]), "nodes": rng.choice([0, 2, 5]),
           "wc": rng.choice([45, 300, 5400, 172800]), "submit": NOW - rng.randrange(0, 300000)}
    for kind in ["account", "qos", "class"]:
        if rng.random() < 0.8:
            job[kind] = NAMES[kind]
    for key, choices, chance in [("sysq", [NOW - 777, NOW, NOW + 400], 0.3),
                                 ("effqd", [30, 5000], 0.2),
                                 ("bypass", [2, 19], 0.4), ("spv", [1], 0.2),
                                 ("sysprio", [4, 1000, 2000000050, 1999999000], 0.2)]:
        if rng.random() < chance:
            job[key] = rng.choice(choices)
    fs = {"total": [50000.5, 900000.25]}
    for kind in CREDENTIALS:
        fs[kind] = [round(rng.uniform(0, 30000), 3), round(rng.uniform(0, 700000), 3)]
    totals = {"procs": rng.choice([24, 640]), "mem": rng.choice([0, 60000]),
              "swap": rng.choice([0, 9000]),
              "disk": rng.choice([0, 400000])}
    return {"id": name, "cfg": settings.lines(), "now": NOW, "rc": 0, "job": job, "totals": totals,
            "fs": fs,
            "user_active_usage": {"job": rng.randrange(4), "proc": rng.randrange(30)}}


def readings(count):
    """Two documented cases to one of the original's reading."""
    for number in range(count):
        original = number % 3 == 2
        yield f"{'original' if original else 'documented'}-{number}", original


def priority_cases(rng):
    for name, original in readings(120):
        settings = random_settings(rng)
        case = random_case(rng, settings, name)
        case["expect"] = start_priority(settings, case, original)
        yield case


def run_priority_cases(rng):
    for name, original in readings(45):
        settings = Settings()
        for sub in SUBCOMPONENTS["USAGE"]:
            if rng.random() < 0.7:
                settings.parameters[parameter_of(sub, "WEIGHT")] = rng.choice([1, 5, -3, 60])
        if rng.random() < 0.6:
            settings.parameters["CONSUMEDCAP"] = 5000
        if rng.random() < 0.8:
            settings.parameters["USAGEWEIGHT"] = rng.choice([1, 4])
        case = random_case(rng, settings, name)
        case["job"].update(state="Running", start=NOW - rng.choice([0, 10, 250, 4000, 200000]))
        case["expect"] = [start_priority(settings, case, original),
                          {"job": case["job"]["name"], "rc": 1,
                           "runpriority": run_priority(settings, case, original)}]
        yield case


def fstarget_cases(rng):
    modes = {"": 1, "+": 2, "-": 3, "%": 4, "^": 5}
    for mark, mode in modes.items():
        for value in [0.5, 33, 1500.25, 7]:
            for rest in ["", "junk" if mark else " junk"]:
                yield {"in": f"{value}{mark}{rest}", "target": value, "mode": mode,
                       "show": f"{value:.2f}{mark or ' '}"}
    yield {"in": "nothing", "target": 0, "mode": 1, "show": "0.00 "}
    yield {"in": "-4+", "target": -4, "mode": 2, "show": "-4.00+"}


def time_parse_cases(rng):
    for text in ["0", "59", "0x20", "86400", "4:05", "0:59", "130:00", "2:03:04", "0:00:07",
                 "50:00:00",
                 "3:02:01:00", "0:00:00:59", "00:90:00", "7::8::9", ":15", "15:"]:
        yield {"in": text, "sec": seconds(text, False)}
    for text in ["4:05", "0:59", "130:00", "15:", "2:03:04"]:
        yield {"in": text, "sec": seconds(text, True)}
    for text, value in [("017", 15), ("77 ", 77), ("  78", 78), ("79s", 79)]:
        yield {"in": text, "sec": value}


def time_format_cases(rng):
    samples = [0, 7, 3599, 3600, 35999, 36000, 86399, 86400, 8639999, 8640000, -7, -3600, -86400,
               -863999]
    for value in samples + [rng.randrange(-863999, 8640000) for _ in range(60)]:
        amount, sign = abs(value), "-" if value < 0 else ""
        days, hours = amount // 86400, amount // 3600 % 24
        minutes, rest = amount // 60 % 60, amount % 60
        if value >= 8640000:
            text = "  INFINITY"
        elif days:
            text = f"{sign}{days}:{hours:02}:{minutes:02}:{rest:02}"
        else:
            text = f"{sign}{hours or '00'}:{minutes:02}:{rest:02}"
        yield {"sec": value, "out": text}


def cred_parse_cases(rng):
    def case(lines, kind, name, priority=0, target=0, mode=0, **limits):
        return {"cfg": lines, "rc": 0, "expect": {"type": kind, "name": name, "priority": priority,
                                                  "fstarget": target, "fsmode": mode,
                                                  "limits": limits}}

    for kind in CREDENTIALS:
        section = kind.upper() + "CFG"
        yield case([f"{section}[x1] PRIORITY=-12 FSTARGET=7.5%"], kind, "x1", -12, 7.5, 4)
        yield case([f"{section}[x1] PRIORITY=3", f"{section}[x1] FSTARGET=9^ PRIORITY=4"], kind,
                   "x1", 4, 9, 5)
        yield case([f"{section}[x2] PRIORITY=3"], kind, "x1")
        yield case([f"{section}[x1] MAXJOB=2,6 MAXPROC=64"], kind, "x1", MAXJOB=[2, 6],
                   MAXPROC=[64, 64])
        yield case([f"{section}[x1] MAXWC=10:00:00"], kind, "x1", MAXWC=[36000, 36000])
        yield case([f"{section}[x1] MAXWC=10:00:00"], kind, "x1", MAXWC=[10, 10])
        yield case([f"{section}[x1] MAXWC=500,900 MAXIJOB=1"], kind, "x1", MAXWC=[500, 900],
                   MAXIJOB=[1, 1])
        yield case([f"{section.lower()}[x1] PRIORITY=8 fstarget=5-"], kind, "x1", 8, 5, 3)
        yield case([f"{section.lower()}[x1] PRIORITY=8 maxjob=4"], kind, "x1")
    yield case(["# USERCFG[x1] PRIORITY=9", "USERCFG[x1] FSTARGET=6 # PRIORITY=9"], "user", "x1",
               0, 6, 1)


def documented_cases(rng):
    def entry(area, expect, **given):
        return {"area": area, "expect": expect, "input": given, "derived_from": "the formula"}

    for waited in [0, 0.5, 3, 24]:
        for wall in [0.25, 2, 48]:
            yield entry("xfactor", 1 + waited / wall, eff_queue_h=waited, wclimit_h=wall)
    for waited, wall, least in [(0, 30, 900), (450, 30, 900), (900, 1800, 900), (10, 0, 20)]:
        yield entry("xfactor_min", 1 + waited / max(wall, least), eff_queue_s=waited,
                    wclimit_s=wall,
                    xfminwclimit_s=least)
    for waited, target in [(0, 100), (99, 100), (100, 100), (101, 100), (5000, 100)]:
        expect = (target - waited) ** -2.0 if waited < target else 1e8 + waited - target
        yield entry("target", expect, effq_s=waited, target_s=target)
    yield entry("setspri", 1000000001, absolute=1)
    yield entry("setspri", 1000001000, absolute=1000, computed=77)
    yield entry("setspri", 1077, relative=1000, computed=77)
    yield entry("setspri", -923, relative=-1000, computed=77)
    for procs, memory in [(10, 5), (5, 10), (100, 100)]:
        yield entry("pe", max(procs, memory) * 2, proc_pct=procs, mem_pct=memory, total_procs=200)
    for weight, elapsed in [(1, 60), (5, 1200)]:
        yield entry("usage", weight * (2 * 8 * elapsed + 3 * 8 * (1200 - elapsed) + 4 * elapsed +
                                       5 * 100 * elapsed / 1200), USAGEWEIGHT=weight, procs=8,
                    wclimit=1200,
                    elapsed=elapsed, consumed_w=2, remaining_w=3, exec_w=4, percent_w=5)
    weights = {"FSUSERWEIGHT": 1, "FSGROUPWEIGHT": 2, "FSACCOUNTWEIGHT": 4, "FSQOSWEIGHT": 8,
               "FSCLASSWEIGHT": 16, "FSWEIGHT": 2}
    yield entry("fs_factor", 2 * (1 * 10 + 2 * 0 + 4 * -5 + 8 * 3 + 16 * 0), user=[30, 20],
                group=["30-", 20],
                account=["30-", 35], qos=["30+", 27], cls=["30%", 90], **weights)
    yield from fairshare_cases.documented_cases()
    yield entry("maxps", 8 * 60 + 3 * 500, jobs=[[8, 60], [3, 500]])
    yield entry("throttle_override", {"user_nodes": 64, "user_jobs": 2, "group_jobs": 5,
                                      "class_nodes": 64, "qos_jobs": 3},
                user="steve", group="staff", cls="batch", qos="hiprio")
    yield from reservation_cases.documented_cases()


AREAS = {"priority": priority_cases, "run_priority": run_priority_cases,
         "cred_parse": cred_parse_cases,
         "fstarget_parse": fstarget_cases, "time_parse": time_parse_cases,
         "time_format": time_format_cases,
         "documented_examples": documented_cases,
         "fairshare_load": fairshare_cases.load_cases,
         "fairshare_roll": fairshare_cases.roll_cases,
         "fairshare_cap": fairshare_cases.cap_cases,
         "node_alloc": node_cases.alloc_cases,
         "node_priority": node_cases.value_cases,
         "priorityf_parse": node_cases.parse_cases,
         "throttling": throttling_cases.limit_cases,
         "acl_raw": reservation_cases.acl_cases,
         "rsv_access": reservation_cases.access_cases,
         "srcfg_parse": reservation_cases.parse_cases,
         "sr_windows": reservation_cases.window_cases,
         "sr_instances": reservation_cases.instance_cases}


def main():
    check = sys.argv[1:2] == ["--check"]
    directory = sys.argv[2 if check else 1]
    stale = []
    for area, make in AREAS.items():
        rng = random.Random("slurm-maui " + area)
        text = "".join(json.dumps(case, sort_keys=True) + "\n" for case in make(rng))
        path = os.path.join(directory, area + ".jsonl")
        if check:
            with open(path, encoding="utf-8") as file:
                stale += [path] if file.read() != text else []
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    for path in stale:
        print(f"{path}: not what make_cases.py writes")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
