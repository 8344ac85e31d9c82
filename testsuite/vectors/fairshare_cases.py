# SPDX-License-Identifier: GPL-2.0-or-later
"""Fairshare's part of make_cases.py: windows, files, diagnose -f and hard caps, from chapter 6.3."""

import functools
import operator

INTERVAL = 3600
NOW = 1600000000
START = NOW - NOW % INTERVAL
CREDENTIALS = ["user", "group", "account", "qos", "class"]
NAMES = {"user": ["alice", "carol"], "group": ["physics"], "account": ["proj7"], "qos": ["gold"],
         "class": ["long"]}
NUMBERS = {"user": "25", "group": "8", "account": "1", "qos": "14", "class": "3", "total": "20"}
ORIGINAL = {"user": "user", "group": "group", "account": "acct", "qos": "qos", "class": "class"}
MANUAL = {"user": "User", "group": "Group", "account": "Account", "qos": "QOS", "class": "Class"}
MODES = {"": 1, "+": 2, "-": 3, "%": 4, "^": 5}


def split(target):
    mark = target[-1] if target and target[-1] in "+-%^" else ""
    return float(target[:len(target) - len(mark)] or 0), mark


def added(amounts):
    """One after the other, each time rounded; sum() is more exact from Python 3.12 on."""
    return functools.reduce(operator.add, amounts, 0)


class Windows:
    """Usage by (kind, name) and window."""

    def __init__(self, depth, decay):
        self.depth, self.decay, self.usage = depth, decay, {}

    def add(self, key, k, amount):
        self.usage.setdefault(key, [0.0] * self.depth)[k] = amount

    def rest(self, key):
        slots = self.usage.get(key, [0.0])
        return added(slots[k] * self.decay ** k for k in range(1, len(slots)))

    def sum(self, key):
        return self.usage.get(key, [0.0])[0] + self.rest(key)

    def percent(self, key):
        total = self.sum(("total", ""))
        return self.sum(key) / total * 100 if total > 0 else 0.0

    def rolled(self, count):
        new = Windows(self.depth, self.decay)
        for key, slots in self.usage.items():
            new.usage[key] = ([0.0] * count + slots)[:self.depth]
        return new

    def cred(self, key, target, last_class):
        value, mark = split(target)
        return {"type": NUMBERS[key[0]], "name": key[1] or last_class,
                "usage0": self.usage[key][0], "factor": self.rest(key), "pct": self.percent(key),
                "slots": self.usage[key], "target": value, "mode": MODES[mark] if target else 0}

    def creds(self, targets, last_class):
        keys = [(kind, name) for kind in CREDENTIALS for name in NAMES[kind]] + [("total", "")]
        return [self.cred(key, targets.get(key, ""), last_class) for key in keys
                if key in self.usage and (self.sum(key) > 0 or key in targets)]


def show(windows, policy, targets):
    """diagnose -f; the interval is one hour."""
    total = windows.usage[("total", "")]
    columns = [k for k in range(windows.depth) if total[k] > 0]
    lines = ["FairShare Information", "",
             f"Depth: {windows.depth} intervals   Interval Length: 1:00:00   "
             f"Decay Rate: {windows.decay:.2f}", "", f"FS Policy: {policy.rstrip('%')}",
             "System FS Settings:  Target Usage: 0.00    Flags: 0", "",
             "FSInterval        %     Target" + "".join(f" {k:7d}" for k in columns),
             "FSWeight       ------- -------" +
             "".join(f" {windows.decay ** k:7.4f}" for k in columns),
             "TotalUsage      100.00 -------" + "".join(f" {total[k] / 3600:7.1f}" for k in columns)]
    for kind in CREDENTIALS:
        rows = []
        for name in NAMES[kind] + ["DEFAULT"]:
            own = targets.get((kind, name)) or targets.get((kind, "DEFAULT"))
            if not own and windows.sum((kind, name)) <= 0:
                continue
            value, mark = split(own or "")
            percent = windows.percent((kind, name))
            off = {"+": percent < value, "-": percent > value, "": abs(percent - value) > 5}
            star = "*" if own and off.get(mark) and windows.sum(("total", "")) > 0 else ""
            cells = windows.usage.get((kind, name), [0.0] * windows.depth)
            target = f"{value:.2f}{mark or ' '}"[:7] if own else "-------"
            rows.append(f"{name + star:14} {percent:7.2f} {target:>7}" + "".join(
                f" {cells[k] / total[k] * 100:7.2f}" if cells[k] > 0 else " -------"
                for k in columns))
        if rows:
            title = "ACCT" if kind == "account" else kind.upper()
            lines += ["", title, "-------------"] + rows
    return "\n".join(lines) + "\n"


def file_text(usage, total, manual):
    text = f"# FS Data File (Duration: {INTERVAL:6} seconds)  Starting: Sun Sep 13 12:00:00\n\n"
    words = MANUAL if manual else ORIGINAL
    for (kind, name), amount in usage.items():
        text += f"{words[kind]:10} {name:>15} {amount:12.3f}\n"
    return text + (f"TOTAL {total:.3f}\n" if manual else f"{'sched':10} {'NONE':>15} {total:12.3f}\n")


def load_case(rng, name, original):
    depth, decay = rng.choice([1, 2, 5]), rng.choice([0.5, 1.0, 0.25])
    policy = rng.choice(["DEDICATEDPS", "DEDICATEDPES%"])
    windows, files = Windows(depth, decay), {}
    windows.add(("total", ""), 0, 0.0)
    for k in range(depth):
        # What the manual's dialect says is not read by the original.
        manual = original and k % 2 == 1
        if rng.random() < 0.2 and k:
            continue
        usage = {(kind, name): rng.randrange(1, 900000) / 1000 for kind in CREDENTIALS
                 for name in NAMES[kind]}
        total = rng.randrange(900000, 3000000) / 1000
        files[f"FS.{START - k * INTERVAL}"] = file_text(usage, total, manual)
        if not manual:
            for key, amount in usage.items():
                windows.add(key, k, amount)
            windows.add(("total", ""), k, total)
    targets = {}
    for kind in ["user", "account", "qos"]:
        for owner in NAMES[kind] + ["DEFAULT"]:
            if rng.random() < 0.4:
                targets[kind, owner] = f"{rng.choice([5, 20, 40.5])}{rng.choice(list(MODES))}"
    for key in targets:
        windows.usage.setdefault(key, [0.0] * depth)
    lines = [f"FSPOLICY {policy}", f"FSINTERVAL {INTERVAL}", f"FSDEPTH {depth}",
             f"FSDECAY {decay}"]
    lines += [f"{kind.upper()}CFG[{owner}] FSTARGET={target}"
              for (kind, owner), target in targets.items()]
    creds = windows.creds(targets, "long")
    creds += [windows.cred(key, target, "") for key, target in targets.items()
              if key[1] == "DEFAULT"]
    return {"id": name, "cfg": lines, "now": NOW, "interval": INTERVAL, "depth": depth,
            "decay": decay, "files": files, "rc": 0,
            "expect": [{"t": NOW, "total": windows.sum(("total", "")), "creds": creds},
                       {"fsshow": show(windows, policy, targets)}]}


def load_cases(rng):
    for number in range(18):
        original = number % 3 == 2
        yield load_case(rng, f"{'original' if original else 'documented'}-{number}", original)


def roll_cases(rng):
    for number in range(12):
        original = number % 3 == 2
        depth, decay = rng.choice([1, 3, 6]), rng.choice([0.5, 1.0])
        passed = rng.choice([2, 3, 9]) if original else number % 2
        windows = Windows(depth, decay)
        usage = {(kind, NAMES[kind][0]): rng.randrange(1, 900000) / 1000 for kind in CREDENTIALS}
        for key, amount in usage.items():
            windows.add(key, 0, amount)
        total = added(usage.values())
        windows.add(("total", ""), 0, total)
        text = file_text(usage, total, False)
        after = windows.rolled(min(passed, 1) if original else passed)
        begin = START - passed * INTERVAL
        files = {"FS.777": text}
        if passed:
            files[f"FS.{begin}"] = text
        yield {"id": f"{'original' if original else 'documented'}-{number}", "now": NOW, "rc": 0,
               "interval": INTERVAL, "previous_interval": begin, "depth": depth, "decay": decay,
               "credusage": [[kind, name, amount] for (kind, name), amount in usage.items()],
               "total": total, "files_written": files,
               "expect": [{"written": 1}, {"t": NOW, "newinterval": START,
                                           "total": after.sum(("total", "")),
                                           "creds": after.creds({}, "long")}]}


def cap_cases(rng):
    def case(name, ok, used, total, targets, policy="DEDICATEDPS", walltime=100):
        """A job of 2 processors and half of the machine's memory: 4 PE."""
        kinds = {kind: [used if kind == "user" else 0.0, 0.0] for kind in CREDENTIALS}
        return {"id": name, "rc": 0, "cfg": [f"FSPOLICY {policy}"] + targets,
                "totals": {"procs": 8, "mem": 4000}, "fs": {"total": [total, 0.0], **kinds},
                "job": {"name": "j", "tasks": 2, "mem": 1000, "wc": walltime,
                        **{kind: NAMES[kind][0] for kind in CREDENTIALS}},
                "expect": {"job": "j", "ok": ok}}

    def absolute(cap):
        return [f"USERCFG[alice] FSTARGET={cap}^"]

    yield case("below", 1, 700.0, 1000.0, absolute(900))
    yield case("request-over", 0, 701.0, 1000.0, absolute(900))
    yield case("reached", 0, 900.0, 1000.0, absolute(900), walltime=0)
    yield case("original-reached", 1, 900.0, 1000.0, absolute(900), walltime=0)
    yield case("default", 0, 900.0, 1000.0, ["USERCFG[DEFAULT] FSTARGET=800^"])
    yield case("original-default", 1, 900.0, 1000.0, ["USERCFG[DEFAULT] FSTARGET=800^"])
    yield case("pe", 0, 0.0, 1000.0, absolute(399), "DEDICATEDPES")
    yield case("original-pe", 1, 0.0, 1000.0, absolute(399), "DEDICATEDPES")
    yield case("pe-fits", 1, 0.0, 1000.0, absolute(400), "DEDICATEDPES")
    for name, ok, cap in [("percent", 1, 70), ("percent-over", 0, 69.9), ("percent-used", 0, 40)]:
        yield case(name, ok, 500.0, 1000.0, [f"USERCFG[alice] FSTARGET={cap}%"])
    yield case("nothing-used", 1, 0.0, 0.0, ["USERCFG[alice] FSTARGET=0.1%"])
    yield case("no-cap", 1, 900.0, 1000.0, ["USERCFG[alice] FSTARGET=1-"])
    for _ in range(10):
        used, cap = rng.randrange(1000), rng.choice([200, 400, 600, 800])
        yield case(f"random-{used}-{cap}", int(used + 200 <= cap), float(used), 1000.0,
                   absolute(cap), "UTILIZEDPS")


def documented_cases():
    def entry(area, expect, **given):
        return {"area": area, "expect": expect, "input": given, "derived_from": "the formula"}

    def decayed(amounts, decay):
        return added(amount * decay ** k for k, amount in enumerate(amounts))

    for decay in [0.5, 0.9, 1.0]:
        usage, total = [10, 0, 30, 7], [40, 50, 0, 70]
        yield entry("fairshare_usage", decayed(usage, decay) / decayed(total, decay), decay=decay,
                    depth=4, total=total, usage=usage)
    for decay, rounded_down in [(0.9, False), (0.6, True), (1.0, False)]:
        exact = [100 * decay ** k for k in range(8)]
        yield entry("fsdecay", {"exact": [round(value, 4) for value in exact],
                                "doc_percent": [int(value) if rounded_down else round(value)
                                                for value in exact]}, decay=decay)
