#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether vector-check tells what is wrong: good cases, each spoilt in one way.

    spoilt_cases.py [--sample N] VECTOR-CHECK CASES.jsonl...

--sample: one in N of the spoilt cases, chosen by a hash of its text. With sanitizers a start of
vector-check takes 0.2 s; the build without them sees all cases.
"""
import argparse
import copy
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

FAILURES = []
parser = argparse.ArgumentParser()
parser.add_argument("--sample", type=int, default=1)
parser.add_argument("program")
parser.add_argument("cases", nargs="+")
OPTIONS = parser.parse_args()
VECTOR_CHECK = OPTIONS.program
COUNTS = {True: 0, False: 0}
CASES = {}
for path in OPTIONS.cases:
    with open(path, encoding="utf-8") as file:
        CASES[os.path.basename(path).split(".")[0]] = [json.loads(line) for line in file]


def run(area, text, name=None):
    """Exit status and output for a file of this text."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, (name or area) + ".jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([VECTOR_CHECK, path], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


def expect(what, outcome, status, *texts):
    if outcome is None:
        return  # not in the sample
    if outcome[0] != status or any(text not in outcome[1] for text in texts):
        FAILURES.append(what)
        print(f"{what}: exit status {outcome[0]} instead of {status}, or not {texts} in:")
        print(outcome[1])


def spoilt(area, number, change):
    """What vector-check tells of a case when it has been changed; None: not in the sample."""
    case = copy.deepcopy(CASES[area][number])
    change(case)
    text = json.dumps(case) + "\n"
    digest = hashlib.sha256((area + text).encode()).digest()
    chosen = int.from_bytes(digest[:4], "big") % OPTIONS.sample == 0
    COUNTS[chosen] += 1
    return run(area, text) if chosen else None


def find(area, test):
    return next(number for number, case in enumerate(CASES[area]) if test(case))


def fields_are_compared():
    """Every number of an answer, changed to another, is noticed: no field is skipped."""
    for area, number in [("priority", 0), ("priority", 2), ("run_priority", 0),
                         ("run_priority", 2)]:
        case = CASES[area][number]
        answer = case["expect"] if area == "priority" else case["expect"][0]
        for group in ["comp", "sub"]:
            for name in answer[group]:
                for field in ["f", "w"]:
                    def change(copied, group=group, name=name, field=field):
                        expected = copied["expect"] if area == "priority" else copied["expect"][0]
                        expected[group][name][field] += 2.5 + abs(expected[group][name][field])
                    expect(f"{area} {number} {name}.{field}", spoilt(area, number, change), 1,
                           f"{name}.{field}: ", "0 passed, 1 failed")
    number = find("priority", lambda case: case["expect"]["sub"].get("PS"))
    expect("an omitted subcomponent", spoilt("priority", number,
                                             lambda c: c["expect"]["sub"].pop("PS")), 1, "PS.f")
    for field in ["priority", "startpriority"]:
        expect(field, spoilt("priority", 0, lambda c, f=field: c["expect"].update({f: 123456789})),
               1, "priority.")
    expect("run priority", spoilt("run_priority", 0,
                                  lambda c: c["expect"][1].update(runpriority=-7)), 1,
           "run.runpriority")
    expect("rc", spoilt("priority", 0, lambda c: c.update(rc=1)), 1, "rc: ")
    for area, field, value in [("time_parse", "sec", 424242), ("time_format", "out", "soon"),
                               ("fstarget_parse", "mode", 9), ("fstarget_parse", "target", 9.5),
                               ("fstarget_parse", "show", "9"),
                               ("documented_examples", "expect", -9)]:
        expect(f"{area} {field}", spoilt(area, 0, lambda c, f=field, v=value: c.update({f: v})), 1)
    for field, value in [("priority", 77), ("fstarget", 77), ("fsmode", 1),
                         ("limits", {"MAXJOB": [1, 1]})]:
        expect(f"cred_parse {field}",
               spoilt("cred_parse", 0, lambda c, f=field, v=value: c["expect"].update({f: v})), 1)
    number = find("cred_parse", lambda case: case["expect"]["limits"])
    expect("a limit too many", spoilt("cred_parse", number,
                                      lambda c: c["expect"].update(limits={})), 1, "limits.")


def fairshare_is_compared():
    """The same for windows, the text of diagnose -f, files and caps."""
    for area, state in [("fairshare_load", 0), ("fairshare_roll", 1)]:
        for number in [0, 2]:
            for place, cred in enumerate(CASES[area][number]["expect"][state]["creds"]):
                def creds(case, state=state):
                    return case["expect"][state]["creds"]
                for field in ["usage0", "factor", "pct", "target", "mode"]:
                    expect(f"{area} {number} {cred['name']}.{field}",
                           spoilt(area, number, lambda c, f=field, p=place: creds(c)[p].update(
                               {f: creds(c)[p][f] + 0.75})), 1, f".{field}: ")
                for k in range(len(cred["slots"])):
                    def change(case, k=k, place=place):
                        creds(case)[place]["slots"][k] += 0.001
                    expect(f"{area} {number} slot {k}", spoilt(area, number, change), 1, "slots[")
                expect(f"{area} {number} without {cred['name']}",
                       spoilt(area, number, lambda c, p=place: creds(c).pop(p)), 1,
                       "is not in the list")
        expect(f"{area} total", spoilt(area, 0, lambda c, s=state: c["expect"][s].update(total=7)),
               1, "total: ")
    for old, new in [(".", ","), ("-\n", "- \n"), ("alice", "alicf"), ("1:00:00", "01:00:00")]:
        expect(f"fsshow {new!r}", spoilt(
            "fairshare_load", 0, lambda c, o=old, n=new: c["expect"][1].update(
                fsshow=c["expect"][1]["fsshow"].replace(o, n, 1))), 1, "fsshow: ")
    for old, new in [("alice ", "alicf "), (" 3600 ", " 3601 "), ("sched", "schec")]:
        expect(f"file {new!r}", spoilt(
            "fairshare_roll", 0, lambda c, o=old, n=new: c["files_written"].update(
                {"FS.777": c["files_written"]["FS.777"].replace(o, n, 1)})), 1)
    expect("a file too many", spoilt("fairshare_roll", 0,
                                     lambda c: c["files_written"].update({"FS.1": ""})), 1, "FS.1")
    for number, case in enumerate(CASES["fairshare_cap"]):
        if not case["id"].startswith("original"):
            expect(f"cap {case['id']}", spoilt("fairshare_cap", number, lambda c: c[
                "expect"].update(ok=2)), 1, "ok: ")


def nodes_are_compared():
    """Values, coefficients, and the nodes of an allocation."""
    for field, value in [("rc", 2), ("policy", "FASTES"), ("alloc", [["c0", 1]])]:
        expect(f"node_alloc {field}", spoilt("node_alloc", 0, lambda c, f=field, v=value: c[
            "expect"].update({f: v})), 1, f"expect.{field}: ")
    for field, value in [("value", -77.5), ("node", "other")]:
        expect(f"node_priority {field}", spoilt("node_priority", 0, lambda c, f=field, v=value: c[
            "expect"][0].update({f: v})), 1)
    for name in ["LOAD", "USAGE"]:
        expect(f"priorityf_parse {name}", spoilt("priorityf_parse", 0, lambda c, n=name: c[
            "coef"].update({n: 9})), 1, f"{name}: ")
    expect("priorityf_parse NEW", spoilt("priorityf_parse", 0, lambda c: c["coef"].update(
        NEW=0)), 1, "NEW: not known")
    expect("priorityf_parse none", spoilt("priorityf_parse", 0, lambda c: c["coef"].clear()), 1)


def reservations_are_compared():
    """Answers, items of access lists, lines, and every field of a window."""
    for area, list_name, answers in [
            ("acl_raw", "parsed", {"inclusive": 2, "rc": 3, "affinity": "?"}),
            ("rsv_access", "racl", {"granted": 2, "affinity": "?", "rname": "test.1"})]:
        for field, value in answers.items():
            expect(f"{area} {field}", spoilt(area, 0, lambda c, f=field, v=value: c[
                "expect"].update({f: v})), 1, f"{field}: ")
        number = find(area, lambda case, n=list_name: len(case["expect"][n]) > 2)
        for field, value in [("aff", 9), ("cmp", "="), ("deny", 7), ("name", "x"), ("req", 7),
                             ("type", "X"), ("value", 77), ("xor", 7)]:
            expect(f"{area} item's {field}",
                   spoilt(area, number, lambda c, n=list_name, f=field, v=value: c["expect"][n][
                       0].update({f: v})), 1, f"acl.{field}: ")
        expect(f"{area} an item less", spoilt(area, number, lambda c, n=list_name: c["expect"][
            n].pop(0)), 1, "acl.count: ")
    for field in CASES["srcfg_parse"][0]["expect"]:
        value = [] if field == "acl" else "?" if field in ["flags", "hostexp", "par"] else 77
        number = find("srcfg_parse", lambda case: case["expect"]["acl"])
        if field != "name":
            expect(f"srcfg_parse {field}", spoilt("srcfg_parse", number,
                                                  lambda c, f=field, v=value: c["expect"].update(
                                                      {f: v})), 1)
    number = find("sr_windows", lambda case: case["windows"][1]["needed"])
    for field, value in [("needed", 2), ("created", 2), ("start", 1), ("duration", 1),
                         ("rsvstart", 1), ("rsvend", 1), ("sr", "?"), ("tz", "UTC+1")]:
        expect(f"sr_windows {field}", spoilt("sr_windows", number, lambda c, f=field, v=value: c[
            "windows"][1].update({f: v})), 1, f"{field}: ")


def instances_are_compared():
    number = find("sr_instances", lambda case: case["id"] == "side-by-side")
    for field, value in [("name", "s0.9.9"), ("start", 1), ("end", 1), ("flags", "?"), ("prio", 9),
                         ("alloc", [["n0", 3]]), ("nodes", 9), ("procs", 9), ("tasks", 9)]:
        for step in [0, 1]:
            expect(f"sr_instances {field}",
                   spoilt("sr_instances", number, lambda c, s=step, f=field, v=value: c["expect"][
                       s]["rsv"][0].update({f: v})), 1, f"s0[{step}].{field}: ")
    expect("an instance less", spoilt("sr_instances", number,
                                      lambda c: c["expect"][1]["rsv"].pop()), 1, "s1[1].name: ")
    expect("now", spoilt("sr_instances", number, lambda c: c["expect"][1].update(now=1)), 1,
           "now: ")


def unknown_members_fail():
    expect("expect.new", spoilt("priority", 0, lambda c: c["expect"].update(new=1)), 1,
           "new: not known")
    new = {"NEW": {"f": 1, "w": 0}}
    for group in ["sub", "comp"]:
        outcome = spoilt("priority", 0, lambda c, g=group: c["expect"][g].update(new))
        expect(f"{group}.NEW", outcome, 1, "NEW: not known")
    expect("sub.PS.x", spoilt("priority", 0, lambda c: c["expect"]["sub"]["PS"].update(x=1)), 1,
           "x: not known")
    expect("job.new", spoilt("priority", 0, lambda c: c["job"].update(new=1)), 1, "new: not known")
    expect("new", spoilt("priority", 0, lambda c: c.update(new=1)), 1, "new: not known")
    for area in ["time_parse", "time_format", "fstarget_parse", "cred_parse",
                 "documented_examples", "fairshare_load", "fairshare_roll", "fairshare_cap",
                 "node_alloc", "node_priority", "priorityf_parse", "acl_raw", "rsv_access",
                 "srcfg_parse", "sr_windows", "sr_instances"]:
        expect(f"{area} new", spoilt(area, 0, lambda c: c.update(new=1)), 1, "new: not known")


def rules_take_one_value_only():
    two = {"in": "8:00", "sec": 8 * 3600}
    expect("the original's reading", run("time_parse", json.dumps(two)), 0, "1 of them replaced",
           "D-CFG-5", "1 passed, 0 failed")
    two["sec"] = 480
    expect("the documented one", run("time_parse", json.dumps(two)), 0, " 0 of them replaced")
    two["sec"] = 481
    expect("a third", run("time_parse", json.dumps(two)), 1, "the original's formula gives 28800")
    expect("where both agree", run("time_parse", '{"in": "1:08:00", "sec": 28800}'), 1)


def every_rule_has_a_case():
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check.c")
    with open(source, encoding="utf-8") as file:
        rules = re.findall(r'\[RULE_\w+\] = \{"D-\w+-\d+",\s*"([^"]*)"\}', file.read())
    done = subprocess.run([VECTOR_CHECK] + OPTIONS.cases, capture_output=True, text=True,
                          check=False)
    expect("all files at once", (done.returncode, done.stdout), 0, " 0 failed")
    expect("the table of rules", (len(rules) > 10, ""), True)
    for rule in rules:
        expect(f"a case for: {rule}", (0, done.stdout), 0, f"by rule: {rule} ")


def files_that_cannot_be_checked():
    line = json.dumps(CASES["time_parse"][0])
    expect("unknown area", run("moon_phase", line), 2, "no such area", "time_parse")
    expect("half an area's name", run("time", line), 2, "no such area")
    expect("empty", run("time_parse", ""), 2, "no cases")
    expect("no JSON", run("time_parse", line + "\nnonsense\n"), 2, ":2: not a JSON object")
    expect("cut off", run("time_parse", line[:-1]), 2, "not a JSON object")
    expect("more behind it", run("time_parse", line + " 7"), 2, "not a JSON object")
    expect("an array", run("time_parse", "[1]"), 2, "not a JSON object")
    for arguments in [[], ["no/such/time_parse.jsonl"]]:
        done = subprocess.run([VECTOR_CHECK] + arguments, capture_output=True, check=False)
        expect(f"arguments {arguments}", (done.returncode, ""), 2)


def other_areas_are_named():
    entry = {"area": "tides", "expect": 1, "input": {}}
    expect("another area", run("documented_examples", json.dumps(entry)), 0,
           "other area: 1 (tides)",
           "0 passed, 0 failed")


fields_are_compared()
fairshare_is_compared()
nodes_are_compared()
reservations_are_compared()
instances_are_compared()
unknown_members_fail()
rules_take_one_value_only()
every_rule_has_a_case()
files_that_cannot_be_checked()
other_areas_are_named()
expect("the sample", (COUNTS[True] > 20, ""), True)
print(f"{COUNTS[True]} of {sum(COUNTS.values())} spoilt cases, {len(FAILURES)} failures")
sys.exit(1 if FAILURES else 0)
